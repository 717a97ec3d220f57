package recorder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

// Trace is a trace that has been opened. It holds an index of it in memory, about 40 bytes for each 64 KiB,
// and reads events when they are asked for. It may be used by several goroutines.
type Trace struct {
	name   string
	file   io.ReaderAt
	size   int64
	closer io.Closer
	unpack func(dst, frame []byte) ([]byte, error) // nil where the trace is not compressed
	header *Header

	definition *asl.StateMachine // nil where it is not known, or wrong
	scanner    *scanner
	followed   bool // lines are added while it is open: see [Trace.Extend]
	chunks     []chunk
	forks      []fork
	passedOver []int64 // lines that are not the event or value that they begin as, in order
	warnings   []Warning
	unwarned   int // warnings beyond maxWarnings

	mutex  sync.Mutex
	read   decoder
	loaded recent[int, *lines]
	found  struct{ chunk, line int } // where the newest line was found
}

// Warning is one thing that is wrong with a trace. The rest of it is used.
type Warning struct {
	// Line is the number of the line, from 1; Offset where it begins, in bytes. Of a compressed trace Offset is the
	// offset of the zstd frames it is in.
	Line, Offset int64
	// Cut is set where the trace ends in the middle of the line; Bytes is how many bytes of it were dropped.
	Cut   bool
	Bytes int64
	Msg   string
}

// Error implements error.
func (w *Warning) Error() string {
	if w.Line == 0 {
		return w.Msg
	}
	return fmt.Sprintf("line %d of the trace (byte %d) %s", w.Line, w.Offset, w.Msg)
}

const (
	// keptChunks is how many chunks are kept once they have been read, keptValues how many values.
	keptChunks = 32
	keptValues = 1024
	// maxKept is the size of a chunk, or of a value's line, from which only the newest is kept.
	maxKept = 1 << 20
)

// maxWarnings bounds how many warnings are kept.
const maxWarnings = 100

// warn notes a warning and returns its place, -1 where there are too many.
func (t *Trace) warn(line, offset int64, format string, args ...any) int {
	if len(t.warnings) == maxWarnings {
		t.unwarned++
		return -1
	}
	t.warnings = append(t.warnings, Warning{Line: line, Offset: offset, Msg: fmt.Sprintf(format, args...)})
	return len(t.warnings) - 1
}

// rewarn replaces the warning at a place, now that more is known.
func (t *Trace) rewarn(place int, format string, args ...any) {
	if place >= 0 {
		t.warnings[place].Msg = fmt.Sprintf(format, args...)
	}
}

func (t *Trace) cut(line, offset, dropped int64) {
	t.warnings = append(t.warnings, Warning{
		Line: line, Offset: offset, Cut: true, Bytes: dropped,
		Msg: fmt.Sprintf("is cut: the recording ended in the middle of it, and its %d bytes are left out", dropped),
	})
}

// Formats makes definitions that are not in the language from their texts: by the format of their origin. The
// result is nil where that cannot be done.
type Formats map[string]func(text *source.File, origin *asl.Origin) *asl.StateMachine

// definition makes the definition that the header has; nil where that cannot be done.
func (f Formats) definition(h *Header) *asl.StateMachine {
	switch {
	case h.Definition == nil:
		return nil
	case h.ConvertedFrom == nil:
		definition, _ := asl.Parse(h.Definition)
		return definition
	case f[h.ConvertedFrom.Format] != nil:
		return f[h.ConvertedFrom.Format](h.Definition, h.ConvertedFrom)
	}
	return nil
}

// Open opens the trace in a file. A trace that is cut or damaged opens as far as it can be read: see Warnings. The
// error is a *[FormatError] where the file is not a trace or is of a newer version, or comes from the system.
//
// formats are the formats of definitions that are not in the language; nil means none.
func Open(name string, formats Formats) (*Trace, error) {
	t, err := Begin(name, formats)
	return indexed(t, err)
}

