//go:build unix

package program_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/creack/pty"

	"asldb/internal/tty"
	"asldb/internal/work"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/program"
	"asldb/tui/view"
)

// noted is a view that notes when it is ready, and does as its function says.
type noted struct {
	*program.Layer
	ready chan<- struct{}
	do    func(v *noted, key string)
	w, h  int
	drawn bool // drawing has a fault
}

func (v *noted) Begin() {
	if v.ready != nil {
		v.Go(func(context.Context) func() { close(v.ready); return nil })
	}
}
func (*noted) Bindings() view.Bindings { return nil }
func (v *noted) SetSize(w, h int)      { v.w, v.h = w, h }
func (v *noted) Draw(f widget.Frame) {
	if v.drawn {
		panic("by the test")
	}
	f.Text(0, 0, canvas.Plain, "READY")
}
func (v *noted) Handle(k keys.Press) bool {
	if v.do != nil {
		v.do(v, k.Name)
	}
	return true
}

// once calls a function when the view knows the size.
func (v *noted) once(f func()) {
	if v.w > 0 {
		f()
		return
	}
	v.After(time.Millisecond, func(time.Time) { v.once(f) })
}

// shown returns a program with the view.
func (v *noted) shown(inside *os.File) *program.Stack {
	return program.New(program.Options{Terminal: tty.Open(inside, inside)}, func(host view.Host) view.View {
		v.Layer, _ = host.(*program.Layer)
		return v
	})
}

// What a view has begun comes to nothing after its end, and the view below is there as it was.
func TestAViewThatHasEnded(t *testing.T) {
	var below, over *noted
	birth := func(v **noted) func(view.Host) view.View {
		return func(host view.Host) view.View {
			*v = &noted{}
			(*v).Layer, _ = host.(*program.Layer)
			return *v
		}
	}
	at := func(_ time.Duration, f func(time.Time) tea.Msg) tea.Cmd {
		return func() tea.Msg { return f(time.Time{}) }
	}
	s := program.New(program.Options{Later: at}, birth(&below))
	var heard []string
	begin := func(p *noted, name string) {
		hears := func(what string) func() { return func() { heard = append(heard, name+" "+what) } }
		p.Go(func(ctx context.Context) func() {
			if ctx.Err() != nil {
				hears("is told of its end")()
			}
			return hears("continues")
		})
		p.Post(hears("posts"))
		p.After(time.Hour, func(time.Time) { hears("waits")() })
		p.OpenFile("a", 1, 1, func(error) { hears("edits")() })
	}
	begin(below, "below")
	ended := errors.New("ended")
	below.Push(birth(&over), func(err error) { heard = append(heard, err.Error()) })
	begin(over, "over")
	over.Push(birth(new(*noted)), func(error) { t.Error("a view over one that ends is asked for its end") })
	over.End(ended)
	over.End(errors.New("a second time"))
	if s.Top() != view.View(below) {
		t.Errorf("on the screen is %v", s.Top())
	}
	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"ended", "below continues", "below posts", "below waits", "below edits", "over is told of its end"}
	if !slices.Equal(heard, want) {
		t.Errorf("heard %q, want %q", heard, want)
	}
}

var errStillReading = errors.New("the reader of keys is still at work")

// stacks returns the stacks of all goroutines.
func stacks() []byte {
	text := make([]byte, 1<<20)
	return text[:runtime.Stack(text, true)]
}

