package tui

import (
	"context"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"asldb/engine/debug"
	"asldb/tui/screen"
	"asldb/tui/tuitest"
)

func TestParse(t *testing.T) {
	steps, err := Parse("# first\ni  i 2s\n\n: \"run-to A B\" enter space # then\nctrl+p \" # # end")
	want := []Step{
		{Key: "i", Caption: "first"}, {Key: "i"}, {Pause: 2 * time.Second}, {Key: ":"}, {Text: "run-to A B"}, {Key: "enter"}, {Key: " "},
		{Key: "ctrl+p", Caption: "then"}, {Key: `"`}, {Caption: "# end"},
	}
	if err != nil || !reflect.DeepEqual(steps, want) {
		t.Errorf("got  %+v, %v\nwant %+v", steps, err, want)
	}
	for script, message := range map[string]string{
		"i\nentr": `line 2 of the keys: "entr" is not a key; did you mean enter?`,
		"run-to":  `line 1 of the keys: "run-to" is not a key; keys are divided by blanks`,
		"-2s":     `"-2s" is not a key`,
		`"open x`: `"\"open" is not a key`,
	} {
		var wrong *KeyError
		if _, err := Parse(script); !errors.As(err, &wrong) || !strings.Contains(err.Error(), message) {
			t.Errorf("%q: %v, want %s", script, err, message)
		}
	}
}

// played plays a script and returns the frames.
func played(t *testing.T, session *debug.Session, o Options, script string) (list []Frame, p *Player) {
	t.Helper()
	steps, err := Parse(script)
	if err != nil {
		t.Fatal(err)
	}
	p = NewPlayer(session, o, 100, 30)
	p.Frame = func(f Frame) { list = append(list, f) }
	if err := p.Play(t.Context(), steps); err != nil {
		t.Fatal(err)
	}
	return list, p
}

func TestPlay(t *testing.T) {
	frames, p := played(t, tuitest.Order(t), Options{NoColor: true}, "i # look\ns s : \"break Fulfil\" enter")
	if !strings.Contains(p.Text(), "Breakpoint") && !strings.Contains(p.Text(), "Fulfil") {
		t.Errorf("the screen is\n%s", p.Text())
	}
	var at time.Duration
	keys := ""
	for i, f := range frames {
		if f.At < at {
			t.Errorf("frame %d is at %v, after one at %v", i, f.At, at)
		}
		at = f.At
		if f.New {
			keys += "(" + f.Caption + ") "
		}
		keys += f.Key + " "
	}
	if want := " i (look)  s s : " + strings.Repeat("break Fulfil ", 12) + "enter "; keys != want {
		t.Errorf("keys %q, want %q", keys, want)
	}
	if frames[1].At != time.Second || frames[2].At-frames[1].At != time.Second || frames[3].At-frames[2].At != time.Second+4*40*time.Millisecond {
		t.Errorf("frames at %v, %v, %v, %v", frames[0].At, frames[1].At, frames[2].At, frames[3].At)
	}
}

// wait has a Wait of 60 seconds, which takes one at 60 times the speed.
const wait = `{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":60,"Next":"E"},"E":{"Type":"Succeed"}}}`

func TestAPacedClockMoves(t *testing.T) {
	session := tuitest.Session(t, wait, `{}`, nil)
	session.SetClock(debug.Clock{Mode: debug.ClockPaced, Factor: 60})
	frames, p := played(t, session, Options{}, "c 3s")
	if !strings.Contains(p.Text(), "SUCCEEDED") {
		t.Errorf("the screen is\n%s", p.Text())
	}
	if len(frames) < 20 || frames[10].Text == frames[11].Text {
		t.Errorf("%d frames", len(frames))
	}
	again, _ := played(t, paced(t), Options{}, "c 3s")
	if !reflect.DeepEqual(frames, again) {
		t.Error("two recordings differ")
	}
}

func paced(t *testing.T) *debug.Session {
	session := tuitest.Session(t, wait, `{}`, nil)
	session.SetClock(debug.Clock{Mode: debug.ClockPaced, Factor: 60})
	return session
}

func TestTheEnd(t *testing.T) {
	frames, _ := played(t, tuitest.Order(t), Options{}, "i ctrl+c i")
	if len(frames) != 2 {
		t.Errorf("%d frames, want 2: the first one and the first key's", len(frames))
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(os.ErrDeadlineExceeded)
	if err := NewPlayer(tuitest.Order(t), Options{}, 80, 24).Play(ctx, nil); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

// No editor opens: the screen says so and continues.
func TestNoEditor(t *testing.T) {
	for _, script := range []string{"i v e", "i i i e ctrl+x"} {
		if _, p := played(t, tuitest.Order(t), Options{NoColor: true}, script); !strings.Contains(p.Text(), "an editor needs a terminal") {
			t.Errorf("%s: the screen is\n%s", script, p.Text())
		}
	}
}

// Calls are awaited: a task that starts another definition has its result.
func TestChildrenRun(t *testing.T) {
	session, calls := tuitest.Shop(t, "card")
	_, p := played(t, session, Options{NoColor: true, Options: screen.Options{Calls: calls}}, "c")
	if !strings.Contains(p.Text(), "SUCCEEDED") {
		t.Errorf("the screen is\n%s", p.Text())
	}
}
