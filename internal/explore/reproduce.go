package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/suite"
)

// maxInjections bounds the iterations that a case names one by one.
const maxInjections = 12

// Describe says a change in a few words: "ChargeCard fails with Card.Timeout", "Ask answers too late, always".
func (c *Change) Describe() string {
	text := ""
	switch c.Kind {
	case Fails:
		text = c.State.Name + " fails with " + cmp.Or(c.Error, "an error without a name")
	case Late:
		text = c.State.Name + " answers too late"
		if c.Error == engine.ErrorHeartbeatTimeout {
			text = c.State.Name + " sends no heartbeat"
		}
	case Large:
		text = c.State.Name + " gives too large a result"
	case Input:
		return fmt.Sprintf("%s of the input: %s", c.Path, c.Aim)
	case ResultValue:
		if c.State == c.Source {
			return c.State.Name + " gives a result " + c.Aim
		}
		return fmt.Sprintf("%s of the result of %s: %s", c.Path, c.Source.Name, c.Aim)
	case Edited:
		return fmt.Sprintf("%s at %s: %s", c.Path, c.State.Name, c.Aim)
	}
	switch {
	case c.Always && c.Where == First:
		text += ", always in the first iteration"
	case c.Always:
		text += ", always"
	case c.Where == First:
		text += ", once in the first iteration"
	case c.eachIteration():
		text += ", once in each iteration"
	}
	return text
}

// Describe says the changes of a run in a few words; "no fault" of a base. Of a task behind another fault, that fault
// comes last.
func (r *Run) Describe() string {
	if len(r.Changes) == 0 {
		return "no fault"
	}
	parts := value.Each(r.Changes, (*Change).Describe)
	return strings.Join(parts, "; ")
}

// reproduce writes the run as a case of a suite, nil where it cannot be written.
func (a *analysis) reproduce(s *sign) *Case {
	r, w := a.run, a.writer()
	if w == nil {
		return nil
	}
	name := strings.ReplaceAll(r.Describe(), "\n", " ")
	switch s.class {
	case Bug, Data:
		name += " -> " + s.state.Name + " fails"
	case Endless:
		name += " -> no end"
	case Broken:
		name += " -> " + s.rule
	case Uncaught, Swallowed, Unreached:
	}
	reproduced := &Case{Name: name}
	expect := w.recorded()
	if s.class == Bug || s.class == Endless {
		expect = w.wanted(s)
	} else {
		reproduced.Holds = s.class != Broken
	}
	reproduced.Text = w.text(name, expect)
	return reproduced
}

// writer returns a writer with the base and the changes of the run; nil where they cannot be written.
func (a *analysis) writer() *caseWriter {
	w := &caseWriter{analysis: a, draft: &fixtures.Draft{}}
	if !w.base() {
		return nil
	}
	for i, c := range a.run.Changes {
		if !w.change(i, c) {
			return nil
		}
	}
	w.spares()
	return w
}

// rename gives the case a name that no other has.
func (c *Case) rename(taken map[string]int) {
	taken[c.Name]++
	if n := taken[c.Name]; n > 1 {
		old := c.Name
		c.Name = fmt.Sprintf("%s (%d)", old, n)
		c.Text = strings.Replace(c.Text, "  "+value.Quote(old)+":\n", "  "+value.Quote(c.Name)+":\n", 1)
	}
}

// caseWriter writes a case.
type caseWriter struct {
	*analysis
	draft   *fixtures.Draft
	injects []string // lines below inject
}

// base adds the input and the results of a base that the suite does not have in its common part.
func (w *caseWriter) base() bool {
	s := w.run.Base.setting
	if w.run.Base == w.result.Bases[0] && (s.file == nil || s.written) {
		if s.given {
			w.draft.Input = s.input
		}
		return true
	}
	if first := w.result.Bases[0].setting; s.file == nil && first.file == nil && !s.given {
		w.draft = differing(s.draft, first.draft)
		return true
	}
	w.draft.Input, w.draft.Context = s.input, s.options.Context
	start, seed := s.options.Start, s.options.Seed
	w.draft.StartTime, w.draft.Seed = &start, &seed
	for state := range w.options.Machine.Definition.Machine.All() {
		switch {
		case len(s.outcomes[state]) > 0:
			w.list(key(state), s.outcomes[state])
		case state.ItemReader != nil && s.log != nil:
			return false
		}
	}
	return true
}

// key is the key of a state in fixtures.
func key(state *asl.State) string { return state.Path() }

