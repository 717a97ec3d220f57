// Writes a first suite for a definition: the way to a good end with results that fixtures init
// would write, and a case for each Choice rule, retrier and catcher that a run can reach so. Each case is run, and
// expects what the run was.

package suiterun

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/starter"
	"asldb/internal/suite"
)

// Suite is a suite that was written.
type Suite struct {
	// Text is the suite, as YAML.
	Text []byte
	// Cases is the number of its cases.
	Cases int
	// Unreached has a line for each rule, retrier and catcher that no case reaches.
	Unreached []string
}

// startTime is the virtual start of the runs.
const startTime = "2026-01-01T00:00:00Z"

// Make writes a suite called name, which need not be there yet, for a definition. The error is one about the suite that
// was made.
func Make(name, definition string, m *Machine) (*Suite, error) {
	machine := m.Definition.Machine
	w := &writer{name: name, machine: m}
	ctx := context.Background()
	made := starter.New(machine)
	w.base = made.Draft(ctx)
	w.head = head(w.base, relativeName(name, definition), m.Definition.Resource)
	if err := w.add("succeeds", "", nil); err != nil {
		return nil, err
	}
	variants := slices.Collect(made.Variants(ctx, nil))
	bodies := value.Each(variants, func(v *starter.Variant) string { return w.inner(v.Draft) })
	for state := range machine.All() {
		for _, h := range handled(state) {
			bodies = append(bodies, h.body)
		}
	}
	if err := w.load(bodies); len(bodies) > 0 && err != nil {
		return nil, err
	}
	for _, v := range variants {
		if err := w.rule(v); err != nil {
			return nil, err
		}
	}
	for state := range machine.All() {
		if err := w.handlers(state); err != nil {
			return nil, err
		}
	}
	return &Suite{Text: []byte(w.head + "cases:\n" + w.cases.String()), Cases: w.count, Unreached: w.unreached}, nil
}

// head is the common part: the fixtures, with the definition that they are for.
func head(draft *fixtures.Draft, definition, resource string) string {
	draft.Comments = []string{
		"The input has the members that the states read, and each task has a result of the right shape: replace the values by real ones.",
		"The cases below expect the path and the status that the run had when they were written.",
	}
	text := string(draft.YAML())
	named := "version: 1\ndefinition: " + value.Quote(definition) + "\n"
	if resource != "" {
		named += "resource: " + value.Quote(resource) + "\n"
	}
	return strings.Replace(text, "version: 1\n", named+"startTime: "+value.Quote(startTime)+"\n", 1)
}

// writer writes the cases.
type writer struct {
	name      string
	machine   *Machine
	base      *fixtures.Draft // of the common part
	head      string
	cases     strings.Builder
	count     int
	unreached []string
	runs      map[string]coverage.Run // by their bodies
	loaded    map[string]*suite.Case
}

// run runs a case with a body, and returns its run. The newest one, and the one without a body, are kept.
func (w *writer) run(body string) (coverage.Run, error) {
	if kept, ok := w.runs[body]; ok {
		return kept, nil
	}
	if w.loaded[body] == nil {
		if err := w.load([]string{body}); err != nil {
			return nil, err
		}
	}
	_, run := RunCase(w.loaded[body], w.machine, CaseOptions{Brief: true})
	w.runs = map[string]coverage.Run{body: run, "": w.runs[""]}
	if w.runs[""] == nil {
		delete(w.runs, "")
	}
	return run, nil
}

// load reads cases with bodies, all at once: the common part is long.
func (w *writer) load(bodies []string) error {
	var text strings.Builder
	text.WriteString(w.head + "cases:\n")
	for i, body := range bodies {
		fmt.Fprintf(&text, "  c%d:\n    expect: {}\n%s", i, body)
	}
	s, err := suite.Load(w.name, []byte(text.String()))
	if err != nil {
		return err
	}
	if w.loaded == nil {
		w.loaded = make(map[string]*suite.Case)
	}
	for i, body := range bodies {
		w.loaded[body] = s.Cases[i]
	}
	return nil
}

