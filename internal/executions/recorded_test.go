package executions_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/executions"
	"asldb/recorder/history"
)

// folder makes empty files.
func recordedFolder(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// listed are the files that are found, those that were named with "!", and the folders that are left out after "-".
func listedRecorded(t *testing.T, dir string, fits func(string) bool, names ...string) string {
	t.Helper()
	for i := range names {
		names[i] = filepath.Join(dir, filepath.FromSlash(names[i]))
	}
	found, err := executions.Find(names, fits)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	short := func(name string) string {
		relative, _ := filepath.Rel(dir, name)
		return filepath.ToSlash(relative)
	}
	for _, f := range found.Files {
		mark := ""
		if f.Given {
			mark = "!"
		}
		got = append(got, short(f.Name)+mark)
	}
	for _, name := range found.LeftOut {
		got = append(got, "-"+short(name))
	}
	return strings.Join(got, " ")
}

func TestFind(t *testing.T) {
	dir := recordedFolder(t, "b.trace", "a.trace.zst", "c.json", "sub/d.trace", ".e.trace", ".git/f.trace",
		"sub/notes.md")
	if got, want := listedRecorded(t, dir, executions.IsTrace, "c.json", ".", "b*", "s*"),
		"c.json! a.trace.zst b.trace sub/d.trace"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := listedRecorded(t, dir, executions.IsHistory, "."), "c.json"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, name := range []string{"missing", "missing*", "[", "missing/x.json"} {
		if _, err := executions.Find([]string{filepath.Join(dir, name)}, executions.IsHistory); err == nil ||
			!strings.HasPrefix(err.Error(), "cannot read ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A folder of "asldb fetch" has executions of other state machines in separate folders.
func TestFindInAFolderOfFetch(t *testing.T) {
	dir := recordedFolder(t, "f/a.history.json", "f/definitions/Order-1.asl.json", "f/nested/Pay/b.history.json",
		"f/map-runs/a/c.history.json",
		"own/x.json", "own/nested/y.json", "own/definitions/z.json")
	if got, want := listedRecorded(t, dir, executions.IsHistory, "."),
		"f/a.history.json own/definitions/z.json own/nested/y.json own/x.json -f/map-runs -f/nested"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := listedRecorded(t, dir, executions.IsHistory, "f/nested", "f/map-runs/a"),
		"f/nested/Pay/b.history.json f/map-runs/a/c.history.json"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestHasTrace(t *testing.T) {
	for text, want := range map[string]bool{`{"format":"asldb-trace","version":1}`: true, "\x28\xb5\x2f\xfd123": true,
		`{"events":[]}`: false, "": false} {
		if executions.HasTrace([]byte(text)) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
}

// page reads a page with the events from one id to another.
func page(t *testing.T, file string, from, to int, more string) executions.Page {
	t.Helper()
	var events []string
	for id := from; id <= to; id++ {
		kind := "Other"
		if id == 1 {
			kind = "ExecutionStarted"
		}
		events = append(events, fmt.Sprintf(`{"timestamp":%d,"type":%q,"id":%d,"previousEventId":%d}`, 1000+id, kind,
			id, id-1))
	}
	read, err := history.Read(history.File{Name: file,
		Data: []byte(`{"events":[` + strings.Join(events, ",") + `]` + more + `}`)})
	if err != nil {
		t.Fatal(err)
	}
	return executions.Page{File: file, Execution: read[0]}
}

const token = `,"nextToken":"t"`

func TestRecordedPages(t *testing.T) {
	for _, c := range []struct {
		about string
		pages []executions.Page
		want  string
	}{
		{"in order", []executions.Page{page(t, "a-1.json", 1, 3, token), page(t, "a-2.json", 4, 5, token),
			page(t, "a-3.json", 6, 6, "")}, "a-1.json+a-2.json+a-3.json"},
		{"the newest events first", []executions.Page{page(t, "p1.json", 4, 5, token), page(t, "p2.json", 1, 3, "")},
			"p1.json+p2.json"},
		{"a page is missing", []executions.Page{page(t, "a1.json", 1, 2, token), page(t, "a3.json", 5, 6, "")},
			"a1.json a3.json"},
		{"other names", []executions.Page{page(t, "a1.json", 1, 2, token), page(t, "b2.json", 3, 4, "")},
			"a1.json b2.json"},
		{"other folders", []executions.Page{page(t, "x/a1.json", 1, 2, token), page(t, "y/a2.json", 3, 4, "")},
			"x/a1.json y/a2.json"},
		{"two histories", []executions.Page{page(t, "a-1.json", 1, 2, token), page(t, "b-1.json", 1, 1, token),
			page(t, "b-2.json", 2, 4, ""), page(t, "a-2.json", 3, 4, "")}, "a-1.json+a-2.json b-1.json+b-2.json"},
		{"of two executions", []executions.Page{page(t, "a1.json", 1, 2, token+`,"executionArn":"x"`),
			page(t, "a2.json", 3, 4, `,"executionArn":"y"`)}, "a1.json a2.json"},
		{"none", nil, ""},
	} {
		var got []string
		for _, group := range executions.Pages(c.pages) {
			names := value.Each(group, func(p executions.Page) string { return p.File })
			got = append(got, strings.Join(names, "+"))
			joined, err := executions.Join(group)
			if err != nil {
				t.Fatal(err)
			}
			if len(group) > 1 && (joined.Events[0].ID != 1 ||
				!slices.IsSortedFunc(joined.Events, func(a, b history.Event) int { return int(a.ID - b.ID) }) ||
				joined.Events[len(joined.Events)-1].ID != int64(len(joined.Events))) {
				t.Errorf("%s: the events are not whole", c.about)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: got %s, want %s", c.about, text, c.want)
		}
	}
}
