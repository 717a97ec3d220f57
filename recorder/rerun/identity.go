package rerun

import (
	"regexp"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/recorder/history"
)

// identity has the names of an execution and its state machine in the context object; a member is empty where it is not known.
type identity struct{ execution, name, machine, machineName string }

// The placeholders for names that are not known: no recording has them.
const (
	nameMark        = "asldb-name-5e1c0a7d"
	machineNameMark = "asldb-machine-9b32f4e6"
	arnMark         = "arn:aws:states:us-east-1:123456789012:"
	executionMark   = arnMark + "execution:" + machineNameMark + ":" + nameMark
	machineMark     = arnMark + "stateMachine:" + machineNameMark
)

// mark is a placeholder with the form of the name that it replaces. The longer come first: they hold the shorter.
type mark struct {
	text  string
	form  func() *regexp.Regexp
	place func(*identity) *string
}

var marks = []mark{
	{executionMark, wording.Pattern(`^arn:[a-z-]+:states:[a-z0-9-]+:[0-9]+:(execution|express):[^:"\\ ]+:[^"\\ ]+$`), func(i *identity) *string { return &i.execution }},
	{machineMark, wording.Pattern(`^arn:[a-z-]+:states:[a-z0-9-]+:[0-9]+:stateMachine:[^:"\\ ]+$`), func(i *identity) *string { return &i.machine }},
	{nameMark, wording.Pattern(`^[^\s<>{}\[\]?*"#%\\^|~` + "`" + `$&,;:/]{1,80}$`), func(i *identity) *string { return &i.name }},
	{machineNameMark, wording.Pattern(`^[^\s<>{}\[\]?*"#%\\^|~` + "`" + `$&,;:/]{1,80}$`), func(i *identity) *string { return &i.machineName }},
}

// Identify finds the names of the execution and its state machine, which GetExecutionHistory does not have: it is where the
// recorded payloads have it. start returns a session that runs the execution again with a context object, and the source that
// is to follow it. What is found is from then on part of [Recording.Options], and a run must have it in the same places. definition is
// the session's: where nothing in it reads a name, there is no run. It is nil where fixtures may read one, too.
func (r *Recording) Identify(definition *asl.StateMachine, start func(context value.Value) (*debug.Session, *Source)) {
	if r.Execution.ARN != "" || !readsNames(definition) {
		return
	}
	r.known = identity{}
	stand := identity{executionMark, nameMark, machineMark, machineNameMark}
	session, source := start(r.contextOf(stand))
	source.Follow(session.Now)
	session.SetClock(debug.Clock{Mode: debug.ClockSkip})
	if _, err := session.Do(debug.Command{Kind: debug.Continue, Events: patience * (len(r.Execution.Events) + 1000)}); err != nil {
		return
	}
	f := &finder{same: &history.Reproducible{}, found: make(map[string]string), contradicted: make(map[string]bool)}
	history.CompareThreads(r.Threads, history.Follow(history.Of(session.Log().All())), history.Extent{}, f.compare)
	for _, m := range marks {
		if text := f.found[m.text]; !f.contradicted[m.text] {
			*m.place(&r.known) = text
		}
	}
	r.known.complete()
}

// complete takes the shorter names out of the longer, and makes the machine's ARN of the execution's.
func (i *identity) complete() {
	if id, name, machine, ok := names(i.execution); ok {
		i.name, i.machine, i.machineName = name, id, machine
	}
	if at := strings.LastIndexByte(i.machine, ':'); at >= 0 && i.machineName == "" {
		i.machineName = i.machine[at+1:]
	}
}

// finder finds the texts in a recording where a run has the marks.
type finder struct {
	same         *history.Reproducible
	found        map[string]string
	contradicted map[string]bool // marks for which there are several texts
}

// compare is a [history.Same] that takes the texts at a mark for the same.
func (f *finder) compare(at int, member string, want, got value.Value) bool {
	f.look(want, got)
	return f.same.Same(at, member, want, got) || holdsMark(got)
}

func holdsMark(v value.Value) bool {
	return v != nil && (strings.Contains(value.Compact(v), nameMark) || strings.Contains(value.Compact(v), machineNameMark))
}

// look goes through two values side by side.
func (f *finder) look(want, got value.Value) {
	switch want := want.(type) {
	case value.String:
		if text, ok := got.(value.String); ok {
			f.text(string(want), string(text))
		}
	case *value.Object:
		if object, ok := got.(*value.Object); ok {
			for key, member := range want.All() {
				f.look(member, object.Get(key))
			}
		}
	case *value.Array:
		if array, ok := got.(*value.Array); ok {
			for i := range min(want.Len(), array.Len()) {
				f.look(want.At(i), array.At(i))
			}
		}
	}
}

// text takes a recorded text apart that has one mark in the run.
func (f *finder) text(want, got string) {
	for _, m := range marks {
		before, after, ok := strings.Cut(got, m.text)
		if !ok {
			continue
		}
		if strings.Contains(after, m.text) || !strings.HasPrefix(want, before) || !strings.HasSuffix(want, after) || len(want) < len(before)+len(after) {
			return
		}
		text := want[len(before) : len(want)-len(after)]
		if !m.form().MatchString(text) {
			return
		}
		if known := f.found[m.text]; known != "" && known != text {
			f.contradicted[m.text] = true
		}
		f.found[m.text] = text
		return
	}
}
