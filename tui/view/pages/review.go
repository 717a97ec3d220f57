// This part of the package is the review of snapshots.

package pages

import (
	"fmt"
	"slices"
	"strings"

	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/program"
)

// Review is the page of the snapshots of cases, one by one, for the user to accept or reject. An accepted one is
// written at once.
type Review struct {
	// Cases are those with a snapshot to review, and Dot divides the parts of a line.
	Cases []*suite.Outcome
	Dot   string
	// Accept writes a snapshot, Reject notes that it is not wanted.
	Accept func(*suite.Outcome) error
	Reject func(*suite.Outcome)

	at                 int
	lines              widget.Pager
	accepted, rejected int
}

// Summary returns how many snapshots were accepted and rejected.
func (r *Review) Summary() string {
	left := len(r.Cases) - r.accepted - r.rejected
	return fmt.Sprintf("%s: %d accepted, %d rejected, %d left", wording.Count(len(r.Cases), "snapshot"),
		r.accepted, r.rejected, left)
}

// Title implements [program.Page].
func (r *Review) Title() string {
	c, kind := r.Cases[r.at], "new"
	if r.changed() {
		kind = "changed: - accepted, + found"
	}
	at := fmt.Sprintf("Snapshot %d of %d", r.at+1, len(r.Cases))
	return strings.Join([]string{at, wording.Line(c.Suite.File), wording.Line(c.Name), kind}, r.Dot)
}

// Status implements [program.Page].
func (*Review) Status() (string, canvas.Style) { return "", canvas.Bar }

// Keys implements [program.Page].
func (*Review) Keys() *keys.Map { return keys.Snapshots() }

// Hints implements [program.Page].
func (*Review) Hints() []keys.Action {
	return []keys.Action{keys.Answer, keys.Forget, keys.FindNext, keys.Quit}
}

// Begin implements [program.Page].
func (*Review) Begin(*program.Sheet) {}

// Press implements [program.Page].
func (r *Review) Press(s *program.Sheet, k keys.Press) {
	if r.lines.Key(k.Action) {
		return
	}
	c := r.Cases[r.at]
	switch k.Action {
	case keys.Answer:
		if err := r.Accept(c); err != nil { // one that cannot be written stays
			s.Say(canvas.Bad, err.Error())
			return
		}
		c.Snapshot = nil
		r.accepted++
	case keys.Forget:
		r.Reject(c)
		r.rejected++
	case keys.FindNext:
	case keys.Now, keys.Quit:
		s.End(nil)
		return
	default:
		return
	}
	if r.at+1 == len(r.Cases) {
		s.End(nil)
		return
	}
	r.at, r.lines = r.at+1, widget.Pager{}
}

// changed reports whether the snapshot is another than the accepted one.
func (r *Review) changed() bool {
	return slices.ContainsFunc(r.Cases[r.at].Findings, func(f suite.Finding) bool {
		return f.Expectation == suite.SnapshotExpectation
	})
}

// text are the lines of the snapshot: the whole of a new one, and the differences of one that has changed.
func (r *Review) text() (lines []string) {
	c := r.Cases[r.at]
	for i := range c.Findings {
		if c.Findings[i].Expectation == suite.SnapshotExpectation {
			lines = append(lines, suiterun.Differences(&c.Findings[i])...)
		}
	}
	if len(lines) > 0 || c.Snapshot == nil {
		return lines
	}
	for line := range strings.Lines(string(suiterun.TextOf(c.Snapshot))) {
		lines = append(lines, wording.Line(strings.TrimRight(line, "\n")))
	}
	return lines
}

// Draw implements [program.Page].
func (r *Review) Draw(_ *program.Sheet, f widget.Frame) {
	lines, changed := r.text(), r.changed()
	r.lines.Draw(f.In(canvas.Rect{X: 1, Y: 1, W: f.W() - 1, H: f.H() - 2}), len(lines), func(row canvas.Area, i int) {
		style := canvas.Plain
		switch line := lines[i]; {
		case !changed:
		case strings.HasPrefix(strings.TrimLeft(line, " "), "+ "):
			style = canvas.Bad
		case strings.Contains(line, "- "):
			style = canvas.Good
		}
		row.Text(0, 0, style, lines[i])
	})
}
