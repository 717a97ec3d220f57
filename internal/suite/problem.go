package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"asldb/engine/source"
	"asldb/fixtures"
	"asldb/internal/wording"
)

// Error is everything that is wrong in a suite, in the order of the places.
type Error struct {
	Name     string // of the file
	Problems []fixtures.Problem
}

// Error implements error: a line "file:line:col: message" for each problem.
func (e *Error) Error() string { return (&fixtures.Error{Name: e.Name, Problems: e.Problems}).Error() }

// reader collects the problems of one suite.
type reader struct {
	name  string
	found []fixtures.Problem
}

func (r *reader) wrong(at source.Position, format string, args ...any) {
	r.found = append(r.found, fixtures.Problem{Line: at.Line, Col: at.Col, Message: wording.Line(fmt.Sprintf(format, args...))})
}

// unknown reports a key that an object of a kind does not have.
func (r *reader) unknown(kind string, key *source.NodeMember, keys []string) {
	r.wrong(key.KeySpan.Start, "%s has no key %q; its keys are %s", kind, key.Key, strings.Join(keys, ", "))
	r.found[len(r.found)-1].Suggestion = wording.Nearest(key.Key, slices.Values(keys))
}

// err returns the problems as an *Error, or nil.
func (r *reader) err() error {
	if len(r.found) == 0 {
		return nil
	}
	slices.SortStableFunc(r.found, func(a, b fixtures.Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col)
	})
	return &Error{Name: r.name, Problems: slices.Compact(r.found)}
}

// NewError returns an *[Error] with problems of a suite, in the order of their places; nil where there are none.
func NewError(name string, problems []fixtures.Problem) error {
	r := &reader{name: name, found: problems}
	return r.err()
}
