package screen

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/view"
	"asldb/tui/view/data"
)

// Case is the case of a suite that a session runs.
type Case struct {
	// Name is the case's, and File its suite's.
	Name, File string
	// Judge compares the current run of the session, which has come to its end, with the case as the suite has it now.
	Judge func() (*suite.Outcome, error)
}

// expectations are the expectations of the case of a suite: the screen steps from one difference to the next.
type expectations struct {
	contract
	of     *Case // nil: the session runs none
	data   *data.Pane
	search *search

	verdict  suite.Kind
	findings []*suite.Finding // in the order of their events
	at       int              // the finding that is shown
	// judged is the log that was judged last, when it had length events.
	judged *runlog.Log
	length int
}

func (ex *expectations) bindings() view.Bindings {
	none := func() string {
		switch {
		case ex.of == nil:
			return "this session runs no case of a suite (debug --test)"
		case ex.judged != ex.Log():
			return "the run has not come to its end: " + ex.Key(keys.Continue) + " continues"
		case len(ex.findings) == 0:
			return "the run is as the case expects"
		}
		return ""
	}
	free := func() bool { return ex.of != nil && ex.search.text == "" && none() == "" }
	next, previous := plainly(func() { ex.step(1) }), plainly(func() { ex.step(-1) })
	return view.Bindings{
		{Action: keys.NextDifference, Run: next, Disabled: none},
		{Action: keys.PreviousDifference, Run: previous, Disabled: none},
		{Action: keys.FindNext, Applies: free, Run: next},
		{Action: keys.FindPrevious, Applies: free, Run: previous},
		{Action: keys.Judge, Run: plainly(ex.again), Disabled: func() string {
			switch {
			case ex.of == nil:
				return "this session runs no case of a suite (debug --test)"
			case !ex.complete():
				return "the run has not come to its end: " + ex.Key(keys.Continue) + " continues"
			}
			return ""
		}},
	}
}

// complete reports whether the log ends with the end of the execution.
func (ex *expectations) complete() bool {
	last := ex.Log().Last()
	return last != nil && last.Type.EndsExecution()
}

// follow judges a run that has come to its end, once. It reports the verdict where the user brought the run there.
func (ex *expectations) follow() {
	if ex.of == nil || !ex.complete() || ex.judged == ex.Log() && ex.length == ex.Log().Len() {
		return
	}
	if err := ex.judge(); err != nil {
		ex.judged, ex.length, ex.findings = nil, ex.Log().Len(), nil
		ex.Say(canvas.Bad, err.Error())
		return
	}
	ex.report()
}

// judge compares the run with the case.
func (ex *expectations) judge() error {
	session := ex.Session()
	position := session.Position()
	if position != session.Log().Len() {
		session.GoTo(session.Log().Len())
	}
	verdict, err := ex.of.Judge()
	if session.Position() != position {
		session.GoTo(position)
	}
	if err != nil {
		return err
	}
	if verdict.Kind == suite.Wrong {
		return errors.New(wording.Line(verdict.Reason))
	}
	ex.verdict, ex.judged, ex.length = verdict.Kind, ex.Log(), ex.Log().Len()
	ex.findings, ex.at = nil, 0
	for i := range verdict.Findings {
		f := &verdict.Findings[i]
		if f.Event < 0 || f.Event >= ex.length {
			f.Event = ex.length - 1
		}
		ex.findings = append(ex.findings, f)
	}
	slices.SortStableFunc(ex.findings, func(a, b *suite.Finding) int { return cmp.Compare(a.Event, b.Event) })
	return nil
}

// again reads the suite again and judges the run.
func (ex *expectations) again() {
	if err := ex.judge(); err != nil {
		ex.Say(canvas.Bad, err.Error())
		return
	}
	ex.Refresh()
	ex.data.Show()
	ex.report()
}

// report says how a run compares with the case.
func (ex *expectations) report() { ex.Say(ex.sentence()) }

// sentence returns the words of report; none where the run on the screen was not judged.
func (ex *expectations) sentence() (canvas.Style, string) {
	if ex.of == nil || ex.judged != ex.Log() {
		return canvas.Plain, ""
	}
	name := "case " + strconv.Quote(wording.Line(ex.of.Name))
	switch n := len(ex.findings); {
	case n == 1:
		return canvas.Bad, name + ": one expectation is not met; " + ex.Key(keys.FindNext) + " goes there."
	case n > 1:
		return canvas.Bad, fmt.Sprintf("%s: %d expectations are not met; %s goes to the next one.", name, n,
			ex.Key(keys.FindNext))
	case ex.verdict == suite.Passed:
		return canvas.Good, name + " passes."
	}
	return canvas.Warn, name + ": " + ex.verdict.String()
}

