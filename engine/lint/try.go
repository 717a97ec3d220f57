package lint

import (
	"slices"
	"strings"

	"asldb/engine/flow"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// trial is a fix of the data flow that may be certain.
type trial struct {
	at     int // of its problem in the list
	change edit
}

// edit is a part of a definition with another in its place.
type edit struct{ old, new *source.Node }

// maxTrials bounds the fixes that are tried one by one.
const maxTrials = 6

// errorRead finds reads of an Error Output that is the whole data: a ResultPath would take them away.
var errorRead = wording.Pattern(`\$(states\.input)?\.(Error|Cause)\b`)

// mended returns the change of a fix in the tree; the zero edit of one that is to be looked at first: of a word that is
// not clearly another, or of a path that another edit than this has made.
func (c *checker) mended(d *source.Diagnostic, f *flow.Fault) edit {
	switch {
	case d.Fix.Into != nil && d.Fix.To == "":
		return edit{d.Fix.Into, d.Fix.Into.Without(d.Fix.From)}
	case d.Fix.Into != nil:
		if f.Catcher != nil && errorRead().Match(c.machine.Source.Data) {
			return edit{}
		}
		v, err := value.ParseString(d.Fix.To)
		if err != nil {
			return edit{}
		}
		return edit{d.Fix.Into, d.Fix.Into.With(d.Fix.From, v)}
	case !f.Certain || d.Fix.From == f.Name && !wording.Clear(f.Name, d.Fix.To, slices.Values(f.Names)):
		return edit{}
	}
	text := f.Node.Text()
	if strings.Count(text, d.Fix.From) != 1 {
		return edit{}
	}
	return edit{f.Node, source.Of(value.String(strings.Replace(text, d.Fix.From, d.Fix.To, 1)), f.Node.Span)}
}

// try makes the fixes in copies of the definition. All at once is enough where nothing is wrong with any.
func (c *checker) try() {
	list := slices.DeleteFunc(c.trials, func(t trial) bool { return t.change.old == nil })
	if len(list) == 0 {
		return
	}
	before := counted(c.all(c.machine.Root))
	if c.mend(list, before) {
		return
	}
	for i := range min(len(list), maxTrials) {
		c.mend(list[i:i+1], before)
	}
}

// mend reports whether fixes mend their problems and make none, which makes them certain.
func (c *checker) mend(list []trial, before map[place]int) bool {
	root := c.machine.Root
	for i, t := range list {
		if slices.ContainsFunc(list[:i], func(other trial) bool { return other.change.old == t.change.old }) {
			continue
		}
		root = root.Replace(t.change.old, t.change.new)
	}
	after := counted(c.all(root))
	for at, n := range after {
		if n > before[at] {
			return false
		}
	}
	for _, t := range list {
		d := &c.found[t.at]
		if at := (place{d.Rule, d.Pointer}); after[at] >= before[at] {
			return false
		}
	}
	for _, t := range list {
		c.found[t.at].Fix.Certain = true
	}
	return true
}

// all returns the problems of a changed definition.
func (c *checker) all(root *source.Node) []source.Diagnostic {
	o := c.options
	o.Try, o.Flow.Damage, o.Followed = false, flow.Damage{}, nil
	return All(c.machine.Source, root, o)
}

// place is a problem in a definition.
type place struct{ rule, pointer string }

func counted(problems []source.Diagnostic) map[place]int {
	counts := make(map[place]int)
	for i := range problems {
		counts[place{problems[i].Rule, problems[i].Pointer}]++
	}
	return counts
}
