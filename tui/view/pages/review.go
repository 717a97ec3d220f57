// This part of the package is the review of snapshots and expectations.

package pages

import (
	"context"
	"fmt"
	"strings"

	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/program"
)

// Change is a change of a case, of its snapshot or else of its expectations.
type Change struct {
	Case     *suite.Outcome
	Snapshot bool
}

// ChangesOf returns the changes of cases.
func ChangesOf(cases []*suite.Outcome) (changes []Change) {
	for _, c := range cases {
		if suiterun.Fails(c) {
			changes = append(changes, Change{Case: c})
		}
		if suiterun.Snaps(c) {
			changes = append(changes, Change{Case: c, Snapshot: true})
		}
	}
	return changes
}

// Review is the page of changes with which cases expect what their runs are, one by one, for the user to accept or
// reject. An accepted one is written at once.
type Review struct {
	Changes []Change
	// Propose returns the text that a change writes; it may run the case. Reject notes that it is not wanted.
	Propose func(ctx context.Context, c Change) (*suiterun.Proposal, error)
	Reject  func(Change)

	at       int
	glyphs   *canvas.Glyphs
	proposal *suiterun.Proposal // nil: the case runs, or there is none, for problem
	problem  string
	view     reviewed
	lines    widget.Pager
	// decided counts the changes that are over; accepted and rejected are among them. open are the cases that fail still.
	decided, accepted, rejected int
	open                        map[*suite.Outcome]bool
}

// reviewed is a side of a change.
type reviewed uint8

// The sides of a change.
const (
	reviewedDiff reviewed = iota
	reviewedOld
	reviewedNew
)

// Summary returns how many changes were accepted and rejected.
func (r *Review) Summary() string {
	left := len(r.Changes) - r.accepted - r.rejected
	return fmt.Sprintf("%s: %d accepted, %d rejected, %d left", wording.Count(len(r.Changes), "change"),
		r.accepted, r.rejected, left)
}

// Settled returns the number of cases with each change accepted and no expectation left.
func (r *Review) Settled() int {
	cases := map[*suite.Outcome]bool{}
	for i, c := range r.Changes {
		if i >= r.decided || r.open[c.Case] {
			delete(cases, c.Case)
		} else {
			cases[c.Case] = true
		}
	}
	return len(cases)
}

// Title implements [program.Page].
func (r *Review) Title() string {
	c := r.Changes[r.at]
	kind := "expectations"
	switch {
	case c.Snapshot && c.Case.Kind == suite.New:
		kind = "new snapshot"
	case c.Snapshot:
		kind = "changed snapshot"
	}
	switch r.view {
	case reviewedOld:
		kind += ": old"
	case reviewedNew:
		kind += ": new"
	case reviewedDiff:
	}
	at := fmt.Sprintf("Change %d of %d", r.at+1, len(r.Changes))
	return r.glyphs.Divide(at, wording.Line(c.Case.Suite.File), wording.Line(c.Case.Name), kind)
}

// Status implements [program.Page].
func (r *Review) Status() (string, canvas.Style) {
	if r.proposal == nil && r.problem == "" {
		return "running the case", canvas.BarInfo
	}
	return "", canvas.Bar
}

// Keys implements [program.Page].
func (*Review) Keys() *keys.Map { return keys.Snapshots() }

// Hints implements [program.Page].
func (*Review) Hints() []keys.Action {
	return []keys.Action{keys.Answer, keys.Forget, keys.FindNext, keys.FocusNext, keys.Quit}
}

// Begin implements [program.Page].
func (r *Review) Begin(s *program.Sheet) {
	r.open, r.glyphs = map[*suite.Outcome]bool{}, s.Glyphs()
	r.propose(s)
}

// propose asks for the text of the present change.
func (r *Review) propose(s *program.Sheet) {
	at, c := r.at, r.Changes[r.at]
	r.proposal, r.problem, r.view, r.lines = nil, "", reviewedDiff, widget.Pager{}
	s.Go(func(ctx context.Context) func() {
		proposal, err := r.Propose(ctx, c)
		return func() {
			if at != r.at {
				return
			}
			if r.proposal = proposal; err != nil {
				r.proposal, r.problem = nil, wording.Line(err.Error())
			}
		}
	})
}

// Press implements [program.Page].
func (r *Review) Press(s *program.Sheet, k keys.Press) {
	if r.lines.Key(k.Action) {
		return
	}
	c := r.Changes[r.at]
	switch k.Action {
	case keys.Answer:
		if r.proposal == nil {
			return
		}
		if err := r.proposal.Accept(); err != nil { // one that cannot be written stays
			s.Say(canvas.Bad, wording.Line(err.Error()))
			return
		}
		r.accepted++
		if len(r.proposal.Left) > 0 {
			r.open[c.Case] = true
		}
		if c.Snapshot {
			c.Case.Snapshot = nil
		}
	case keys.Forget:
		r.Reject(c)
		r.rejected++
		r.open[c.Case] = true
	case keys.FindNext:
		r.open[c.Case] = true
	case keys.FocusNext:
		r.view, r.lines = (r.view+1)%(reviewedNew+1), widget.Pager{}
		return
	case keys.Now, keys.Quit:
		s.End(nil)
		return
	default:
		return
	}
	if r.decided = r.at + 1; r.decided == len(r.Changes) {
		s.End(nil)
		return
	}
	r.at++
	r.propose(s)
}

// text are the lines of the present side.
func (r *Review) text() (lines []string) {
	p := r.proposal
	switch {
	case r.problem != "":
		return []string{"It cannot be accepted: " + r.problem}
	case p == nil:
		return nil
	}
	switch r.view {
	case reviewedOld:
		if len(p.Old) == 0 {
			return []string{"There was none."}
		}
		return p.Old
	case reviewedNew:
		return p.New
	case reviewedDiff:
	}
	lines = p.Diff
	for i := range p.Left {
		lines = append(lines, fmt.Sprintf("not accepted: line %d: %s is more than a value: change it by hand",
			p.Left[i].At.Line, p.Left[i].Expectation))
	}
	return lines
}

// Draw implements [program.Page].
func (r *Review) Draw(_ *program.Sheet, f widget.Frame) {
	lines := r.text()
	changed := r.view == reviewedDiff && r.proposal != nil && len(r.proposal.Old) > 0
	r.lines.Draw(f.In(canvas.Rect{X: 1, Y: 1, W: f.W() - 1, H: f.H() - 2}), len(lines), func(row canvas.Area, i int) {
		row.Text(0, 0, styleOfDiff(lines[i], changed), lines[i])
	})
}

// styleOfDiff is the style of a line of a diff, or of the differences of a snapshot.
func styleOfDiff(line string, changed bool) canvas.Style {
	trimmed := strings.TrimLeft(line, " ")
	switch {
	case !changed:
	case strings.HasPrefix(line, "+"), strings.HasPrefix(trimmed, "+ "):
		return canvas.Added
	case strings.HasPrefix(line, "-"), strings.Contains(line, "- "):
		return canvas.Removed
	case strings.HasPrefix(line, "@@"):
		return canvas.Dim
	}
	return canvas.Plain
}
