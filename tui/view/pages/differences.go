// This part of the package is the screen of a comparison of two versions of a definition: the groups of differences, the recordings of a
// group, and the way to both runs of one of them.

package pages

import (
	"context"
	"errors"
	"strings"

	"asldb/internal/versions"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/program"
)

// ErrNoDifferences is the end of a screen that is left without a choice.
var ErrNoDifferences = errors.New("nothing was chosen")

// List is the page of the screen. It can be shown again after it has ended: its cursors stay.
type List struct {
	result *versions.Result
	open   func(j *versions.Judged) (*versions.Pair, error)

	inside     bool // the recordings of the group have the keys
	groups     widget.List[*versions.Group]
	recordings widget.List[*versions.Judged]

	opening bool
	chosen  *versions.Pair
	of      *versions.Judged // the recording that was chosen
	problem string           // is said at the beginning
}

// NewDifferences returns the page of a result. open runs a recording with both versions.
func NewDifferences(result *versions.Result, open func(j *versions.Judged) (*versions.Pair, error)) *List {
	l := &List{result: result, open: open}
	l.groups.Rows, l.groups.Resting, l.recordings.Resting = widget.Slice[*versions.Group](result.Groups()), true, true
	l.groups.Paint, l.groups.Moved = paintGroup, l.show
	l.recordings.Paint = func(line canvas.Area, j *versions.Judged, _ []int) {
		line.Text(2, 0, canvas.Plain, canvas.FitMiddle(wording.Line(j.Name()), line.W()-3, line.Glyphs().Ellipsis))
	}
	l.show()
	return l
}

// show shows the recordings of the selected group.
func (l *List) show() {
	l.recordings.Home()
	if g := l.present(); g != nil {
		l.recordings.Rows = widget.Slice[*versions.Judged](g.Executions)
	}
}

// Chosen returns the runs of the recording that the user has chosen, and the recording.
func (l *List) Chosen() (*versions.Pair, *versions.Judged) { return l.chosen, l.of }

// Warn shows a message when the page is shown the next time.
func (l *List) Warn(text string) { l.problem = text }

// Title implements [program.Page].
func (l *List) Title() string { return wording.Line(l.result.Old + " and " + l.result.New) }

// Status implements [program.Page].
func (l *List) Status() (string, canvas.Style) {
	if l.opening {
		return "running both versions", canvas.BarInfo
	}
	return wording.Line(versions.Counts(l.result)), canvas.Bar
}

// Keys implements [program.Page].
func (l *List) Keys() *keys.Map { return keys.Versions() }

// Hints implements [program.Page].
func (l *List) Hints() []keys.Action {
	if l.groups.Len() == 0 {
		return []keys.Action{keys.Quit}
	}
	return []keys.Action{keys.Look, keys.FocusNext, keys.FindNext, keys.Now, keys.Quit}
}

// Begin implements [program.Page].
func (l *List) Begin(s *program.Sheet) {
	l.chosen, l.of, l.opening = nil, nil, false
	if l.problem != "" {
		s.Say(canvas.Bad, l.problem)
		l.problem = ""
	}
}

// present is the group of the cursor; nil where there is none.
func (l *List) present() *versions.Group {
	g, _ := l.groups.Selected()
	return g
}

// recording is the one at the cursor; nil where there is none.
func (l *List) recording() *versions.Judged {
	j, _ := l.recordings.Selected()
	return j
}

// Press implements [program.Page].
func (l *List) Press(s *program.Sheet, k keys.Press) {
	if l.inside && l.recordings.Press(k.Action) || !l.inside && l.groups.Press(k.Action) {
		return
	}
	switch k.Action {
	case keys.Look:
		l.openRuns(s)
	case keys.FocusNext:
		l.inside = !l.inside
	case keys.Right:
		l.inside = true
	case keys.Left:
		l.inside = false
	case keys.FindNext:
		l.groups.Move(1)
	case keys.FindPrevious:
		l.groups.Move(-1)
	case keys.Now:
		if l.inside {
			l.inside = false
			return
		}
		s.End(ErrNoDifferences)
	case keys.Quit:
		s.End(ErrNoDifferences)
	default:
	}
}

// openRuns ends the screen with both runs of the recording.
func (l *List) openRuns(s *program.Sheet) {
	j := l.recording()
	if j == nil || l.opening {
		return
	}
	l.opening = true
	s.Go(func(context.Context) func() {
		pair, err := l.open(j)
		return func() {
			l.opening = false
			if err != nil {
				s.Say(canvas.Bad, wording.Line(err.Error()))
				return
			}
			l.chosen, l.of = pair, j
			s.End(nil)
		}
	})
}

// signOf is the sign of a verdict, with its style.
func verdictSign(v versions.Verdict, g *canvas.Glyphs) (string, canvas.Style) {
	switch v {
	case versions.Outcome:
		return g.Failed, canvas.Bad
	case versions.Path:
		return g.To, canvas.Warn
	case versions.Payload:
		return g.Changed, canvas.Plain
	case versions.Unjudged:
		return "?", canvas.Dim
	case versions.Same:
	}
	return g.Visited, canvas.Good
}

// The width of the screen from which on the groups have the left half of it, and the number of lines of the recordings at most.
const (
	besideWidth   = 100
	mostRecording = 12
)