// add adds a case where its run ends and reaches its aim; nil: it has none. It adds a line to the unreached ones where
// it does not.
func (w *writer) add(name, body string, reaches func(*runlog.Log) string) error {
	run, err := w.run(body)
	if err != nil {
		return err
	}
	if run == nil || !run.Log().Ended() {
		w.unreached = append(w.unreached, name)
		return nil
	}
	more := ""
	if reaches != nil {
		if more = reaches(run.Log()); more == "" {
			w.unreached = append(w.unreached, name)
			return nil
		}
	}
	w.count++
	fmt.Fprintf(&w.cases, "  %s:\n%s    expect:\n%s%s", value.Quote(name), body, expectations(run.Log()), strings.TrimPrefix(more, "-"))
	return nil
}

// expectations returns the status, the error and the path of a run.
func expectations(log *runlog.Log) string {
	const indent = "      "
	var b strings.Builder
	switch last := log.Last(); last.Type {
	case engine.ExecutionSucceeded:
		b.WriteString(indent + "status: SUCCEEDED\n")
	case engine.ExecutionTimedOut:
		b.WriteString(indent + "status: TIMED_OUT\n")
	default:
		b.WriteString(indent + "status: FAILED\n")
		if f := last.Failure(); f != nil && f.Name != "" {
			b.WriteString(indent + "error: " + suite.Quote(f.Name) + "\n")
		}
	}
	b.WriteString(indent + "path: [" + strings.Join(quotedPath(log), ", ") + "]\n")
	return b.String()
}

// maxPath is the greatest number of states of a path that is written as a whole.
const maxPath = 40

// quotedPath returns the states of the top thread, quoted; the middle of a long one is left out.
func quotedPath(log *runlog.Log) []string {
	var names []string
	for event := range log.All() {
		if event.Type == engine.StateEntered && event.Visit.Parent == nil {
			names = append(names, value.Quote(event.Visit.State.Name))
		}
	}
	if len(names) <= maxPath {
		return names
	}
	return append(append(names[:maxPath/2:maxPath/2], `"..."`), names[len(names)-1])
}

// rule adds the case of one way of a Choice state.
func (w *writer) rule(v *starter.Variant) error {
	state := v.State
	aim, number := "Default", "default"
	if v.Rule >= 0 {
		aim, number = state.Choices[v.Rule].Label(), strconv.Itoa(v.Rule)
	}
	body, err := w.ending(v.Draft)
	if err != nil {
		return err
	}
	return w.add(state.Name+" takes "+aim, body, func(log *runlog.Log) string {
		for event := range log.All() {
			d, ok := event.Detail.(*engine.ExitDetail)
			if ok && event.Visit.State == state && d.Rule == v.Rule {
				return expectOn(state, "rule: "+number)
			}
		}
		return ""
	})
}

// ending returns the fixtures of a draft as those of a case. Where its run goes round in a loop until the history is
// full, as one that polls, each changed result is given once, and then that of the common part, if the run ends so.
func (w *writer) ending(draft *fixtures.Draft) (string, error) {
	body := w.inner(draft)
	run, err := w.run(body)
	if err != nil || run == nil || !isFull(run.Log()) {
		return body, err
	}
	once := *draft
	once.Tasks = slices.Clone(draft.Tasks)
	for i := range once.Tasks {
		if list := &once.Tasks[i]; !sameResults(list.Results, w.base.Tasks[i].Results) {
			list.Results = slices.Clone(list.Results)
			for k := range list.Results {
				list.Results[k].Repeat = 0
			}
			list.Results = append(list.Results, w.base.Tasks[i].Results...)
		}
	}
	other := w.inner(&once)
	if run, err = w.run(other); err != nil || run == nil || !run.Log().Ended() || isFull(run.Log()) {
		return body, err
	}
	return other, nil
}

