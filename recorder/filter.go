package recorder

import (
	"bytes"
	"math"
	"slices"

	"asldb/engine"
	"asldb/engine/expr"
	"asldb/engine/value"
)

// Names are the names that a condition can ask for. Those of error and cause are in heads only as far as the type of an
// event has none.
var Names = []string{"type", "stage", "state", "path", "visit", "thread", "seq", "error", "cause"}

// Verdict is what a head says about a condition.
type Verdict int8

// The verdicts.
const (
	// Open: the event itself has to be asked.
	OpenHeads Verdict = iota
	// No: the event does not meet the condition. Yes: it does, unless its line is damaged behind the head.
	No
	Yes
)

// Place is the place of a state path in the definition.
type Place struct {
	// State is the state's name, Parent the path of the container around it; empty at the top.
	State, Parent string
	// Known is set where the definition has the path, written in the one way in which a path is written.
	Known bool
}

// Filter decides a condition by heads. It is for one goroutine, and for heads in the order of their lines.
type Filter struct {
	condition *expr.Expression
	names     []string
	locate    func(path string) Place
	places    map[string]Place
	entries   []entry // nil where the condition does not ask for visits
	fields    map[string]value.Value
	// memo has the verdicts by the texts of heads, key is one of them; nil where the condition asks for numbers, too.
	memo map[string]Verdict
	key  []byte
}

// entry is the entry into a state, as its line says.
type entry struct {
	entered, visit int64
	path           []byte
}

// remembered is how many entries are remembered, and maxMemo how many texts.
const (
	rememberedHeads = 1 << 12
	maxMemo         = 1 << 12
)

// NewFilter returns a filter for a condition, with a function that finds state paths in the definition. It returns nil
// where heads decide nothing of the condition.
func NewFilter(x *expr.Expression, locate func(path string) Place) *Filter {
	f := &Filter{condition: x, names: x.Names(), locate: locate, places: map[string]Place{}, fields: map[string]value.Value{}}
	for _, name := range f.names {
		if !slices.Contains(Names, name) {
			return nil // the evaluation fails
		}
	}
	if slices.Contains(f.names, "visit") {
		f.entries = make([]entry, rememberedHeads)
	}
	if f.entries == nil && !slices.Contains(f.names, "seq") && !slices.Contains(f.names, "thread") {
		f.memo = map[string]Verdict{}
	}
	if len(f.names) == 0 {
		return nil
	}
	return f
}

// Decide returns the verdict of a head. Heads of entries into states are to be given to [Filter.Enter] first.
func (f *Filter) Decide(h *Head) Verdict {
	if f.memo == nil {
		return f.evaluate(h)
	}
	f.key = append(append(append(append(f.key[:0], byte(h.Kind)), h.Stage...), '"'), h.State...)
	if h.State == nil {
		f.key = f.key[:len(f.key)-1]
	}
	verdict, known := f.memo[string(f.key)]
	if !known {
		if verdict = f.evaluate(h); len(f.memo) >= maxMemo {
			clear(f.memo)
		}
		f.memo[string(f.key)] = verdict
	}
	return verdict
}

// evaluate decides by the names that the head tells.
func (f *Filter) evaluate(h *Head) Verdict {
	clear(f.fields)
	for _, name := range f.names {
		if v, ok := f.field(name, h); ok {
			f.fields[name] = v
		}
	}
	switch holds, decided := f.condition.Known(f.fields); {
	case !decided:
		return OpenHeads
	case holds:
		return Yes
	}
	return No
}

// Asks reports whether the condition asks for visits, so that [Filter.Enter] is needed.
func (f *Filter) Asks() bool { return f.entries != nil }

// Enter notes the entry into a state. A visit has its number from the line of its entry: only where that line is whole
// the head of a later one is trusted.
func (f *Filter) Enter(h *Head) {
	if h.Kind != engine.StateEntered || h.State == nil || h.Entered != h.Seq || h.Visit > math.MaxInt32 || !referring(h.Rest) {
		return
	}
	place := f.place(h.State)
	if !place.Known {
		return
	}
	if place.Parent != "" {
		parent, ok := numberOf(h.Rest, `,"parent":`)
		if in := &f.entries[parent%rememberedHeads]; !ok || in.entered != parent || string(in.path) != place.Parent {
			return
		}
	}
	e := &f.entries[h.Seq%rememberedHeads]
	e.entered, e.visit, e.path = h.Seq, h.Visit, append(e.path[:0], h.State...)
}

// numberOf returns the number behind a key.
func numberOf(rest []byte, key string) (n int64, ok bool) {
	at := bytes.Index(rest, []byte(key))
	if at < 0 {
		return 0, false
	}
	n, _, ok = leadingNumber(rest[at+len(key):])
	return n, ok
}

// visit returns the number of an event's visit. ok is false where its line alone does not tell.
func (f *Filter) visit(h *Head) (n int64, ok bool) {
	e := &f.entries[h.Entered%rememberedHeads]
	return h.Visit, h.State != nil && e.entered == h.Entered && h.Entered > 0 && e.visit == h.Visit && bytes.Equal(e.path, h.State)
}

// place returns the place of a path.
func (f *Filter) place(path []byte) Place {
	if p, known := f.places[string(path)]; known {
		return p
	}
	p := f.locate(string(path))
	if len(f.places) >= maxMemo {
		clear(f.places)
	}
	f.places[string(path)] = p
	return p
}

// hasError reports whether events of a type have an error and its cause.
func hasError(kind engine.EventType) bool {
	return kind.Traits().Fails || kind == engine.RetryScheduled || kind == engine.ErrorCaught
}

// field returns the value of a name. ok is false where the head does not tell it.
func (f *Filter) field(name string, h *Head) (v value.Value, ok bool) {
	switch name {
	case "type":
		return value.String(h.Kind.String()), true
	case "seq":
		return value.Int(h.Seq), true
	case "thread":
		return value.Int(h.Thread), true
	case "stage":
		stage, known := stages[string(h.Stage)]
		return stage, known
	case "error", "cause":
		return nil, !hasError(h.Kind)
	}
	if h.State == nil { // what belongs to no state, or lacks it
		return nil, h.Kind.Traits().Scope == engine.OfExecution
	}
	if name == "visit" {
		n, ok := f.visit(h)
		return value.Int(n), ok
	}
	place := f.place(h.State)
	if name == "path" {
		return value.String(h.State), place.Known
	}
	return value.String(place.State), place.Known
}

// stages are the names of stages in a condition by their names in lines.
var stages = func() map[string]value.Value {
	known := map[string]value.Value{"": value.String(engine.NoStage.String())}
	for name, stage := range Stages() {
		known[name] = value.String(stage.String())
	}
	return known
}()
