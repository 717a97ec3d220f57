package screen

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/tui/keys"
	"asldb/tui/tuitest"
)

// recordedLoop is a run of the loop as a recording, with a session of it that has no events.
func recordedLoop(t testing.TB, events int) (preview *debug.Session, begin func(length int) *debug.Session, recording debug.Recording) {
	t.Helper()
	live := session(t, loop, `{"n":0}`, nil)
	if _, err := live.Do(debug.Command{Kind: debug.Continue, Events: events}); err != nil {
		t.Fatal(err)
	}
	log := live.Log()
	recording.Length, recording.Event = log.Len(), log.At
	for i := range live.Inputs().Len() {
		recording.Inputs = append(recording.Inputs, *live.Inputs().At(i))
	}
	begin = func(length int) *debug.Session {
		r := recording
		r.Length = length
		return debug.BeginReplay(live.Machine(), live.Options(), r)
	}
	return debug.ReplayLog(live.Machine(), live.Options(), debug.Recording{}), begin, recording
}

func opens(percent int) *Opening {
	return &Opening{Facts: []string{"big.trace, 985 MB"}, Percent: func() int { return percent }, Open: func() Opened { return Opened{} }}
}

// grown reports how many events the screen knows; it carries out one Advance.
func (d *driver) slice() (again bool) {
	d.app.Advance()
	return d.app.ui.goesOn
}

// Before the index is there, actions that need events say so, and the others work.
func TestKeysDuringTheIndex(t *testing.T) {
	preview, _, _ := recordedLoop(t, 100)
	d := drive(t, preview, 120, 34, Options{Opening: opens(28)})
	d.sees("indexing 28 %", "big.trace, 985 MB")
	for _, key := range []string{"c", "i", "s", "u", "b", "/"} {
		d.press("3", key).sees(": indexing 28 %")
	}
	d.press("?").sees(" z            zoom the").press("end").typed("continue").sees("(indexing 28 %)").press("esc").press("v").press("esc").press("z").press("z")
	d.press("q")
	if !slices.Equal(d.app.asked, []any{ended{}}) {
		t.Errorf("q asks for %v", d.app.asked)
	}
}

// While the recording is executed again keys work on the events that are there, a command executes it further, and the
// end comes up when it is there.
func TestKeysWhileItRunsAgain(t *testing.T) {
	preview, begin, recording := recordedLoop(t, 40_000)
	d := drive(t, preview, 120, 34, Options{Opening: opens(28)})
	d.app.Screen.opened(Opened{Session: begin(recording.Length), Notes: []string{"a note of the trace"}})
	d.sees("running again 0 %", "a note of the trace")
	if !d.slice() {
		t.Fatal("it does not continue")
	}
	s := d.app.Session().Session
	if known, all, ok := debug.GrowthOf(s).Progress(); known == 0 || known >= all || !ok {
		t.Fatalf("%d of %d events, %v", known, all, ok)
	}
	d.app.Press(tuitest.Key("i"), tuitest.Key("i"), tuitest.Key("i"))
	if s.Position() != 3 {
		t.Errorf("position %d after three steps", s.Position())
	}
	d.app.Press(tuitest.Key("3"))
	for range 30 {
		if d.app.ui.layout.mode.Focus == 2 {
			break
		}
		d.app.Press(tuitest.Key("tab"))
	}
	d.app.Press(tuitest.Key("G"))
	if text := d.app.Text(); !strings.Contains(text, "running again") {
		t.Errorf("G says nothing of the rest:\n%s", text)
	}
	for d.slice() {
	}
	if _, _, ok := debug.GrowthOf(s).Progress(); ok || s.Log().Len() != recording.Length {
		t.Fatalf("%d events, want %d", s.Log().Len(), recording.Length)
	}
	if at := d.app.ui.selection.Index; at != recording.Length-1 {
		t.Errorf("event %d is shown, want the last, %d", at, recording.Length-1)
	}
	if text := d.app.Text(); strings.Contains(text, "running again") {
		t.Errorf("it still says that it runs:\n%s", text)
	}
}

// A command that comes to the end of what is known executes the recording on.
func TestContinueBeyondWhatIsKnown(t *testing.T) {
	preview, begin, recording := recordedLoop(t, 30_000)
	d := drive(t, preview, 120, 34, Options{Opening: opens(0)})
	d.app.Screen.opened(Opened{Session: begin(recording.Length)})
	d.press("c")
	if s := d.app.Session().Session; s.Position() != recording.Length || s.Stop().Reason != debug.StoppedAtRecordingEnd {
		t.Errorf("position %d of %d, %v", s.Position(), recording.Length, s.Stop().Reason)
	}
}

// The session waits for the end of a dialog, so that nothing that is typed is lost.
func TestOpenedBehindADialog(t *testing.T) {
	preview, begin, recording := recordedLoop(t, 100)
	d := drive(t, preview, 120, 34, Options{Opening: opens(0)})
	d.press(":").quickly("zoo")
	d.app.Screen.opened(Opened{Session: begin(recording.Length)})
	d.sees(":zoo").press("esc")
	d.settle().sees("ExecutionStarted")
}

