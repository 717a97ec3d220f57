package recorder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/internal/testkit"
)

const twoStates = `{"StartAt":"A","States":{"A":{"Type":"Pass","Result":{"n":1},"ResultPath":"$.a","Next":"B"},"B":{"Type":"Pass","End":true}}}`

// A trace that is cut in its last kilobyte opens up to the cut, and says where that is: each byte of the last lines,
// and every seventh before them.
func TestCutTraces(t *testing.T) {
	p := examples(t)["demo"]
	for _, compress := range []bool{false, true} {
		data, s := record(t, p, TraceOptions{Compress: compress})
		if compress { // small frames, as of a run that is stepped
			data = frames(t, p)
		}
		for end := len(data) - 1; end >= len(data)-1024; end-- {
			if end < len(data)-256 {
				end -= 6
			}
			trace, err := NewTrace("cut", bytes.NewReader(data[:end]), int64(end), nil)
			if err != nil {
				t.Fatalf("cut at byte %d of %d: %v", end, len(data), err)
			}
			run := trace.Last()
			for seq := max(1, run.Len()-5); seq <= run.Len(); seq++ {
				checkEvent(t, run, s.Log().At(int(seq-1)))
			}
			if _, err := run.Inputs(); err != nil {
				t.Fatalf("cut at byte %d: %v", end, err)
			}
			warnings := trace.Warnings()
			whole := data[end-1] == '\n' || data[end] == '\n'
			if compress {
				continue // a cut between two frames cannot be seen
			}
			switch {
			case whole && len(warnings) > 0:
				t.Fatalf("cut at byte %d, behind a whole line: %v", end, warnings[0].Error())
			case !whole && (len(warnings) != 1 || !warnings[0].Cut || warnings[0].Offset+
				warnings[0].Bytes != int64(end)):
				t.Fatalf("cut at byte %d: %+v", end, warnings)
			}
		}
	}
}

// frames records a program with a frame for every line.
func frames(t *testing.T, p program) []byte {
	t.Helper()
	plain, _ := record(t, p, TraceOptions{})
	pack, err := packer()
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	for _, line := range bytes.SplitAfter(plain, []byte("\n")) {
		out = pack(out, line)
	}
	return out
}

// A cut frame is a warning; the lines before it are there.
func TestCutFrame(t *testing.T) {
	data := frames(t, examples(t)["demo"])
	trace := open(t, data[:len(data)-3])
	if w := trace.Warnings(); len(w) != 1 || !w[0].Cut {
		t.Errorf("%+v", w)
	}
	if got := trace.Last().Len(); got < 90 {
		t.Errorf("%d events are left", got)
	}
}

// Lines that are damaged in the middle are lost, and no others.
func TestDamagedLines(t *testing.T) {
	data, s := record(t, examples(t)["demo"], TraceOptions{})
	lines := bytes.SplitAfter(data, []byte("\n"))
	event := -1
	for i, line := range lines {
		if bytes.HasPrefix(line, []byte(`{"seq":40,`)) {
			event = i
		}
	}
	for name, c := range map[string]struct {
		line    string
		msg     string // of a warning that the index gives; empty: it comes out when the event is read
		missing bool
	}{
		"garbage":         {"\x00\xff garbage\n", "is not a line of a trace", true},
		"a line is gone":  {"", "is event 41, and event 40 was expected", true},
		"cut and joined":  {string(lines[event][:30]) + "\n", "is not event 40, which was expected", true},
		"half of another": {`{"seq":12,"type":"StateEntered"}` + "\n", "is not event 40, which was expected", true},
		"not JSON within": {strings.Replace(string(lines[event]), `"type"`, `"type`, 1), "", true},
		"a strange type":  {strings.Replace(string(lines[event]), `"type":"`, `"type":"X`, 1), "", true},
		"a strange line":  {`{"remark":"hello"}` + "\n" + string(lines[event]), "is not a line of a trace", false},
		"blank lines":     {"\n \n" + string(lines[event]), "", false},
	} {
		damaged := bytes.Join([][]byte{bytes.Join(lines[:event], nil), []byte(c.line),
			bytes.Join(lines[event+1:], nil)}, nil)
		trace := open(t, damaged)
		text := ""
		for _, w := range trace.Warnings() {
			text += w.Error() + "\n"
		}
		if c.msg == "" && text != "" || !strings.Contains(text, c.msg) {
			t.Errorf("%s: the warnings are %q, want %q", name, text, c.msg)
		}
		if c.msg != "" && !strings.Contains(text, fmt.Sprintf("line %d of the trace (byte %d)", event+1,
			len(bytes.Join(lines[:event], nil)))) {
			t.Errorf("%s: the warnings %q do not say where", name, text)
		}
		run := trace.Last()
		if run.Len() != int64(s.Log().Len()) {
			t.Errorf("%s: %d events, want %d", name, run.Len(), s.Log().Len())
		}
		for seq := int64(1); seq <= run.Len(); seq++ {
			if seq != 40 || !c.missing {
				checkEvent(t, run, s.Log().At(int(seq-1)))
				continue
			}
			var fault *LineError
			if _, err := run.Event(seq); !errors.As(err, &fault) {
				t.Errorf("%s: event 40 gives %v", name, err)
			}
		}
	}
}

