package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"asldb.dev/asldb/engine/debug"
	"asldb.dev/asldb/internal/store"
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
		state.Breakpoints = append(state.Breakpoints, debug.KeptBreakpoint{Spec: spec, Disabled: disabled})
	}
	return state
}

func TestWhatIsSavedIsLoaded(t *testing.T) {
	dir := t.TempDir()
	want := points("Charge if $.total > 100", "-error Card.*", "S\u00e4ge \"x\"\n")
	want.Breakpoints = append(want.Breakpoints, debug.KeptBreakpoint{Spec: "s*r", Exact: true})
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
	for name, content := range map[string]string{
		"cut off": `{"version":1,"breakpo`, "no JSON": "\x00\x01", "empty": "", "a newer version": `{"version":99}`,
		"another shape": `{"version":1,"breakpoints":"A"}`, "too large": strings.Repeat(" ", 5<<20),
	} {
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

// A file system may have names that are not UTF-8, and what is typed may be anything.
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
