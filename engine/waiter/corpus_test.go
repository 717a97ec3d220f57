package waiter

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/testkit"
)

// models reads the published models.
func models(t *testing.T) map[string]*Model {
	t.Helper()
	dir := testkit.Dir(t, "waiters")
	files, err := filepath.Glob(filepath.Join(dir, "models", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	read := make(map[string]*Model)
	for _, file := range files {
		f := &source.File{Name: filepath.Base(file), Data: testkit.Read(t, file)}
		m, problems := Read(f)
		if m == nil {
			t.Fatal(problems[0].Format())
		}
		for _, p := range problems {
			if p.Severity == source.Error {
				t.Errorf("%s", p.Format())
			}
		}
		read[f.Name[:len(f.Name)-len(".json")]] = m
	}
	return read
}

func TestPublishedModels(t *testing.T) {
	waiters, acceptors := 0, 0
	for _, m := range models(t) {
		waiters += len(m.Waiters)
		for _, w := range m.Waiters {
			acceptors += len(w.Acceptors)
			if m.Lookup(w.Name) != w {
				t.Errorf("%s is not found", w.Name)
			}
		}
	}
	if waiters != 207 || acceptors != 653 {
		t.Errorf("%d waiters with %d acceptors, want 207 with 653", waiters, acceptors)
	}
}

// TestPublishedSteps: the effect of each response on its waiter.
func TestPublishedSteps(t *testing.T) {
	read := models(t)
	cases := readSteps(t)
	right, uncertain := 0, 0
	for i, c := range cases {
		w := read[c.Service].Lookup(c.Waiter)
		response := &Response{Error: c.Response.Error}
		if c.Response.Error == "" {
			response.Output = value.Must(string(c.Response.Output))
		}
		acceptor, state := w.Step(response)
		want := -1
		if c.Expect.Acceptor != nil {
			want = *c.Expect.Acceptor
		}
		if state.String() == c.Expect.State && acceptor == want {
			right++
			continue
		}
		if c.Expect.Uncertain != nil {
			uncertain++
			t.Logf("case %d, %s of %s, %s: acceptor %d, %s; the file expects %d, %s", i, c.Waiter, c.Service,
				c.Response.Output, acceptor, state, want, c.Expect.State)
			continue
		}
		t.Errorf("case %d, %s of %s, %s %s: acceptor %d, %s, want %d, %s", i, c.Waiter, c.Service, c.Response.Output,
			c.Response.Error, acceptor, state, want, c.Expect.State)
	}
	t.Logf("%d of %d steps as expected, %d of the uncertain ones otherwise", right, len(cases), uncertain)
	if len(cases) != 1261 {
		t.Errorf("only %d cases were read", len(cases))
	}
}

// publishedStep is one response with its effect.
type publishedStep struct {
	Service, Waiter string
	Response        struct {
		Output json.RawMessage
		Error  string
	}
	Expect struct {
		Acceptor  *int
		State     string
		Uncertain any
	}
}

func readSteps(t *testing.T) []publishedStep {
	t.Helper()
	var file struct{ Cases []publishedStep }
	if err := json.Unmarshal(testkit.Read(t, testkit.Dir(t, "waiters"), "cases.json"), &file); err != nil {
		t.Fatal(err)
	}
	return file.Cases
}

// publishedSteps are the responses by service and waiter, and by the acceptor that matches them.
func publishedSteps(t *testing.T) map[string]map[int]poll {
	t.Helper()
	steps := make(map[string]map[int]poll)
	for _, c := range readSteps(t) {
		key := c.Service + "/" + c.Waiter
		if steps[key] == nil {
			steps[key] = make(map[int]poll)
		}
		if c.Expect.Acceptor != nil && c.Expect.Uncertain == nil {
			steps[key][*c.Expect.Acceptor] = poll{output: string(c.Response.Output), failure: c.Response.Error}
		}
	}
	return steps
}