// What cannot be opened is said, and the screen stays.
func TestNotOpened(t *testing.T) {
	preview, _, _ := recordedLoop(t, 100)
	d := drive(t, preview, 120, 34, Options{Opening: opens(0)})
	d.app.Screen.opened(Opened{Err: errors.New("the trace has become shorter")})
	d.sees("the trace has become shorter").press("c").sees("the trace has become shorter")
}

// A recording that does not fit is read as it was recorded.
func TestRereadWhereItDiffers(t *testing.T) {
	preview, begin, recording := recordedLoop(t, 30_000)
	of := opens(7)
	read := recording.Event
	of.Reread = func() Opened {
		return Opened{Session: begin(100), Notes: []string{"it differs"}}
	}
	recording.Event = func(i int) *engine.Event {
		e := *read(i)
		e.Time++
		return &e
	}
	options := preview.Options()
	d := drive(t, preview, 120, 34, Options{Opening: of})
	d.app.Screen.opened(Opened{Session: debug.BeginReplay(preview.Machine(), options, recording)})
	d.app.Advance()
	d.sees("reading the events 7 %")
	d.settle().sees("it differs", "Events 100")
}

// A recording that is followed shows its newest event, unless the person has gone back, and says when it is over.
func TestFollowing(t *testing.T) {
	_, begin, recording := recordedLoop(t, 300)
	s := begin(0)
	debug.GrowthOf(s).Follow()
	of := opens(0)
	of.Opened, of.Extend = true, func() Extended { return Extended{} }
	debug.GrowthOf(s).Lengthen(20, len(recording.Inputs))
	debug.GrowthOf(s).Grow(1000)
	d := drive(t, s, 120, 34, Options{Opening: of})
	d.sees("following")
	if s.Position() != s.Log().Len() || s.Position() < 20 {
		t.Errorf("it opens at event %d of %d, not at the newest", s.Position(), s.Log().Len())
	}
	extend := func(events int) {
		d.app.Screen.extended(Extended{Events: events, Inputs: len(recording.Inputs)})
		d.settle()
	}
	extend(40)
	if s.Position() != s.Log().Len() || s.Log().Len() < 40 || d.app.ui.selection.Index != s.Log().Len()-1 {
		t.Fatalf("position %d of %d", s.Position(), s.Log().Len())
	}
	d.press("I")
	at := s.Position()
	extend(80)
	if s.Position() != at || s.Log().Len() < 80 {
		t.Errorf("position %d, want %d, of %d events", s.Position(), at, s.Log().Len())
	}
	d.press("c")
	extend(120)
	if s.Position() != s.Log().Len() || s.Log().Len() < 120 {
		t.Errorf("position %d of %d: it does not follow again", s.Position(), s.Log().Len())
	}
	d.app.Screen.extended(Extended{Err: errors.New("another file took its place")})
	d.sees("not followed any more: another file took its place")
	d.app.Screen.extended(Extended{Events: 200})
	if s.Log().Len() >= 200 {
		t.Error("it is followed nevertheless")
	}
}

// No key reads more of a long recording than the page that it shows, and that beside it where it shows events of both.
func TestNoKeyReadsManyPages(t *testing.T) {
	preview, begin, recording := recordedLoop(t, 90_000)
	d := drive(t, preview, 120, 40, Options{Opening: opens(0)})
	d.app.Screen.opened(Opened{Session: begin(recording.Length)})
	log := func() *runlog.Log { return d.app.Session().Session.Log() }
	press := func(when string, names ...string) {
		t.Helper()
		for i, name := range names {
			before := log().Loads()
			d.app.Press(tuitest.Key(name))
			d.app.Frame()
			if n := log().Loads() - before; n > 2 {
				t.Errorf("%s: %s reads %d pages", when, strings.Join(names[:i+1], " "), n)
			}
		}
	}
	all := func(when string) {
		for _, pane := range []string{"1", "2", "3"} {
			press(when, pane, "G", "up", "up", "up", "g", "down", "down", "G", "pgup", "pgup", "left", "right", "I", "S", "O", "g", "i", "s", "o", "enter", "esc")
		}
	}
	before := log().Loads()
	for i := 0; d.slice(); i++ {
		if n := log().Loads() - before; n > 2 {
			t.Errorf("slice %d reads %d pages", i, n)
		}
		if i == 10 {
			all("while it runs again")
		}
		before = log().Loads()
	}
	all("when it has run")
	s := d.app.Session().Session
	bindings := keys.Default().Bindings()
	for i := range bindings {
		if b := &bindings[i]; b.Action != keys.Kill && b.Action != keys.Quit && len(b.Keys) > 0 {
			s.GoTo(recording.Length / 2)
			d.app.ui.sync()
			d.app.Frame()
			press("in the middle", b.Keys[0])
			d.app.Press(tuitest.Key("esc"), tuitest.Key("esc"))
		}
	}
	press("when it has run", ":", "g", "o", " ", "3", "0", "0", "0", "0", "enter", "u", "3", "up", "up", "pgup", "4", "G", "up")
}
