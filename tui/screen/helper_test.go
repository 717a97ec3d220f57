package screen

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	_ "github.com/charmbracelet/x/exp/teatest" // the flag -update
	"github.com/muesli/termenv"

	"asldb/engine/debug"
	"asldb/internal/testkit/runs"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/program"
	"asldb/tui/tuitest"
	"asldb/tui/view"
)

type script = runs.ByState

const (
	orderInput = tuitest.OrderInput
	loop       = tuitest.Loop
)

var (
	startTime = tuitest.Start
	machine   = tuitest.Machine
	session   = tuitest.Session
	order     = tuitest.Order
	demo      = tuitest.Demo
	golden    = tuitest.Golden
	updating  = tuitest.Updating
)

// testApp is the program of a session, without a terminal and a clock.
type testApp struct {
	*Screen // the topmost
	stack   *program.Stack
	// asked are the requests of the first screen that are noted only, in their order.
	asked  []any
	opened func(error) // after the newest file
}

// The requests.
type (
	copied     struct{ text string }
	openedFile struct {
		name      string
		line, col int
	}
	ended  struct{ err error }
	others struct{}
)

// testHost notes the requests of the first screen.
type testHost struct {
	view.Host
	app *testApp
	// opens: the recording is being opened, which the test does by itself.
	opens bool
}

func (h *testHost) Go(work func(context.Context) func()) (cancel func()) {
	if h.opens {
		h.opens = false
		return func() {}
	}
	return h.Host.Go(work)
}

func (h *testHost) note(request any)     { h.app.asked = append(h.app.asked, request) }
func (h *testHost) Copy(text string)     { h.note(copied{text}) }
func (h *testHost) End(err error)        { h.note(ended{err}) }
func (h *testHost) Redraw()              { h.note(others{}) }
func (h *testHost) Suspend(func(string)) { h.note(others{}) }
func (h *testHost) OpenFile(name string, line, col int, done func(error)) {
	h.app.opened = done
	h.note(openedFile{name, line, col})
}

// shown opens the program of a session without colours, shownIn in the colours of a terminal.
func shown(s *debug.Session, o Options) *testApp { return shownIn(termenv.Ascii, s, o) }

func shownIn(colours termenv.Profile, s *debug.Session, o Options) *testApp {
	a := &testApp{}
	later := func(d time.Duration, f func(time.Time) tea.Msg) tea.Cmd {
		return func() tea.Msg {
			if d == checkAfter {
				return f(time.Time{})
			}
			return nil
		}
	}
	a.stack = program.New(
		program.Options{ASCII: o.ASCII, Profile: &colours, Later: later},
		func(host view.Host) view.View {
			a.Screen = New(&testHost{host, a, o.Opening != nil && !o.Opening.Opened}, s, o)
			return a.Screen
		},
	)
	return a
}

// on takes the screen over the others, after something has happened.
func (a *testApp) on() { a.Screen, _ = a.stack.Top().(*Screen) }

func (a *testApp) Press(list ...keys.Press) {
	a.stack.Press(list...)
	a.on()
}

func (a *testApp) Advance() {
	a.ui.advance()
	a.on()
}

func (a *testApp) point(m view.Mouse) {
	a.stack.Point(m)
	a.on()
}

func (a *testApp) Paste(text string) { a.Press(keys.Press{Text: text}) }
func (a *testApp) Click(x, y int)    { a.point(view.Mouse{X: x, Y: y}) }
func (a *testApp) Drag(x, y int)     { a.point(view.Mouse{X: x, Y: y, Kind: view.Drag}) }
func (a *testApp) Release()          { a.point(view.Mouse{Kind: view.Release}) }
func (a *testApp) Wheel(x, y, rows int) {
	a.point(view.Mouse{X: x, Y: y, Kind: view.Wheel, Rows: rows})
}
func (a *testApp) Resize(w, h int)  { a.stack.Resize(w, h) }
func (a *testApp) Size() (w, h int) { return a.ui.layout.size() }
func (a *testApp) Text() string     { return a.painted().String() }
func (a *testApp) Frame() string    { return a.stack.Frame() }

// painted returns the frame with the styles of its cells.
func (a *testApp) painted() *canvas.Canvas {
	w, h := a.Size()
	c := canvas.New(w, h, a.ui.glyphs)
	a.ui.paint(c.Area(canvas.Rect{W: w, H: h}))
	return c
}