// list adds results of a key; the last one is repeated.
func (w *caseWriter) list(key string, outcomes []engine.Outcome) {
	l := fixtures.DraftList{Key: key}
	for _, o := range outcomes {
		l.Results = append(l.Results, fixtures.DraftResult{Outcome: o})
	}
	l.Results[len(l.Results)-1].Repeat = fixtures.Forever
	if i := slices.IndexFunc(w.draft.Tasks, func(have fixtures.DraftList) bool { return have.Key == key }); i >= 0 {
		w.draft.Tasks[i] = l
		return
	}
	w.draft.Tasks = append(w.draft.Tasks, l)
}

// change adds a change of the run; false where a case cannot say it.
func (w *caseWriter) change(i int, c *Change) bool {
	switch c.Kind {
	case Edited:
		return false
	case Input:
		input := w.draft.Input
		if input == nil {
			input = w.run.Base.setting.input
		}
		changed, err := replaced(input, c.Path, c.Value)
		if err != nil {
			return false
		}
		w.draft.Input = changed
		return true
	case ResultValue:
		outcomes := []engine.Outcome{c.outcome}
		if w.askCount[c.Source] > 1 {
			outcomes = append(outcomes, w.run.Base.setting.outcomes[c.Source]...)
		}
		w.list(key(c.Source), outcomes)
		return true
	case Fails, Late, Large:
	}
	at := key(c.State)
	if c.Where == First {
		at = strings.ReplaceAll(at, "/Iterations[*]/", "/Iterations[0]/")
	}
	switch {
	case c.Always:
		w.always(at, c)
		return true
	case c.eachIteration():
		hits := w.visits(i)
		for _, at := range hits {
			if !w.once(at, c) {
				return false
			}
		}
		return len(hits) <= maxInjections
	}
	return w.once(at, c)
}

// once adds a fault that comes once to a key.
func (w *caseWriter) once(at string, c *Change) bool {
	if c.Kind == Fails {
		w.inject(at, c)
		return true
	}
	outcomes := []engine.Outcome{written(c)}
	if w.askCount[c.State] > 1 {
		usual := w.usual(c.State, at)
		if len(usual) == 0 {
			return false
		}
		outcomes = append(outcomes, usual...)
	}
	w.list(at, outcomes)
	return true
}

// usual are the outcomes of a task in the base: those at a path, where it has any there.
func (w *caseWriter) usual(state *asl.State, at string) []engine.Outcome {
	s := w.run.Base.setting
	var there []engine.Outcome
	for i, request := range s.requests[state] {
		if request.Visit.Path() == at {
			there = append(there, s.outcomes[state][i])
		}
	}
	if len(there) > 0 {
		return there
	}
	return s.outcomes[state]
}

// visits are the paths of the visits that a change has hit, each once.
func (w *caseWriter) visits(change int) []string {
	var paths []string
	for _, h := range w.hits {
		if h.change == change && h.visit != nil && !slices.Contains(paths, h.visit.Path()) {
			paths = append(paths, h.visit.Path())
		}
	}
	return paths
}

func (w *caseWriter) inject(at string, c *Change) {
	what := value.Quote(c.Error)
	if c.Cause != "" && c.Cause != "explored" {
		what = fmt.Sprintf("{error: %s, cause: %s}", what, value.Quote(c.Cause))
	}
	w.injects = append(w.injects, value.Quote(at)+": "+what)
}

func (w *caseWriter) always(at string, c *Change) {
	w.list(at, []engine.Outcome{written(c)})
}

// largeMark is in place of a result that is too large to be written out.
const largeMark = "too large to be written"

// written is the outcome of a fault as it is written.
func written(c *Change) engine.Outcome {
	outcome := c.outcome
	if c.Kind == Large {
		outcome.Output = value.String(largeMark)
	}
	return outcome
}

// computed replaces the mark by an expression that makes a result beyond the quota.
func (w *caseWriter) computed(text string) string {
	const expression = `jsonata: "{'large': $pad('', %d, 'x')}"`
	payload := w.run.Base.setting.options.Limits.Payload
	return strings.ReplaceAll(text, "output: "+value.Quote(largeMark), fmt.Sprintf(expression, payload))
}

// spares adds results that the file of the base does not have.
func (w *caseWriter) spares() {
	if w.run.Base.setting.file == nil {
		return
	}
	for _, state := range w.analysis.spares {
		at := key(state)
		if slices.ContainsFunc(w.draft.Tasks, func(l fixtures.DraftList) bool { return l.Key == at }) {
			continue
		}
		if usual := w.run.Base.setting.outcomes[state]; len(usual) > 0 {
			w.list(at, usual)
			continue
		}
		if usual := w.run.Base.setting.madeUp(state); usual != nil {
			w.list(at, []engine.Outcome{*usual})
		}
	}
}