// A program ends by its context, by an interruption and by a message, each and its reader of keys with it.
func TestEnds(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(keyboard *os.File, v *noted, cancel context.CancelFunc)
		want error
	}{
		"context": {func(_ *os.File, _ *noted, cancel context.CancelFunc) { cancel() }, context.Canceled},
		"interrupt": {func(keyboard *os.File, _ *noted, _ context.CancelFunc) {
			_, _ = keyboard.WriteString("a\x03")
		}, program.ErrInterrupted},
		"message": {func(_ *os.File, v *noted, _ context.CancelFunc) { v.Post(func() { v.End(nil) }) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			outside, inside, err := pty.Open()
			if err != nil {
				t.Skip("there is no pseudo-terminal: ", err)
			}
			defer outside.Close()
			defer inside.Close()
			go func() { _, _ = io.Copy(io.Discard, outside) }()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ready := make(chan struct{})
			v := &noted{ready: ready, do: func(v *noted, key string) {
				if key == "ctrl+c" {
					v.End(program.ErrInterrupted)
				}
			}}
			p := v.shown(inside)
			done := make(chan error, 1)
			go func() {
				err := p.Run(ctx)
				if bytes.Contains(stacks(), []byte("bubbletea.readAnsiInputs")) {
					err = errors.Join(err, errStillReading)
				}
				done <- err
			}()
			<-ready
			c.end(outside, v, cancel)
			select {
			case err := <-done:
				if !errors.Is(err, c.want) || errors.Is(err, errStillReading) {
					t.Errorf("it ended with %v", err)
				}
			case <-time.After(20 * time.Second):
				t.Fatal("it does not end")
			}
			v.Post(func() { t.Error("a function is called after the end") })
		})
	}
}

// fails has a fault where its key says, once the view knows the size: Bubble Tea asks for that beside the first
// messages, and a program in the background meanwhile writes the variable that is read there.
func fails(v *noted, key string) {
	fault := func(context.Context) func() { panic("by the test") }
	switch key {
	case "u":
		panic("by the test")
	case "v":
		v.drawn = true
	case "c":
		v.Go(fault)
	case "b":
		v.Go(fault)
		v.Go(func(context.Context) func() { return nil })
	case "d":
		v.Go(func(context.Context) func() { return func() { panic("by the test") } })
	case "a":
		v.StandAside(v.Terminal().Lend, func(_, _ *os.File) error { panic("by the test") }, func(error) {})
	}
}

// A fault ends the program wherever it happens, and nothing but the screen is written to the terminal.
func TestFaultsEndTheProgram(t *testing.T) {
	for _, key := range []string{"u", "v", "c", "b", "d", "a"} {
		outside, inside, err := pty.Open()
		if err != nil {
			t.Skip("there is no pseudo-terminal: ", err)
		}
		var seen bytes.Buffer
		read := make(chan struct{})
		go func() { defer close(read); _, _ = io.Copy(&seen, outside) }()
		_, _ = outside.WriteString(key)
		var broken *work.Fault
		if err := (&noted{do: func(v *noted, key string) { v.once(func() { fails(v, key) }) }}).shown(inside).Run(t.Context()); !errors.As(err, &broken) || broken.Value != "by the test" {
			t.Errorf("%s: it ended with %v", key, err)
		}
		inside.Close()
		<-read
		outside.Close()
		if text := seen.String(); strings.Contains(text, "goroutine") || strings.Contains(text, "by the test") {
			t.Errorf("%s: the terminal has %q", key, text)
		}
	}
}

// A terminal that does not say its size has the usual one.
func TestATerminalWithoutASize(t *testing.T) {
	for _, size := range []pty.Winsize{{}, {Rows: 50}, {Cols: 120}} {
		outside, inside, err := pty.Open()
		if err != nil {
			t.Skip("there is no pseudo-terminal: ", err)
		}
		defer outside.Close()
		defer inside.Close()
		if err := pty.Setsize(outside, &size); err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.Copy(io.Discard, outside) }()
		v := &noted{do: func(v *noted, _ string) { v.once(func() { v.End(nil) }) }}
		_, _ = outside.WriteString("x")
		if err := v.shown(inside).Run(t.Context()); err != nil || v.w != 80 || v.h != 24 {
			t.Errorf("%v is taken for %d by %d, %v", size, v.w, v.h, err)
		}
	}
}
