package suiterun_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"asldb/internal/suite"
	"asldb/internal/suiterun"
)

// listed returns suites with the cases named, which are separated by blanks; those with a - before them are skipped.
func listed(lists ...string) []*suite.Suite {
	var all []*suite.Suite
	for i, list := range lists {
		s := &suite.Suite{Name: fmt.Sprintf("%c.test.yaml", 'a'+i)}
		s.Definition().File = "d.json"
		for _, name := range strings.Fields(list) {
			c := &suite.Case{Suite: s, Name: strings.TrimPrefix(name, "-")}
			if strings.HasPrefix(name, "-") {
				c.Skip = "later"
			}
			s.Cases = append(s.Cases, c)
		}
		all = append(all, s)
	}
	return all
}

// record writes the events down.
type record struct {
	lines  []string
	refuse string // the event that fails
}

func (r *record) Send(event suite.Event) error {
	line := ""
	switch e := event.(type) {
	case suite.Began:
		line = fmt.Sprintf("began %d %d %d", e.Suites, e.Cases, e.Seed)
	case suite.SuiteBegan:
		line = "suite " + e.Suite.File
	case suite.CaseEnded:
		line = e.Case.Name + " " + e.Case.Kind.String()
		if e.Case.Reason != "" {
			line += ": " + e.Case.Reason
		}
	case suite.SuiteEnded:
		line = fmt.Sprintf("suite ended %d", e.Suite.Summary.Total())
	case suite.Covered:
		line = "covered"
	case suite.Ended:
		line = fmt.Sprintf("ended %d passed %d failed", e.Summary.Passed, e.Summary.Failed)
	}
	r.lines = append(r.lines, line)
	if r.refuse != "" && line == r.refuse {
		return errors.New("full")
	}
	return nil
}

// do fails the cases whose names begin with f, and skips those that the suite skips.
func do(_ context.Context, c *suite.Case) *suite.Outcome {
	if c.Skip != "" {
		return &suite.Outcome{Name: c.Name, Kind: suite.Skipped, Reason: c.Skip}
	}
	kind := suite.Passed
	if strings.HasPrefix(c.Name, "f") {
		kind = suite.OutcomeFailed
	}
	return &suite.Outcome{Name: c.Name, Kind: kind}
}

