package screen

import (
	"fmt"
	"path/filepath"
	"strings"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/provenance"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/live"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/theme"
)

// saving is about the fixtures file that a run becomes, and about those that it was given.
type saving struct {
	// write writes a new file; nil where there is nowhere to write to.
	write func(name string, data []byte) error
	// saved is what the person had done by hand when it was last saved: see [handsOf].
	saved string
	// told is the length of the log at which unused results were last told.
	told int
}

func (u *ui) saveBindings() pane.Bindings {
	return pane.Bindings{{Action: keys.SaveFixtures, Run: u.saveFixtures, Disabled: u.saveDisabled}}
}

func (u *ui) saveDisabled() string {
	switch {
	case u.saving.write == nil:
		return "there is nowhere to save to"
	case u.session.Log().Len() == 0:
		return "nothing has run yet"
	}
	return ""
}

// saveFixtures saves as a file of fixtures what the tasks were given, and asks for its name where none is given.
func (u *ui) saveFixtures(name string) {
	name = strings.TrimSpace(name)
	if name == "" {
		fallback, _, _ := strings.Cut(filepath.Base(u.title), ".")
		u.askFor(keys.SaveFixtures, "save as: ", fallback+".fixtures.yaml", "A new file with what all tasks of this run were given, whoever gave it: it gives the same run.")
		return
	}
	files := fixtures.TreeOf(u.session, name, u.ran)
	draft := files[len(files)-1].Draft
	draft.Comments = append([]string{"What the tasks of a run were given, saved in the debugger."}, draft.Comments...)
	for _, file := range files {
		if err := u.saving.write(file.Name, file.Draft.YAML()); err != nil {
			u.say(theme.Bad, "Not saved: "+err.Error())
			return
		}
	}
	u.markSaved()
	results, tasks := fixtures.Results(files)
	text := fmt.Sprintf("Saved %s of %s as %s", explain.Plural(results, "result", "results"), explain.Plural(tasks, "task", "tasks"), name)
	if more := len(files) - 1; more > 0 {
		text += fmt.Sprintf(" and %s of executions beside it", explain.Plural(more, "file", "files"))
	}
	text += "."
	if left := draft.Comments[1:]; len(left) > 0 {
		text += " " + strings.Join(left, " ")
	}
	u.say(theme.Good, text)
}

// ran returns the execution that answered a request; nil where there was none, or it is kept no longer.
func (u *ui) ran(request *engine.TaskRequest) *live.Child {
	if u.live.calls == nil {
		return nil
	}
	return u.live.calls.Ran(request)
}

// markSaved notes that what the person did here, and in the executions that are over, is saved.
func (u *ui) markSaved() {
	u.saving.saved = handsOf(u.session.Origins().Interventions())
	for _, inner := range u.nest.behind {
		if u.ran(inner.nest.child.Request) == inner.nest.child && len(fixtures.DraftOf(inner.session).Comments) == 0 { // else its outcome alone is
			inner.markSaved()
		}
	}
}

// handsOf writes what the person did, so that it can be compared.
func handsOf(hands []provenance.Intervention) string {
	var b strings.Builder
	for _, hand := range hands {
		path := ""
		if hand.Visit != nil {
			path = hand.Visit.Path()
		}
		fmt.Fprintf(&b, "%d %s %d %s %s %s", hand.Kind, path, hand.Invocation, compact(hand.Outcome), hand.Outcome.Error, hand.Outcome.Cause)
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

// mostUnused bounds how many unused results are told.
const mostUnused = 50

// tellUnused says at the end of a run what of the fixtures it did not use.
func (u *ui) tellUnused() {
	if u.session.Stop().Reason != debug.StoppedAtEnd || u.saving.told == u.session.Log().Len() {
		return
	}
	u.saving.told = u.session.Log().Len()
	if u.options.Unused == nil {
		return
	}
	unused := u.options.Unused()
	if len(unused) == 0 {
		return
	}
	for _, line := range unused[:min(len(unused), mostUnused)] {
		u.say(theme.Hint, "unused: "+line)
	}
	u.say(theme.Hint, fmt.Sprintf("The run did not use all of the fixtures: %s; %s lists them.", explain.Plural(len(unused), "place", "places"), u.keys.Key(keys.Messages)))
}