// hasEnded reports whether the first screen was left.
func (a *testApp) hasEnded() bool {
	return slices.ContainsFunc(a.asked, func(request any) bool { _, is := request.(ended); return is })
}

// driver drives a screen as the program around it does.
type driver struct {
	t   testing.TB
	app *testApp
}

func drive(t testing.TB, s *debug.Session, w, h int, o Options) *driver {
	o.Title = cmp.Or(o.Title, "order")
	d := &driver{t: t, app: shown(s, o)}
	return d.resize(w, h)
}

// opened opens the drawer, and leaves the focus where it is.
func (d *driver) opened() *driver {
	d.app.ui.layout.mode.Drawer = DrawerOpen
	d.app.ui.layout.place()
	return d
}

// settle carries out the work behind the screen.
func (d *driver) settle() *driver {
	_ = d.app.stack.Settle(d.t.Context())
	d.app.on()
	return d
}

func (d *driver) resize(w, h int) *driver {
	d.app.Resize(w, h)
	return d.settle()
}

// press presses keys, given by the names that the table uses.
func (d *driver) press(names ...string) *driver {
	for _, name := range names {
		d.app.Press(tuitest.Key(name))
		d.settle()
	}
	return d
}

// quickly presses keys that arrive together.
func (d *driver) quickly(text string) *driver {
	if d.app.Writes() {
		return d.paste(text)
	}
	var list []keys.Press
	for _, r := range text {
		list = append(list, tuitest.Key(string(r)))
	}
	d.app.Press(list...)
	return d.settle()
}

// paste puts in a text that was pasted.
func (d *driver) paste(text string) *driver {
	d.app.Paste(text)
	return d.settle()
}

// click presses the left button of the mouse.
func (d *driver) click(x, y int) *driver {
	d.frame() // a click is at something that is on the screen
	d.app.Click(x, y)
	return d.settle()
}

// wheel turns the wheel of the mouse down, by notches.
func (d *driver) wheel(x, y, notches int) *driver {
	d.app.Wheel(x, y, 3*notches)
	return d.settle()
}

// tick moves the paced clock.
func (d *driver) tick(at time.Time, generation int) *driver {
	d.app.ui.run.tick(at, generation)
	return d.settle()
}

// reads checks that a pane shows a text, on however many rows: a path in it may be of any length.
func (d *driver) reads(p view.ID, text string) *driver {
	d.t.Helper()
	place := contract{d.app.ui}.Place(p)
	joined := strings.Builder{}
	for _, row := range strings.Split(d.frame(), "\n")[place.Y : place.Y+place.H] {
		cells := []rune(row)
		joined.WriteString(string(cells[place.X+1 : min(place.X+place.W-1, len(cells))]))
	}
	squeeze := func(text string) string { return strings.Join(strings.Fields(text), "") }
	if !strings.Contains(squeeze(joined.String()), squeeze(text)) {
		d.t.Fatalf("the pane does not show %q:\n%s", text, d.frame())
	}
	return d
}

// frame returns the screen and checks that it has exactly its size.
func (d *driver) frame() string {
	d.t.Helper()
	frame := d.app.Text()
	w, h := d.app.Size()
	rows := strings.Split(frame, "\n")
	if len(rows) != h {
		d.t.Fatalf("the frame has %d rows, want %d", len(rows), h)
	}
	for i, row := range rows {
		if got := canvas.Width(row); got != w {
			d.t.Fatalf("row %d is %d cells wide, want %d: %q", i, got, w, row)
		}
	}
	return frame
}

// sees checks that the screen shows every text.
func (d *driver) sees(texts ...string) *driver {
	d.t.Helper()
	frame := d.frame()
	for _, text := range texts {
		if !strings.Contains(frame, text) {
			d.t.Fatalf("the screen does not show %q:\n%s", text, frame)
		}
	}
	return d
}

// until presses a key until the screen shows text.
func (d *driver) until(key, text string) *driver {
	d.t.Helper()
	for range 200 {
		if strings.Contains(d.frame(), text) {
			return d
		}
		d.press(key)
	}
	d.t.Fatalf("pressing %q never shows %q:\n%s", key, text, d.frame())
	return d
}
