package versions

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/value"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
	"asldb/recorder"
)

// Difference is one place at which the runs differ: data, or the way that they go.
type Difference struct {
	// State is the definition path of the state, as "Each/Iterations[*]/Charge"; empty for the execution itself.
	State string `json:"state,omitempty"`
	// Member names the data that differ: "input", "payload", "output"; empty where the way does. Path is the place in
	// them, and Was and Is are the values of the old and the new version; nil: there is none.
	Member string      `json:"member,omitempty"`
	Path   string      `json:"path,omitempty"`
	Was    value.Value `json:"was,omitempty"`
	Is     value.Value `json:"is,omitempty"`
	// WasTo and IsTo are where the old and the new version go, of a way that differs; WasVia and Via are how they decide it: "rule 2".
	WasTo  string `json:"wasTo,omitempty"`
	WasVia string `json:"wasVia,omitempty"`
	IsTo   string `json:"isTo,omitempty"`
	Via    string `json:"via,omitempty"`
	// Place is the place in the new version: "order.asl.json:27"; empty where it is not known.
	Place string `json:"place,omitempty"`
	// OldAt and NewAt are the indexes of the events in the logs of the runs; -1 where there is none.
	OldAt int `json:"-"`
	NewAt int `json:"-"`

	wholeWas, wholeIs value.Value
	cut               bool // one of the runs ends here, and the other continues
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *Difference) UnmarshalJSON(text []byte) error {
	type plain Difference
	var read struct {
		plain
		Was value.Decoded `json:"was"`
		Is  value.Decoded `json:"is"`
	}
	err := json.Unmarshal(text, &read)
	*d = Difference(read.plain)
	d.Was, d.Is = read.Was.Value, read.Is.Value
	return err
}

// items are indexes in the path of a value.
var items = wording.Pattern(`\[\d+\]`)

// key is the same for differences of the same kind at the same place.
func (d *Difference) key() string {
	if d.Member == "" {
		return strings.Join([]string{d.State, "way", d.WasTo, d.WasVia, d.IsTo, d.Via}, "\x00")
	}
	return strings.Join([]string{d.State, d.Member, items().ReplaceAllString(d.Path, "[*]")}, "\x00")
}

// Ignored is a part of data that is not compared.
type Ignored struct {
	// State is the definition path or the name of the state; empty: all.
	State string
	Path  *path.Path
}

// ParseIgnored reads a path of names, indexes, wildcards and "..", as $..id: it is applied to each payload, which is its $. A state
// can be before it: "Charge:$.id".
func ParseIgnored(text string) (*Ignored, error) {
	ignored := &Ignored{}
	state, rest, found := strings.Cut(text, ":$")
	if found {
		ignored.State, text = state, "$"+rest
	}
	if _, err := recorder.ParseRedaction(text); err != nil {
		return nil, err
	}
	parsed, err := path.Parse(text)
	ignored.Path = parsed
	return ignored, err
}

func (i *Ignored) about(state *asl.State) bool {
	return i.State == "" || state != nil && (i.State == state.Name || i.State == state.Path())
}

// without returns a value without its ignored parts.
func without(v value.Value, state *asl.State, ignore []*Ignored) value.Value {
	for _, i := range ignore {
		if v != nil && i.about(state) {
			v = suiterun.Without(v, i.Path)
		}
	}
	return v
}

// runDifferences is all that differs between two runs.
type runDifferences struct {
	differences []*Difference // in the order of the old run
	output      *Difference
	random      string // a state at which the old version itself goes another way
}

// comparison compares two courses.
type comparison struct {
	ignore []*Ignored
	runDifferences
}

// compareCourses compares two runs thread by thread.
func compareCourses(old, fresh *runPath, ignore []*Ignored) *runDifferences {
	c := &comparison{ignore: ignore}
	for _, name := range old.names {
		if other := fresh.threads[name]; other != nil { // else the data of its container differ, or its way
			c.threads(old.threads[name], other)
		}
	}
	slices.SortStableFunc(c.differences, func(a, b *Difference) int { return a.place() - b.place() })
	if list := c.data(nil, "output", old.output(), fresh.output(), -1, -1); len(list) > 0 && old.output() != nil && fresh.output() != nil {
		c.output = list[0]
	}
	return &c.runDifferences
}

// place is the index of the event that orders differences.
func (d *Difference) place() int {
	if d.OldAt >= 0 {
		return d.OldAt
	}
	return d.NewAt
}

func (c *comparison) threads(old, fresh *thread) {
	for n := range max(len(old.steps), len(fresh.steps)) {
		if n >= len(old.steps) || n >= len(fresh.steps) {
			if n > 0 && !old.stopped && !fresh.stopped {
				c.ended(old, fresh, n)
			}
			return
		}
		a, b := &old.steps[n], &fresh.steps[n]
		state := b.event.Visit.State
		if a.event.Type != b.event.Type || a.event.Visit.State.Name != state.Name {
			c.turn(a, b)
			return
		}
		if a.assigned != nil || b.assigned != nil {
			c.assigned(a, b)
		}
		c.members(a, b)
		if was, _, _ := a.leads(); a.event.Type != engine.StateFailed {
			if is, _, _ := b.leads(); was != is {
				c.turn(a, b)
				return
			}
		}
	}
}

