package recordings

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"asldb/internal/cli/command"
	"asldb/recorder"
)

// grown returns a printer of a trace that grows: the parts are written one after the other, each when the one before was printed.
func grown(t *testing.T, parts []string) (printed string, err error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "run.trace")
	if err := os.WriteFile(name, []byte(parts[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	query, err := recorder.ParseQuery(`type != "StageCompleted"`)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p := &eventPrinter{
		flags: &queryFlags{format: formatLines},
		s:     &command.Streams{Out: &out, Err: &out},
		query: query,
		out:   bufio.NewWriter(&out),
	}
	if err := p.begin(); err != nil {
		t.Fatal(err)
	}
	at := followed{name: name, forks: 1, next: 1}
	defer at.close()
	for i := range parts {
		if i > 0 {
			file, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = file.WriteString(parts[i])
				file.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		ended, err := p.more(&at)
		if err != nil || ended != (i == len(parts)-1) {
			t.Fatalf("part %d: ended %v, %v", i, ended, err)
		}
	}
	if err := p.flush(); err != nil {
		t.Fatal(err)
	}
	printed = out.String()
	return printed, p.grow(context.Background(), name) // which sees at once that the execution is over
}

const growing = `{"format":"asldb-trace","version":2,"asldb":"test","dialect":"aws","input":{}}
{"seq":1,"time":"2026-01-01T00:00:00Z","type":"ExecutionStarted","thread":0,"after":{}}
{"seq":2,"time":"2026-01-01T00:00:00Z","type":"StateEntered","thread":0,"state":"A","visit":1,"entered":2,"stage":"input","after":{}}
{"seq":3,"time":"2026-01-01T00:00:00Z","type":"StageCompleted","thread":0,"state":"A","visit":1,"entered":2,"stage":"Result","after":1}
{"seq":4,"time":"2026-01-01T00:00:00Z","type":"StateExited","thread":0,"state":"A","visit":1,"entered":2,"stage":"output","after":1}
{"rewound":2}
{"seq":3,"time":"2026-01-01T00:00:01Z","type":"StateExited","thread":0,"state":"A","visit":1,"entered":2,"stage":"output","after":2}
{"seq":4,"time":"2026-01-01T00:00:01Z","type":"ExecutionSucceeded","thread":0,"after":2}
`

// Each event is printed once, whatever of its line was there before; after a step back the new fork's.
func TestFollowing(t *testing.T) {
	header := strings.Index(growing, "\n") + 1
	var want []string
	for _, line := range strings.Split(growing, "\n") {
		if strings.HasPrefix(line, `{"seq"`) && !strings.Contains(line, "StageCompleted") {
			want = append(want, line)
		}
	}
	for _, cuts := range [][]int{{header}, {header + 10}, {header + 100, header + 200, header + 400}, {len(growing) - 150, len(growing) - 90}} {
		var parts []string
		from := 0
		for _, cut := range append(cuts, len(growing)) {
			parts = append(parts, growing[from:cut])
			from = cut
		}
		got, err := grown(t, parts)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(got), "\n")
		if len(lines) == len(want)-1 { // the event that was taken back was never seen
			lines = slices.Insert(lines, 2, want[2])
		}
		if !slices.EqualFunc(lines, want, func(line, want string) bool { return plain(line) == plain(want) }) {
			t.Errorf("cut at %v:\n%s", cuts, got)
		}
	}
}

// plain is the beginning of an event's line, up to its type.
func plain(line string) string {
	line, _, _ = strings.Cut(line, `,"thread"`)
	return line
}

func TestFollowingWhatGoesAway(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run.trace")
	if err := os.WriteFile(name, []byte(growing[:strings.LastIndex(growing, `{"seq":4`)]), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p := &eventPrinter{
		flags: &queryFlags{format: formatLines},
		s:     &command.Streams{Out: &out, Err: &out},
		query: &recorder.Query{},
		out:   bufio.NewWriter(&out),
	}
	if err := p.begin(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.grow(ctx, name); err != nil || !strings.Contains(out.String(), "ExecutionStarted") {
		t.Errorf("%v, %s", err, out.String())
	}
}

// A trace is opened once: a file in its place, and one that was cut or removed, end the following.
func TestFollowingAnotherFile(t *testing.T) {
	begun := growing[:strings.LastIndex(growing, `{"seq":4`)]
	for want, change := range map[string]func(name string) error{
		"another file took its place": func(name string) error {
			if err := os.WriteFile(name+".new", []byte(growing+growing), 0o600); err != nil {
				return err
			}
			return os.Rename(name+".new", name)
		},
		"was written anew": func(name string) error {
			return os.WriteFile(name, []byte(strings.ReplaceAll(growing, `"thread":0`, `"thread":1`)), 0o600)
		},
		"the trace has become shorter since it was opened": func(name string) error { return os.Truncate(name, 200) },
		"the file was removed or renamed":                  os.Remove,
	} {
		name := filepath.Join(t.TempDir(), "run.trace")
		if err := os.WriteFile(name, []byte(begun), 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		p := &eventPrinter{
			flags: &queryFlags{format: formatLines},
			s:     &command.Streams{Out: &out, Err: &out},
			query: &recorder.Query{},
			out:   bufio.NewWriter(&out),
		}
		if err := p.begin(); err != nil {
			t.Fatal(err)
		}
		at := followed{name: name, forks: 1, next: 1}
		defer at.close()
		if ended, err := p.more(&at); err != nil || ended {
			t.Fatalf("%s: ended %v, %v", want, ended, err)
		}
		if ended, err := p.more(&at); err != nil || ended {
			t.Fatalf("%s: nothing was added: ended %v, %v", want, ended, err)
		}
		if err := change(name); err != nil {
			t.Fatal(err)
		}
		before := out.Len()
		if _, err := p.more(&at); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), name) {
			t.Errorf("%v, want %q", err, want)
		}
		if out.Len() != before {
			t.Errorf("%s: it printed %s", want, out.String()[before:])
		}
	}
}

// The end of the execution is printed though its line has no end, once it is whole.
func TestFollowingLineWithoutEnd(t *testing.T) {
	for _, cut := range []int{1, 2, 30} {
		got, err := grown(t, []string{growing[:len(growing)-cut-20], growing[len(growing)-cut-20 : len(growing)-1]})
		if err != nil || strings.Count(got, "ExecutionSucceeded") != 1 {
			t.Errorf("%d: %v\n%s", cut, err, got)
		}
	}
}

// Several traces are printed as one after the other, also where one is larger than what is kept of it; an error in one
// ends the output behind those before.
func TestSeveralTraces(t *testing.T) {
	dir := t.TempDir()
	var names []string
	var want strings.Builder
	for i, n := range []int{3, 9000, 0, 5, 9000, 1, 40, 2} {
		var b strings.Builder
		b.WriteString(growing[:strings.Index(growing, "\n")+1])
		name := filepath.Join(dir, strconv.Itoa(i)+".trace")
		for seq := range n {
			line := fmt.Sprintf(
				`{"seq":%d,"time":"2026-01-01T00:00:00Z","type":"ExecutionStarted","thread":0,"after":{"n":%d,"text":"%s"}`,
				seq+1,
				seq%3,
				strings.Repeat("x", 300),
			)
			b.WriteString(line + "}\n")
			if seq%3 > 0 {
				fmt.Fprintf(&want, "%s,\"file\":%q}\n", line, name)
			}
		}
		if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	query := func(names []string) (printed, told string, err error) {
		var out, said bytes.Buffer
		p := &eventPrinter{flags: &queryFlags{format: formatLines}, s: &command.Streams{Out: &out, Err: &said},
			where: "$.n > 0", several: true, out: bufio.NewWriter(&out)}
		err = errors.Join(p.traces(context.Background(), names), p.out.Flush())
		return out.String(), said.String(), err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for range 5 {
		if printed, told, err := query(names); printed != want.String() || told != "" || err != nil {
			t.Fatalf("%d bytes were printed, and not %d; %s%v", len(printed), want.Len(), told, err)
		}
	}
	missing := filepath.Join(dir, "none.trace")
	printed, _, err := query(slices.Insert(slices.Clone(names), 4, missing))
	if err == nil || !strings.Contains(err.Error(), "none.trace") {
		t.Error(err)
	}
	if end := strings.Index(want.String(), names[4]); !strings.HasPrefix(want.String(), printed) ||
		len(printed) > end ||
		strings.Count(printed, names[3]) != 3 {
		t.Errorf("%d bytes were printed before the error", len(printed))
	}
}
