package recorder

import (
	"bytes"
	"math"
	"slices"

	"asldb/engine"
	"asldb/engine/expr"
	"asldb/engine/value"
)

// Names are the names that a condition can ask for. Those of error and cause are in heads only as far as the type of an event has
// none.
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

func verdictOf(truth bool) Verdict {
	if truth {
		return Yes
	}
	return No
}

// Place is the place of a state path in the definition.
type Place struct {
	// State is the state's name, Parent the path of the container around it; empty at the top.
	State, Parent string
	// Known is set where the definition has the path, written in the one way in which a path is written.
	Known bool
}

// Filter decides a condition by heads. It is for one goroutine, and for heads in the order of their lines.
type Filter struct {
	root    *node
	locate  func(path string) Place
	places  map[string]Place
	visits  bool // the condition asks for visits
	entries []entry
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

// NewFilter returns a filter for a condition, with a function that finds state paths in the definition. It returns nil where heads decide
// nothing of the condition.
func NewFilter(x *expr.Expression, locate func(path string) Place) *Filter {
	f := &Filter{locate: locate, places: make(map[string]Place)}
	if f.root = f.node(x.Condition()); f.root == nil {
		return nil
	}
	if f.visits {
		f.entries = make([]entry, rememberedHeads)
	}
	return f
}

// node is a part of a condition.
type node struct {
	joint expr.Joint
	parts []*node
	// open is set of a part that no head decides; sure: it cannot fail.
	open, sure bool
	test       func(h *Head) Verdict // of a part that stands alone
}

// node returns the part of a filter for a condition, nil where nothing is decided.
func (f *Filter) node(c *expr.Condition) *node {
	n := &node{joint: c.Joint}
	if c.Joint == expr.Alone {
		if f.leaf(n, c); n.open {
			return nil
		}
		return n
	}
	decides := false
	for _, part := range c.Parts {
		p := f.node(part)
		if p == nil {
			p = &node{open: true, sure: sure(part)}
		} else {
			decides = true
		}
		n.parts = append(n.parts, p)
	}
	if !decides {
		return nil
	}
	return n
}

// sure reports whether the evaluation of a condition cannot fail.
func sure(c *expr.Condition) bool {
	if c.Joint == expr.Alone {
		return c.Sure && !slices.ContainsFunc(c.Expression.Names(), func(name string) bool { return !slices.Contains(Names, name) })
	}
	return !slices.ContainsFunc(c.Parts, func(part *expr.Condition) bool { return !sure(part) })
}

// leaf makes the test of a part that stands alone.
func (f *Filter) leaf(n *node, c *expr.Condition) {
	names := c.Expression.Names()
	n.sure = sure(c)
	if len(names) == 0 || len(c.Expression.Paths()) > 0 || slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(Names, name) }) {
		n.open = true
		return
	}
	f.visits = f.visits || slices.Contains(names, "visit")
	if test := f.numeric(c.Comparison); test != nil {
		n.test = test
		return
	}
	if len(names) == 1 {
		n.test = f.byText(names[0], c.Expression)
	}
	if n.test == nil {
		n.test = func(h *Head) Verdict { return f.evaluate(names, c.Expression, h) }
	}
}

// Decide returns the verdict of a head. Heads of entries into states are to be given to [Filter.Enter] first.
func (f *Filter) Decide(h *Head) Verdict { return f.root.decide(h) }

func (n *node) decide(h *Head) Verdict {
	switch n.joint {
	case expr.Alone:
		if n.open {
			return OpenHeads
		}
		return n.test(h)
	case expr.Not:
		switch n.parts[0].decide(h) {
		case Yes:
			return No
		case No:
			return Yes
		case OpenHeads:
		}
		return OpenHeads
	case expr.All:
		return n.join(h, No)
	case expr.Any:
		return n.join(h, Yes)
	}
	return OpenHeads
}

// join evaluates parts from the left; one that has the decisive verdict decides. A part to the left of it that is open may fail
// instead, unless it is sure not to.
func (n *node) join(h *Head, decisive Verdict) Verdict {
	open := false
	for _, part := range n.parts {
		switch v := part.decide(h); {
		case v == decisive:
			return decisive
		case v == OpenHeads && !part.cannotFail():
			return OpenHeads
		case v == OpenHeads:
			open = true
		}
	}
	if open {
		return OpenHeads
	}
	return Yes + No - decisive
}

