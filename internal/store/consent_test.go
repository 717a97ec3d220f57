package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/internal/store"
)

// subject is a fixtures file that calls two things and names three files besides itself.
func subject(t *testing.T) *store.Subject {
	t.Helper()
	path := filepath.Join(t.TempDir(), "order.yaml")
	if err := os.WriteFile(path, []byte("version: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return &store.Subject{
		Name: "order.yaml", Path: path,
		Files: []store.File{{Path: path, Digest: "a1"}, {Path: "/lib/common.yaml", Digest: "b2"},
			{Path: "/lib/gone.sh"}, {Path: "/lib/out.json", Digest: "c3"}, {Path: "/lib/all", Digest: "folder:e5"}},
		Calls: []store.Call{{Text: "exec ./pay.sh", Place: "order.yaml:4:5"},
			{Text: "http https://example.org", Place: "order.yaml:7:5"},
			{Text: "exec ./pay.sh", Place: "order.yaml:9:5"}},
	}
}

// asker answers with the same word every time and keeps the questions.
type asker struct {
	says  bool
	err   error
	asked []*store.Question
}

func (a *asker) ask(q *store.Question) (bool, error) {
	a.asked = append(a.asked, q)
	return a.says, a.err
}

func allows(t *testing.T, g *store.Gate, s *store.Subject) bool {
	t.Helper()
	allowed, unsaved, err := g.Allows(s)
	if err != nil || unsaved != nil {
		t.Fatal(err, unsaved)
	}
	return allowed
}

func TestAYesIsRememberedUntilAFileChanges(t *testing.T) {
	for name, change := range map[string]func(s *store.Subject) (changed string){
		"the file itself":            func(s *store.Subject) string { s.Files[0].Digest = "x"; return s.Path },
		"an included one":            func(s *store.Subject) string { s.Files[1].Digest = "x"; return "/lib/common.yaml" },
		"one that comes into being":  func(s *store.Subject) string { s.Files[2].Digest = "x"; return "/lib/gone.sh" },
		"one that goes":              func(s *store.Subject) string { s.Files[1].Digest = ""; return "/lib/common.yaml" },
		"an argument":                func(s *store.Subject) string { s.Files[3].Digest = "x"; return "/lib/out.json" },
		"one below a folder":         func(s *store.Subject) string { s.Files[4].Digest = "folder:x"; return "/lib/all" },
		"a folder that is too large": func(s *store.Subject) string { s.Files[4].Digest = "folder:"; return "/lib/all" },
		"one that is named no more": func(s *store.Subject) string {
			s.Files = append(s.Files[:1], s.Files[2:]...)
			return "/lib/common.yaml"
		},
		"one that is named besides": func(s *store.Subject) string {
			s.Files = append(s.Files, store.File{Path: "/new"})
			return "/new"
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, kept, person := subject(t), store.In(t.TempDir()), &asker{says: true}
			gate := &store.Gate{Store: kept, Ask: person.ask}
			first, second := allows(t, gate, s), allows(t, gate, s)
			if !first || !second || len(person.asked) != 1 || person.asked[0].Changed != nil {
				t.Fatalf("asked %d times", len(person.asked))
			}
			quiet := &store.Gate{Store: kept}
			if !quiet.Remembered(s) || !allows(t, quiet, s) {
				t.Error("not remembered where there is no way to ask")
			}
			want := change(s)
			if quiet.Remembered(s) != (want == "") {
				t.Errorf("remembered: %v", quiet.Remembered(s))
			}
			if !allows(t, gate, s) {
				t.Error("not allowed when asked again")
			}
			switch {
			case want == "" && len(person.asked) != 1:
				t.Error("asked again")
			case want != "" && (len(person.asked) != 2 || person.asked[1].ChangedWords() != want+" has changed"):
				t.Errorf("asked %d times, last with %q", len(person.asked),
					person.asked[len(person.asked)-1].ChangedWords())
			}
		})
	}
}

// A folder that is too large to be known again is asked about every time, also without a change.
func TestTooLargeAFolder(t *testing.T) {
	s, kept, person := subject(t), store.In(t.TempDir()), &asker{says: true}
	s.Files[4].Digest = "folder:"
	gate := &store.Gate{Store: kept, Ask: person.ask}
	if first, second := allows(t, gate, s), allows(t, gate, s); !first || !second || len(person.asked) != 2 {
		t.Errorf("asked %d times", len(person.asked))
	}
	if grants, err := kept.Grants(); err != nil ||
		len(grants[0].Changed(func(string) string { return "folder:" })) == 0 {
		t.Errorf("%v, %v", grants, err)
	}
}

