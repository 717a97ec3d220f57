package launch_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/fixtures"
	"asldb/internal/launch"
	"asldb/recorder"
)

const countdown = `{"StartAt":"Work","States":{
	"Work":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:work","ResultPath":"$.work","Next":"Next"},
	"Next":{"Type":"Pass","Parameters":{"i.$":"States.MathAdd($.i,1)","n.$":"$.n"},"Next":"More"},
	"More":{"Type":"Choice","Choices":[{"Variable":"$.i","NumericLessThanPath":"$.n","Next":"Work"}],"Default":"Done"},
	"Done":{"Type":"Fail","Error":"Enough","Cause":"n was reached"}}}`

// traceOf records a run of the countdown.
func traceOf(t testing.TB, rounds int) []byte {
	t.Helper()
	name := filepath.Join(t.TempDir(), "run.trace")
	run, err := launch.New(launch.Spec{
		Definition: parse(countdown), Dialect: engine.AWS,
		Input:    launch.Input{Text: fmt.Sprintf(`{"i":0,"n":%d}`, rounds)},
		Fixtures: load(`tasks: {Work: [{output: {text: "` + strings.Repeat("x", 200) + `"}, repeat: forever}]}`),
		Missing:  fixtures.Fail,
		Trace:    &launch.Trace{File: name},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Session.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// slow is a file that waits, at the places from after on, until it is released.
type slow struct {
	data    []byte
	after   int64
	waiting chan struct{} // receives when it waits
	release chan struct{}
	cut     int64 // its length after that; 0: as before
}

func (s *slow) ReadAt(p []byte, offset int64) (int, error) {
	data := s.data
	if offset >= s.after && offset < int64(len(data))-128<<10 { // not the look at the end
		select {
		case s.waiting <- struct{}{}:
		default:
		}
		<-s.release
		if s.cut > 0 {
			data = data[:s.cut]
		}
	}
	return bytes.NewReader(data).ReadAt(p, offset)
}

func openSlowly(t testing.TB, data []byte) (*launch.Opening, *slow) {
	t.Helper()
	file := &slow{data: data, after: 1 << 20, waiting: make(chan struct{}, 1), release: make(chan struct{})}
	trace, err := recorder.BeginTrace("big.trace", file, int64(len(data)), launch.Formats())
	if err != nil {
		t.Fatal(err)
	}
	o, err := launch.OpenReplay(launch.Spec{Replay: launch.Replay{Trace: trace}}, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.Close() })
	return o, file
}

// What is known before the file is read: the definition, the input, and how the run ended. Then the index comes, and
// then the events, which are the events of a session that reads all at once.
func TestOpening(t *testing.T) {
	data := traceOf(t, 2500)
	o, file := openSlowly(t, data)
	if s := o.Preview; s.Log().Len() != 0 || !s.ReadOnly() || len(s.Machine().Definition().Top.States) != 4 {
		t.Error("the preview has not the definition, or has events")
	}
	if e := o.Ending; !o.HasEnding || e.Type != engine.ExecutionFailed || e.Error != "Enough" ||
		e.Cause != "n was reached" {
		t.Errorf("it ends with %+v", e)
	}
	done := make(chan error)
	go func() { done <- o.Open() }()
	<-file.waiting
	if p := o.Percent(); p <= 0 || p >= 100 {
		t.Errorf("%d %% of the file are read", p)
	}
	close(file.release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	s := o.Run().Session
	for s.Log().Len() < 1000 {
		if debug.GrowthOf(s).Grow(100) == 0 {
			t.Fatal("it does not grow")
		}
	}
	if s.Position() != 0 || s.Log().Len() >= 20_000 {
		t.Errorf("position %d of %d", s.Position(), s.Log().Len())
	}
	if err := s.GoLive(nil); !errors.Is(err, debug.ErrGrowing) {
		t.Errorf("it is made live: %v", err)
	}
	for debug.GrowthOf(s).Grow(1000) > 0 {
	}
	trace, err := recorder.NewTrace("big.trace", bytes.NewReader(data), int64(len(data)), launch.Formats())
	if err != nil {
		t.Fatal(err)
	}
	whole, err := launch.New(launch.Spec{Replay: launch.Replay{Trace: trace}})
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	if got, want := s.Log(), whole.Session.Log(); got.Len() != want.Len() || debug.GrowthOf(s).Divergence() != nil ||
		got.Last().Type != want.Last().Type {
		t.Errorf("%d events, %v; want %d", got.Len(), debug.GrowthOf(s).Divergence(), want.Len())
	}
	if s.Inputs().Len() != whole.Session.Inputs().Len() {
		t.Errorf("%d inputs, want %d", s.Inputs().Len(), whole.Session.Inputs().Len())
	}
	if err := s.GoLive(nil); err != nil {
		t.Error(err)
	}
}

// The index can be stopped, and the file may become shorter meanwhile.
func TestOpeningEndsEarly(t *testing.T) {
	data := traceOf(t, 2500)
	o, file := openSlowly(t, data)
	done := make(chan error)
	go func() { done <- o.Open() }()
	<-file.waiting
	o.Stop()
	close(file.release)
	if err := <-done; !errors.Is(err, recorder.ErrStopped) {
		t.Errorf("stopped: %v", err)
	}

	o, file = openSlowly(t, data)
	file.cut = 1<<20 + 100
	go func() { done <- o.Open() }()
	<-file.waiting
	close(file.release)
	if err := <-done; !errors.Is(err, recorder.ErrShorter) {
		t.Errorf("shorter: %v", err)
	}
}

// A trace that is cut opens as far as it can be read.
func TestOpeningOfACutTrace(t *testing.T) {
	data := traceOf(t, 300)
	data = data[:len(data)*2/3]
	o, file := openSlowly(t, data)
	close(file.release)
	if err := o.Open(); err != nil {
		t.Fatal(err)
	}
	if w := o.Warnings(); len(w) != 1 || !strings.Contains(w[0], "is cut") || len(o.Warnings()) != 0 {
		t.Errorf("warnings %q", w)
	}
	s := o.Run().Session
	for debug.GrowthOf(s).Grow(1000) > 0 {
	}
	if debug.GrowthOf(s).Divergence() != nil || s.Log().Len() < 1000 {
		t.Errorf("%d events, %v", s.Log().Len(), debug.GrowthOf(s).Divergence())
	}
}

// A run that is not reproduced is shown as it was recorded: of a trace in which an answer was changed, and one in which
// an answer is damaged.
func TestOpeningOfAnotherRun(t *testing.T) {
	data := traceOf(t, 300)
	for name, change := range map[string][2]string{
		"another answer": {`"output":{"text":"xxx`, `"output":{"text":"yyy`},
		"damaged":        {`{"answer":"outcome","step":`, `{"answer":"outcome","step"|`},
	} {
		t.Run(name, func(t *testing.T) {
			o, file := openSlowly(t, bytes.ReplaceAll(data, []byte(change[0]), []byte(change[1])))
			close(file.release)
			if err := o.Open(); err != nil {
				t.Fatal(err)
			}
			s := o.Run().Session
			for debug.GrowthOf(s).Grow(1000) > 0 {
			}
			if debug.GrowthOf(s).Divergence() == nil {
				t.Fatal("nothing differs")
			}
			known, recorded, _ := debug.GrowthOf(s).Progress()
			if err := o.Reread(); err != nil {
				t.Fatal(err)
			}
			if again := o.Run().Session; again == s || again.Log().Len() != recorded || again.Executable() {
				t.Errorf("%d events after %d, want %d as recorded", again.Log().Len(), known, recorded)
			}
		})
	}
}

// A trace that is written is followed from its header to its end, by pieces of lines.
func TestFollowedReplay(t *testing.T) {
	data := traceOf(t, 200)
	name := filepath.Join(t.TempDir(), "live.trace")
	header := bytes.IndexByte(data, '\n') + 1
	write := func(end int) {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteAt(data[:end], 0); err != nil {
			t.Fatal(err)
		}
	}
	write(header)
	o, err := launch.OpenReplay(launch.Spec{Replay: launch.Replay{File: name}}, true)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := o.Open(); err != nil {
		t.Fatal(err)
	}
	s := o.Run().Session
	if !debug.GrowthOf(s).Followed() || o.HasEnding {
		t.Errorf("followed: %v, it has an end: %v", debug.GrowthOf(s).Followed(), o.HasEnding)
	}
	for end := header; end < len(data); {
		end = min(end+4001, len(data))
		write(end)
		events, inputs, again, err := o.Extend()
		if err != nil || again {
			t.Fatal(err, again)
		}
		debug.GrowthOf(s).Lengthen(events, inputs)
		for range 100 {
			debug.GrowthOf(s).Grow(100)
		}
		if s.Log().Len() != events && events < s.Log().Len()-5 || s.Log().Len() < events ||
			debug.GrowthOf(s).Divergence() != nil {
			t.Fatalf("%d events of %d, %+v", s.Log().Len(), events, debug.GrowthOf(s).Divergence())
		}
	}
	if s.GoTo(s.Log().Len()); debug.GrowthOf(s).Followed() || s.Status() != engine.Failed {
		t.Errorf("followed: %v, %v at the end", debug.GrowthOf(s).Followed(), s.Status())
	}
}
