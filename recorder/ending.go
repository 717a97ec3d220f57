package recorder

import (
	"bytes"
	"time"

	"asldb/engine"
)

// Ending is the last event of a trace, as its line has it. Members that the line does not have are empty.
type Ending struct {
	Seq          int64
	Time         time.Time
	Type         engine.EventType
	State        string
	Error, Cause string
}

const (
	// endRead and endReadMost are the numbers of bytes at the end of a trace in which its last event is looked for.
	endRead     = 64 << 10
	endReadMost = 1 << 20
	// maxEndFrame is the greatest content of a frame in which it is looked for.
	maxEndFrame = 8 << 20
)

// Ending reads the last event from the end of the file: it needs no [Trace.Index]. ok is false where there is none in the last MiB
// and where its line is damaged. Of a compressed trace it is in the last zstd frames that begin there.
func (t *Trace) Ending() (ending Ending, ok bool) {
	if t.unpack != nil {
		return t.packedEnding()
	}
	for n := int64(endRead); n <= endReadMost; n = min(4*n, endReadMost) {
		n = min(n, t.size)
		data := make([]byte, n)
		if read, _ := t.file.ReadAt(data, t.size-n); int64(read) < n {
			return Ending{}, false
		}
		if line := lastEventLine(data, n == t.size); line != nil {
			return t.readEnding(line)
		}
		if n == t.size || n == endReadMost {
			break
		}
	}
	return Ending{}, false
}

// packedEnding reads the last event of a compressed trace: frames are found by the bytes that they begin with, from the end back.
func (t *Trace) packedEnding() (ending Ending, ok bool) {
	data := make([]byte, min(t.size, endReadMost))
	start := t.size - int64(len(data))
	if read, _ := t.file.ReadAt(data, start); read < len(data) {
		return Ending{}, false
	}
	for end := len(data); ; {
		at := bytes.LastIndex(data[:end], zstdMagic)
		if at < 0 {
			return Ending{}, false
		}
		end = at
		length, content, err := frameLength(t.file, start+int64(at), t.size)
		if err != nil || content < 0 || content > maxEndFrame { // it is cut, or these bytes begin no frame
			continue
		}
		t.mutex.Lock()
		text, err := t.unpack(nil, data[at:at+int(length)])
		t.mutex.Unlock()
		if err != nil {
			continue
		}
		if line := lastEventLine(text, true); line != nil {
			return t.readEnding(line)
		}
	}
}

// Ending returns the last event of the run; ok is false where its line is damaged, and of a run without events.
func (r *Run) Ending() (ending Ending, ok bool) {
	r.t.mutex.Lock()
	line, _, err := r.t.eventLine(r.b, r.last())
	r.t.mutex.Unlock()
	if err != nil {
		return Ending{}, false
	}
	return r.t.readEnding(line)
}

// lastEventLine returns the last whole line of an event; nil: there is none. whole is set where data begins with a line.
func lastEventLine(data []byte, whole bool) []byte {
	if last := data[bytes.LastIndexByte(data, '\n')+1:]; !bytes.HasSuffix(last, []byte("}")) {
		data = data[:len(data)-len(last)]
	}
	for len(data) > 0 {
		data = bytes.TrimSuffix(data, []byte("\n"))
		start := bytes.LastIndexByte(data, '\n') + 1
		if start == 0 && !whole {
			return nil
		}
		if line := data[start:]; bytes.HasPrefix(line, []byte(seqStart)) && bytes.HasSuffix(line, []byte("}")) {
			return line
		}
		data = data[:start]
	}
	return nil
}

func (t *Trace) readEnding(line []byte) (Ending, bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	f, err := t.read.fields(line)
	if err != nil {
		return Ending{}, false
	}
	defer t.read.done(f)
	kind, known := engine.ParseEventType(f.text("type"))
	e := Ending{
		Seq: f.integer("seq"), Time: f.time("time"), Type: kind, State: f.text("state"),
		Error: f.text("error"), Cause: f.text("cause"),
	}
	return e, known && f.fault == ""
}
