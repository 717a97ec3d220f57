package screen

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/testkit"
	"asldb/tui/keys"
)

// TestRandomKeys presses random keys in the project's own situations: ASLDB_KEYS says how many, ASLDB_SEED which.
func TestRandomKeys(t *testing.T) { randomKeys(t, ownSituations(), usualKeys) }

// TestRandomKeysOverTheCorpus presses random keys in published workflows, whose tasks echo their payload, or ask.
func TestRandomKeysOverTheCorpus(t *testing.T) {
	dir := filepath.Join(testkit.Dir(t, "workflows"), "files")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []situation
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".json" {
			continue // the same again, in YAML
		}
		for _, missing := range []fixtures.Missing{fixtures.Ask, fixtures.Echo} {
			list = append(list, situation{name: entry.Name() + " --on-missing " + missing.String(), open: func(t *testing.T) *testApp {
				definition, _ := asl.Parse(&source.File{Name: entry.Name(), Data: testkit.Read(t, dir, entry.Name())})
				if definition == nil {
					return nil // it isn't JSON before its placeholders are filled in
				}
				compiled, err := engine.Compile(definition, engine.AWS)
				if err != nil {
					return nil
				}
				return coloured(debug.New(compiled, debug.Options{
					Input: value.Must(`{"order":{"id":1},"items":[1,2,3],"a":"b"}`), Start: startTime, Seed: 7,
					Source: fixtures.OnMissing(nil, missing), Limits: engine.ServiceLimits(),
				}), savingNowhere(Options{Title: entry.Name()}))
			}})
		}
	}
	if len(list) == 0 {
		t.Fatal("the corpus has no definition")
	}
	randomKeys(t, list, usualKeys/2)
}

// savingNowhere lets the program save as the real one does, to nowhere.
func savingNowhere(o Options) Options {
	o.Save = func(string, []byte) error { return nil }
	o.Setups = &keeperOf{}
	return o
}

type keeperOf struct{}

func (*keeperOf) Save(SavedSetup) error { return nil }

// hostileNames is a definition whose names do something to a terminal where they reach it.
const hostileNames = `{"StartAt":"a\u200b<b>","States":{
	"a\u200b<b>":{"Type":"Pass","Result":{"\u202ek":"\u200b\u0085\u009b31m","日本語":"👩‍💻 e\u0301"},"ResultPath":"$.r","Next":"日本\u202e語"},
	"日本\u202e語":{"Type":"Choice","Choices":[{"Variable":"$.x","NumericGreaterThan":1,"Next":"\u2066"}],"Default":"\u2066"},
	"\u2066":{"Type":"Task","Resource":"\u001b[31mred","ResultSelector":{"\u0007.$":"$.x"},"Retry":[{"ErrorEquals":["\u001b[2J"]}],"Catch":[{"ErrorEquals":["States.ALL"],"Next":"e\u0301"}],"Next":"e\u0301"},
	"e\u0301":{"Type":"Map","ItemsPath":"$.m","ItemProcessor":{"StartAt":"👨‍👩‍👧‍👦","States":{"👨‍👩‍👧‍👦":{"Type":"Wait","Seconds":5,"End":true}}},"Next":"f"},
	"f":{"Type":"Fail","Error":"\u009d0;x\u009c","Cause":"a\r\nb\u2028c"}}}`

// loops never ends, and waits in between.
const loops = `{"StartAt":"P","States":{"P":{"Type":"Parallel","Branches":[
	{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"a","Retry":[{"ErrorEquals":["States.ALL"],"MaxAttempts":2}],"Next":"W"},"W":{"Type":"Wait","Seconds":1,"End":true}}},
	{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.items","MaxConcurrency":2,"ItemProcessor":{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"t","End":true}}},"End":true}}}],
	"ResultPath":"$.p","Next":"Again"},
	"Again":{"Type":"Choice","Choices":[{"Variable":"$.never","IsPresent":true,"Next":"End"}],"Default":"P"},"End":{"Type":"Succeed"}}}`

