package recorder

import (
	"time"

	"asldb/engine"
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

// packedGlance is how many bytes of a trace stand in one of a compressed trace, about.
const packedGlance = 16

// LookAt reads the first line and the end of a trace, whatever its size. It returns nil where the trace has fewer than size bytes, or is compressed
// and has fewer than a sixteenth of it or an end that only reading it whole finds: then [Open] is for it. The error is that of [Begin].
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
