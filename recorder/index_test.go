package recorder

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"asldb/engine"
	"asldb/engine/runlog"
)

// loopTraces are the traces of loopTrace by their rounds and forms: no test changes one.
var loopTraces sync.Map

// loopTrace is the trace of a loop of so many rounds.
func loopTrace(t testing.TB, rounds int, options TraceOptions) []byte {
	t.Helper()
	key := fmt.Sprint(rounds, options)
	if data, ok := loopTraces.Load(key); ok {
		return data.([]byte)
	}
	data, _ := record(t, loopProgram(t, rounds), options)
	loopTraces.Store(key, data)
	return data
}

// A trace that is begun has a header and an ending; its index can be stopped, and continues from there.
func TestBegunTrace(t *testing.T) {
	data := loopTrace(t, 5000, TraceOptions{})
	trace, err := BeginTrace("test", bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	ending, ok := trace.Ending()
	want := open(t, data).Last()
	if !ok || ending.Seq != want.Len() || ending.Type != engine.ExecutionSucceeded || ending.Error != "" {
		t.Errorf("it ends with %+v, %v; want event %d", ending, ok, want.Len())
	}
	if trace.Last().Len() != 0 || trace.Size() != int64(len(data)) {
		t.Errorf("%d events of %d bytes before the index", trace.Last().Len(), trace.Size())
	}
	var read []int64
	err = trace.Index(func(n int64) bool { read = append(read, n); return len(read) < 2 })
	if !errors.Is(err, ErrStopped) || len(read) != 2 || read[0] != 0 || read[1] <= 0 || read[1] >= int64(len(data)) {
		t.Fatalf("%v after %v of %d bytes", err, read, len(data))
	}
	if err := trace.Index(nil); err != nil {
		t.Fatal(err)
	}
	sameTrace(t, trace, open(t, data))
}

// sameTrace compares the events and inputs of the last runs of two traces.
func sameTrace(t *testing.T, found, want *Trace) {
	t.Helper()
	f, w := found.Last(), want.Last()
	if len(found.Warnings()) != 0 || f.Len() != w.Len() || len(found.Forks()) != len(want.Forks()) {
		t.Fatalf("%d events in %d forks, %v; want %d in %d", f.Len(), len(found.Forks()), found.Warnings(), w.Len(),
			len(want.Forks()))
	}
	for _, seq := range []int64{1, f.Len() / 3, f.Len() / 2, f.Len()} {
		a, errA := f.Event(seq)
		b, errB := w.Event(seq)
		if errA != nil || errB != nil || a.Type != b.Type || a.Time != b.Time {
			t.Errorf("event %d is %v, %v; want %v, %v", seq, a, errA, b, errB)
		}
	}
	wanted, err := w.Inputs()
	if err != nil {
		t.Fatal(err)
	}
	count, err := f.CountInputs()
	if err != nil || count != len(wanted) {
		t.Fatalf("%d inputs, %v; want %d", count, err, len(wanted))
	}
	list := runlog.ReadInputs(count, f.ReadInputs)
	for i := range wanted {
		if got := list.At(i); !reflect.DeepEqual(*got, wanted[i]) || list.StepOf(i) != wanted[i].Step {
			t.Fatalf("input %d is %+v, want %+v", i, *got, wanted[i])
		}
	}
}

// The last event is found in a file that ends in the middle of a line, behind a long line, and in a compressed one.
func TestEnding(t *testing.T) {
	data := loopTrace(t, 50, TraceOptions{})
	ending := func(data []byte) (Ending, bool) {
		trace, err := BeginTrace("test", bytes.NewReader(data), int64(len(data)), nil)
		if err != nil {
			t.Fatal(err)
		}
		return trace.Ending()
	}
	last := bytes.LastIndex(data, []byte(seqStart))
	for name, c := range map[string]struct {
		data []byte
		seq  int64
	}{
		"cut in its last line": {data[:last+30], open(t, data).Last().Len() - 1},
		"without its last end": {data[:len(data)-1], open(t, data).Last().Len()},
		"a header":             {data[:bytes.IndexByte(data, '\n')+1], 0},
		"a long line at its end": {append(bytes.Clone(data),
			append([]byte(`{"value":9,"is":"`+string(bytes.Repeat([]byte("x"), 3*endRead))), "\"}\n"...)...),
			open(t, data).Last().Len()},
		"a line that is longer": {append(bytes.Clone(data),
			append([]byte(`{"value":9,"is":"`+string(bytes.Repeat([]byte("x"), 2*endReadMost))), "\"}\n"...)...), 0},
	} {
		if e, ok := ending(c.data); e.Seq != c.seq || ok != (c.seq > 0) {
			t.Errorf("%s: it ends with %+v, %v; want event %d", name, e, ok, c.seq)
		}
	}
	packed := loopTrace(t, 600, TraceOptions{Compress: true})
	whole := open(t, packed).Last().Len()
	if e, ok := ending(packed); !ok || e.Seq != whole || e.Type != engine.ExecutionSucceeded {
		t.Errorf("compressed: %+v, %v; want event %d", e, ok, whole)
	}
	var skippable bytes.Buffer
	skippable.Write(packed)
	skippable.WriteString("\x50\x2a\x4d\x18\x04\x00\x00\x00\x28\xb5\x2f\xfd")
	if e, ok := ending(skippable.Bytes()); !ok || e.Seq != whole {
		t.Errorf("behind the frames is one to skip: %+v, %v", e, ok)
	}
	frame := bytes.LastIndex(packed, zstdMagic)
	for _, cut := range []int{1, (len(packed) - frame) / 2, len(packed) - frame} {
		data := packed[:len(packed)-cut]
		want := open(t, data).Last().Len()
		if e, ok := ending(data); want == 0 || want >= whole || !ok || e.Seq != want {
			t.Errorf("compressed and cut by %d bytes: %+v, %v; want event %d", cut, e, ok, want)
		}
	}
}

// A trace that is written is followed from its header on, by any number of bytes at a time.
func TestFollowedTrace(t *testing.T) {
	for name, options := range map[string]TraceOptions{"plain": {}, "compressed": {Compress: true}} {
		t.Run(name, func(t *testing.T) {
			data := loopTrace(t, 600, options)
			want := open(t, data)
			first, err := readFirst("test", bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "run.trace")
			if err := os.WriteFile(file, data[:first.end], 0o600); err != nil {
				t.Fatal(err)
			}
			trace, err := BeginFollowing(file, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer trace.Close()
			if err := trace.Index(nil); err != nil {
				t.Fatal(err)
			}
			if more, err := trace.Extend(); more || err != nil {
				t.Fatalf("nothing was added: %v, %v", more, err)
			}
			run := trace.Last()
			for at, n := int(first.end), 1; at < len(data); n = 2*n + 1 {
				end := min(at+n, len(data))
				add(t, file, data[at:end])
				at = end
				if more, err := trace.Extend(); !more || err != nil {
					t.Fatalf("%d bytes: %v, %v", at, more, err)
				}
				if len(trace.Warnings()) > 0 {
					t.Fatalf("%d bytes: %v", at, trace.Warnings())
				}
			}
			if run.Len() != want.Last().Len() {
				t.Errorf("%d events, want %d", run.Len(), want.Last().Len())
			}
			sameTrace(t, trace, want)
		})
	}
}

func add(t *testing.T, name string, data []byte) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
}

// A followed file that is cut, written anew, replaced or removed is reported, and its events stay.
func TestFollowedFileChanges(t *testing.T) {
	data, other := loopTrace(t, 20, TraceOptions{}), loopTrace(t, 90, TraceOptions{})
	for name, c := range map[string]struct {
		change func(file string) error
		want   error
	}{
		"shorter": {func(file string) error { return os.Truncate(file, int64(len(data)/2)) }, ErrShorter},
		"anew":    {func(file string) error { return os.WriteFile(file, other, 0o600) }, ErrReplaced},
		"replaced": {func(file string) error {
			if err := os.WriteFile(file+"2", data, 0o600); err != nil {
				return err
			}
			return os.Rename(file+"2", file)
		}, ErrReplaced},
		"removed": {os.Remove, ErrRemoved},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "run.trace")
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			trace, err := BeginFollowing(file, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer trace.Close()
			if err := trace.Index(nil); err != nil {
				t.Fatal(err)
			}
			events := trace.Last().Len()
			if err := c.change(file); err != nil {
				t.Fatal(err)
			}
			if _, err := trace.Extend(); !errors.Is(err, c.want) || trace.Last().Len() != events {
				t.Errorf("%v with %d events, want %v with %d", err, trace.Last().Len(), c.want, events)
			}
		})
	}
}

// shrinking is a file that becomes shorter once it has been read up to a place.
type shrinking struct {
	data  []byte
	after int64
	reads int
}

func (f *shrinking) ReadAt(p []byte, offset int64) (int, error) {
	if f.reads++; offset >= f.after {
		return bytes.NewReader(f.data[:f.after]).ReadAt(p, offset)
	}
	return bytes.NewReader(f.data[:min(offset+int64(len(p)), int64(len(f.data)))]).ReadAt(p, offset)
}

// A file that becomes shorter while it is read is an error, not a short trace.
func TestShorterDuringTheIndex(t *testing.T) {
	data := loopTrace(t, 5000, TraceOptions{})
	if len(data) < 3*readAhead {
		t.Fatalf("%d bytes are too few", len(data))
	}
	file := &shrinking{data: data, after: 2*readAhead - 10}
	if _, err := NewTrace("test", file, int64(len(data)), nil); !errors.Is(err, ErrShorter) {
		t.Errorf("%v after %d reads", err, file.reads)
	}
}
