package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"asldb/engine/debug"
	"asldb/tui/keys"
	"asldb/tui/program"
	"asldb/tui/screen"
	"asldb/tui/view"
)

// The time that passes after a key, after a character of a text, and while a caption is read.
const (
	afterKey      = time.Second
	afterType     = 60 * time.Millisecond
	readCaption   = time.Second
	readCharacter = 40 * time.Millisecond
)

// Frame is a frame of the screen, with the sequences of its colours.
type Frame struct {
	At   time.Duration // since the first frame
	Text string
	// Key is the key or the text that led to the frame, and Caption the newest caption. New is set where it is shown
	// for the first time, before its key is pressed.
	Key, Caption string
	New          bool
}

// Player drives the screen of a session, in a program that has no terminal and whose time is the player's.
type Player struct {
	// Frame is called with each frame. It may be nil.
	Frame func(Frame)

	stack   *program.Stack
	at      time.Duration
	caption string
	tick    time.Duration // when the paced clock moves next; it does not where it is 0
	move    tea.Cmd       // moves it
}

// NewPlayer returns a player with a screen of w by h cells, in true colours unless the options want none.
func NewPlayer(session *debug.Session, o Options, w, h int) *Player {
	return newPlayer(session, o, w, h, program.NoTerminal)
}

// newPlayer is NewPlayer with a way to lend an editor the terminal.
func newPlayer(session *debug.Session, o Options, w, h int, lend program.Lending) *Player {
	p := &Player{}
	colours := termenv.TrueColor
	o.Terminal, o.profile, o.later = nil, &colours, p.later
	around := o.program()
	around.Lend = lend
	p.stack = program.New(around, func(host view.Host) view.View { return screen.New(host, session, o.Options) })
	p.stack.Resize(w, h)
	return p
}

// soon is the longest time that passes at once. Later work of the screen changes nothing here, such as a look at
// files; but for a paced clock.
const soon = 30 * time.Millisecond

func (p *Player) later(d time.Duration, f func(time.Time) tea.Msg) tea.Cmd {
	move := func() tea.Msg { return f(time.Unix(0, 0).Add(p.at)) }
	switch {
	case d <= soon:
		return move
	case p.stack != nil && p.top().Paced():
		p.tick, p.move = p.at+d, move
	}
	return func() tea.Msg { return nil }
}

// top is the screen that is shown.
func (p *Player) top() *screen.Screen {
	top, _ := p.stack.Top().(*screen.Screen)
	return top
}

// over reports whether the screen was left.
func (p *Player) over() bool {
	over, _ := p.stack.Over()
	return over
}

// Play carries out the steps until the last one, until the screen is left, or until ctx is done, whose cause it returns
// then.
func (p *Player) Play(ctx context.Context, steps []Step) error {
	if err := p.stack.Settle(ctx); err != nil {
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
		if err := p.do(ctx, &steps[i]); err != nil || p.over() {
			return err
		}
	}
	return nil
}

// At returns the time that has passed.
func (p *Player) At() time.Duration { return p.at }

// Text returns the present frame, with the sequences of its colours.
func (p *Player) Text() string { return p.stack.Frame() }

// do carries out a step.
func (p *Player) do(ctx context.Context, step *Step) error {
	switch {
	case step.Pause > 0:
		return p.pass(ctx, step.Pause, "")
	case step.Text != "":
		for _, r := range step.Text {
			p.stack.Press(keys.Press{Name: string(r), Text: string(r)})
			if err := p.stack.Settle(ctx); err != nil {
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
	p.stack.Press(press)
	if err := p.stack.Settle(ctx); err != nil {
		return err
	}
	p.show(keys.Shown(step.Key), false)
	return p.pass(ctx, afterKey, step.Key)
}

func (p *Player) show(key string, isNew bool) {
	if p.Frame != nil && !p.over() {
		p.Frame(Frame{At: p.at, Text: p.Text(), Key: key, Caption: p.caption, New: isNew})
	}
}

// pass lets time pass, with the movements of a paced clock.
func (p *Player) pass(ctx context.Context, d time.Duration, key string) error {
	for until := p.at + d; ; {
		if p.tick == 0 || p.tick > until || p.over() {
			p.at = until
			return nil
		}
		p.at, p.tick = p.tick, 0
		p.stack.Do(p.move)
		if err := p.stack.Settle(ctx); err != nil {
			return err
		}
		p.show(key, false)
	}
}
