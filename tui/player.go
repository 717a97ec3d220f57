package tui

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/muesli/termenv"

	"asldb/engine/debug"
	"asldb/fixtures/live"
	"asldb/internal/tty"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/screen"
)

// The time that passes after a key, after a character of a text, and while a caption is read.
const (
	afterKey      = time.Second
	afterType     = 60 * time.Millisecond
	readCaption   = time.Second
	readCharacter = 40 * time.Millisecond
)

// Frame is what the screen shows, with the sequences of its colours.
type Frame struct {
	At   time.Duration // since the first frame
	Text string
	// Key is the key or the text that led to the frame, and Caption the newest caption. New is set where it is shown
	// for the first time, before its key is pressed.
	Key, Caption string
	New          bool
}

// errNoEditor is the answer to a key that opens an editor.
var errNoEditor = errors.New("no editor is opened where no terminal is")

// Player drives the screen of a session.
type Player struct {
	// Frame is called with each frame. It may be nil.
	Frame func(Frame)

	screen     *screen.Screen
	at         time.Duration
	caption    string
	over, left bool          // left: for the list that the session was opened from
	tick       time.Duration // when the paced clock moves next; it does not where it is 0
	generation int
	awaited    *live.Calls // nil: none are
	// lend gives the terminal to an editor.
	lend func(f func(in, out *os.File) error) error
}

// await waits for the calls and gives their results to the screen. Where ctx ends before, they are awaited still.
func (p *Player) await(ctx context.Context) error {
	calls := p.awaited
	if err := calls.Wait(ctx); err != nil {
		return err
	}
	p.awaited = nil
	p.screen.Called(calls)
	return nil
}

// noTerminal is the [Player.lend] of a player that has no terminal.
func noTerminal(func(in, out *os.File) error) error { return errNoEditor }

// NewPlayer returns a player with a screen of w by h cells, in true colours unless the options want none.
func NewPlayer(session *debug.Session, o Options, w, h int) *Player {
	look := canvas.NewTheme(
		canvas.Options{Light: o.Theme == "light", Colors: o.Colors, NoColor: o.NoColor, Profile: termenv.TrueColor},
	)
	p := &Player{screen: screen.New(session, o.Options, look), lend: noTerminal}
	p.screen.Resize(w, h)
	return p
}

// Play carries out the steps until the last one, until the screen is left, or until ctx is done, whose cause it returns
// then.
func (p *Player) Play(ctx context.Context, steps []Step) error {
	if err := p.settle(ctx); err != nil {
		return err
	}
	p.show("", false)
	p.at += afterKey
	for i := range steps {
		if text := steps[i].Caption; text != "" {
			p.caption = text
			p.show("", true)
			p.at += readCaption + time.Duration(len(text))*readCharacter
		}
		if err := p.do(ctx, &steps[i]); err != nil || p.over {
			return err
		}
	}
	return nil
}

// At returns the time that has passed.
func (p *Player) At() time.Duration { return p.at }

// Text returns the present frame, with the sequences of its colours.
func (p *Player) Text() string { return p.screen.Frame() }

// do carries out a step.
func (p *Player) do(ctx context.Context, step *Step) error {
	switch {
	case step.Pause > 0:
		return p.pass(ctx, step.Pause, "")
	case step.Text != "":
		for _, r := range step.Text {
			p.screen.Press(keys.Press{Name: string(r), Text: string(r)})
			if err := p.settle(ctx); err != nil {
				return err
			}
			p.show(step.Text, false)
			p.at += afterType
		}
		return nil
	case step.Key == "": // only a caption
		return nil
	}
	press := keys.Press{Name: step.Key}
	if len([]rune(step.Key)) == 1 {
		press.Text = step.Key
	}
	p.screen.Press(press)
	if err := p.settle(ctx); err != nil {
		return err
	}
	p.show(keys.Shown(step.Key), false)
	return p.pass(ctx, afterKey, step.Key)
}

func (p *Player) show(key string, isNew bool) {
	if p.Frame != nil && !p.over {
		p.Frame(Frame{At: p.at, Text: p.screen.Frame(), Key: key, Caption: p.caption, New: isNew})
	}
}

// pass lets time pass, with the movements of a paced clock.
func (p *Player) pass(ctx context.Context, d time.Duration, key string) error {
	for until := p.at + d; ; {
		if p.tick == 0 || p.tick > until || p.over {
			p.at = until
			return nil
		}
		p.at, p.tick = p.tick, 0
		p.screen.Tick(time.Unix(0, 0).Add(p.at), p.generation)
		if err := p.settle(ctx); err != nil {
			return err
		}
		p.show(key, false)
	}
}

// settle carries out the effects of the screen until there are no more.
func (p *Player) settle(ctx context.Context) error {
	for again := true; again && !p.over; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		again = false
		for _, effect := range p.screen.Effects() {
			followed, err := p.carryOut(ctx, effect)
			if err != nil {
				return err
			}
			again = again || followed
		}
	}
	return nil
}

// carryOut carries out an effect. It reports whether others may follow.
func (p *Player) carryOut(ctx context.Context, effect screen.Effect) (followed bool, err error) {
	switch effect := effect.(type) {
	case screen.Quit, screen.Interrupt:
		p.over = true
		return false, nil
	case screen.Back:
		p.over, p.left = true, true
		return false, nil
	case screen.Open:
		p.screen.Opened(effect.Do())
	case screen.Advance:
		p.screen.Advance()
	case screen.AwaitCalls:
		p.awaited = effect.Calls
		return true, p.await(ctx)
	case screen.Check:
		p.screen.Checked(effect.Find())
	case screen.Edit:
		text := effect.Text
		err := p.lend(func(in, out *os.File) (err error) {
			text, err = tty.Edit(ctx, text, in, out)
			return err
		})
		effect.Done(text, err)
	case screen.OpenFile:
		effect.Done(p.lend(func(in, out *os.File) error {
			return tty.OpenEditor(ctx, effect.Name, effect.Line, effect.Col, in, out)
		}))
	case screen.Tick:
		p.tick, p.generation = p.at+effect.After, effect.Generation
		return false, nil
	default: // CallTick, Copy, Redraw and Suspend change nothing that is drawn
		return false, nil
	}
	return true, nil
}