// step goes to the next difference, or to the one before where by is -1, and round at the ends. From an event without
// one it goes to the nearest in that direction.
func (ex *expectations) step(by int) {
	here := ex.Selection().Index
	to := ex.at + by
	if ex.here() == nil {
		to = slices.IndexFunc(ex.findings, func(f *suite.Finding) bool { return f.Event > here })
		if to < 0 {
			to = len(ex.findings)
		}
		if by < 0 {
			to--
		}
	}
	n := len(ex.findings)
	ex.show((to + n) % n)
	switch {
	case n == 1 && here == ex.Selection().Index:
		ex.Say(canvas.Plain, "This is the only difference.")
	case to >= n:
		ex.Say(canvas.Plain, "This is the first difference.")
	case to < 0:
		ex.Say(canvas.Plain, "This is the last difference.")
	}
}

// show shows a difference.
func (ex *expectations) show(i int) {
	ex.at = i
	ex.Inspect(ex.findings[i].Event)
	data.ShowWanted(ex.data)
}

// here returns the finding at the selected event: the one that was chosen, else the first one; nil where there is none.
func (ex *expectations) here() *suite.Finding {
	if ex.of == nil || ex.judged != ex.Log() || ex.Selection() == nil {
		return nil
	}
	index := ex.Selection().Index
	if ex.at < len(ex.findings) && ex.findings[ex.at].Event == index {
		return ex.findings[ex.at]
	}
	for i, f := range ex.findings {
		if f.Event == index {
			ex.at = i
			return f
		}
	}
	return nil
}

// expected returns the expectation at the selected event as the pane Data shows it.
func (ex *expectations) expected() *data.Expected {
	f := ex.here()
	if f == nil {
		return nil
	}
	e := &data.Expected{Name: wording.Line(f.Expectation), Words: ex.words(f), Wanted: f.Wanted, Found: f.Found}
	if f.Wanted == nil || f.Found == nil {
		e.Wanted, e.Found = partsOf(f)
	}
	return e
}

// partsOf returns the differences of a finding as two objects with a member for each.
func partsOf(f *suite.Finding) (wanted, found value.Value) {
	var a, b []value.Member
	for i := range f.Differences {
		d := &f.Differences[i]
		key := cmp.Or(d.Path, f.Expectation)
		if d.Wanted != nil {
			a = append(a, value.Member{Key: key, Value: d.Wanted})
		}
		if d.Found != nil {
			b = append(b, value.Member{Key: key, Value: d.Found})
		}
	}
	return value.NewObject(a), value.NewObject(b)
}

// mostDifferences is the greatest number of differences of an expectation that are explained; the view has all of them.
const mostDifferences = 4

// words explain an expectation that is not met.
func (ex *expectations) words(f *suite.Finding) []prose.Paragraph {
	g := ex.Glyphs()
	list := []prose.Paragraph{{
		Style: canvas.Bad, Text: fmt.Sprintf("%s %s is not as expected (%s:%d)", g.Failed, wording.Line(f.Expectation), wording.Line(ex.of.File), f.At.Line), Indent: 2,
	}}
	form := value.Form{Limit: prose.PreviewLength}
	for i := range f.Differences[:min(len(f.Differences), mostDifferences)] {
		d := f.Differences[i]
		if failure := ex.Log().At(f.Event).Failure(); failure != nil && d.Reason == failure.Error() {
			d.Reason = "" // the story says why, before the words of the service
		}
		list = append(list, prose.Paragraph{Style: canvas.Plain, Text: "  " + strings.ReplaceAll(form.Sentence(&d), "…", g.Ellipsis), Indent: 4})
	}
	if more := len(f.Differences) - mostDifferences; more > 0 {
		list = append(list, prose.Paragraph{Style: canvas.Dim, Text: fmt.Sprintf("  and %d more", more)})
	}
	return list
}

// heading names the expectation at the selected event for the status line, or returns "".
func (ex *expectations) heading() string {
	f := ex.here()
	if f == nil {
		return ""
	}
	text := ex.Glyphs().Failed + " "
	if n := len(ex.findings); n > 1 {
		text += strconv.Itoa(ex.at+1) + " of " + strconv.Itoa(n) + ": "
	}
	return text + wording.Line(f.Expectation)
}

// open brings a run that has come to its end to its first difference from the case.
func (ex *expectations) open() {
	if ex.of == nil || ex.judged != ex.Log() {
		return
	}
	if len(ex.findings) > 0 {
		ex.StandAt(ex.findings[0].Event)
		ex.at = 0
		data.ShowWanted(ex.data)
	}
	ex.report()
}
