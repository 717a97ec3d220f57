package project

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// ruleFile is the rule of the problems of baselines.
const ruleBaselineFile = "baseline-file"

// entryField is a text of an entry.
type entryField struct {
	name     string
	text     *string
	required bool
}

// fields returns the texts of an entry, as the file has them.
func (i *Identity) fields() []entryField {
	return []entryField{
		{"file", &i.File, true}, {"machine", &i.Machine, false}, {"state", &i.State, false},
		{"rule", &i.Rule, true}, {"message", &i.Message, true},
	}
}

// reader reads a baseline until its first problem.
type baselineReader struct {
	file  *source.File
	wrong *BaselineError
}

// report notes the first problem.
func (r *baselineReader) report(at source.Span, format string, args ...any) *source.Diagnostic {
	d := &BaselineError{source.Diagnostic{Rule: ruleBaselineFile, File: r.file, Span: at, Message: fmt.Sprintf(format, args...)}}
	r.wrong = cmp.Or(r.wrong, d)
	return &d.Problem
}

// object checks that a value is an object with known keys.
func (r *baselineReader) object(n *source.Node, owner string, known []string) bool {
	if n.Kind != value.KindObject {
		r.report(n.Span, "%s must be an object, but is %s", owner, source.Article(n.Kind)).Suggestion = "--write-baseline writes the file"
		return false
	}
	for i := range n.Members {
		m := &n.Members[i]
		if !slices.Contains(known, m.Key) {
			d := r.report(m.KeySpan, "%s has no key %q", owner, m.Key)
			d.Suggestion = wording.Meant(m.Key, slices.Values(known))
			return false
		}
	}
	return true
}

// into reads the known problems of a tree.
func (r *baselineReader) into(b *Baseline, root *source.Node) {
	if !r.object(root, "a baseline", []string{"version", "problems"}) {
		return
	}
	if n := root.Get("version"); n == nil || value.Compact(n.Value) != strconv.Itoa(version) {
		r.report(root.Span, "a baseline must have \"version\": %d", version).Suggestion = "--write-baseline writes the file"
		return
	}
	list := root.Get("problems")
	if list == nil || list.Kind != value.KindArray {
		r.report(root.Span, "a baseline must have \"problems\", an array")
		return
	}
	for _, n := range list.Items {
		if r.wrong == nil {
			r.entry(b, n)
		}
	}
}

// entry reads one entry.
func (r *baselineReader) entry(b *Baseline, n *source.Node) {
	var id Identity
	known := []string{"count"}
	for _, f := range id.fields() {
		known = append(known, f.name)
	}
	if !r.object(n, "an entry of \"problems\"", known) {
		return
	}
	for _, f := range id.fields() {
		m := n.Get(f.name)
		switch {
		case m == nil && f.required:
			r.report(n.Span, "an entry of \"problems\" must have the key %q", f.name)
		case m != nil && !m.IsText():
			r.report(m.Span, "%q must be a string, but is %s", f.name, source.Article(m.Kind))
		case m != nil:
			text, _ := m.Value.(value.String)
			*f.text = string(text)
		}
	}
	count := 1
	if m := n.Get("count"); m != nil {
		var err error
		if count, err = strconv.Atoi(value.Compact(m.Value)); err != nil || count < 1 {
			r.report(m.Span, "\"count\" must be a number from 1, but is %s", value.Compact(m.Value))
		}
	}
	b.known[id] += count
}
