package screen

import (
	"cmp"
	"strings"
	"testing"
	"time"

	_ "github.com/charmbracelet/x/exp/teatest" // the flag -update
	"github.com/muesli/termenv"

	"asldb/engine/debug"
	"asldb/internal/testkit/runs"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
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

// plain returns a look without colours.
func plain() *canvas.Theme { return canvas.NewTheme(canvas.Options{Profile: termenv.Ascii}) }

// driver drives a screen as the program around it does.
type driver struct {
	t   testing.TB
	app *Screen
	// effects are those that it cannot carry out, in their order.
	effects []Effect
}

func drive(t testing.TB, s *debug.Session, w, h int, o Options) *driver {
	o.Title = cmp.Or(o.Title, "order")
	d := &driver{t: t, app: New(s, o, plain())}
	return d.resize(w, h)
}

// opened opens the drawer, and leaves the focus where it is.
func (d *driver) opened() *driver {
	d.app.ui.layout.mode.Drawer = DrawerOpen
	d.app.ui.layout.place()
	return d
}

// settle carries out the effects, those of the clock excepted.
func (d *driver) settle() *driver {
	for {
		again := false
		for _, effect := range d.app.Effects() {
			if d.app.ui.run.paced {
				continue
			}
			switch effect := effect.(type) {
			case Advance:
				d.app.Advance()
				again = true
			case AwaitCalls:
				_ = effect.Calls.Wait(d.t.Context())
				d.app.Called(effect.Calls)
				again = true
			case Check:
				d.app.Checked(effect.Find())
				again = true
			default:
				d.effects = append(d.effects, effect)
			}
		}
		if !again {
			break
		}
	}
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
	if d.app.TakesText() {
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
	d.app.Tick(at, generation)
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