func (n *node) cannotFail() bool {
	if len(n.parts) == 0 {
		return n.sure
	}
	return !slices.ContainsFunc(n.parts, func(part *node) bool { return !part.cannotFail() })
}

// Asks reports whether the condition asks for visits, so that [Filter.Enter] is needed.
func (f *Filter) Asks() bool { return f.visits }

// Enter notes the entry into a state. A visit has its number from the line of its entry: only where that line is whole the head of a later
// one is trusted.
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
	n, _, ok = number(rest[at+len(key):])
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

// numeric returns the test of a comparison of a whole number with one; nil where it is none.
func (f *Filter) numeric(c *expr.Comparison) func(*Head) Verdict {
	if c == nil || len(c.Constants) != 1 {
		return nil
	}
	constant, isNumber := c.Constants[0].(value.Number)
	if !isNumber {
		return nil
	}
	than, whole := constant.Int64()
	holds := comparing(c.By, than)
	if !whole || holds == nil {
		return nil
	}
	switch c.Name {
	case "seq":
		return func(h *Head) Verdict { return verdictOf(holds(h.Seq)) }
	case "thread":
		return func(h *Head) Verdict { return verdictOf(holds(h.Thread)) }
	case "visit":
		none := verdictOf(c.By == expr.Unequal) // null compared with a number
		return func(h *Head) Verdict {
			if h.State == nil {
				return none
			}
			if n, ok := f.visit(h); ok {
				return verdictOf(holds(n))
			}
			return OpenHeads
		}
	}
	return nil
}

// comparing returns the comparison of a number with another.
func comparing(by expr.Comparator, than int64) func(int64) bool {
	switch by {
	case expr.Equal:
		return func(n int64) bool { return n == than }
	case expr.Unequal:
		return func(n int64) bool { return n != than }
	case expr.Less:
		return func(n int64) bool { return n < than }
	case expr.AtMost:
		return func(n int64) bool { return n <= than }
	case expr.Greater:
		return func(n int64) bool { return n > than }
	case expr.AtLeast:
		return func(n int64) bool { return n >= than }
	case expr.In, expr.Like, expr.Unlike:
	}
	return nil
}

// byText returns the test of a condition on one text, which is evaluated once for each; nil of other names.
func (f *Filter) byText(name string, x *expr.Expression) func(*Head) Verdict {
	var of func(h *Head) []byte
	switch name {
	case "type":
		var table [math.MaxUint8 + 1]Verdict
		for kind := range engine.EventTypes() {
			table[uint8(kind)] = truthOf(x, map[string]value.Value{"type": value.String(kind.String())})
		}
		return func(h *Head) Verdict { return table[uint8(h.Kind)] }
	case "error", "cause":
		none := truthOf(x, map[string]value.Value{name: nil})
		return func(h *Head) Verdict {
			if hasError(h.Kind) {
				return OpenHeads
			}
			return none
		}
	case "stage":
		of = func(h *Head) []byte { return h.Stage }
	case "state", "path":
		of = func(h *Head) []byte { return h.State }
	default:
		return nil
	}
	memo, last, verdict := make(map[string]Verdict), []byte{0}, OpenHeads
	return func(h *Head) Verdict {
		text := of(h)
		if bytes.Equal(text, last) && (text == nil) == (last == nil) {
			return verdict
		}
		found, known := memo[string(text)]
		if !known || text == nil {
			found = f.evaluate([]string{name}, x, h)
			if len(memo) >= maxMemo {
				clear(memo)
			}
			if text != nil {
				memo[string(text)] = found
			}
		}
		if verdict = found; text == nil {
			last = nil
		} else {
			last = append(last[:0], text...)
		}
		return verdict
	}
}

// hasError reports whether events of a type have an error and its cause.
func hasError(kind engine.EventType) bool {
	return kind.Traits().Fails || kind == engine.RetryScheduled || kind == engine.ErrorCaught
}

// evaluate evaluates a condition whose names are all in the head.
func (f *Filter) evaluate(names []string, x *expr.Expression, h *Head) Verdict {
	fields := make(map[string]value.Value, len(names))
	for _, name := range names {
		v, ok := f.field(name, h)
		if !ok {
			return OpenHeads
		}
		fields[name] = v
	}
	return truthOf(x, fields)
}

// truthOf evaluates a condition; one that fails is open.
func truthOf(x *expr.Expression, fields map[string]value.Value) Verdict {
	truth, err := x.Truth(&expr.Env{Fields: fields})
	if err != nil {
		return OpenHeads
	}
	return verdictOf(truth)
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
