package program

import (
	"asldb/internal/report"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Below is a view of a few lines below the lines of the terminal.
type Below struct {
	*Layer
	// Lines are the view's lines now, Begun is called before they are drawn first, and Key takes a key.
	Lines func() []report.Span
	Begun func()
	Key   func(name string)
	// Width is the width of the terminal.
	Width int
}

// Begin implements [view.Beginner].
func (b *Below) Begin() { b.Begun() }

// Bindings implements [view.View]: the keys are in the lines.
func (*Below) Bindings() view.Bindings { return nil }

// SetSize implements [view.Sized].
func (b *Below) SetSize(w, _ int) { b.Width = w }

// Handle implements [view.View]. A signal comes as the key that it is about.
func (b *Below) Handle(k keys.Press) bool {
	if k.Name == "" && k.Action == keys.Suspend {
		k.Name = "ctrl+z"
	}
	b.Key(k.Name)
	return true
}

// Height implements [view.Inline].
func (b *Below) Height(int) int { return len(b.Lines()) }

// Draw implements [view.View].
func (b *Below) Draw(f widget.Frame) {
	for y, line := range b.Lines() {
		style := canvas.Plain
		switch line.Tone {
		case report.Good:
			style = canvas.Good
		case report.Bad:
			style = canvas.Bad
		case report.Quiet:
			style = canvas.Dim
		default:
		}
		f.Text(0, y, style, line.Text)
	}
}

// Cover shows a page over the view; ended is called with the error of its end.
func (b *Below) Cover(page Page, ended func(error)) {
	b.Push(OnSheet(page), ended)
}

// NewBelow returns the view as the only one of a program.
func NewBelow(b *Below, o Options) *Stack {
	return New(o, func(host view.Host) view.View {
		b.Layer, _ = host.(*Layer)
		return b
	})
}
