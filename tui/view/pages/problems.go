// This part of the package is the screen of a definition with errors, which cannot be debugged: its text at the place of each problem, the way to
// the user's editor, and the look at the file after a change.

package pages

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/listing"
	"asldb/tui/part/widget"
	"asldb/tui/program"
)

// ErrLeft is the end of a screen that is left while there are errors.
var ErrLeft = errors.New("the definition has errors")

// Faulty is a definition with errors.
type Faulty struct {
	// File is the text of the definition, Definition the part that can be read; nil: nothing can.
	File       *source.File
	Definition *asl.StateMachine
	Problems   []source.Diagnostic
}

// Page is the page of the screen.
type Page struct {
	faulty *Faulty
	read   func() (*Faulty, error)
	// changed waits until the files with problems have changed; nil: nothing waits for it.
	changed func(ctx context.Context, files []string) error

	view    *listing.View
	file    *source.File // of the view
	at      int          // the present problem
	reading bool
	waiting func() // ends the wait for a change; nil: there is none
}

// NewProblems returns the page of a definition. read reads it again, and returns nil where it has no errors any more. changed, which may be nil,
// waits until a file has changed.
func NewProblems(faulty *Faulty, read func() (*Faulty, error), changed func(ctx context.Context, files []string) error) *Page {
	p := &Page{read: read, changed: changed}
	p.take(faulty)
	return p
}

// take shows a definition, at its first error.
func (p *Page) take(f *Faulty) {
	p.faulty, p.file, p.at = f, nil, 0
	for i := range f.Problems {
		if f.Problems[i].Severity == source.Error {
			p.at = i
			break
		}
	}
	p.show()
}

// problem is the present one; nil where there is none.
func (p *Page) problem() *source.Diagnostic {
	if p.at >= len(p.faulty.Problems) {
		return nil
	}
	return &p.faulty.Problems[p.at]
}

// show shows the file of the present problem, at its place.
func (p *Page) show() {
	d := p.problem()
	file, definition := p.faulty.File, p.faulty.Definition
	if d != nil && d.File != nil && d.File.Name != file.Name {
		file, definition = d.File, nil
	}
	if p.file != file {
		p.file, p.view = file, listing.NewView(listing.New(file, definition))
	}
	marks := listing.Marks{Now: -1}
	if d != nil { // of several on one line, the first is shown
		marks.Problems = append(marks.Problems, *d)
	}
	for i := range p.faulty.Problems {
		if i != p.at {
			marks.Problems = append(marks.Problems, p.faulty.Problems[i])
		}
	}
	p.view.Show(marks, false)
	p.view.GoToProblem(0)
}

// Title implements [program.Page].
func (p *Page) Title() string { return wording.Line(filepath.Base(p.file.Name)) }

// Status implements [program.Page].
func (p *Page) Status() (string, canvas.Style) {
	if p.reading {
		return "reading", canvas.BarInfo
	}
	wrong := 0
	for i := range p.faulty.Problems {
		if p.faulty.Problems[i].Severity == source.Error {
			wrong++
		}
	}
	return wording.Count(wrong, "error") + ": it cannot run", canvas.BarBad
}

// Keys implements [program.Page].
func (p *Page) Keys() *keys.Map { return keys.Problems() }

// Hints implements [program.Page].
func (p *Page) Hints() []keys.Action {
	return []keys.Action{keys.FindNext, keys.FindPrevious, keys.EditData, keys.Judge, keys.Quit}
}

// Begin implements [program.Page].
func (p *Page) Begin(s *program.Sheet) { p.wait(s) }

// wait reads the file again when it changes.
func (p *Page) wait(s *program.Sheet) {
	if p.changed == nil {
		return
	}
	names := []string{p.faulty.File.Name}
	if p.file.Name != names[0] {
		names = append(names, p.file.Name)
	}
	p.waiting = s.Go(func(ctx context.Context) func() {
		if err := p.changed(ctx, names); err != nil {
			return nil // the wait was ended, or the file cannot be watched
		}
		return func() { p.again(s) }
	})
}