func run(t *testing.T, s []*suite.Suite, c suiterun.Case, o suiterun.Options) string {
	t.Helper()
	r := &record{}
	_, err := suiterun.RunAll(context.Background(), suiterun.Choose(s, o), c, r, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(r.lines, "\n")
}

// Outcomes come in the order of the files, whichever case ends first.
func TestOrder(t *testing.T) {
	last := make(chan struct{})
	slowFirst := func(ctx context.Context, c *suite.Case) *suite.Outcome {
		if c.Name == "1" {
			<-last
		}
		if c.Name == "4" {
			close(last)
		}
		return do(ctx, c)
	}
	got := run(t, listed("1 -2 f3", "4"), slowFirst, suiterun.Options{Parallel: 3})
	want := `began 2 4 0
suite a.test.yaml
1 passed
2 skipped: later
f3 failed
suite ended 3
suite b.test.yaml
4 passed
suite ended 1
ended 2 passed 1 failed`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestShuffleAndBail(t *testing.T) {
	ran := func(seed int64) string {
		var order []string
		var mutex sync.Mutex
		run(t, listed("1 2 3 4 5 6 7 8"), func(ctx context.Context, c *suite.Case) *suite.Outcome {
			mutex.Lock()
			defer mutex.Unlock()
			order = append(order, c.Name)
			return do(ctx, c)
		}, suiterun.Options{Parallel: 1, Shuffle: seed})
		return strings.Join(order, "")
	}
	if first, again := ran(3), ran(3); ran(0) != "12345678" || first == ran(0) || first != again || first == ran(4) {
		t.Errorf("orders %s, %s, %s", ran(0), ran(3), ran(4))
	}
	got := run(t, listed("1 f2 3 4"), do, suiterun.Options{Parallel: 1, Bail: true})
	if !strings.Contains(got, "f2 failed\n3 skipped: an earlier case failed (--bail)\n4 skipped") {
		t.Error(got)
	}
}

func TestChoose(t *testing.T) {
	s := listed("pays fails", "other")
	got := run(t, s, do, suiterun.Options{Names: regexp.MustCompile("^p|o"),
		Only: func(c *suite.Case) bool { return c.Name != "other" }})
	if !strings.HasPrefix(got, "began 1 1 0\nsuite a.test.yaml\npays passed") {
		t.Error(got)
	}
}

func TestCoverageComesBeforeTheEnd(t *testing.T) {
	r := &record{}
	s := listed("1")
	summary, err := suiterun.RunAll(context.Background(), suiterun.Choose(s, suiterun.Options{}), do, r,
		suiterun.Options{}, func() *suite.Covered { return &suite.Covered{} })
	if err != nil || summary.Passed != 1 || len(r.lines) < 2 || r.lines[len(r.lines)-2] != "covered" {
		t.Errorf("%v, %+v, %v", err, summary, r.lines)
	}
}

// The error of the sink ends the run; a context that ends leaves out the cases that had not begun.
func TestErrors(t *testing.T) {
	s := listed("1 2", "3")
	for _, refuse := range []string{"began 2 3 0", "suite a.test.yaml", "1 passed", "suite ended 2", "covered",
		"ended 3 passed 0 failed"} {
		o := suiterun.Options{}
		_, err := suiterun.RunAll(context.Background(), suiterun.Choose(s, o), do, &record{refuse: refuse}, o,
			func() *suite.Covered { return &suite.Covered{} })
		if err == nil || err.Error() != "full" {
			t.Errorf("%s: %v", refuse, err)
		}
	}
	ctx, stop := context.WithCancelCause(context.Background())
	r := &record{}
	_, err := suiterun.RunAll(ctx, suiterun.Choose(s, suiterun.Options{}),
		func(ctx context.Context, c *suite.Case) *suite.Outcome {
			stop(errors.New("interrupted"))
			return do(ctx, c)
		}, r, suiterun.Options{Parallel: 1}, nil)
	if err == nil || err.Error() != "interrupted" || strings.Contains(strings.Join(r.lines, "\n"), "3 passed") {
		t.Errorf("%v: %v", err, r.lines)
	}
}

func TestFindAndRead(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	good := "version: 1\ncases: {pays: {expect: {}}, 'fails: x': {expect: {}}}\n"
	for name, text := range map[string]string{
		"a.test.yaml": good, "sub/b.test.yml": good, "sub/order.yaml": "x", ".hidden/c.test.yaml": good,
		"node_modules/d.test.yaml": good, "bad/e.test.yaml": "cases: []",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for names, want := range map[string]string{
		"":                                 "a.test.yaml bad/e.test.yaml sub/b.test.yml",
		"sub":                              "sub/b.test.yml",
		"a.test.yaml:pays a.test.yaml":     "a.test.yaml",
		"a.test.yaml a.test.yaml:pays":     "a.test.yaml",
		"a.test.yaml:pays a.test.yaml:b:c": "a.test.yaml[pays b:c]",
	} {
		found, err := suiterun.Find(strings.Fields(names))
		if err != nil {
			t.Errorf("%q: %v", names, err)
			continue
		}
		var got []string
		for _, f := range found {
			line := filepath.ToSlash(f.File)
			if f.Cases != nil {
				line += fmt.Sprint(f.Cases)
			}
			got = append(got, line)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", names, got, want)
		}
	}
	if _, err := suiterun.Find([]string{".hidden/../bad/none"}); err == nil {
		t.Error("a file that is not there is found")
	}
	if err := os.Mkdir("empty", 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := suiterun.Find([]string{"empty"}); !errors.Is(err, suiterun.ErrNoSuite) {
		t.Errorf("an empty folder: %v", err)
	}

	read, err := suiterun.ReadSuites([]suiterun.Selection{{File: "a.test.yaml", Cases: []string{"fails: x"}},
		{File: "sub/b.test.yml"}})
	if err != nil || len(read) != 2 {
		t.Fatal(err)
	}
	only := suiterun.Chosen([]suiterun.Selection{{File: "a.test.yaml", Cases: []string{"fails: x"}},
		{File: "sub/b.test.yml"}})
	if only(read[0].Cases[0]) || !only(read[0].Cases[1]) || !only(read[1].Cases[0]) {
		t.Error("the wrong cases are chosen")
	}
	_, err = suiterun.ReadSuites([]suiterun.Selection{{File: "a.test.yaml", Cases: []string{"pay", "zzz"}},
		{File: "bad/e.test.yaml"}, {File: "none.test.yaml"}})
	for _, want := range []string{`a.test.yaml has no case "pay"; did you mean "pays"?`,
		`a.test.yaml has no case "zzz"`, "e.test.yaml:1:8: cases is an object", "none.test.yaml"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
}

func TestFailed(t *testing.T) {
	state, folder := t.TempDir(), t.TempDir()
	t.Chdir(folder)
	f := &suiterun.Failed{}
	s := listed("1 f2")
	if _, err := suiterun.RunAll(context.Background(), suiterun.Choose(s, suiterun.Options{}), do, f,
		suiterun.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := f.Save(state, folder); err != nil {
		t.Fatal(err)
	}
	read, err := suiterun.LoadFailed(state, folder)
	if err != nil || read.Has(s[0].Cases[0]) || !read.Has(s[0].Cases[1]) {
		t.Errorf("%v, %+v", err, read)
	}
	if err := errors.Join((&suiterun.Failed{}).Save(state, folder),
		f.Save(state, folder)); err != nil { // nothing was run since
		t.Error(err)
	}
	if again, err := suiterun.LoadFailed(state, folder); err != nil || !again.Has(s[0].Cases[1]) {
		t.Errorf("another process loses what failed: %v, %+v", err, again)
	}
	if none, err := suiterun.LoadFailed(state, state); err != nil || none.Has(s[0].Cases[1]) {
		t.Errorf("of another folder: %v, %+v", err, none)
	}
	if err := f.Save(filepath.Join(state, "tests"), "\x00"); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Save(filepath.Join(folder, "file"), folder); err == nil {
		t.Error("it is saved below a file")
	}
}