// isFull reports whether a run ended since its history was full.
func isFull(log *runlog.Log) bool {
	last := log.Last()
	return last != nil && int(last.HistoryID) >= engine.ServiceLimits().History
}

// expectOn returns the expectation on a state whose visits all do the same, or "-" for one that cannot be written so:
// in an iteration others may do otherwise.
func expectOn(state *asl.State, what string) string {
	if state.Scope.Kind != asl.TopScope {
		return "-"
	}
	return "      states: {" + value.Quote(state.Path()) + ": {" + what + "}}\n"
}

// inner returns the fixtures of a draft as those of a case: the parts that are not those of the common part.
func (w *writer) inner(draft *fixtures.Draft) string {
	other := &fixtures.Draft{}
	if !value.Equal(draft.Input, w.base.Input) {
		other.Input = draft.Input
	}
	for i, list := range draft.Tasks {
		if !sameResults(list.Results, w.base.Tasks[i].Results) {
			list.Comments = nil
			other.Tasks = append(other.Tasks, list)
		}
	}
	for i, reader := range draft.Readers {
		if !value.Equal(reader.Items, w.base.Readers[i].Items) {
			reader.Comments = nil
			other.Readers = append(other.Readers, reader)
		}
	}
	var b strings.Builder
	for line := range strings.Lines(string(other.YAML())) {
		if strings.HasPrefix(line, "version:") || strings.TrimSpace(line) == "" {
			continue
		}
		b.WriteString("    " + line)
	}
	return b.String()
}

// sameResults reports whether two drafts of the same definition give the same outputs to a task.
func sameResults(a, b []fixtures.DraftResult) bool {
	return slices.EqualFunc(a, b, func(a, b fixtures.DraftResult) bool {
		return a.Outcome.Output != nil && b.Outcome.Output != nil && value.Equal(a.Outcome.Output, b.Outcome.Output)
	})
}

// handler is a case of a retrier or catcher.
type handler struct {
	name, body string
	reaches    func(*runlog.Log) string
}

// handlers adds the cases of the retriers and catchers of a state.
func (w *writer) handlers(state *asl.State) error {
	for _, h := range handled(state) {
		if err := w.add(h.name, h.body, h.reaches); err != nil {
			return err
		}
	}
	return nil
}

// handled returns the cases of the retriers and catchers of a state.
func handled(state *asl.State) (list []handler) {
	if state.Type != asl.Task {
		return nil
	}
	attempts := int64(1)
	at := "    inject: {" + value.Quote(state.Path()) + ": "
	for i, r := range state.Retry {
		attempts += min(r.MaxAttempts, 20)
		if r.MaxAttempts == 0 {
			continue
		}
		name := raised(r.ErrorEquals)
		list = append(list, handler{state.Name + " retries " + name, at + value.Quote(name) + "}\n", func(log *runlog.Log) string {
			for event := range log.All() {
				d, ok := event.Detail.(*engine.RetryDetail)
				if ok && event.Type == engine.RetryScheduled && event.Visit.State == state && d.Retrier == i {
					return expectOn(state, "retries: 1")
				}
			}
			return ""
		}})
	}
	for i, c := range state.Catch {
		name := raised(c.ErrorEquals)
		body := fmt.Sprintf("%s{error: %s, times: %d}}\n", at, value.Quote(name), attempts)
		list = append(list, handler{state.Name + " catches " + name, body, func(log *runlog.Log) string {
			for event := range log.All() {
				d, ok := event.Detail.(*engine.CatchDetail)
				if ok && event.Type == engine.ErrorCaught && event.Visit.State == state && d.Catcher == i {
					return expectOn(state, fmt.Sprintf("caught: %s, by: %d, next: %s", value.Quote(name), i, suite.Quote(c.Next)))
				}
			}
			return ""
		}})
	}
	return list
}

// raised returns an error that a handler of these names takes.
func raised(names []string) string {
	for _, name := range names {
		if name != engine.ErrorAll && name != engine.ErrorTaskFailed {
			return name
		}
	}
	return "Some.Error"
}