// The question names what is watched.
func TestWatched(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	s := &store.Subject{Path: at("f.yaml"), Files: []store.File{
		{Path: at("f.yaml"), Digest: "a"}, {Path: at("lib/pay.sh"), Digest: "b"}, {Path: at("late.py")},
		{Path: at("echo $x.txt; true")}, {Path: at("word")},
		{Path: at("tools"), Digest: "folder:c"}, {Path: at("all"), Digest: "folder:"},
		{Path: filepath.Join(filepath.Dir(dir), "x"), Digest: "d"},
	}}
	want := "f.yaml|lib/pay.sh|late.py (not there yet)|tools/|all/ (too large: asks every time)|" +
		filepath.Join(filepath.Dir(dir), "x")
	if got := filepath.ToSlash(strings.Join(s.Watched(), "|")); got != filepath.ToSlash(want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A no is not remembered, and neither is a yes where nothing is.
func TestWhatIsNotRemembered(t *testing.T) {
	s, kept := subject(t), store.In(t.TempDir())
	no, yes := &asker{}, &asker{says: true}
	gate := &store.Gate{Store: kept, Ask: no.ask}
	if first, second := allows(t, gate, s), allows(t, gate, s); first || second || len(no.asked) != 2 {
		t.Errorf("asked %d times", len(no.asked))
	}
	gate = &store.Gate{Ask: yes.ask}
	if first, second := allows(t, gate, s), allows(t, gate, s); !first || !second || len(yes.asked) != 2 {
		t.Errorf("asked %d times without a store", len(yes.asked))
	}
	fault := errors.New("the terminal is gone")
	if allowed, _, err := (&store.Gate{Store: kept, Ask: (&asker{says: true, err: fault}).ask}).Allows(s); allowed &&
		err == nil || !errors.Is(err, fault) {
		t.Error(allowed, err)
	}
	if grants, err := kept.Grants(); len(grants) > 0 || err != nil {
		t.Error(grants, err)
	}
}

func TestFlagsComeFirst(t *testing.T) {
	s, kept, person := subject(t), store.In(t.TempDir()), &asker{says: true}
	if err := kept.Allow(s); err != nil {
		t.Fatal(err)
	}
	if never := (&store.Gate{Never: true, Store: kept, Ask: person.ask}); allows(t, never, s) || never.Remembered(s) {
		t.Error("allowed although it never is")
	}
	s.Files[0].Digest = "x"
	if always := (&store.Gate{Always: true, Store: kept, Ask: person.ask}); !allows(t, always, s) ||
		!always.Remembered(s) {
		t.Error("not allowed although it always is")
	}
	if len(person.asked) > 0 {
		t.Error("asked")
	}
	if grants, _ := kept.Grants(); len(grants) != 1 || grants[0].Files[3].Digest == "x" {
		t.Errorf("a consent for one run is remembered: %v", grants)
	}
}

func TestWithoutAWayToAsk(t *testing.T) {
	s, kept := subject(t), store.In(t.TempDir())
	s.Name = "my order's.yaml"
	_, _, err := (&store.Gate{Store: kept}).Allows(s)
	want := `my order's.yaml calls exec ./pay.sh (order.yaml:4:5) and 2 more, which you have not allowed
asldb allow 'my order'\''s.yaml'  allows it until one of its files changes
--allow-live  allows it for this run, --no-live  runs without the calls`
	var refused *store.NotAllowedError
	if !errors.As(err, &refused) || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if err := kept.Allow(s); err != nil {
		t.Fatal(err)
	}
	s.Files[0].Digest, s.Files[1].Digest, s.Calls = "x", "x", s.Calls[:2]
	_, _, err = (&store.Gate{Store: kept}).Allows(s)
	if err == nil || !strings.Contains(err.Error(), "and 1 more") ||
		!strings.Contains(err.Error(), "since you last did, 2 files have changed, "+"/lib/common.yaml first") {
		t.Error(err)
	}
	_, _, err = (&store.Gate{}).Allows(s)
	if err == nil || strings.Contains(err.Error(), "asldb allow") || !strings.Contains(err.Error(), "--allow-live") {
		t.Errorf("where nothing is remembered: %v", err)
	}
	s.Name, s.Calls = "-f.yaml", nil
	_, _, err = (&store.Gate{Store: kept}).Allows(s)
	if err == nil || !strings.Contains(err.Error(), "asldb allow ./-f.yaml") ||
		!strings.Contains(err.Error(), "calls something outside") {
		t.Error(err)
	}
}

func TestListingAndRevoking(t *testing.T) {
	dir := t.TempDir()
	s, other, kept := subject(t), subject(t), store.In(dir)
	for _, x := range []*store.Subject{s, other} {
		if err := kept.Allow(x); err != nil {
			t.Fatal(err)
		}
	}
	grants, err := kept.Grants()
	if err != nil || len(grants) != 2 || grants[0].Path >= grants[1].Path {
		t.Fatal(grants, err)
	}
	if got := strings.Join(grants[0].Calls, "; "); got != "exec ./pay.sh; http https://example.org" {
		t.Errorf("calls: %s", got)
	}
	digests := map[string]string{"/lib/common.yaml": "b2", "/lib/out.json": "other", "/lib/all": "folder:e5",
		grants[0].Path: "a1"}
	if got := grants[0].Changed(func(path string) string { return digests[path] }); len(got) != 1 ||
		got[0] != "/lib/out.json" {
		t.Errorf("changed: %v", got)
	}
	if err := kept.Revoke(s.Path); err != nil {
		t.Fatal(err)
	}
	if err := kept.Revoke(s.Path); !errors.Is(err, store.ErrNoConsent) {
		t.Error(err)
	}
	gate := &store.Gate{Store: kept}
	if gate.Remembered(s) || !gate.Remembered(other) {
		t.Error("revoked the wrong one")
	}
}

// A consent that was tampered with, that is of another version, or that cannot be read is none.
func TestDamagedConsents(t *testing.T) {
	for name, damage := range map[string]func(text string) string{
		"a digest": func(text string) string { return strings.Replace(text, `"a1"`, `"x"`, 1) },
		"a file left out": func(text string) string {
			return strings.Replace(text, "/lib/common.yaml", "/lib/other.yaml", 1)
		},
		"cut":     func(text string) string { return text[:len(text)/2] },
		"version": func(text string) string { return strings.Replace(text, `"version": 2`, `"version": 3`, 1) },
		"empty":   func(string) string { return "" },
	} {
		dir := t.TempDir()
		s, kept := subject(t), store.In(dir)
		if err := kept.Allow(s); err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(filepath.Join(dir, "allowed", "*.json"))
		if len(files) != 1 {
			t.Fatal(files)
		}
		info, err := os.Stat(files[0])
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		changed := damage(string(data))
		if changed == string(data) {
			t.Fatalf("%s: nothing is damaged", name)
		}
		if err := os.WriteFile(files[0], []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		if name == "a digest" {
			s.Files[0].Digest = "x"
		}
		gate := &store.Gate{Store: kept}
		if gate.Remembered(s) {
			t.Errorf("%s: it is allowed", name)
		}
		if _, err := kept.Grants(); err == nil {
			t.Errorf("%s: not reported", name)
		}
		if err := kept.Allow(s); err != nil || !gate.Remembered(s) {
			t.Errorf("%s: cannot be allowed again: %v", name, err)
		}
	}
}

// A file that is not regular cannot be recognised again, and a directory that cannot be made stores nothing: the yes
// holds for the run alone.
func TestAYesThatCannotBeSaved(t *testing.T) {
	s := subject(t)
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	yes := &asker{says: true}
	if allowed, unsaved, err := (&store.Gate{Store: store.In(blocked), Ask: yes.ask}).Allows(s); !allowed ||
		unsaved == nil || err != nil {
		t.Error(allowed, unsaved, err)
	}
	if _, err := store.In(blocked).Grants(); err == nil {
		t.Error("not reported")
	}
	s.Path = t.TempDir()
	if allowed, unsaved, err := (&store.Gate{Store: store.In(t.TempDir()), Ask: yes.ask}).Allows(s); !allowed ||
		unsaved == nil || err != nil {
		t.Error(allowed, unsaved, err)
	}
}