// scrolled is by how many characters a key moves the text to the side.
const scrolled = 8

// Press implements [program.Page].
func (p *Page) Press(s *program.Sheet, k keys.Press) {
	if by, ok := widget.PageMove(k.Action, p.view.Rows()); ok {
		p.view.Move(by, 0)
		return
	}
	switch k.Action {
	case keys.FindNext:
		p.next(1)
	case keys.FindPrevious:
		p.next(-1)
	case keys.ScrollLeft:
		p.view.Move(0, -scrolled)
	case keys.ScrollRight:
		p.view.Move(0, scrolled)
	case keys.EditData:
		p.edit(s)
	case keys.Judge:
		p.again(s)
	case keys.Now, keys.Quit:
		s.End(ErrLeft)
	default:
	}
}

// next goes to the next problem, and round at the end.
func (p *Page) next(by int) {
	if n := len(p.faulty.Problems); n > 0 {
		p.at = (p.at + by + n) % n
		p.show()
	}
}

// click goes to the line drawn at row y, and to its problem.
func (p *Page) click(_, y int) {
	p.view.SelectAt(y)
	found := p.view.Problem()
	if found == nil {
		return
	}
	for i := range p.faulty.Problems {
		if d := &p.faulty.Problems[i]; d.Span == found.Span && d.Message == found.Message {
			p.at = i
			p.show()
			return
		}
	}
}

// edit opens the file in the user's editor at the line of the cursor.
func (p *Page) edit(s *program.Sheet) {
	file, at := p.view.Origin(p.view.Cursor())
	if d := p.problem(); d != nil && d.Span.Start.Line == at.Line {
		at = d.Span.Start
	}
	s.OpenFile(file.Name, max(at.Line, 1), max(at.Col, 1), func(err error) {
		if err != nil {
			s.Say(canvas.Bad, wording.Line(err.Error()))
			return
		}
		p.again(s)
	})
}

// again reads the definition again, and continues where it has no errors any more.
func (p *Page) again(s *program.Sheet) {
	if p.reading {
		return
	}
	p.reading = true
	if p.waiting != nil {
		p.waiting()
		p.waiting = nil
	}
	s.Go(func(context.Context) func() {
		faulty, err := p.read()
		return func() {
			p.reading = false
			switch {
			case err != nil:
				s.Say(canvas.Bad, wording.Line(err.Error()))
			case faulty == nil:
				s.End(nil)
				return
			default:
				_, at := p.view.Origin(p.view.Cursor())
				p.take(faulty)
				p.nearest(at.Line)
			}
			p.wait(s)
		}
	})
}

// nearest goes to the first problem from a line on, so that the place stays where other problems are left.
func (p *Page) nearest(line int) {
	for i := range p.faulty.Problems {
		if d := &p.faulty.Problems[i]; d.Severity == source.Error && d.Span.Start.Line >= line && (d.File == nil || d.File.Name == p.file.Name) {
			p.at = i
			p.show()
			return
		}
	}
}

// narrow is the width below which the foot has numbers alone.
const narrow = 60

// Draw implements [program.Page].
func (p *Page) Draw(_ *program.Sheet, f widget.Frame) {
	foot := ""
	if d := p.problem(); d != nil {
		foot = strconv.Itoa(p.at+1) + " of " + wording.Count(len(p.faulty.Problems), "problem") + ", line " + strconv.Itoa(d.Span.Start.Line) + ", column " + strconv.Itoa(d.Span.Start.Col)
		if f.W() < narrow {
			foot = fmt.Sprintf("%d of %d, %d:%d", p.at+1, len(p.faulty.Problems), d.Span.Start.Line, d.Span.Start.Col)
		}
	}
	inner := f.Titled(canvas.Frame{Title: "Definition", Note: foot})
	p.view.Draw(inner.Area, true)
	inner.Mouse(p.click, func(rows int) { p.view.Move(rows, 0) })
}