// Files that are no traces are refused in words, whatever they are.
func TestForeignFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	header, _ := record(t, programOf(t, twoStates, `{}`, nil), TraceOptions{})
	first := string(header[:bytes.IndexByte(header, '\n')+1])
	pack, err := packer()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ file, msg string }{
		"empty":          {file("empty", ""), "the file is empty"},
		"directory":      {dir, "a directory"},
		"text":           {file("text", "hello\n"), "not a trace of asldb: its first line does not say that"},
		"events":         {file("events", `{"seq":1,"type":"ExecutionStarted"}`+"\n"), "not a trace of asldb"},
		"another format": {file("other", `{"format":"chrome-trace","version":1}`+"\n"), `its format is "chrome-trace"`},
		"newer": {file("newer", strings.Replace(first, `"version":2`, `"version":3`, 1)),
			"version 3 of the format, and this asldb knows version 2"},
		"cut header":     {file("header", first[:200]), "cut in its first line"},
		"damaged header": {file("damaged", strings.Replace(first, `"seed":`, `"seed:`, 1)), "is not JSON"},
		"strange header": {file("strange", strings.Replace(first, `"seed":1`, `"seed":"x"`, 1)),
			`has under "seed" "x", and a whole number was expected`},
		"no version":        {file("versionless", `{"format":"asldb-trace"}`+"\n"), "has no version"},
		"zeros":             {file("zeros", strings.Repeat("\x00", 4096)), "not a trace of asldb"},
		"zeros in the line": {file("hole", first[:100]+strings.Repeat("\x00", 4<<20)), "bytes that are 0"},
		"something in zstd": {file("zstd", string(pack(nil, []byte("hello\n")))), "something else that was compressed"},
		"a cut frame": {file("zstdcut", string(pack(nil, []byte(first))[:50])),
			"cut or damaged in its first zstd frame"},
	} {
		_, err := Open(c.file, nil)
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), c.msg) || strings.Contains(err.Error(), "hello") {
			t.Errorf("%s: %v, want %q", name, err, c.msg)
		}
	}
	if _, err := Open(filepath.Join(dir, "absent"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an absent file: %v", err)
	}
}

// A file with a hole of 10 GB behind its first lines opens at once.
func TestSparseFile(t *testing.T) {
	data, s := record(t, programOf(t, twoStates, `{}`, nil), TraceOptions{})
	name := filepath.Join(t.TempDir(), "sparse.trace")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, 10<<30); err != nil {
		t.Skip("no sparse files here:", err)
	}
	before := testkit.LiveHeap()
	trace, err := Open(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	checkRun(t, trace.Last(), s.Log())
	if w := trace.Warnings(); len(w) != 1 || !strings.Contains(w[0].Error(), "is not a line of a trace") {
		t.Errorf("%+v", w)
	}
	if held := int64(testkit.LiveHeap()) - int64(before); held > 32<<20 {
		t.Errorf("%d bytes are held", held)
	}
}

