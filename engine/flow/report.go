package flow

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// A Fault is a problem of the data flow.
type Fault struct {
	State *asl.State
	Node  *source.Node
	Span  source.Span
	Rule  string
	// Certain tells that it is so on every way to the state; else on one of several.
	Certain         bool
	Message         string
	Expected, Found string
	Reasons         []asl.Reason
	// Name is the word that was not found, Names are those that are there.
	Name  string
	Names []string
	// Suggestion is another advice than one of the Names, or "".
	Suggestion string
	// Read is the text of the path or expression; Also are the reads that fail because of the same.
	Read string
	Also []Also
	// Catcher is the state with the catcher that has put its Error Output in place of the data, Number is the
	// catcher's, from 1; nil and 0 of other faults.
	Catcher *asl.State
	Number  int
	// Dropped is the last state whose input had the data that are missing; nil where that is not known.
	Dropped *asl.State
	cause   cause
}

// cause is what data are missing because of; zero where that is not known.
type cause struct {
	by   *asl.State // the state that has lost them
	step *Step      // on the way that lacks them
	part string     // of the data that should have them
}

// Also is a further place of a Fault.
type Also struct {
	State *asl.State
	Read  string
	Span  source.Span
}

// together makes one fault of those with one cause: of the reads of data that one state has lost, and of those behind
// it that lack the same.
func together(faults []Fault) []Fault {
	var list []Fault
	for _, f := range faults {
		i := slices.IndexFunc(list, func(first Fault) bool { return first.covers(&f) })
		if i < 0 {
			list = append(list, f)
			continue
		}
		list[i].Also = append(list[i].Also, Also{f.State, f.Read, f.Span})
	}
	return list
}

// covers reports whether another fault is there because of the same.
func (f *Fault) covers(other *Fault) bool {
	switch {
	case f.Rule != other.Rule || other.cause == cause{}:
		return false
	case f.cause == other.cause:
		return f.Rule != rules.NeverProvided || f.Read == other.Read
	}
	behind := other.cause.by == f.State || slices.ContainsFunc(f.Also, func(a Also) bool { return other.cause.by == a.State })
	return behind && f.Read == other.Read
}

// use is one place where a state uses a value.
type use struct {
	node  *source.Node
	span  source.Span
	field string
	text  string // of the path or expression
	shape *Shape
	// place says what takes the value ("a Map state iterates over"), and takes the kinds that it takes.
	place string
	takes []Kind
	// argument counts the arguments of a call, from 1; 0: it is none.
	argument int
	numeric  bool // a string with a whole number is taken too
	// bound says which constants of those kinds are taken; nil: all.
	bound *bound
	// compares: a value of another kind isn't a failure, but the comparison never holds; nor does it with a word that
	// only seems to be one of the value's.
	compares bool
	word     value.Value
	// part: in a larger expression, where it may be intended that there is nothing on some ways.
	part bool
	// result is of a Parallel state, if the path leads into it.
	result *Shape
	// whole is the text with the names behind the one that is missing, where it ends there.
	whole string
	// fault is the message of a call that cannot work, usage how it is called.
	fault, usage string
}

// site gathers the uses at one place.
type site struct {
	use
	total int
	lacks []*Shape // where there is nothing, or a value of the wrong kind
	found []*Shape // all, where that is asked for
	// guards: it is the test of a Choice whether there is something; held counts the data for which there always is.
	guards bool
	held   int
	// decides: it is another test of a Choice; held counts the data for which it holds, failed those for which it does not.
	decides bool
	failed  int
	// operator: an operator fails, not a call; advice says what to do, or is empty.
	operator bool
	advice   string
}

type siteKey struct {
	node  *source.Node
	text  string
	place string
}

// sites are the uses of one state.
type sites struct {
	pass  *pass
	state *asl.State
	cases int // of the input
	by    map[siteKey]*site
	order []*site
}

func newSites(p *pass, s *asl.State, cases int) *sites {
	return &sites{pass: p, state: s, cases: cases}
}