// recorded expects that the run is as it was.
func (w *caseWriter) recorded() string {
	const indent = "      "
	r := w.run
	text := indent + "status: " + r.Status.String() + "\n"
	if r.Error != "" && r.Status == engine.Failed {
		text += indent + "error: " + suite.Quote(r.Error) + "\n"
	}
	return text
}

// wanted expects what should hold in place of a bug: the states that come next bring the execution to an end. Of a loop without
// an end it expects that there is one.
func (w *caseWriter) wanted(s *sign) string {
	const indent = "      "
	if s.class == Endless { // how it ends, where the loop is bounded, is not known: with an error, if the fault comes always
		return indent + "status: [SUCCEEDED, FAILED]\n" + indent + "events: \"< " + strconv.Itoa(w.run.Events) + "\"\n"
	}
	good, failing := ends(s.state)
	if good || len(failing) == 0 {
		return indent + "status: SUCCEEDED\n"
	}
	text := indent + "status: FAILED\n"
	if len(failing) == 1 && failing[0].Error != nil && failing[0].Error.Literal != "" {
		return text + indent + "error: " + suite.Quote(failing[0].Error.Literal) + "\n"
	}
	if len(failing) == 1 {
		return text + indent + "order: [" + value.Quote(failing[0].Name) + "]\n"
	}
	return indent + "status: SUCCEEDED\n"
}

// ends returns whether a state leads to a good end without a further error, and the Fail states to which it leads.
func ends(from *asl.State) (good bool, failing []*asl.State) {
	seen := map[*asl.State]bool{from: true}
	pending := []*asl.State{from}
	for len(pending) > 0 {
		s := pending[0]
		pending = pending[1:]
		switch {
		case s.Type == asl.Fail:
			failing = append(failing, s)
		case s.Terminal() && s.Scope.Container == nil:
			good = true
		case s.Terminal() && !seen[s.Scope.Container]:
			seen[s.Scope.Container] = true
			pending = append(pending, s.Scope.Container)
		}
		for _, e := range s.Edges() {
			if e.Kind != asl.EdgeCatch && !seen[e.To] {
				seen[e.To] = true
				pending = append(pending, e.To)
			}
		}
	}
	return good, failing
}

// text writes the case.
func (w *caseWriter) text(name, expect string) string {
	return "  " + value.Quote(name) + ":\n" + w.body() + "    expect:\n" + expect
}

// body writes what the case gives.
func (w *caseWriter) body() string {
	var b strings.Builder
	switch {
	case len(w.injects) == 1:
		fmt.Fprintf(&b, "    inject: {%s}\n", w.injects[0])
	case len(w.injects) > 1:
		b.WriteString("    inject:\n")
		for _, line := range w.injects {
			b.WriteString("      " + line + "\n")
		}
	}
	b.WriteString(w.computed(inCase(w.draft)))
	return b.String()
}

// inCase writes a draft as a part of a case.
func inCase(d *fixtures.Draft) string {
	var b strings.Builder
	for line := range strings.Lines(string(d.YAML())) {
		if !strings.HasPrefix(line, "version:") && strings.TrimSpace(line) != "" {
			b.WriteString("    " + line)
		}
	}
	return b.String()
}

// differing is the part of a draft that another one of the same definition does not have.
func differing(draft, from *fixtures.Draft) *fixtures.Draft {
	other := &fixtures.Draft{}
	if !value.Equal(draft.Input, from.Input) {
		other.Input = draft.Input
	}
	for i, list := range draft.Tasks {
		if !sameResults(list.Results, from.Tasks[i].Results) {
			list.Comments = nil
			other.Tasks = append(other.Tasks, list)
		}
	}
	for i, reader := range draft.Readers {
		if !value.Equal(reader.Items, from.Readers[i].Items) {
			reader.Comments = nil
			other.Readers = append(other.Readers, reader)
		}
	}
	return other
}

// sameResults reports whether two drafts of the same definition give the same outputs to a task.
func sameResults(a, b []fixtures.DraftResult) bool {
	return slices.EqualFunc(a, b, func(a, b fixtures.DraftResult) bool {
		return a.Outcome.Output != nil && b.Outcome.Output != nil && value.Equal(a.Outcome.Output, b.Outcome.Output)
	})
}