// failing writes so many bytes and then no more, as a full disk does.
type failing struct {
	bytes.Buffer
	left int
	err  error
}

func (f *failing) Write(data []byte) (int, error) {
	n := min(len(data), f.left)
	f.left -= n
	f.Buffer.Write(data[:n])
	if n < len(data) {
		return n, f.err
	}
	return n, nil
}

// Where the trace cannot be written any more the run continues, the fault can be shown, and the lines written before
// can be read.
func TestFaultsWhileRecording(t *testing.T) {
	p := examples(t)["demo"]
	whole, log := record(t, p, TraceOptions{})
	for _, left := range []int{0, 10, 5000, 15_000, len(whole) - 1} {
		for _, reason := range []error{syscall.ENOSPC, syscall.EROFS, syscall.EPIPE, io.ErrShortWrite} {
			out := &failing{left: left, err: reason}
			w, err := NewTraceWriter("full", out, p.header(), TraceOptions{})
			if err != nil {
				t.Fatal(err)
			}
			s := p.run(t, w)
			if s.Log().Len() != log.Log().Len() {
				t.Fatalf("the run has %d events, want %d", s.Log().Len(), log.Log().Len())
			}
			var fault *TraceError
			if err := w.Close(); !errors.As(err, &fault) || !errors.Is(err, reason) || w.Fault() != fault {
				t.Fatalf("%d bytes: Close = %v", left, err)
			}
			if left < 10_000 {
				continue
			}
			trace := open(t, out.Bytes())
			for seq := int64(1); seq <= trace.Last().Len(); seq++ {
				checkEvent(t, trace.Last(), log.Log().At(int(seq-1)))
			}
		}
	}
}

