// Package data is the pane Data: the strip of stages of the selected event, its explanation, and its data as a tree
// with a cursor.
package data

import (
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/tree"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// View is a view of the data before and after a stage.
type View uint8

// The views.
const (
	Diff View = iota
	Side
	Before
	After
	// Wanted is the value that a case of a suite expects, next to the found one.
	Wanted
	// Definition is the text of the definition with the values of its expressions.
	Definition
	viewCount
)

var viewNames = [...]string{"diff", "side", "before", "after", "wanted", "definition"}

// String returns the name of the view.
func (v View) String() string { return viewNames[v] }

// viewNamed returns the view with a name, or the one after present where there is no name: the definition is among them
// in a wide pane.
func viewNamed(name string, present View, wide bool) (view View, ok bool) {
	switch name {
	case "":
		if view = (present + 1) % viewCount; view == Definition && !wide {
			view = Diff
		}
		return view, true
	case "request":
		return Before, true
	case "response":
		return After, true
	}
	if view, ok = wording.KindNamed[View](viewNames[:], name); !ok {
		view = present
	}
	return view, ok
}

// Options are the parts of the pane that come from the rest of the program.
type Options struct {
	// About are sentences about the run, for the time before its first event.
	About []string
	// Limit is the greatest number of events of one command.
	Limit int
	// Nested returns the paragraphs about an execution that the selected task starts.
	Nested func() []prose.Paragraph
	// Ran has the executions that answered tasks; it may be nil.
	Ran explain.Nested
	// Answerable names the state whose failed task can be given another outcome, at the failure of the run; else
	// "". It may be nil.
	Answerable func() string
	// Grown: a generated input is offered.
	Grown bool
	// Fix describes the fix that is offered; it may be nil.
	Fix func() []prose.Paragraph
	// Problems returns the findings in the definition; nil: there are none.
	Problems func() []source.Diagnostic
	// Answers reports whether the source of the run has results for a task; nil: that is not known.
	Answers func(*asl.State) bool
	// Expected returns the expectation that the run does not meet at the selected event; nil: there is none. It may be
	// nil.
	Expected func() *Expected
	// Reason returns the part of the reason for a stop for which the status line is too narrow, or "".
	Reason func() string
	// Polls is the waiter that runs, nil where none does.
	Polls *view.Polls
	// Unnoticed leaves out the facts that the run noticed.
	Unnoticed bool
	// Recorded reports whether the run is a recording, or compared with one: its events have their ids in it.
	Recorded func() bool
	// Missed returns the path that the stage in which the run failed did not find, or "".
	Missed func() string
}

// Expected is an expectation of a case of a suite that a run does not meet.
type Expected struct {
	// Name is its name: "status", "output".
	Name string
	// Words explain it.
	Words []prose.Paragraph
	// Wanted and Found are the values that differ.
	Wanted, Found value.Value
}

// Screen is the part of the screen that the pane uses.
type Screen struct {
	view.Shell
	view.RunState
	view.Selected
	view.Control
	view.Panes
}

// Pane is the pane Data.
type Pane struct {
	screen      Screen
	options     *Options
	explanation explanation

	view, before View // before is the view that the definition is shown in place of
	definition   Text
	folding      tree.Folding
	notes        prose.Notes
	doc          tree.View
	// unchanged reports that before and after are the same.
	unchanged bool
	note      string // about the data: the number of changes, or the event that they are of
	inNotes   bool   // the cursor is in the notes
	// aim is the path that was chosen where the cursor could not stay at it: another view may have it.
	aim string

	size   measured
	origin originNote
	width  int
	above  int // lines above the notes and the data
	stages []prose.Spot
	story  story
}

var _ view.Pane = (*Pane)(nil)

// New returns the pane for a screen.
func New(s Screen, o Options) *Pane {
	if o.Problems == nil {
		o.Problems = func() []source.Diagnostic { return nil }
	}
	return &Pane{screen: s, options: &o, explanation: explanation{screen: s, options: &o}}
}

// Show brings the pane to the screen's selection.
func (p *Pane) Show() {
	p.notes.Set(p.explanation.words())
	p.story.tell(p)
	p.folding = tree.Usual
	p.build()
	p.doc.Put(p.doc.Tree)
	if p.aim = ""; p.doc.Tree.Differs() {
		p.doc.Cursor = p.doc.Tree.FirstChange()
		p.doc.Reveal()
	}
	p.inNotes = p.doc.Tree.Len() == 0
}

// Refresh implements [view.Pane].
func (p *Pane) Refresh() {}

// View returns the present view.
func (p *Pane) View() View { return p.view }

// build makes the tree of the data in the present view.
func (p *Pane) build() {
	p.unchanged, p.note = false, ""
	s := p.screen.Selection()
	if e := p.options.expected(); e != nil && p.view == Wanted {
		p.buildDiff(e.Wanted, e.Found)
		p.note = p.screen.Glyphs().Removed + " wanted " + p.screen.Glyphs().Added + " found"
		return
	}
	switch {
	case p.view == Before && (s.Before != nil || !tabs{p}.exchange()):
		p.doc.Tree = tree.OfValue(s.Before, p.folding)
	case p.view == After || p.view == Definition || s.Before == nil || tabs{p}.exchange() && s.After != nil:
		p.doc.Tree = tree.OfValue(s.After, p.folding)
	case s.After == nil:
		p.doc.Tree = tree.OfValue(s.Before, p.folding)
		if !(tabs{p}).exchange() {
			p.note = "read by the stage"
		}
	default:
		p.buildDiff(s.Before, s.After)
	}
	if s.Event != nil && s.Source != s.Event {
		p.note = "data of event " + strconv.FormatInt(s.Source.Seq, 10)
	}
}

func (p *Pane) buildDiff(before, after value.Value) {
	counts := value.Count(before, after)
	if p.unchanged = counts.Zero(); p.unchanged {
		p.doc.Tree, p.note = tree.OfValue(after, p.folding), "no change"
		return
	}
	layout := tree.Unified
	if p.view == Side && p.width >= tree.MinColumns {
		layout = tree.SideBySide
	}
	p.doc.Tree, p.note = tree.OfDifference(before, after, layout, p.folding), prose.Changes(counts, p.screen.Glyphs())
	if p.view == Side && layout == tree.Unified {
		p.note = "needs " + strconv.Itoa(tree.MinColumns) + " cells"
	}
}

// expected returns the expectation that the run does not meet at the selected event, or nil.
func (o *Options) expected() *Expected {
	if o.Expected == nil {
		return nil
	}
	return o.Expected()
}

// NoData returns the name of the expectation that is shown where its values aren't data of the selected event, a status
// for example; else "".
func (p *Pane) NoData() string {
	e, s := p.options.expected(), p.screen.Selection()
	if p.view != Wanted || e == nil || same(e.Found, s.After) || same(e.Found, s.Before) {
		return ""
	}
	return e.Name
}

// same reports whether two values that may be absent are there and equal.
func same(a, b value.Value) bool { return a != nil && b != nil && value.Equal(a, b) }

// ShowWanted shows in a pane the wanted value beside the found one.
func ShowWanted(p *Pane) {
	p.view = Wanted
	p.Show()
}

// rebuild makes the tree again, the cursor staying where it is as far as that is still there.
func (p *Pane) rebuild() {
	path := p.treePath()
	p.build()
	p.doc.Cursor = p.doc.Tree.Locate(path)
	p.inNotes = p.inNotes || p.doc.Tree.Len() == 0
}

// setView changes the view. The cursor stays at its path, and nodes around it are unfolded; missing is the path where
// the view does not have it. A later view that has it goes back to it.
func (p *Pane) setView(v View) (missing string) {
	path := p.treePath()
	if p.aim != "" {
		path = p.aim
	}
	p.view = v
	p.rebuild()
	row, there := p.doc.Tree.Reveal(path)
	p.doc.Cursor, p.aim = row, ""
	if there || p.doc.Tree.Len() == 0 {
		return ""
	}
	p.aim = path
	return path
}

// foldAll switches from one folding of everything to the next, and names it.
func (p *Pane) foldAll() string {
	p.folding = (p.folding + 1) % (tree.AllFolded + 1)
	if p.folding == tree.AllOpen && !p.doc.Tree.Differs() {
		p.folding = tree.AllFolded // a value usually is unfolded
	}
	p.rebuild()
	switch p.folding {
	case tree.AllOpen:
		return "Everything is unfolded."
	case tree.AllFolded:
		return "Everything is folded."
	case tree.Usual:
	}
	return "Folded as usual."
}

// Document returns the document that is shown, of a difference the data after the stage.
func (p *Pane) Document() value.Value {
	s := p.screen.Selection()
	if e := p.options.expected(); e != nil && p.view == Wanted {
		return e.Found
	}
	if p.view == Before || s.After == nil {
		return s.Before
	}
	return s.After
}

func (p *Pane) copyData(what string) {
	for _, choice := range dialog.CopyChoices() {
		if choice.Name == what {
			sendCopy(p.screen, choice.About, p.copied(what))
			return
		}
	}
	if what != "" {
		p.screen.Say(canvas.Bad, "What is copied is value, path or document; found "+what)
		return
	}
	p.screen.Open(dialog.NewCopy(p.screen, p.copySize))
}

// copied returns the text of a choice of [dialog.CopyChoices]. Of a string it is the characters, not its form in JSON.
func (p *Pane) copied(what string) string {
	v := p.Selected()
	switch what {
	case "path":
		return p.Path()
	case "document":
		v = p.Document()
	}
	if text, ok := v.(value.String); ok {
		return string(text)
	}
	return value.Pretty(v)
}

// greatCopy is the size in bytes above which many terminals refuse to copy.
const greatCopy = 100_000

func sendCopy(screen Screen, what, text string) {
	screen.Copy(text)
	message := "Copied " + what + ", " + wording.Size(len(text)) + ", to the terminal's clipboard"
	if len(text) > greatCopy {
		screen.Say(canvas.Warn, message+". Many terminals refuse more than 100 KB.")
		return
	}
	screen.Say(canvas.Plain, message+": "+prose.Value(value.String(text), 60, screen.Glyphs()))
}

// copySize returns the size of the text of a choice, or the text where that is short.
func (p *Pane) copySize(what string) string {
	switch what {
	case "path":
		return p.Path()
	case "document":
		return wording.Size(value.Size(p.Document()))
	}
	return aboutValue(p.Selected(), p.screen.Glyphs())
}

// PlainLines returns the pane as lines for --plain: the explanation of the selected event, and the stages of its state
// from top to bottom. A state that has not run is named. For a waiter the lines are its polls; brief leaves out all but
// the last two.
func (p *Pane) PlainLines(brief bool) (lines []string) {
	g := p.screen.Glyphs()
	s := p.screen.Selection()
	if state := p.screen.Unshown(); state != nil {
		lines = append(lines, wording.Line(state.Name)+", "+state.Type.String()+", not run. "+
			p.screen.Key(keys.Source)+" shows its text.")
		return lines
	}
	if p.pollsShown() {
		lines = p.options.Polls.PlainLines(p.screen.Session(), s.Index, brief)
		if len(lines) > 0 {
			return lines
		}
	}
	title, note := s.Heading()
	if note != "" {
		title += ", " + note
	}
	lines = append(lines, wording.Line(title)+".")
	for text := range p.notes.Texts {
		lines = append(lines, prose.Line(text, g))
	}
	if d := p.story.decision; d != nil {
		lines = append(lines, prose.Writer(g, prose.PreviewLength).Paragraph(d))
	}
	if s.Visit != nil && !p.explanation.atFailedEnd() {
		lines = append(lines, p.story.Lines(g)...)
	}
	if s.Visit == nil && p.Document() != nil {
		lines = append(lines, strings.Split(value.Pretty(p.Document()), "\n")...)
	}
	return lines
}
