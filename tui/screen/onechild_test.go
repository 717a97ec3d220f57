package screen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/live"
	"asldb/internal/launch"
	"asldb/tui/tuitest"
	"asldb/tui/view"
)

// nestedDriver drives definitions that start each other; the files are main.json with main.yaml and those that they
// name.
func nestedDriver(t *testing.T, files map[string]string, missing fixtures.Missing, o Options) *driver {
	t.Helper()
	s, calls := tuitest.Nested(t, files, "main.json", "main.yaml", missing, nil)
	o.Title, o.Calls = "main.json", calls
	return drive(t, s, 130, 34, o)
}

const lambdaTask = `{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","End":true`

// family is a main execution that starts a middle one, which starts a leaf; each catches everything.
func family(leafFixtures string) map[string]string {
	catches := func(name string) string {
		return `{"StartAt":"` + name + `","States":{"` + name + `":` + lambdaTask + `,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"Caught"}]},"Caught":{"Type":"Pass","Result":"caught","End":true}}}`
	}
	return map[string]string{
		"main.json": catches("Main"), "middle.json": catches("Middle"), "leaf.json": `{"StartAt":"Leaf","States":{"Leaf":` + lambdaTask + `}}}`,
		"main.yaml":   "version: 1\ntasks: {Main: [{asldb: {definition: middle.json, fixtures: middle.yaml}, repeat: forever}]}\n",
		"middle.yaml": "version: 1\ntasks: {Middle: [{asldb: {definition: leaf.json, fixtures: leaf.yaml}, repeat: forever}]}\n",
		"leaf.yaml":   "version: 1\n" + leafFixtures,
	}
}

const way = "main.json › Main → middle.json › Middle → leaf.json › Leaf"

// A task of a nested execution without a result asks, with the way to it, also where it was not stepped into.
func TestAChildAsksThoughItWasNotSteppedInto(t *testing.T) {
	d := nestedDriver(t, family("tasks: {}\n"), fixtures.Ask, Options{}).press("c")
	d.sees("What does Leaf return?", way)
	d.resize(80, 24)
	d.sees("What does Leaf return?", "in main.json › Main → middle.json › Middle → leaf.json")
	d.typed(`{"sheep":2}`).press("enter").sees("leaf.json ✓ SUCCEEDED", "middle.json › Middle")
	for outer := range 2 { // each waits for a key
		if top := strings.Split(d.frame(), "\n")[0]; !strings.Contains(top, "PAUSED") {
			t.Errorf("%d: the top line is %q", outer, top)
		}
		d.press("c")
	}
	if got := value.Compact(d.app.ui.session.Output()); got != `{"sheep":2}` {
		t.Errorf("got %s\n%s", got, d.frame())
	}
	// Keys typed in one breath with the one that brings the question are no answer, and go to no screen below.
	d = nestedDriver(t, family("tasks: {}\n"), fixtures.Ask, Options{}).quickly("ccc")
	d.sees("What does Leaf return?")
	if d.app.ui.nest.outer == nil {
		t.Error("on the first screen")
	}
}

// Where misses fail, and where the fixtures are at fault, the whole run stops where that is, and no Catch gets it.
func TestAFaultInAChildStopsTheRun(t *testing.T) {
	d := nestedDriver(t, family("tasks: {}\n"), fixtures.Fail, Options{}).press("c")
	d.sees(way, `no result for invocation 1 of the task "Leaf"`)
	d = nestedDriver(t, family("tasks: {Leaf: [{jsonata: \"$number('x')\"}]}\n"), fixtures.Ask, Options{}).press("c")
	d.sees(way, "D3030")
	for u := d.app.ui; u != nil; u = u.nest.outer {
		if u.session.Status().Done() || u.run.running {
			t.Errorf("%s: %v", u.nest.title, u.session.Status())
		}
	}
	broken := family("")
	broken["leaf.yaml"] = "version: 9\n"
	for _, keys := range [][]string{{"c"}, {"s", ">", "c"}, {"s", ">", "s", ">"}} {
		d = nestedDriver(t, broken, fixtures.Ask, Options{}).press(keys...)
		d.reads(view.Data, "leaf.yaml:1:10: version is 1")
		if u := d.app.ui; u.session.Status().Done() {
			t.Errorf("%v: %v", keys, u.session.Status())
		}
	}
	d.press("c").sees("What does Middle return?") // the person can continue all the same
}

// keeping is the store of one definition's setup.
type keeping struct{ kept SavedSetup }

func (k *keeping) Save(kept SavedSetup) error { k.kept = kept; return nil }

