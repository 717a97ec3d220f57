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

// LookAt reads the first line and the end of a trace that is not compressed, whatever its size. It returns nil where the trace is compressed
// or has fewer than size bytes: then [Open] is for it. The error is that of [Begin].
func LookAt(name string, size int64) (*Glance, error) {
	t, err := Begin(name, nil)
	if err != nil {
		return nil, err
	}
	defer t.Close() // it was only read
	if t.unpack != nil || t.size < size {
		return nil, nil
	}
	g := &Glance{Header: t.header, Size: t.size}
	if ending, ok := t.Ending(); ok {
		g.Events, g.Newest, g.Last = ending.Seq, ending.Type, ending.Time
	}
	return g, nil
}
