// Package path holds the Paths and Reference Paths of the Amazon States Language.
//
// A Path is JSONPath as Jayway JsonPath understands it, for that is the dialect the language names and
// the service's errors quote. A Path keeps the text it was written as and where in it each segment
// is, so that an evaluation without a result can say how far it got.
//
// Where Step Functions and Jayway differ, Step Functions holds:
//
//   - A path begins with $ (the data), $$ (the Context Object) or $name (a variable). Jayway's
//     habit of putting "$." before anything else is not taken over.
//   - A backslash in a dotted name escapes the character after it: $.store\.book is the key "store.book".
//   - Functions such as length() do not exist: they are names of members like any other.
//   - An indefinite path (wildcard, slice, union, filter, ..) always gives an array. Where Jayway would
//     fail because a parent is missing the array is empty.
//
// Jayway's own rules apply: the step of a slice is ignored, a union of names at the end of a path
// is definite and gives one object, a filter compares the number 1 and the string "1" as equal.
// Regular expressions are Java's as far as RE2 and, where it can't do them, the matcher of engine/jsonata/regex go:
// with look-around and back references, without possessive quantifiers and intersections of classes.
package path

import (
	"fmt"

	"asldb/engine/interrupt"
	"asldb/engine/jsonata/regex"
	"asldb/engine/value"
)

// Roots holds the values at which paths start.
type Roots struct {
	Data    value.Value // $
	Context value.Value // $$
	// Variables gives the value of $name, nil when it is not assigned. A nil func means no variables.
	Variables func(name string) value.Value
	// PastEnd is the value of a field of a payload template whose path ends with an index past the end of an array; such a
	// path misses where it is nil.
	PastEnd value.Value
	// ScalarsOnly lets States.Format fail for arrays and objects.
	ScalarsOnly bool
	// Poll can interrupt an evaluation; nil never does. An evaluation that was interrupted finds nothing, and Get returns
	// the [interrupt.Error].
	Poll *interrupt.Poll
}

// RootKind tells which value a path starts from.
type RootKind uint8

// The kinds of roots.
const (
	DataRoot     RootKind = iota // $
	ContextRoot                  // $$
	VariableRoot                 // $name
)

// MaxBytes is the greatest length of a path's text.
const MaxBytes = 64 << 10

// SyntaxError says where a text stops being a path.
type SyntaxError struct {
	Text   string
	Offset int // in bytes, from 0
	Msg    string
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s (at character %d of %q)", e.Msg, e.Offset+1, shorten(e.Text))
}

// shorten keeps a hostile text from filling the screen.
func shorten(text string) string {
	const limit = 200
	if len(text) <= limit {
		return text
	}
	return text[:limit] + "…"
}

// LimitError says that an indefinite path visits more values than an evaluation may.
type LimitError struct {
	Path  *Path
	Limit int
}

// Error implements error.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%s visits more than %d values, the limit", shorten(e.Path.text), e.Limit)
}

// PatternError says that a regular expression in a path takes too long. That is a bound of this program's own.
type PatternError struct{ Path *Path }

// Error implements error.
func (e *PatternError) Error() string { return shorten(e.Path.text) + ": " + regex.ErrBound.Error() }

// Path is a parsed Path. It is immutable and safe for concurrent use.
type Path struct {
	text     string
	root     RootKind
	variable string
	steps    []step
	// spans holds for each step where it is written in text.
	spans []span
	// plain reports that all steps are single keys or single indexes, as in nearly all paths.
	plain bool
	// firmSteps is the number of steps before the first indefinite one.
	firmSteps int
	// word is a word without quotes that a filter compares with, "" when there is none.
	word string
	// operator is the offset of the first thing that no Reference Path has, -1 when there is none.
	operator int
}

type span struct{ start, end int }

// step is one segment. It is small, for the walk along plain paths reads nothing else.
type step struct {
	key   string
	index int
	kind  stepKind
	more  *selector // for kinds beyond keyStep and indexStep
}

type stepKind uint8

const (
	keyStep      stepKind = iota // .a  ['a']
	indexStep                    // [0]
	keysStep                     // ['a','b']
	indexesStep                  // [0,1]
	sliceStep                    // [1:3]
	wildcardStep                 // .*  [*]
	filterStep                   // [?(…)]
	descentStep                  // ..
)

// selector holds the data of the rarer kinds of steps.
type selector struct {
	keys     []string
	indexes  []int
	from, to int
	hasFrom  bool
	hasTo    bool
	filter   *condition
}

// String returns the path as it was written.
func (p *Path) String() string { return p.text }

// UnquotedWord returns a word in a filter without quotes, as Receipt in [?(@.name == Receipt)], and
// "" when there is none. Jayway has no such thing, and the behaviour of Step Functions is not known; here it is
// compared as text.
func (p *Path) UnquotedWord() string { return p.word }

// Root returns the kind of value that the path starts from.
func (p *Path) Root() RootKind { return p.root }

// Variable returns the name of the variable that the path starts from, without the $, and "" for other roots.
func (p *Path) Variable() string { return p.variable }

// Definite reports whether the path gives one value by its form. An indefinite path gives an array.
func (p *Path) Definite() bool { return p.firmSteps == len(p.steps) }

// Plain reports whether the path consists of single names and single indexes only.
func (p *Path) Plain() bool { return p.plain }

// Len returns the number of segments after the root.
func (p *Path) Len() int { return len(p.steps) }

// Offset returns where in the text segment i begins, in bytes: at its dot or bracket. Offset(Len())
// is the end of the last segment.
func (p *Path) Offset(i int) int {
	if i < len(p.spans) {
		return p.spans[i].start
	}
	if i > 0 {
		return p.spans[i-1].end
	}
	return len(p.text)
}

// firm reports whether step i leads to at most one value from its place.
func (p *Path) firm(i int) bool {
	switch p.steps[i].kind {
	case keyStep, indexStep:
		return true
	case keysStep: // at the end the members are gathered in one object
		return i == len(p.steps)-1
	default:
		return false
	}
}

// finish computes the fields that depend on the steps.
func (p *Path) finish() {
	p.plain, p.firmSteps = true, len(p.steps)
	for i := range p.steps {
		if p.steps[i].kind > indexStep {
			p.plain = false
		}
		if i < p.firmSteps && !p.firm(i) {
			p.firmSteps = i
		}
	}
}

// SegmentKind tells the segments of a path apart.
type SegmentKind uint8

// The kinds of segments.
const (
	NameSegment     = SegmentKind(keyStep)      // .a  ['a']
	IndexSegment    = SegmentKind(indexStep)    // [0]
	NamesSegment    = SegmentKind(keysStep)     // ['a','b']
	IndexesSegment  = SegmentKind(indexesStep)  // [0,1]
	SliceSegment    = SegmentKind(sliceStep)    // [1:3]
	WildcardSegment = SegmentKind(wildcardStep) // .*  [*]
	FilterSegment   = SegmentKind(filterStep)   // [?(…)]
	DescentSegment  = SegmentKind(descentStep)  // ..
)

// Segment is one segment of a path.
type Segment struct {
	Kind  SegmentKind
	Name  string // of a NameSegment, unescaped
	Index int    // of an IndexSegment
}

// Segment returns segment i, counted from 0.
func (p *Path) Segment(i int) Segment {
	s := &p.steps[i]
	return Segment{Kind: SegmentKind(s.kind), Name: s.key, Index: s.index}
}
