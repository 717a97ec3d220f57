package breakpoint

import (
	"slices"

	"asldb/engine/asl"
)

// List holds the breakpoints of a session, and the messages of its logpoints. It is part of a [Tracker].
type List struct {
	run      Run
	points   []*Breakpoint
	last     int // the newest number
	messages []Message
}

// All returns the breakpoints in the order in which they were made. Enabled may be changed.
func (l *List) All() []*Breakpoint { return l.points }

// Add adds a breakpoint from its spec; [Help] is the grammar. The error is a *[SpecError].
func (l *List) Add(spec string) (*Breakpoint, error) {
	b, err := l.Check(spec)
	if err != nil {
		return nil, err
	}
	return l.add(b), nil
}

// Check reads a spec without adding a breakpoint. The error is a *[SpecError].
func (l *List) Check(spec string) (*Breakpoint, error) {
	return read(spec, l.run.Machine().Definition())
}

// AddUncaught adds the permanent breakpoint on uncaught errors before all others. It has the number 0.
func (l *List) AddUncaught() *Breakpoint {
	b := &Breakpoint{Kind: OnUncaught, Standing: true, Enabled: true}
	l.begin(b)
	l.points = append([]*Breakpoint{b}, l.points...)
	return b
}

// AddAt adds a breakpoint at the entry of a state of the definition. The state's name is not taken for a pattern.
func (l *List) AddAt(state *asl.State) *Breakpoint {
	return l.add(&Breakpoint{Pattern: state.Path(), state: state})
}

func (l *List) add(b *Breakpoint) *Breakpoint {
	l.last++
	b.ID, b.Enabled = l.last, true
	l.begin(b)
	l.points = append(l.points, b)
	return b
}

// begin lets the counting of hits begin at the run's position.
func (l *List) begin(b *Breakpoint) { b.since, b.counted = l.run.Position(), l.run.Position() }

// Replace gives the breakpoint of a number another spec; the number, and whether it is enabled, stay. Its hits are
// counted again. Replace returns nil where there is no breakpoint of that number; the error is a *[SpecError].
func (l *List) Replace(id int, spec string) (*Breakpoint, error) {
	i := l.index(id)
	if i < 0 {
		return nil, nil
	}
	b, err := l.Check(spec)
	if err != nil {
		return nil, err
	}
	if l.points[i].Standing {
		return nil, &SpecError{Spec: spec, Msg: "cannot replace " + l.points[i].String() + ", which stays: switch that off and add another"}
	}
	b.ID, b.Enabled = id, l.points[i].Enabled
	l.begin(b)
	l.points[i] = b
	return b, nil
}

// Remove removes the breakpoint of a number; a permanent one is switched off. It reports false where there is none.
func (l *List) Remove(id int) bool {
	i := l.index(id)
	if i < 0 {
		return false
	}
	if l.points[i].Standing {
		l.points[i].Enabled = false
		return true
	}
	l.points = append(l.points[:i:i], l.points[i+1:]...)
	return true
}

func (l *List) index(id int) int {
	return slices.IndexFunc(l.points, func(b *Breakpoint) bool { return b.ID == id })
}

// At returns the first breakpoint, enabled or not, that stops at the entry of a state, or nil.
func (l *List) At(state *asl.State) *Breakpoint {
	for _, b := range l.points {
		if b.Kind != OnEntry || b.Message != "" {
			continue
		}
		if b.state == state || (b.state == nil && MatchesState(b.Pattern, state)) {
			return b
		}
	}
	return nil
}

// Messages returns the messages of the logpoints, the oldest first; of more than ten thousand only the newest.
func (l *List) Messages() []Message { return l.messages }

// MessagesAt returns the messages about event i of the log, counted from 0.
func (l *List) MessagesAt(i int) []Message {
	from, _ := slices.BinarySearchFunc(l.messages, i, func(m Message, i int) int { return m.Event - i })
	to := from
	for to < len(l.messages) && l.messages[to].Event == i {
		to++
	}
	return l.messages[from:to]
}

// maxMessages is the number of messages that are stored.
const maxMessages = 10_000

// record adds the message of a logpoint for event i.
func (l *List) record(b *Breakpoint, i int) {
	text, err := b.message.fill(envAt(l.run, i))
	b.Fault = err
	if len(l.messages) == maxMessages {
		l.messages = append(l.messages[:0:0], l.messages[maxMessages/2:]...)
	}
	at := len(l.messages) // a logpoint that counts later may have an earlier message
	for at > 0 && (l.messages[at-1].Event > i || l.messages[at-1].Event == i && l.messages[at-1].Breakpoint > b.ID) {
		at--
	}
	l.messages = slices.Insert(l.messages, at, Message{Event: i, Breakpoint: b.ID, Text: text})
}

// forgetMessages drops the messages of event n and later ones.
func (l *List) forgetMessages(n int) {
	for len(l.messages) > 0 && l.messages[len(l.messages)-1].Event >= n {
		l.messages = l.messages[:len(l.messages)-1]
	}
}
