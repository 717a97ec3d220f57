package store_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"asldb/engine/breakpoint"
	"asldb/internal/store"
)

const definition = `{"StartAt":"A"}`

func open(t *testing.T, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(dir, filepath.Join(dir, "order.asl.json"), []byte(definition))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func load(t *testing.T, s *store.Store) store.State {
	t.Helper()
	state, _, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func save(t *testing.T, s *store.Store, state store.State) {
	t.Helper()
	if err := s.Save(state); err != nil {
		t.Fatal(err)
	}
}

// points makes a State of breakpoints; one with a minus before it is disabled.
func points(specs ...string) store.State {
	var state store.State
	for _, spec := range specs {
		spec, disabled := strings.CutPrefix(spec, "-")
		state.Breakpoints = append(state.Breakpoints, breakpoint.Saved{Spec: spec, Disabled: disabled})
	}
	return state
}

func TestWhatIsSavedIsLoaded(t *testing.T) {
	dir := t.TempDir()
	want := points("Charge if $.total > 100", "-error Card.*", "S\u00e4ge \"x\"\n")
	want.Breakpoints = append(want.Breakpoints, breakpoint.Saved{Spec: "s*r", Exact: true})
	want.Watches = []string{"$.total", "$.a == \"b\""}
	want.History = map[string][]string{":": {"break Charge", "eval $.x"}, "SPEC": {"error"}}
	save(t, open(t, dir), want)
	if got := load(t, open(t, dir)); !reflect.DeepEqual(got, want) {
		t.Errorf("loaded\n     %+v\nwant %+v", got, want)
	}
	other, err := store.Open(dir, filepath.Join(dir, "order.asl.json"), []byte(`{"StartAt":"B"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, changed, err := other.Load(); err != nil || !changed {
		t.Errorf("another text of the definition is not noticed: %v", err)
	}
	if _, changed, _ := open(t, dir).Load(); changed {
		t.Error("the same text counts as changed")
	}
}

// Bookmarks are saved with their notes; those that another process has added stay.
func TestBookmarksAreSaved(t *testing.T) {
	dir := t.TempDir()
	first, second := open(t, dir), open(t, dir)
	mark := func(event int, note string) breakpoint.Bookmark {
		return breakpoint.Bookmark{Event: event, Name: "A StateEntered", Note: note}
	}
	state := store.State{}
	state.Bookmarks = []breakpoint.Bookmark{mark(3, "here")}
	save(t, first, state)
	state.Bookmarks = []breakpoint.Bookmark{mark(9, "")}
	save(t, second, state)
	if got, want := load(t, open(t, dir)).Bookmarks,
		[]breakpoint.Bookmark{mark(9, ""), mark(3, "here")}; !slices.Equal(got, want) {
		t.Errorf("loaded %+v, want %+v", got, want)
	}
}

func TestFilesOfOneNameAreTwoDefinitions(t *testing.T) {
	dir := t.TempDir()
	a, _ := store.Open(dir, filepath.Join(dir, "a", "order.json"), nil)
	b, _ := store.Open(dir, filepath.Join(dir, "b", "order.json"), nil)
	save(t, a, points("A"))
	if got := load(t, b); len(got.Breakpoints) != 0 {
		t.Errorf("another definition has %+v", got)
	}
}

func TestALinkIsTheSameDefinition(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "order.json"), filepath.Join(dir, "link.json")
	if err := os.WriteFile(file, []byte(definition), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	a, _ := store.Open(dir, file, nil)
	b, _ := store.Open(dir, link, nil)
	if a.Path() != b.Path() {
		t.Errorf("%s and %s", a.Path(), b.Path())
	}
}

func TestNothingToKeepMakesNoFile(t *testing.T) {
	dir := t.TempDir()
	save(t, open(t, dir), store.State{})
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("there is %v", entries)
	}
	s := open(t, dir)
	save(t, s, points("A"))
	save(t, s, store.State{}) // the last one was deleted
	if got := load(t, open(t, dir)); len(got.Breakpoints) != 0 {
		t.Errorf("deleted breakpoints are back: %+v", got)
	}
}

func TestABrokenFileIsKeptAside(t *testing.T) {
	for content, want := range map[string]string{
		`{"version":1,"breakpo`:                 `:1:22: unexpected end of file: a string is never closed (add the closing quotation mark); the session begins without them`,
		"{\n\"version\":1\n\"breakpoints\":[]}": `:3:1: the text is not JSON: expected , or }, found " (add a comma before it, or close the bracket with }); `,
		"\x00\x01":                              `:1:1: the text is not JSON: `,
		"":                                      ": it is empty; ",
		`{"breakpoints":[]}`:                    `: expected "version": 1, found 0; `,
		`{"version":0}`:                         `: expected "version": 1, found 0; `,
		`{"version":1,"breakpoints":"A"}`:       `:1:28: /breakpoints must be an array, but is a string; `,
		`[]`:                                    `:1:1: the text must be an object, but is an array; `,
		strings.Repeat(" ", 5<<20):              ": expected at most 4194304 bytes, found more; ",
	} {
		name := content[:min(len(content), 20)]
		t.Run(name, func(t *testing.T) {
			s := open(t, t.TempDir())
			if err := os.WriteFile(s.Path(), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			state, _, err := s.Load()
			var bad *store.BadFileError
			if !errors.As(err, &bad) || !reflect.DeepEqual(state, store.State{}) {
				t.Fatalf("loaded %+v, %v", state, err)
			}
			if !strings.Contains(err.Error(), s.Path()+want) ||
				!strings.HasSuffix(err.Error(), "kept as "+s.Path()+
					".bad: correct it and rename it back, or remove it") {
				t.Errorf("%v\nwant %s", err, want)
			}
			if kept, err := os.ReadFile(s.Path() + ".bad"); err != nil || string(kept) != content {
				t.Errorf("the broken file is not kept: %v", err)
			}
			save(t, s, points("A"))
			if got := load(t, s); len(got.Breakpoints) != 1 {
				t.Errorf("afterwards there is %+v", got)
			}
		})
	}
}

// TestBrokenFilesAreAllKept: the second broken file does not replace the first.
func TestBrokenFilesAreAllKept(t *testing.T) {
	s := open(t, t.TempDir())
	broken := []string{"first", "second", "third"}
	for n, content := range broken {
		if err := os.WriteFile(s.Path(), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if n == 1 { // found broken when something is saved
			save(t, s, points("A"))
			continue
		}
		if _, _, err := s.Load(); err == nil || !strings.Contains(err.Error(), "kept as "+s.Path()+".bad") {
			t.Errorf("the %s file: %v", content, err)
		}
	}
	for n, name := range []string{".bad", ".bad-2", ".bad-3"} {
		if kept, err := os.ReadFile(s.Path() + name); err != nil || string(kept) != broken[n] {
			t.Errorf("%s is %q, %v; want %q", name, kept, err, broken[n])
		}
	}
}

// TestANewerVersionsFileIsLeftAlone: neither Load nor Save touches it, whatever it has besides its version.
func TestANewerVersionsFileIsLeftAlone(t *testing.T) {
	for name, content := range map[string]string{
		"only a version": `{"version":99}`, "another shape": `{"definition":{"path":"a"},"version":2,"breakpoints":"A"}`,
		"too large": `{"version":2,"watches":"` + strings.Repeat(" ", 5<<20) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, t.TempDir())
			if err := os.WriteFile(s.Path(), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			var newer *store.NewerFileError
			if state, _, err := s.Load(); !errors.As(err, &newer) || !reflect.DeepEqual(state, store.State{}) {
				t.Errorf("loaded %+v, %v", state, err)
			}
			if err := s.Save(points("A")); !errors.As(err, &newer) || !strings.Contains(err.Error(), "a newer asldb") {
				t.Errorf("saved: %v", err)
			}
			if got, err := os.ReadFile(s.Path()); err != nil || string(got) != content {
				t.Errorf("the file has become %.100q, %v", got, err)
			}
			if others, _ := filepath.Glob(s.Path() + ".*"); len(others) != 0 {
				t.Errorf("there are %v", others)
			}
		})
	}
}

// TestTwoDebuggersOnOneDefinition: each saves several times without having read the other's.
func TestTwoDebuggersOnOneDefinition(t *testing.T) {
	dir := t.TempDir()
	save(t, open(t, dir), points("A"))
	one, two := open(t, dir), open(t, dir)
	load(t, one)
	load(t, two)
	save(t, two, points("A", "two"))
	for range 3 {
		save(t, one, points("A", "one"))
		save(t, two, points("A", "two"))
	}
	if got, want := load(t, open(t, dir)), points("A", "one", "two"); !sameSpecs(got, want) {
		t.Errorf("there is %+v, want %+v", got, want)
	}
	save(t, one, points("one")) // A is deleted
	save(t, two, points("A", "two"))
	save(t, one, points("one", "more"))
	save(t, two, points("A", "-two")) // A is still in the list of this one
	if got, want := load(t, open(t, dir)), points("one", "more", "-two"); !sameSpecs(got, want) {
		t.Errorf("there is %+v, want %+v", got, want)
	}
}

// sameSpecs compares breakpoints in any order.
func sameSpecs(a, b store.State) bool {
	count := make(map[breakpoint.Saved]int)
	for _, point := range a.Breakpoints {
		count[point]++
	}
	for _, point := range b.Breakpoints {
		count[point]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// TestAnyDebuggers lets three debuggers add, delete and save in any order, and compares with the actions of each: an
// entry is there that was added by one and deleted by none since.
func TestAnyDebuggers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "store")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		var stores [3]*store.Store
		var lists [3][]string
		for i := range stores {
			if stores[i], err = store.Open(dir, filepath.Join(dir, "a.json"), nil); err != nil {
				t.Fatal(err)
			}
		}
		want := map[string]bool{}
		for n := range rapid.IntRange(1, 12).Draw(t, "steps") {
			i := rapid.IntRange(0, 2).Draw(t, "debugger")
			if own := lists[i]; len(own) > 0 && rapid.Bool().Draw(t, "delete") {
				at := rapid.IntRange(0, len(own)-1).Draw(t, "which")
				delete(want, own[at])
				lists[i] = slices.Delete(own, at, at+1)
			} else if rapid.Bool().Draw(t, "add") {
				name := fmt.Sprintf("$.n%d", n)
				lists[i], want[name] = append(own, name), true
			}
			if err := stores[i].Save(store.State{Setup: breakpoint.Setup{Watches: lists[i]}}); err != nil {
				t.Fatal(err)
			}
		}
		state, _, err := stores[0].Load()
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for _, watch := range state.Watches {
			got[watch] = true
		}
		if !maps.Equal(got, want) {
			t.Fatalf("there is %v, want %v", state.Watches, want)
		}
	})
}

// A process that died while it wrote leaves a half-written file beside the real one, and perhaps its lock.
func TestACrashWhileWriting(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	save(t, s, points("A"))
	if err := os.WriteFile(s.Path()+".123.tmp", []byte(`{"vers`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := load(t, open(t, dir)); !reflect.DeepEqual(got, points("A")) {
		t.Errorf("loaded %+v", got)
	}
}

func TestTheFileIsLostBehindOurBack(t *testing.T) {
	s := open(t, t.TempDir())
	save(t, s, points("A", "B"))
	if err := os.Remove(s.Path()); err != nil {
		t.Fatal(err)
	}
	save(t, s, points("A", "B", "C"))
	if got := load(t, s); !reflect.DeepEqual(got, points("A", "B", "C")) {
		t.Errorf("loaded %+v", got)
	}
}

func TestWhatTwoProcessesDoIsBroughtTogether(t *testing.T) {
	tests := []struct{ base, mine, theirs, want []string }{
		{nil, []string{"A"}, []string{"B"}, []string{"A", "B"}},
		{[]string{"A"}, []string{"A", "B"}, []string{"A", "C"}, []string{"A", "B", "C"}},
		{[]string{"A", "B"}, []string{"A"}, []string{"A", "B", "C"}, []string{"A", "C"}},
		{[]string{"A", "B"}, []string{"A", "B"}, []string{"B"}, []string{"B"}},
		{[]string{"A", "B"}, []string{"B"}, []string{"A"}, nil},
		{[]string{"A"}, []string{"-A"}, []string{"A"}, []string{"-A"}},
		{[]string{"A"}, []string{"A"}, []string{"-A"}, []string{"-A"}},
		{[]string{"A"}, []string{"A", "A"}, []string{"A"}, []string{"A"}},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.mine, test.theirs), func(t *testing.T) {
			dir := t.TempDir()
			save(t, open(t, dir), points(test.base...))
			mine, theirs := open(t, dir), open(t, dir)
			load(t, mine)
			load(t, theirs)
			save(t, theirs, points(test.theirs...))
			save(t, mine, points(test.mine...))
			if got, want := load(t, open(t, dir)), points(test.want...); !reflect.DeepEqual(got, want) {
				t.Errorf("there is %+v, want %+v", got, want)
			}
		})
	}
}

func TestManyAtOnceLoseNothing(t *testing.T) {
	dir := t.TempDir()
	const writers = 12
	var group sync.WaitGroup
	for n := range writers {
		s := open(t, dir)
		group.Go(func() {
			if err := s.Save(points(fmt.Sprintf("State %d", n))); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := load(t, open(t, dir)); len(got.Breakpoints) != writers {
		t.Errorf("%d of %d are left", len(got.Breakpoints), writers)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("files are left behind: %v", entries)
	}
}

func TestADirectoryThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := open(t, filepath.Join(blocked, "state")).Save(points("A")); err == nil {
		t.Error("nothing is said")
	}
}

func TestDir(t *testing.T) {
	home := t.TempDir()
	for _, test := range []struct{ asldb, xdg, want string }{
		{"/somewhere", home, "/somewhere"},
		{"", home, filepath.Join(home, "asldb")},
	} {
		env := map[string]string{store.EnvDir: test.asldb, "XDG_STATE_HOME": test.xdg}
		if got := store.Dir(func(name string) string { return env[name] }); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
	if got := store.Dir(func(string) string { return "" }); !filepath.IsAbs(got) || filepath.Base(got) != "asldb" {
		t.Errorf("the usual place is %s", got)
	}
}

// A file system may have names that are not UTF-8, and any text may be entered.
func TestAnyBytesAreKept(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir, filepath.Join(dir, "caf\xe9.json"), []byte(definition))
	if err != nil {
		t.Fatal(err)
	}
	state := points("Charge")
	state.History = map[string][]string{":": {"break \xff"}}
	save(t, s, state)
	again, err := store.Open(dir, filepath.Join(dir, "caf\xe9.json"), []byte(definition))
	if err != nil {
		t.Fatal(err)
	}
	if got := load(t, again); len(got.Breakpoints) != 1 || len(got.History[":"]) != 1 {
		t.Errorf("loaded %+v", got)
	}
}
