// Decides conditions over events by the beginnings of their lines in a trace.
//
// The head of a line is everything before the data: number, time, type, thread, state path, visit, entry and stage. It
// is read without decoding the line. A [Filter] says of an event that it does not meet a condition, or that the event
// itself has to be asked.

package recorder

import (
	"bytes"
	"strings"

	"asldb/engine"
)

// Head is the beginning of an event's line. Its texts are parts of the line, as written between their quotes.
type Head struct {
	Seq  int64
	Time []byte
	Kind engine.EventType
	// Thread is the number of the thread.
	Thread int64
	// State is the state path, nil where the event has none; Visit and Entered belong to it.
	State          []byte
	Visit, Entered int64
	// Stage is nil where the event has none.
	Stage []byte
	// Rest is the rest of the line, behind these members.
	Rest []byte
}

// Stages returns the stages by their names in lines: as the language of the state has them.
func Stages() map[string]engine.Stage {
	known := make(map[string]engine.Stage)
	for stage := engine.StageInput; !strings.HasPrefix(stage.String(), "Stage("); stage++ {
		known[stage.String()] = stage
	}
	// As JSONata has them: see engine.Event.StageName.
	known["Arguments"], known["Items"], known["Output"] = engine.StageParameters, engine.StageItemsPath, engine.StageOutputPath
	return known
}

// The members of a head, in their order.
const (
	seqMember     = `{"seq":`
	timeMember    = `,"time":"`
	typeMember    = `","type":"`
	threadMember  = `","thread":`
	stateMember   = `,"state":"`
	visitMember   = `","visit":`
	enteredMember = `,"entered":`
	stageMember   = `,"stage":"`
)

// Read reads the head of a line. It reports false where the line does not begin as asldb writes lines; the Head is of no use then.
func (h *Head) Read(line []byte) bool {
	rest, ok := after(line, seqMember)
	if !ok {
		return false
	}
	if h.Seq, rest, ok = leadingNumber(rest); !ok {
		return false
	}
	if rest, ok = after(rest, timeMember); !ok {
		return false
	}
	if h.Time, rest, ok = text(rest); !ok {
		return false
	}
	if rest, ok = after(rest, typeMember); !ok {
		return false
	}
	var kind []byte
	if kind, rest, ok = text(rest); !ok {
		return false
	}
	if h.Kind, ok = engine.ParseEventType(string(kind)); !ok {
		return false
	}
	if rest, ok = after(rest, threadMember); !ok {
		return false
	}
	if h.Thread, rest, ok = leadingNumber(rest); !ok {
		return false
	}
	return h.readPlace(rest)
}

// readPlace reads the members that not every event has.
func (h *Head) readPlace(rest []byte) bool {
	h.State, h.Stage, h.Visit, h.Entered = nil, nil, 0, 0
	if inner, ok := after(rest, stateMember); ok {
		if h.State, rest, ok = text(inner); !ok {
			return false
		}
		if rest, ok = after(rest, visitMember); !ok {
			return false
		}
		if h.Visit, rest, ok = leadingNumber(rest); !ok {
			return false
		}
		if rest, ok = after(rest, enteredMember); !ok {
			return false
		}
		if h.Entered, rest, ok = leadingNumber(rest); !ok {
			return false
		}
	}
	if inner, ok := after(rest, stageMember); ok {
		if h.Stage, rest, ok = text(inner); !ok {
			return false
		}
		rest = rest[1:]
	}
	h.Rest = rest
	return len(rest) > 0 && (rest[0] == ',' || rest[0] == '}')
}

// after returns what follows a member's key.
func after(line []byte, key string) (rest []byte, ok bool) {
	if len(line) < len(key) || string(line[:len(key)]) != key {
		return nil, false
	}
	return line[len(key):], true
}

// text returns a text up to its closing quote, with which rest begins. A text with an escape is not read.
func text(line []byte) (found, rest []byte, ok bool) {
	end := bytes.IndexByte(line, '"')
	if end < 0 || bytes.IndexByte(line[:end], '\\') >= 0 {
		return nil, nil, false
	}
	return line[:end:end], line[end:], true
}

// maxDigits is how many digits of a number are read.
const maxDigits = 17

// leadingNumber returns a whole number without leading zeros.
func leadingNumber(line []byte) (n int64, rest []byte, ok bool) {
	i := 0
	for ; i < len(line) && i <= maxDigits; i++ {
		c := line[i]
		if c < '0' || c > '9' {
			break
		}
		n = 10*n + int64(c-'0')
	}
	if i == 0 || i > maxDigits || line[0] == '0' && i > 1 {
		return 0, nil, false
	}
	return n, line[i:], true
}

// referring reports whether the rest of a line has nothing but members with the numbers of values, as the line of an
// entry into a state with large data, or nothing at all: such a line is whole.
func referring(rest []byte) bool {
	for {
		if len(rest) == 1 && rest[0] == '}' {
			return true
		}
		var ok bool
		for _, key := range [...]string{`,"inspection":"input"`, `,"historyId":`, `,"parent":`, `,"beforeValue":`, `,"afterValue":`} {
			var inner []byte
			if inner, ok = after(rest, key); !ok {
				continue
			}
			if rest = inner; key[len(key)-1] == ':' {
				if _, rest, ok = leadingNumber(rest); !ok {
					return false
				}
			}
			break
		}
		if !ok {
			return false
		}
	}
}
