package screen

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/fixtures"
	"asldb/internal/work"
	"asldb/recorder"
)

// recorded returns the trace of the recorder's small example.
func recorded(t *testing.T) []byte {
	t.Helper()
	read := func(name string) []byte {
		data, err := os.ReadFile("../../recorder/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	m := machine(t, "small.asl.json", read("small.asl.json"))
	file, err := fixtures.Load("small.yaml", read("small.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	options := debug.Options{Input: file.Input, Start: *file.StartTime, Seed: 1}
	if options.Source, err = file.Source(m.Definition()); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w, err := recorder.NewTraceWriter("test", &out, &recorder.Header{
		Definition: m.Definition().Source, Input: options.Input, Start: options.Start, Seed: 1, Dialect: engine.AWS,
	}, recorder.TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	options.Sink = w
	if _, err := debug.New(m, options).Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Whichever byte of a trace is changed, the screen shows its readable part. With ASLDB_EVERY_BYTE=1 in the environment
// every byte is changed.
func TestDamagedTracesOnTheScreen(t *testing.T) {
	data := recorded(t)
	start := bytes.IndexByte(data, '\n') + 1
	all, n := os.Getenv("ASLDB_EVERY_BYTE") != "", 0
	for at := start; at < len(data); at++ {
		was := data[at]
		for _, to := range []byte{'9', was ^ 1} {
			if n++; to == was || !all && n%797 != 0 {
				continue
			}
			data[at] = to
			t.Run(fmt.Sprintf("byte %d is %q", at, to), func(t *testing.T) { showDamaged(t, data) })
			data[at] = was
		}
	}
}

func showDamaged(t *testing.T, data []byte) {
	trace, err := recorder.NewTrace("test", bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := engine.Compile(trace.Definition(), engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	recording, _ := trace.Last().Recording()
	session := debug.ReplayLog(m, trace.Header().Options(), debug.Recording{Events: recording.Events})
	d := drive(t, session, 100, 30, Options{})
	for _, key := range []string{"i", "c", "T", "down", "esc", "S", "esc", "O", "esc", "E", "c", "s", ">", ">"} {
		if broken := work.Catch(func() { d.press(key).frame() }); broken != nil {
			t.Fatalf("%q: %v\n%s", key, broken, broken.Stack)
		}
	}
}
