package screen

import (
	"fmt"
	"path/filepath"
	"strings"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/provenance"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
)

// saving is about the fixtures file that a run becomes, and about those that it was given.
type saving struct {
	contract
	nest *nesting
	// write writes a new file; nil where there is nowhere to write to.
	write func(name string, data []byte) error
	// saved are the interventions at the time of the last save: see [handsOf].
	saved string
	// unused lists the entries of the fixtures that the run did not use; it may be nil. reported is the length of the
	// log at which they were reported last.
	unused   func() []string
	reported int
}

func (sv *saving) bindings() view.Bindings {
	return view.Bindings{{Action: keys.SaveFixtures, Run: sv.saveFixtures, Disabled: sv.saveDisabled}}
}

func (sv *saving) saveDisabled() string {
	switch {
	case sv.write == nil:
		return "this session cannot save fixtures"
	case sv.Session().Log().Len() == 0:
		return "nothing has run yet"
	}
	return ""
}

// saveFixtures saves the outcomes of tasks as a fixtures file, and asks for its name where none is given.
func (sv *saving) saveFixtures(name string) {
	name = strings.TrimSpace(name)
	if name == "" {
		fallback, _, _ := strings.Cut(filepath.Base(sv.nest.title), ".")
		sv.AskFor(keys.SaveFixtures, "save as: ", fallback+".fixtures.yaml",
			"A new file with the outcomes of all tasks of this run, typed ones included: it reproduces the run.")
		return
	}
	files := fixtures.TreeOf(sv.Session(), name, sv.nest.ran, nil)
	draft := files[len(files)-1].Draft
	draft.Comments = append([]string{"The outcomes of the tasks of a run, saved in the debugger."}, draft.Comments...)
	for _, file := range files {
		if err := sv.write(file.Name, file.Draft.YAML()); err != nil {
			sv.Say(canvas.Bad, "Not saved: "+err.Error())
			return
		}
	}
	sv.markSaved()
	results, tasks := fixtures.Results(files)
	text := fmt.Sprintf("Saved %s of %s", wording.Count(results, "result"), wording.Count(tasks, "task"))
	if objects := len(draft.Objects) + len(draft.Readers); objects > 0 {
		text += " and " + wording.Count(objects, "object") + " of ItemReaders"
	}
	text += " as " + name
	if more := len(files) - 1; more > 0 {
		text += fmt.Sprintf(" and %s of executions beside it", wording.Count(more, "file"))
	}
	text += "."
	if left := draft.Comments[1:]; len(left) > 0 {
		text += " " + strings.Join(left, " ")
	}
	sv.Say(canvas.Good, text)
}

// markSaved notes that the interventions here, and in the executions that are over, are saved.
func (sv *saving) markSaved() {
	sv.saved = handsOf(sv.Session().Origins().Interventions())
	for _, inner := range sv.nest.behind {
		if inner.nest.child != nil && sv.nest.ran(inner.nest.child.Request) == inner.nest.child &&
			len(fixtures.DraftOf(inner.session).Comments) == 0 { // else its outcome alone is
			inner.saving.markSaved()
		}
	}
}

// handsOf writes the interventions, so that they can be compared.
func handsOf(hands []provenance.Intervention) string {
	var b strings.Builder
	for _, hand := range hands {
		path := ""
		if hand.Visit != nil {
			path = hand.Visit.Path()
		}
		fmt.Fprintf(&b, "%d %s %d %s %s %s", hand.Kind, path, hand.Invocation, compact(hand.Outcome),
			hand.Outcome.Error, hand.Outcome.Cause)
		if hand.Data != nil {
			b.WriteString(value.Compact(hand.Data))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func compact(o engine.Outcome) string {
	if o.Output == nil {
		return ""
	}
	return value.Compact(o.Output)
}

// mostUnused bounds the number of unused results that are reported.
const mostUnused = 50

// reportUnused names at the end of a run the unused fixtures.
func (sv *saving) reportUnused() {
	if sv.Session().Stop().Reason != debug.StoppedAtEnd || sv.reported == sv.Session().Log().Len() {
		return
	}
	sv.reported = sv.Session().Log().Len()
	if sv.unused == nil {
		return
	}
	unused := sv.unused()
	if len(unused) == 0 || sv.Session().Status() != engine.Succeeded { // a run that failed used those up to there
		return
	}
	for _, line := range unused[:min(len(unused), mostUnused)] {
		sv.Say(canvas.Hint, "unused: "+line)
	}
	sv.Say(
		canvas.Hint,
		fmt.Sprintf("The run did not use all of the fixtures: %s; %s lists them.", wording.Count(len(unused), "place"),
			sv.Key(keys.Messages)),
	)
}

// unsaved lists the answers by hand, where they can be saved.
func (sv *saving) unsaved() []string {
	if s := sv.Session(); sv.write == nil ||
		s.ReadOnly() && s.Executable() { // what was given in a recorded run is in its trace
		return nil
	}
	hands := sv.Session().Origins().Interventions() // of a long trace it reads all inputs
	if handsOf(hands) == sv.saved {
		return nil
	}
	answers, edits := 0, 0
	for _, hand := range hands {
		if hand.Data != nil {
			edits++
		} else {
			answers++
		}
	}
	var list []string
	if answers > 0 {
		list = append(list, wording.Count(answers, "answer")+" that you gave to tasks")
	}
	if edits > 0 {
		list = append(list, wording.Count(edits, "edit")+" of the data")
	}
	return list
}