// members compares the data of two steps.
func (c *comparison) members(a, b *step) {
	left, right := a.fields(), b.fields()
	for _, m := range left {
		if m.Key != "variables" {
			c.differences = append(c.differences, c.data(b.event.Visit.State, m.Key, m.Value, value.Find(right, m.Key), a.at, b.at)...)
		}
	}
	for _, m := range right {
		if m.Key != "variables" && value.Find(left, m.Key) == nil {
			c.differences = append(c.differences, c.data(b.event.Visit.State, m.Key, nil, m.Value, a.at, b.at)...)
		}
	}
}

func (c *comparison) assigned(a, b *step) {
	none := value.ObjectOf()
	was, is := a.assigned, b.assigned
	was = cmp.Or(was, none)
	is = cmp.Or(is, none)
	c.differences = append(c.differences, c.data(b.event.Visit.State, "variables", was, is, a.at, b.at)...)
}

// data compares two values.
func (c *comparison) data(state *asl.State, member string, was, is value.Value, oldAt, newAt int) []*Difference {
	list := value.List(was, is)
	if len(list) > 0 && len(c.ignore) > 0 {
		was, is = without(was, state, c.ignore), without(is, state, c.ignore)
		list = value.List(was, is)
	}
	differences := make([]*Difference, len(list))
	for i := range list {
		differences[i] = &Difference{
			Member: member, Path: list[i].Path, Was: list[i].Wanted, Is: list[i].Found, OldAt: oldAt, NewAt: newAt, wholeWas: was, wholeIs: is,
		}
		if state != nil {
			differences[i].State, differences[i].Place = state.Path(), fieldPlace(state, fieldOf(state, member))
		}
	}
	return differences
}

// fieldOf names the field of a state that most likely made some of its data.
func fieldOf(state *asl.State, member string) string {
	switch {
	case member == "resource":
		return "Resource"
	case member == "credentials":
		return "Credentials"
	case member == "variables":
		return "Assign"
	case member == "error" && state.Error != nil:
		return state.Error.Field
	case member == "cause" && state.Cause != nil:
		return state.Cause.Field
	case member == "payload" && state.QueryLanguage == asl.JSONata:
		return "Arguments"
	case member == "payload":
		return "Parameters"
	}
	return ""
}

// turn notes that the ways part.
func (c *comparison) turn(a, b *step) {
	d := &Difference{OldAt: a.at, NewAt: b.at}
	state := b.event.Visit.State
	d.WasTo, d.WasVia, _ = a.leads()
	to, via, field := b.leads()
	d.IsTo, d.Via, d.State, d.Place = to, via, state.Path(), fieldPlace(state, field)
	if b.event.Type == engine.StateEntered { // the scopes begin in different states
		d.State = scopeOf(state)
	}
	c.differences = append(c.differences, d)
}

// scopeOf returns the definition path of the scope that a state is in; empty at the top.
func scopeOf(state *asl.State) string {
	return strings.TrimSuffix(strings.TrimSuffix(state.Path(), state.Name), "/")
}

// ended notes that one of the threads continues where the other has ended.
func (c *comparison) ended(old, fresh *thread, n int) {
	if n < len(old.steps) {
		last := &fresh.steps[n-1]
		was, _, _ := old.steps[n].leads()
		state := last.event.Visit.State
		c.differences = append(c.differences, &Difference{
			State: state.Path(), WasTo: was, IsTo: "the end of the run", Place: fieldPlace(state, ""), OldAt: old.steps[n].at, NewAt: last.at, cut: true,
		})
		return
	}
	next := &fresh.steps[n]
	is, via, field := next.leads()
	state := next.event.Visit.State
	c.differences = append(c.differences, &Difference{
		State: state.Path(), WasTo: "the end of the run", IsTo: is, Via: via, Place: fieldPlace(state, field), OldAt: old.steps[n-1].at, NewAt: next.at, cut: true,
	})
}

// first returns the earliest difference; nil where there is none.
func (f *runDifferences) first() *Difference {
	if len(f.differences) > 0 {
		return f.differences[0]
	}
	return nil
}

// turn returns the first difference at which the ways part; nil where they do not.
func (f *runDifferences) turn() *Difference {
	if at := slices.IndexFunc(f.differences, func(d *Difference) bool { return d.Member == "" }); at >= 0 {
		return f.differences[at]
	}
	return nil
}

// untilWaits leaves out the differences that are there only because a run has not come to its end.
func (f *runDifferences) untilWaits(a, b *ran) {
	if a.waits == nil && b.waits == nil {
		return
	}
	f.output = nil
	f.differences = slices.DeleteFunc(f.differences, func(d *Difference) bool {
		return d.cut || a.waits != nil && d.OldAt >= a.waits.at(a.log) || b.waits != nil && d.NewAt >= b.waits.at(b.log)
	})
}

// without takes off the differences that the old version has from itself, and returns their number.
func (f *runDifferences) without(noise *runDifferences) int {
	if noise.output != nil {
		noise.differences = append(noise.differences, noise.output)
	}
	known, turns := make(map[string]bool), make(map[string]bool)
	for _, d := range noise.differences {
		if d.Member == "" {
			turns[d.State] = true
		} else {
			known[d.key()] = true
		}
	}
	isNoise := func(d *Difference) bool {
		if d.Member == "" {
			if turns[d.State] && f.random == "" {
				f.random = d.State
			}
			return false
		}
		return known[d.key()]
	}
	all := len(f.differences)
	f.differences = slices.DeleteFunc(f.differences, isNoise)
	if f.output != nil && isNoise(f.output) {
		f.output = nil
	}
	return all - len(f.differences)
}