func (s *sites) at(u *use) *site {
	key := siteKey{u.node, u.text, u.place}
	one := s.by[key]
	if one == nil {
		one = &site{use: *u}
		if s.by == nil {
			s.by = make(map[siteKey]*site)
		}
		s.by[key] = one
		s.order = append(s.order, one)
	}
	return one
}

// noteRead notes the result of a read.
func (v *visit) noteRead(u *use) {
	if v.sites == nil {
		return
	}
	one := v.sites.at(u)
	for _, c := range u.shape.Cases() {
		one.total++
		if v.known != nil {
			one.found = append(one.found, c)
		}
		if c.Kind() == Absent {
			one.lacks = append(one.lacks, c)
		}
	}
}

// guard notes a test whether there is something, which there may be for all data.
func (s *sites) guard(u *use, always bool) {
	u.place = "IsPresent"
	one := s.at(u)
	one.guards = true
	one.total++
	if u.shape.Kind() == Absent {
		one.lacks = append(one.lacks, u.shape)
	} else if always {
		one.held++
	}
}

// decided notes another test of a Choice, which may have one outcome for all data.
func (s *sites) decided(u *use, holds, fails bool) {
	one := s.at(u)
	one.decides = true
	one.total++
	switch {
	case holds:
		one.held++
	case fails:
		one.failed++
	}
}

// noteFault notes a call that fails whenever it is made.
func (v *visit) noteFault(n *source.Node, at source.Span, field, text, message, usage string) {
	if v.sites == nil {
		return
	}
	one := v.sites.at(&use{
		node: n, span: at, field: field, text: text, place: message, fault: message, usage: usage,
	})
	one.total++
	one.lacks = append(one.lacks, nil)
}

// typed notes the use of a value where only some kinds are taken. Where no alternative is of them, the state fails.
func (v *visit) typed(u *use) {
	wrong := 0
	cases := u.shape.Cases()
	for _, c := range cases {
		if !u.suits(c) {
			wrong++
		}
	}
	if wrong == len(cases) && !u.compares {
		v.stop()
	}
	if v.sites == nil {
		return
	}
	one := v.sites.at(u)
	for _, c := range cases {
		one.total++
		if !u.suits(c) {
			one.lacks = append(one.lacks, c)
		}
	}
}

// suits reports whether the place takes the value.
func (u *use) suits(s *Shape) bool {
	if k := s.Kind(); k == Unknown || k == Absent {
		return true
	}
	if s.misspelt(u.word) != "" {
		return false
	}
	kind := u.numeric && s.Kind() == String || slices.Contains(u.takes, s.Kind())
	return kind && (u.bound == nil || s.Constant() == nil || u.bound.takes(s.Constant()))
}

// misspelt returns the word that is meant, where a string is one of some words, and another is only like one of them.
// Words that are like none may be newer than the table of services.
func (s *Shape) misspelt(with value.Value) string {
	text, ok := with.(value.String)
	if !ok || s.words == nil || slices.Contains(s.words, string(text)) {
		return ""
	}
	return wording.Within(string(text), slices.Values(s.words), 2)
}

// bound is the part of a kind that a field takes.
type bound struct {
	words string
	takes func(value.Value) bool
}

// The bounds of fields.
var (
	timestamps = &bound{"a timestamp such as 2024-03-14T01:59:00Z", func(v value.Value) bool { _, ok := asl.ParseTimestamp(value.Plain(v)); return ok }}
	counts     = &bound{"a whole number from 0", func(v value.Value) bool {
		n, err := strconv.ParseInt(value.Plain(v), 10, 64)
		return err == nil && n >= 0
	}}
	percentages = &bound{"a number from 0 to 100", func(v value.Value) bool {
		f, err := strconv.ParseFloat(value.Plain(v), 64)
		return err == nil && f >= 0 && f <= 100
	}}
)

// boundOf returns the bound of a field that takes a quantity.
func boundOf(field string) *bound {
	switch strings.TrimSuffix(field, "Path") {
	case "Timestamp":
		return timestamps
	case "ToleratedFailurePercentage":
		return percentages
	}
	return counts
}
