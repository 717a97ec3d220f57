package recorder

import (
	"bytes"
	"os"
	"time"

	"asldb/engine"
	"asldb/recorder/heads"
)

// Glance is as much of a trace as its first line and its end say.
type Glance struct {
	Header *Header
	Size   int64 // of the file, in bytes
	// Events, Newest and Last are the number, the type and the time of the last event; Events is 0 where it was not found.
	Events int64
	Newest engine.EventType
	Last   time.Time
}

// glanced is how much of the end of a trace is read to find its last event, in bytes.
const glanced = 1 << 20

// LookAt reads the first line and the end of a trace that is not compressed, whatever its size. It returns nil where the trace is compressed
// or has fewer than size bytes: then [Open] is for it. The error is that of Open.
func LookAt(name string, size int64) (*Glance, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close() // it was only read
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() < size {
		return nil, err
	}
	first, err := readFirst(name, file, info.Size())
	if err != nil || first.unpack != nil {
		return nil, err
	}
	g := &Glance{Size: info.Size()}
	if g.Header, err = readHeader(name, first.line); err != nil {
		return nil, err
	}
	end := make([]byte, min(glanced, info.Size()-first.end))
	n, _ := file.ReadAt(end, info.Size()-int64(len(end)))
	g.find(end[:n])
	return g, nil
}

// find finds the last event in the end of a trace.
func (g *Glance) find(end []byte) {
	var head heads.Head
	for len(end) > 0 {
		end = bytes.TrimSuffix(end, []byte{'\n'})
		start := bytes.LastIndexByte(end, '\n') + 1
		line := end[start:]
		if end = end[:start]; start == 0 || !bytes.HasPrefix(line, []byte(seqStart)) || !bytes.HasSuffix(line, []byte{'}'}) || !head.Read(line) {
			continue
		}
		if at, err := time.Parse(time.RFC3339Nano, string(head.Time)); err == nil {
			g.Events, g.Newest, g.Last = head.Seq, head.Kind, at.UTC()
			return
		}
	}
}