// indexed reads all lines of a trace that was begun, unless that has failed.
func indexed(t *Trace, err error) (*Trace, error) {
	if err != nil {
		return nil, err
	}
	if err := t.Index(nil); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// NewTrace opens the trace in the first size bytes of file, as [Open] does; name is for messages.
func NewTrace(name string, file io.ReaderAt, size int64, formats Formats) (*Trace, error) {
	t, err := BeginTrace(name, file, size, formats)
	return indexed(t, err)
}

func plainError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// firstLine is the beginning of a trace.
type firstLine struct {
	line   []byte
	end    int64 // the offset of the next line
	unpack func(dst, frame []byte) ([]byte, error)
}

// readFirst reads the first line of a trace. The error is a *[FormatError], or comes from reading.
func readFirst(name string, file io.ReaderAt, size int64) (*firstLine, error) {
	foreign := func(format string, args ...any) (*firstLine, error) {
		return nil, &FormatError{Name: name, Msg: fmt.Sprintf(format, args...)}
	}
	if size == 0 {
		return foreign("the file is empty: it has no trace")
	}
	probe := make([]byte, min(size, maxHeaderProbe))
	if _, err := file.ReadAt(probe, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, plainError(err)
	}
	if bytes.HasPrefix(probe, zstdMagic) {
		return readFirstFrame(name, file, size)
	}
	if !beginsTrace(probe) {
		return foreign("not a trace of asldb: its first line does not say that") // nor what it says: a suite can name any file
	}
	line := probe
	for !bytes.ContainsRune(line, '\n') {
		if int64(len(line)) == size {
			return foreign("the trace is cut in its first line, which says what ran: nothing of it can be used")
		}
		if len(line) >= MaxLine {
			return foreign("the first line of the trace has more than %d bytes", MaxLine)
		}
		line = make([]byte, min(size, max(readAhead, 2*int64(len(line))), MaxLine))
		if _, err := file.ReadAt(line, 0); err != nil && !errors.Is(err, io.EOF) {
			return nil, plainError(err)
		}
		if bytes.IndexByte(line, 0) >= 0 && !bytes.ContainsRune(line, '\n') {
			return foreign("the first line of the trace is damaged: it has bytes that are 0")
		}
	}
	end := bytes.IndexByte(line, '\n')
	return &firstLine{line: withoutReturn(line[:end]), end: int64(end) + 1}, nil
}

func readFirstFrame(name string, file io.ReaderAt, size int64) (*firstLine, error) {
	unpack, err := unpacker()
	if err != nil {
		return nil, err
	}
	length, content, err := frameLength(file, 0, size)
	switch {
	case errors.Is(err, errFrame), errors.Is(err, errContent):
		return nil, &FormatError{Name: name, Msg: "the file is cut or damaged in its first zstd frame: nothing of it can be used"}
	case err != nil:
		return nil, plainError(err)
	case content > maxFrame || length > maxFrame:
		return nil, &FormatError{Name: name, Msg: fmt.Sprintf(
			"the zstd frame has %d bytes, and at most %d can be read at a time: unpack it with zstd -d first", max(content, length), int64(maxFrame))}
	}
	packed := make([]byte, length)
	if _, err := file.ReadAt(packed, 0); err != nil {
		return nil, plainError(err)
	}
	text, err := unpack(nil, packed)
	if err != nil {
		return nil, &FormatError{Name: name, Msg: "the first zstd frame is damaged: " + err.Error()}
	}
	line, _, whole := bytes.Cut(text, []byte{'\n'})
	if !whole || !beginsTrace(line) {
		return nil, &FormatError{Name: name, Msg: "not a trace of asldb, but something else that was compressed with zstd"}
	}
	return &firstLine{line: line, end: length, unpack: unpack}, nil
}

// beginsTrace reports whether a first line may be a trace's, as far as its beginning says.
func beginsTrace(start []byte) bool {
	return bytes.HasPrefix(start, []byte(formatStart))
}

// Close closes the file.
func (t *Trace) Close() error {
	if t.closer == nil {
		return nil
	}
	return t.closer.Close()
}

// Name returns the file's name.
func (t *Trace) Name() string { return t.name }

// Header returns the first line of the trace.
func (t *Trace) Header() *Header { return t.header }

// Definition returns the definition in the header, nil where there is none or it is wrong.
func (t *Trace) Definition() *asl.StateMachine { return t.definition }

// Redacted reports whether secrets were kept out of the trace.
func (t *Trace) Redacted() bool { return len(t.header.Redactions) > 0 }

// Warnings returns the problems that the index of the trace shows: the first hundred, and one with the number of
// the others.
func (t *Trace) Warnings() []Warning {
	if t.unwarned == 0 {
		return t.warnings
	}
	return append(t.warnings[:len(t.warnings):len(t.warnings)], Warning{Msg: fmt.Sprintf("%d more lines of the trace are wrong", t.unwarned)})
}

// lines are the lines of a chunk.
type lines struct {
	data []byte
	ends []int32 // where each line ends
}

func (l *lines) len() int { return len(l.ends) }

func (l *lines) at(i int) []byte {
	start := int32(0)
	if i > 0 {
		start = l.ends[i-1] + 1
	}
	return withoutReturn(l.data[start:l.ends[i]])
}

// chunkLines reads the lines of a chunk. The newest ones are kept.
func (t *Trace) chunkLines(i int) (*lines, error) {
	if known, ok := t.loaded.get(i); ok {
		return known, nil
	}
	c := &t.chunks[i]
	data, err := new(chunkBuffer).read(t, c)
	if err != nil {
		return nil, plainError(err)
	}
	at, l := 0, &lines{data: data, ends: make([]int32, 0, bytes.Count(data, []byte{'\n'})+1)}
	for line := range bytes.Lines(data) {
		at += len(line)
		l.ends = append(l.ends, int32(at-len(line)+len(bytes.TrimSuffix(line, []byte{'\n'}))))
	}
	if c.size <= maxKept {
		t.loaded.set(i, l)
	}
	return l, nil
}

// parseLine decodes a line as an object.
func parseLine(line []byte) (*value.Object, error) {
	parsed, err := value.Parse(line, lineLimits)
	if err != nil {
		return nil, err
	}
	object, ok := parsed.(*value.Object)
	if !ok {
		return nil, fmt.Errorf("is %s, not an object", value.KindOf(parsed))
	}
	return object, nil
}

// lines is how many events the trace has lines of, about.
func (t *Trace) lines() int64 {
	n := int64(0)
	for i := range t.forks {
		n += t.forks[i].events
	}
	return n
}

// Glance is as much of a trace as its first line and its end say.
type Glance struct {
	Header *Header
	Size   int64 // of the file, in bytes
	// Events, Newest and Last are the number, the type and the time of the last event; Events is 0 where it was not found.
	Events int64
	Newest engine.EventType
	Last   time.Time
}

// packedGlance is how many bytes of a trace are in one of a compressed trace, about.
const packedGlance = 16

// LookAt reads the first line and the end of a trace, whatever its size. It returns nil where the trace has fewer than size bytes, or is compressed
// and has fewer than a sixteenth of it or an end that only reading it whole finds: then [Open] is for it. The error
// comes from [Begin].
func LookAt(name string, size int64) (*Glance, error) {
	t, err := Begin(name, nil)
	if err != nil {
		return nil, err
	}
	defer t.Close() // it was only read
	if t.unpack != nil {
		size /= packedGlance
	}
	if t.size < size {
		return nil, nil
	}
	g := &Glance{Header: t.header, Size: t.size}
	ending, ok := t.Ending()
	switch {
	case ok:
		g.Events, g.Newest, g.Last = ending.Seq, ending.Type, ending.Time
	case t.unpack != nil:
		return nil, nil
	}
	return g, nil
}