// ownSituations are those that need nothing but the project.
func ownSituations() []situation {
	list := []situation{
		{name: "demo", open: func(t *testing.T) *testApp {
			return withFixtures(t, definitions.DefinitionName, definitions.DemoDefinition, definitions.FixturesName, definitions.Fixtures, Options{})
		}},
		{name: "demo, real time", open: func(t *testing.T) *testApp {
			a := withFixtures(t, definitions.DefinitionName, definitions.DemoDefinition, definitions.FixturesName, definitions.Fixtures, Options{})
			a.ui.session.SetClock(debug.Clock{Mode: debug.ClockPaced, Factor: 1000})
			return a
		}},
		{name: "demo, tasks that ask", open: func(t *testing.T) *testApp {
			return coloured(order(t), savingNowhere(Options{Title: "order.asl.json"}))
		}},
		{name: "demo, ASCII", open: func(t *testing.T) *testApp { return shown(order(t), savingNowhere(Options{ASCII: true})) }},
		{name: "hostile names", open: func(t *testing.T) *testApp {
			return coloured(session(t, hostileNames, `{"m":[1,"\u001b[0m",{"\u202e":"\u200d"}],"x":"\u0007"}`, nil), savingNowhere(Options{Title: "\x1b]0;t\x07"}))
		}},
		{name: "a loop", open: func(t *testing.T) *testApp {
			m := machine(t, "loops.asl.json", []byte(loops))
			return coloured(debug.New(m, debug.Options{
				Input: value.Must(`{"items":[1,2,3,4,5]}`), Start: startTime, Seed: 7, Limits: engine.Limits{History: 2000},
				Source: fixtures.OnMissing(nil, fixtures.Echo),
			}), savingNowhere(Options{}))
		}},
		{name: "a replay", open: func(t *testing.T) *testApp {
			live := order(t)
			for range 60 {
				if _, err := live.Do(debug.Command{Kind: debug.StepStage}); err != nil {
					break
				}
			}
			replay, divergence := debug.Replay(live.Machine(), live.Options(), recordingOf(live))
			if divergence != nil {
				t.Fatal("the replay diverges")
			}
			return coloured(replay, savingNowhere(Options{}))
		}},
		{name: "events alone", open: func(t *testing.T) *testApp {
			live := order(t)
			for range 60 {
				if _, err := live.Do(debug.Command{Kind: debug.StepStage}); err != nil {
					break
				}
			}
			return coloured(debug.ReplayLog(live.Machine(), live.Options(), debug.Recording{Events: recordingOf(live).Events}), savingNowhere(Options{}))
		}},
		{name: "beside what was recorded", open: func(t *testing.T) *testApp {
			v, recorded := changed(t)
			return coloured(v.Session, savingNowhere(Options{Recorded: recorded}))
		}},
		{name: "the faults", open: func(t *testing.T) *testApp {
			s := session(t, lossy, `{"n":1}`, nil)
			a := coloured(s, savingNowhere(Options{Explore: finder(t, s)}))
			a.Press(keys.Press{Name: "f6"})
			return a
		}},
		{name: "the coverage", open: func(t *testing.T) *testApp {
			a := coloured(session(t, routes, `{"n":1,"list":[1]}`, nil), savingNowhere(Options{}))
			a.Press(keys.Press{Name: "c"}, keys.Press{Name: "f2"})
			return a
		}},
	}
	for _, how := range []string{"card", "cheque", "cash"} {
		list = append(list, situation{name: "nested, by " + how, open: func(t *testing.T) *testApp {
			return shopping(t, how, 80, 24).app
		}})
	}
	for _, name := range []string{"approval", "invoice-jsonata", "stock-import"} {
		dir := filepath.Join("..", "..", "testdata", "examples", name)
		list = append(list, situation{name: name, open: func(t *testing.T) *testApp {
			read := func(name string) (string, []byte) {
				data, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil {
					t.Fatal(err)
				}
				return filepath.Join(dir, name), data
			}
			definition, text := read("definition.asl.json")
			file, results := read("fixtures.yaml")
			return withFixtures(t, definition, text, file, results, Options{})
		}})
	}
	return list
}

// withFixtures is a program for a definition with its fixtures; other tasks ask.
func withFixtures(t *testing.T, name string, definition []byte, file string, results []byte, o Options) *testApp {
	t.Helper()
	loaded, err := fixtures.Load(file, results)
	if err != nil {
		t.Fatal(err)
	}
	m := machine(t, name, definition)
	bound, err := loaded.Source(m.Definition())
	if err != nil {
		t.Fatal(err)
	}
	var input value.Value = value.ObjectOf()
	if loaded.Input != nil {
		input = loaded.Input
	}
	o.Title = filepath.Base(name)
	return coloured(debug.New(m, debug.Options{
		Input: input, Start: startTime, Seed: 7, Source: fixtures.OnMissing(bound, fixtures.Ask), Limits: engine.ServiceLimits(), Context: loaded.Context,
	}), savingNowhere(o))
}

// TestRandomKeysAreFound: faults are found, and the keys thinned out to the keys that it takes.
func TestRandomKeysAreFound(t *testing.T) {
	pressed := 0
	s := situation{name: "a fault", open: func(t *testing.T) *testApp {
		pressed = 0
		return shown(order(t), Options{})
	}, onKey: func(key string) {
		if key == "i" {
			pressed++
		}
		if key == "S" && pressed > 1 {
			panic("by the test")
		}
	}}
	inputs := value.Each(strings.Fields("s i 1 2 3 up i down S tab esc"), pressOf)
	found := s.play(t, inputs)
	if found == nil || found.text != "by the test" {
		t.Fatalf("found %+v", found)
	}
	fewest := s.thinOut(t, inputs[:found.at+1], found.kind)
	if got := wordsOf(fewest); got != "i i S" {
		t.Errorf("the fewest keys are %s", got)
	}
	d := &player{w: 3, h: 2}
	for frame, want := range map[string]string{
		"abc\nabc": "", "\x1b[1;38;2;1;2;3mabc\x1b[0m\nabc": "", "abc": "the number of rows", "abc\nab": "the width of a row",
		"abc\nab\x1b[2J": "a character for the terminal", "abc\n\x1b[2X👩\u200d💻\x1b[3Gc": "", "abc\n\x1b[2X👩\u200d💻cd": "the width of a row", "abc\n\x07bcd": "a character for the terminal", "abc\n\u202eabc": "a character for the terminal",
	} {
		if kind, _, _ := strings.Cut(d.wrong(frame), ":"); kind != want {
			t.Errorf("%q: %q, want %q", frame, kind, want)
		}
	}
	for _, s := range ownSituations() {
		if found := s.play(t, inputs); found != nil {
			t.Errorf("%s: %s", s.name, found.text)
		}
	}
	if !slices.Contains(boundKeys, "f10") {
		t.Error("the keys of the table are not pressed")
	}
}