// Draw implements [program.Page].
func (l *List) Draw(s *program.Sheet, f widget.Frame) {
	w, h := f.W(), f.H()
	if l.groups.Len() == 0 {
		l.drawSame(f.Area)
		return
	}
	left, right := canvas.Rect{W: w * 55 / 100, H: h}, canvas.Rect{X: w * 55 / 100, W: w - w*55/100, H: h}
	if w < besideWidth {
		half := min(h*2/5, max(l.groups.Len()+2, 4))
		left, right = canvas.Rect{W: w, H: half}, canvas.Rect{Y: half, W: w, H: h - half}
	}
	l.drawGroups(f.In(left))
	l.drawGroup(s, f.In(right))
}

// drawSame says that nothing differs.
func (l *List) drawSame(area canvas.Area) {
	inner := area.Titled(
		canvas.Frame{Title: "Differences", Border: widget.Border(true), TitleStyle: canvas.Title, Focused: true},
	)
	y := 0
	for _, text := range append([]string{"Nothing differs: " + versions.Counts(l.result) + "."}, versions.Notes(l.result)...) {
		for _, line := range canvas.Wrap(wording.Line(text), inner.W()-2) {
			inner.Text(1, y, canvas.Plain, line)
			y++
		}
	}
}

// countCells is the width of the column with the numbers of executions.
const countCells = 6

func (l *List) drawGroups(f widget.Frame) {
	f.Focused = !l.inside
	foot := wording.Grouped(l.groups.Cursor+1) + " of " + wording.Count(l.groups.Len(), "group")
	inner := f.Titled(canvas.Frame{Title: "Differences", Note: foot})
	l.groups.Draw(inner)
	inner.Mouse(func(x, y int) { // the recordings give the keys back
		l.inside = false
		l.groups.Click(x, y)
	}, l.groups.Move)
}

func paintGroup(line canvas.Area, g *versions.Group, _ []int) {
	line.Right(1+countCells, 0, canvas.Number, wording.Grouped(len(g.Executions)))
	sign, style := verdictSign(g.Verdict, line.Glyphs())
	x := line.Text(3+countCells, 0, style, sign+" "+g.Verdict.Key())
	x = max(x, 3+countCells+10) + 1
	line.Fit(x, 0, line.W()-x-1, canvas.Plain, signs(g.Title(), line.Glyphs()))
}

// drawGroup paints the recordings of the group, and the present one below them. A click there gives them the keys before it opens one.
func (l *List) drawGroup(s *program.Sheet, f widget.Frame) {
	f.Focused = l.inside
	n, j := l.recordings.Len(), l.recording()
	inner := f.Titled(
		canvas.Frame{Title: "Recordings", Note: wording.Grouped(l.recordings.Cursor+1) + " of " + wording.Grouped(n)},
	)
	rows := min(n, max(inner.H()/3, 1), mostRecording)
	list := inner.In(canvas.Rect{W: inner.W(), H: rows})
	if l.recordings.Open = nil; l.inside {
		l.recordings.Open = func() { l.openRuns(s) }
	}
	l.recordings.Draw(list)
	list.Mouse(func(x, y int) {
		l.inside = true
		l.recordings.Click(x, y)
	}, l.recordings.Move)
	inner.Line(0, rows, inner.W(), canvas.Border)
	l.drawRecording(inner.Area.Area(canvas.Rect{Y: rows + 1, W: inner.W(), H: inner.H() - rows - 1}), j)
}

// maxValue bounds the values of a difference, in bytes.
const maxValue = 400

// placed is a text with its place behind it, where that is known.
func placed(text, place string) string {
	if place == "" {
		return text
	}
	return text + ", " + place
}

// signs is a text of a report in one line, with the signs of the screen.
func signs(text string, g *canvas.Glyphs) string {
	return strings.ReplaceAll(wording.Line(text), "→", g.To)
}

// drawRecording paints what differs in one recording.
func (l *List) drawRecording(area canvas.Area, j *versions.Judged) {
	y := 0
	write := func(style canvas.Style, text string) {
		for _, line := range canvas.Wrap(signs(text, area.Glyphs()), area.W()-2) {
			if y < area.H() {
				area.Text(1, y, style, line)
			}
			y++
		}
	}
	sign, style := verdictSign(j.Verdict, area.Glyphs())
	write(style, sign+" "+j.Verdict.String())
	difference := func(d *versions.Difference) {
		write(canvas.Plain, placed(d.Title(), d.Place))
		for i, line := range d.Lines(maxValue) {
			write([]canvas.Style{canvas.Removed, canvas.Added}[i], line)
		}
	}
	switch {
	case j.Verdict == versions.Unjudged && j.Task != "":
		write(canvas.Plain, placed(j.Task+": "+j.Reason, j.Place))
	case j.Verdict == versions.Unjudged:
		write(canvas.Plain, placed(j.Reason, j.Place))
	case j.First != nil:
		difference(j.First)
	}
	if t := j.Turn; t != nil && t != j.First && j.Verdict == versions.Path {
		difference(t)
	}
	if rest, why := j.Rest(); rest != "" {
		write(canvas.Warn, rest+": "+why)
	}
	if j.Verdict == versions.Outcome {
		if j.Old != j.New {
			write(canvas.Removed, "- "+j.Old)
			write(canvas.Added, "+ "+j.New)
		}
		if o := j.Output; o != nil && !o.Repeats(j.First) {
			difference(o)
		}
	}
	if j.Differs {
		write(canvas.Warn,
			area.Glyphs().Warning+" The old version does not run as it was recorded: another definition may have run.")
	}
}