// One process at a time records in a file, and none of them loses the recording of another.
func TestFilesThatAreThereAlready(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "run.trace")
	p := programOf(t, twoStates, `{}`, nil)
	first, err := CreateTrace(name, p.header(), TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, replace := range []bool{false, true} {
		if _, err := CreateTrace(name, p.header(), TraceOptions{Replace: replace}); !errors.Is(err, ErrTraceBusy) {
			t.Errorf("while it is written: %v", err)
		}
	}
	p.run(t, first)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	before := read(t, name)
	if _, err := CreateTrace(name, p.header(), TraceOptions{}); !errors.Is(err, ErrTraceExists) {
		t.Errorf("a trace that is there: %v", err)
	}
	if !bytes.Equal(read(t, name), before) {
		t.Error("the trace that was there has changed")
	}
	second, err := CreateTrace(name, p.header(), TraceOptions{Replace: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	third, err := CreateTrace(name, p.header(), TraceOptions{}) // nothing happened in the second
	if err != nil {
		t.Fatal(err)
	}
	if err := third.Close(); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(dir, "letter.txt")
	if err := os.WriteFile(foreign, []byte("Dear Ada"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, replace := range []bool{false, true} {
		if _, err := CreateTrace(foreign, p.header(), TraceOptions{Replace: replace}); !errors.Is(err, ErrNotATrace) {
			t.Errorf("a file that is not a trace: %v", err)
		}
	}
	if string(read(t, foreign)) != "Dear Ada" {
		t.Error("a file that is not a trace was changed")
	}
	for _, bad := range []string{dir, filepath.Join(dir, "no", "such", "dir"), "/dev/null/x"} {
		var fault *TraceError
		if _, err := CreateTrace(bad, p.header(), TraceOptions{}); !errors.As(err, &fault) || fault.Begun {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// A trace that is removed, renamed, replaced, cut or written to by another process while it is recorded is a fault.
func TestTraceThatIsTakenAway(t *testing.T) {
	p := programOf(t, twoStates, `{}`, nil)
	for name, c := range map[string]struct {
		do   func(name string) error
		want error
	}{
		"removed": {os.Remove, ErrTraceGone},
		"renamed": {func(name string) error { return os.Rename(name, name+".old") }, ErrTraceGone},
		"replaced": {func(name string) error {
			return errors.Join(os.Remove(name), os.WriteFile(name, []byte("x"), 0o600))
		}, ErrTraceOther},
		"truncated": {func(name string) error { return os.Truncate(name, 0) }, ErrTraceCut},
		"written to": {func(name string) error {
			file, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = file.WriteString("x")
			return errors.Join(err, file.Close())
		}, ErrTraceCut},
	} {
		for _, more := range []bool{true, false} { // with lines behind it, or without
			file := filepath.Join(t.TempDir(), "run.trace")
			w, err := CreateTrace(file, p.header(), TraceOptions{})
			if err != nil {
				t.Fatal(err)
			}
			s := p.run(t, w)
			w.Sync()
			if err := w.Fault(); err != nil {
				t.Fatal(err)
			}
			if err := c.do(file); err != nil {
				t.Fatal(err)
			}
			if more {
				w.Happened([]engine.Event{*s.Log().Last()})
				w.Sync()
				if !errors.Is(w.Fault(), c.want) {
					t.Errorf("%s: the fault is %v", name, w.Fault())
				}
			}
			if err := w.Close(); !errors.Is(err, c.want) || !strings.Contains(err.Error(), "the run continues") {
				t.Errorf("%s: Close = %v", name, err)
			}
		}
	}
}

// Whoever could read the file that a trace replaces, only its owner can read the trace.
func TestReplacedTraceIsPrivate(t *testing.T) {
	p := programOf(t, twoStates, `{}`, nil)
	trace, _ := record(t, p, TraceOptions{})
	for name, content := range map[string][]byte{"empty": nil, "trace": trace} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, content, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, 0o644); err != nil {
			t.Fatal(err)
		}
		w, err := CreateTrace(file, p.header(), TraceOptions{Replace: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

// Values of every size come back, whatever they share.
func TestValuesThatShare(t *testing.T) {
	long := strings.Repeat("long ", 100)
	list := value.ArrayOf(value.String(long), value.Int(1),
		value.ObjectOf(value.Member{Key: "x", Value: value.String(long)}))
	inner := value.ObjectOf(value.Member{Key: "list", Value: list},
		value.Member{Key: "name", Value: value.String(long + "!")})
	outer := value.ObjectOf(value.Member{Key: "inner", Value: inner},
		value.Member{Key: "text", Value: value.String(long)}, value.Member{Key: "n", Value: value.Int(1)})
	all := []value.Value{
		outer, outer, inner, list, value.String(long), value.Must(value.Compact(outer)),
		value.ArrayOf(outer, inner, outer),
		outer.With("n", value.Int(2)), outer.With("inner", inner.With("name", value.String("short"))),
		outer.With("more", list), outer.Without("n"),
	}
	v := value.Value(outer)
	for i := range 60 { // a long chain of changes
		v = v.(*value.Object).With("n", value.Int(int64(i))).With("last", value.ArrayOf(v))
		all = append(all, v)
		v = v.(*value.Object).With("last", value.Null{})
	}
	lines := newValueLines()
	text := []byte(`{"format":"asldb-trace","version":1,"asldb":"x","dialect":"aws"}` + "\n")
	ids := make([]int64, len(all))
	var base value.Value
	for i, v := range all {
		text, ids[i] = lines.line(text, v, base)
		base = v
	}
	trace := open(t, text)
	for i, want := range all {
		got, err := trace.read.valueOf(ids[i], 0)
		if err != nil || value.Compact(got.value) != value.Compact(want) {
			t.Errorf("value %d (line %d) is %.200v, %v, want %.200v", i, ids[i], got.value, err, want)
		}
	}
	if whole := len(value.Compact(value.NewArray(all))); len(text) > whole/3 {
		t.Errorf("%d bytes for values of %d", len(text), whole)
	}
}
