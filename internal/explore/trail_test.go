package explore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/suiterun"
	"asldb/internal/testkit"
)

// again does a run of an exploration once more, with all of its events. The result has the tasks whose results did not
// come from the file of the base, too.
func again(t *testing.T, r *Run) (*Run, []*asl.State) {
	t.Helper()
	d := newDriver()
	other := &Run{Number: r.Number, Base: r.Base, Changes: r.Changes}
	e, err := d.run(context.Background(), r.Base.setting, r.Changes, wholeRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.summarize(other, e)
	return other, d.allSpares(r.Base.setting.trail)
}

// explored explores a definition, and compares each of its runs with the same run done as a whole. The result is how
// many began behind the beginning of their base, and how many ended where they met it.
func explored(t *testing.T, file string, given ...Given) (begun, met int) {
	t.Helper()
	m, err := suiterun.OpenCase(definitions.Definition{File: file}, suiterun.Settings{Limits: engine.ServiceLimits()})
	if err != nil {
		t.Log(file, err)
		return 0, 0
	}
	result, err := Explore(t.Context(), Options{Machine: m, Given: given, Runs: 400, Data: true})
	if err != nil {
		t.Log(file, err)
		return 0, 0
	}
	d := newDriver()
	for _, r := range result.explored.runs {
		if _, err := d.run(t.Context(), r.Base.setting, r.Changes, untilMet, nil); err != nil {
			t.Fatal(err)
		}
		whole, spares := again(t, r)
		short, others := *r, d.allSpares(r.Base.setting.trail)
		ofBase := func(s *asl.State) bool { return len(r.Base.setting.requests[s]) > 0 }
		whole.tasks, short.tasks = slices.DeleteFunc(whole.tasks, ofBase), slices.DeleteFunc(short.tasks, ofBase)
		for _, list := range []*[]*asl.State{&whole.tasks, &short.tasks, &spares, &others} {
			*list = append([]*asl.State{}, *list...)
			slices.SortFunc(*list, func(a, b *asl.State) int { return strings.Compare(a.Path(), b.Path()) })
		}
		if !slices.Equal(spares, others) {
			t.Errorf("%s: %s\nmade-up results as a whole %v\nshort %v", filepath.Base(file), r.Describe(), spares,
				others)
		}
		whole.deciding, short.deciding = nil, nil // from its events alone
		if !reflect.DeepEqual(whole, &short) {
			t.Errorf("%s: %s\nas a whole %+v\nshort      %+v", filepath.Base(file), r.Describe(), *whole, short)
		}
		if d.begun != nil {
			begun++
		}
		if d.met != nil {
			met++
		}
	}
	return begun, met
}

// A run that begins at a mark of its base, and ends where it meets it, has the verdict and the way of the whole run.
func TestRunsMeetTheirBase(t *testing.T) {
	t.Parallel()
	for name, text := range meeting {
		file := filepath.Join(t.TempDir(), name+".asl.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		begun, met := explored(t, file)
		if begun == 0 || (met == 0) != (name == "bounded") {
			t.Errorf("%s: %d runs began at a mark, %d met their base", name, begun, met)
		}
	}
}

// A file of results keeps its place where a run begins at a mark; a run that has left out some of its results, for a
// task itself or for another one of the same resource, does not meet its base while they are still to be given.
func TestRunsWithFixturesMeetTheirBase(t *testing.T) {
	t.Parallel()
	const again = `"Again":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericLessThan":3,"Next":"%s"}],"Default":"Last"},
		"Last":{` + lambda + `,"ResultPath":"$.l",` + retry + `,"End":true}}}`
	const caught = `"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":null,"Next":"%s"}]`
	for name, test := range map[string]struct{ definition, results string }{
		"loop": {
			`"S0":{` + lambda + `,"ResultPath":"$.r","Next":"Ask"},
			"Ask":{` + lambda + `,"ResultPath":"$.n",` + retry + `,"Next":"Again"},` + fmt.Sprintf(again, "Ask"),
			"tasks:\n  S0: [{output: 1, repeat: forever}]\n" +
				"  Ask: [{output: 1}, {output: 2}, {output: 3, repeat: forever}]\n",
		},
		"left out": {
			`"S0":{` + lambda + `,"ResultPath":null,` + fmt.Sprintf(caught, "Count") + `,"Next":"Ask"},
			"Ask":{` + lambda + `,"ResultPath":"$.n","Next":"On"},
			"On":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericEquals":1,"Next":"Count"}],"Default":"Last"},
			"Count":{` + lambda + `,"Next":"More"},
			"More":{"Type":"Choice","Choices":[{"Variable":"$.c","NumericEquals":1,"Next":"Ask"}],"Default":"Last"},
			"Last":{"Type":"Succeed"}}}`,
			"tasks:\n  S0: [{output: 1}]\n  Ask: [{output: 1}, {output: 2, repeat: forever}]\n" +
				"  Count: [{output: {c: 1}}, {output: {c: 2}, repeat: forever}]\n",
		},
		"one resource": {
			`"S0":{` + lambda + `,"ResultPath":null,` + fmt.Sprintf(caught, "Ask") + `,"Next":"Ask"},
			"Ask":{` + lambda + `,"ResultPath":"$.n","Next":"Again"},` + fmt.Sprintf(again, "Last"),
			"resources:\n  \"arn:aws:lambda:*\": [{output: 1}, {output: 3}, {output: 2, repeat: forever}]\n",
		},
	} {
		file := filepath.Join(t.TempDir(), "m.asl.json")
		if err := os.WriteFile(file, []byte(`{"StartAt":"S0","States":{`+test.definition), 0o600); err != nil {
			t.Fatal(err)
		}
		results, err := fixtures.Load("f.yaml", []byte("version: 1\n"+test.results))
		if err != nil {
			t.Fatal(err)
		}
		begun, met := explored(t, file, Given{File: results, Input: value.ObjectOf()})
		if begun == 0 || name == "loop" && met == 0 {
			t.Errorf("%s: %d runs began at a mark, %d met their base", name, begun, met)
		}
	}
}

func chain(n int, more string, state func(i int, next string) string) string {
	var b strings.Builder
	for i := range n {
		next := `"Next":"S` + fmt.Sprint(i+1) + `"`
		if i == n-1 {
			next = `"Next":"End"`
		}
		b.WriteString(state(i, next) + ",")
	}
	return `{"StartAt":"S0",` + more + `"States":{` + b.String() + `"End":{"Type":"Succeed"}}}`
}

const retry = `"Retry":[{"ErrorEquals":["States.ALL"],"MaxAttempts":1}]`

const lambda = `"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f"`

// meeting are definitions whose runs with faults or other data continue as their base does, some only at the end.
var meeting = map[string]string{
	"tasks": chain(5, "", func(i int, next string) string {
		return fmt.Sprintf(`"S%d":{%s,"ResultPath":"$.r%d",`+retry+`,
			"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Next":"End"}],%s}`, i, lambda, i, next)
	}),
	"choices": chain(5, "", func(i int, next string) string {
		return fmt.Sprintf(`"S%d":{"Type":"Choice","Choices":[{"Variable":"$.k%d","NumericGreaterThan":3,"Next":"A%d"}],
			"Default":"B%d"},
			"A%d":{"Type":"Pass","Result":1,"ResultPath":"$.a%d",%s},"B%d":{"Type":"Pass",%s}`, i, i, i, i, i, i, next, i, next)
	}),
	"replaced": chain(4, "", func(i int, next string) string {
		return fmt.Sprintf(`"S%d":{"Type":"Choice","Choices":[{"Variable":"$.k","StringEquals":"x","Next":"A%d"}],
			"Default":"A%d"},
			"A%d":{%s,%s}`, i, i, i, i, lambda, next)
	}),
	"read later": chain(3, "", func(i int, next string) string {
		return fmt.Sprintf(`"S%d":{"Type":"Choice","Choices":[{"Variable":"$.k","NumericGreaterThan":%d,"Next":"A%d"}],
			"Default":"A%d"},
			"A%d":{"Type":"Pass","Parameters":{"all.$":"$"},"ResultPath":"$.all",%s}`, i, i, i, i, i, next)
	}),
	"reads the time": chain(3, "", func(i int, next string) string {
		return fmt.Sprintf(`"S%d":{%s,"Parameters":{"at.$":"$$.State.EnteredTime"},"ResultPath":"$.r%d",`+
			retry+`,%s}`, i, lambda, i, next)
	}),
	"long": chain(maxSnapshots+100, "", func(i int, next string) string {
		if i%50 == 0 {
			return fmt.Sprintf(`"S%d":{%s,"ResultPath":"$.r%d",`+retry+`,%s}`, i, lambda, i, next)
		}
		return fmt.Sprintf(`"S%d":{"Type":"Pass",%s}`, i, next)
	}),
	"bounded": chain(3, `"TimeoutSeconds":60,`, func(i int, next string) string {
		return fmt.Sprintf(`"S%d":{%s,"ResultPath":"$.r%d",`+retry+`,%s}`, i, lambda, i, next)
	}),
}

func TestCorpusMeetsItsBases(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(testkit.Dir(t, "workflows"), "files", "*.asl.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	begun, met := 0, 0
	for i := 0; i < len(files); i += 9 {
		b, m := explored(t, files[i])
		begun, met = begun+b, met+m
	}
	if begun < 100 || met < 20 {
		t.Errorf("%d runs began at a mark, %d met their base", begun, met)
	}
}