// A breakpoint in a nested execution stops it, whichever task starts it: one that was set when it was stepped into, and
// one that was kept from when it was debugged by itself.
func TestBreakpointsInAChildHoldWhoeverCallsIt(t *testing.T) {
	files := family("tasks: {Leaf: [{output: 1, repeat: forever}]}\n")
	files["main.json"] = `{"StartAt":"One","States":{"One":` + strings.Replace(lambdaTask, `"End":true`, `"Next":"Two"`, 1) + `},"Two":` + lambdaTask + `}}}`
	files["main.yaml"] = "version: 1\nresources: {\"*\": [{asldb: {definition: middle.json, fixtures: middle.yaml}, repeat: forever}]}\n"
	saved := &keeping{}
	d := nestedDriver(t, files, fixtures.Ask, Options{Nested: func(file string, s *debug.Session) SetupStore {
		if filepath.Base(file) != "leaf.json" {
			return nil
		}
		if _, err := s.Breakpoints().Add("Leaf:Result"); err != nil {
			if _, err = s.Breakpoints().Add("Leaf"); err != nil {
				t.Error(err)
			}
		}
		return saved
	}})
	d.press("c").sees("main.json › One → middle.json › Middle → leaf.json › Leaf", "● BREAKPOINT 1 Leaf")
	d.press("s").sees("leaf.json ✓ SUCCEEDED").press("c").sees("middle.json ✓ SUCCEEDED")
	d.press("c").sees("main.json › Two → middle.json › Middle → leaf.json › Leaf", "● BREAKPOINT 1 Leaf")
	d.app.SaveSetups()
	if len(saved.kept.Breakpoints) != 1 {
		t.Errorf("saved %v", saved.kept)
	}
}

// The next attempt of a task whose execution was stepped into is stepped into as well.
func TestTheNextAttemptIsSteppedIntoAsWell(t *testing.T) {
	files := family("tasks: {Leaf: [{error: Broken}]}\n")
	files["main.json"] = `{"StartAt":"Main","States":{"Main":` + lambdaTask + `,"Retry":[{"ErrorEquals":["Broken"],"MaxAttempts":2}]}}}`
	files["main.yaml"] = "version: 1\ntasks: {Main: [{asldb: {definition: leaf.json, fixtures: leaf.yaml}, repeat: forever}]}\n"
	d := nestedDriver(t, files, fixtures.Ask, Options{}).press("s", ">").sees("main.json › Main → leaf.json", "READY")
	d.press("c").sees("leaf.json × FAILED", "main.json › Main")
	d.press("c").sees("main.json › Main → leaf.json", "READY", "Attempt 2 of Main, which you have stepped into")
	d.press("i", "i").sees("leaf.json › Leaf").press("c", "c").sees("Attempt 3 of Main").press("c", "c").sees("FAILED")
	if f := d.app.ui.session.Failure(); d.app.ui.nest.outer != nil || f == nil || f.Name != "Broken" {
		t.Errorf("%+v\n%s", f, d.frame())
	}
	// One that was not stepped into runs by itself, however often it is tried.
	d = nestedDriver(t, files, fixtures.Ask, Options{}).press("c").sees("FAILED")
	if d.app.ui.nest.outer != nil {
		t.Error("stepped into")
	}
}

// What two executions beside each other wait for is asked one after the other, in the order in which they were started.
func TestTwoChildrenAsk(t *testing.T) {
	files := family("")
	files["main.json"] = `{"StartAt":"Both","States":{"Both":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"A","States":{"A":` + lambdaTask + `}}},{"StartAt":"B","States":{"B":` + lambdaTask + `}}}]}}}`
	files["main.yaml"] = "version: 1\nresources: {\"*\": [{asldb: {definition: leaf.json, fixtures: leaf.yaml}, repeat: forever}]}\n"
	for range 5 {
		d := nestedDriver(t, files, fixtures.Ask, Options{}).press("c")
		d.sees("Branches[0]/A → leaf.json", "What does Leaf return?").typed("1").press("enter").sees("leaf.json ✓ SUCCEEDED")
		d.press("c").sees("Branches[1]/B → leaf.json", "What does Leaf return?").typed("2").press("enter").press("c")
		if got := value.Compact(d.app.ui.session.Output()); got != "[1,2]" {
			t.Fatalf("got %s\n%s", got, d.frame())
		}
	}
}

// Interrupting a run shows the execution that it is in, also in the midst of an evaluation, and that continues from
// there.
func TestInterruptingAChild(t *testing.T) {
	for name, leaf := range map[string]string{
		"between steps":    `{"StartAt":"Turn","States":{"Turn":{"Type":"Pass","Next":"Again"},"Again":{"Type":"Choice","Choices":[{"Variable":"$.never","IsPresent":true,"Next":"Out"}],"Default":"Turn"},"Out":{"Type":"Succeed"}}}`,
		"in an evaluation": `{"QueryLanguage":"JSONata","StartAt":"Quick","States":{"Quick":{"Type":"Pass","Next":"Sum"},"Sum":{"Type":"Pass","Output":"{% ($f := function($n){ $n = 0 ? 0 : $f($n - 1) }; $f(1e9)) %}","End":true}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			files := family("")
			files["leaf.json"], files["leaf.yaml"] = leaf, "version: 1\n"
			d := nestedDriver(t, files, fixtures.Ask, Options{})
			d.app.Press(tuitest.Key("c"))
			d.app.Advance()
			root := d.app.ui
			if !root.run.running || !root.calls.awaited {
				t.Fatalf("running: %v\n%s", root.run.running, d.frame())
			}
			d.press(" ") // any key: the driver then waits for its result
			for range 1000 {
				if d.app.ui != root {
					break
				}
				_ = root.calls.calls.Wait(t.Context())
				root.calls.called()
				d.settle()
			}
			d.sees("main.json › Main → middle.json › Middle → leaf.json")
			before := d.app.ui.session.Log().Len()
			d.press("I", "I", "i")
			if after := d.app.ui.session.Log().Len(); after != before || root.run.running {
				t.Errorf("%d events, then %d\n%s", before, after, d.frame())
			}
		})
	}
}

// Saving writes a file for each execution, beside the run's, and together they give the same run: with the
// answers that the person gave inside.
func TestSavingKeepsTheTreeOfFiles(t *testing.T) {
	files := family("tasks: {Leaf: [{output: {a: 1}}]}\n")
	files["main.json"] = `{"StartAt":"Main","States":{"Main":` + lambdaTask + `,"Retry":[{"ErrorEquals":["Wolf"],"MaxAttempts":3}]}}}`
	files["middle.json"] = `{"StartAt":"Both","States":{"Both":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"A","States":{"A":` + lambdaTask + `}}},{"StartAt":"B","States":{"B":` + lambdaTask + `}}}]}}}`
	files["middle.yaml"] = "version: 1\ntasks: {A: [{asldb: {definition: leaf.json, fixtures: leaf.yaml}}], B: [{asldb: {definition: leaf.json}}]}\n"
	written := map[string]string{}
	d := nestedDriver(t, files, fixtures.Ask, Options{Save: func(name string, data []byte) error { written[name] = string(data); return nil }})
	d.press("c").sees("Branches[1]/B → leaf.json", "What does Leaf return?").press("tab").typed("Wolf").press("enter").press("c", "c")
	d.press("c").sees("What does Leaf return?").typed(`{"sheep":2}`).press("enter").press("c")
	for range 6 {
		if d.app.ui.nest.outer == nil && d.app.ui.session.Status().Done() {
			break
		}
		d.press("c")
	}
	want := `[{"a":1},{"sheep":2}]`
	if got := value.Compact(d.app.ui.session.Output()); got != want {
		t.Fatalf("got %s\n%s", got, d.frame())
	}
	if len(d.app.ui.unsaved()) == 0 {
		t.Error("nothing is unsaved")
	}
	child := d.app.ui.calls.calls.Ran(d.app.ui.nest.requestBefore(d.app.ui.session.Log().At(1).Visit, d.app.ui.session.Log().Len()-1))
	dir := filepath.Dir(child.File)
	d.app.ui.saving.saveFixtures(filepath.Join(dir, "saved.yaml"))
	if got := d.app.ui.unsaved(); len(got) > 0 {
		t.Errorf("unsaved: %v", got)
	}
	var names []string
	for name, text := range written {
		names = append(names, filepath.Base(name))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if len(names) < 4 {
		t.Errorf("written are %v\n%v", names, written)
	}
	if text := written[filepath.Join(dir, "saved.yaml")]; !strings.Contains(text, `asldb: {definition: "middle.json", fixtures: "saved.middle.yaml"}`) {
		t.Errorf("the run's own file:\n%s", text)
	}
	again := rerun(t, filepath.Join(dir, "saved.yaml"), files["main.json"])
	if got := value.Compact(again.Output()); got != want {
		t.Errorf("again: %s %+v", got, again.Failure())
	}
	if before, after := d.app.ui.session.Log().Len(), again.Log().Len(); before != after || !again.Now().Equal(d.app.ui.session.Now()) {
		t.Errorf("%d events until %v, and again %d until %v", before, d.app.ui.session.Now(), after, again.Now())
	}
}

// rerun runs a definition with a fixtures file in which nothing may be missing.
func rerun(t *testing.T, name, definition string) *debug.Session {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := fixtures.Load(name, data)
	if err != nil {
		t.Fatal(err)
	}
	m := machine(t, "main.json", []byte(definition))
	source, err := file.Source(m.Definition())
	if err != nil {
		t.Fatal(err)
	}
	calls := live.NewCalls()
	t.Cleanup(calls.Close)
	source.Begin(*file.StartTime, *file.Seed)
	source.AllowLive(calls, fixtures.Permission{})
	source.Share((&launch.Spec{Missing: fixtures.Fail, Dialect: engine.AWS}).Program())
	s := debug.New(m, debug.Options{Input: file.Input, Start: *file.StartTime, Seed: *file.Seed, Source: fixtures.OnMissing(source, fixtures.Fail)})
	if stop, err := (&live.Child{Session: s, Calls: calls}).Run(t.Context()); err != nil || stop.Reason != debug.StoppedAtEnd {
		t.Fatal(stop, err)
	}
	return s
}
