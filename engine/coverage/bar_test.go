package coverage_test

import (
	"slices"
	"strings"
	"testing"

	"asldb/engine/coverage"
	"asldb/internal/testkit/runs"
)

// Bars are read as they are written, and what is none is refused.
func TestBars(t *testing.T) {
	for text, want := range map[string]string{
		"80": "80", "states=100, rules=90%": "states=100, rules=90", "70,errors=0": "70, errors=0",
		"101": "a percentage", "x": "a percentage", "states": "a percentage", "rule=3": `did you mean "rules"?`,
		"1,2":           "two bars",
		"maps=1,maps=2": "two bars for maps", "": "a percentage",
	} {
		bars, err := coverage.ParseBars(text)
		got := coverage.BarsText(bars)
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("%q: %s, wanted %s", text, got, want)
		}
	}
}

// Errors and timeouts are counted always, and are in the shares where an option or a bar names them, in one of the
// runs.
func TestKindsThatAreAskedFor(t *testing.T) {
	machine := runs.Machine(`{"StartAt":"T","States":{"T":{"Type":"Task","TimeoutSeconds":9,"End":true,
		"Resource":"arn:aws:lambda:us-east-1:123456789012:function:f"}}}`).Definition()
	counted := func(o coverage.Options) coverage.Definition {
		return coverage.NewCollector(machine, o).Definition("m.asl.json", "", "")
	}
	unasked := func(p *coverage.Profile) (list []coverage.Kind) {
		for _, item := range p.Definitions[0].Items {
			if item.Unasked {
				list = append(list, item.Kind)
			}
		}
		return list
	}
	bars, err := coverage.ParseBars("errors=0")
	if err != nil {
		t.Fatal(err)
	}
	none, errors := counted(coverage.Options{}), counted(coverage.Options{}.Asking(bars))
	timeouts := counted(coverage.Options{Timeouts: true})
	for _, test := range []struct {
		title string
		first coverage.Definition
		add   *coverage.Definition
		ask   []coverage.Bar
		want  []coverage.Kind
		total int
	}{
		{"none is asked for", none, nil, nil, []coverage.Kind{coverage.Uncaught, coverage.TimedOut}, 1},
		{"the options", errors, nil, nil, []coverage.Kind{coverage.TimedOut}, 2},
		{"bars of a profile", none, nil, bars, []coverage.Kind{coverage.TimedOut}, 2},
		{"a second run with options", none, &errors, nil, []coverage.Kind{coverage.TimedOut}, 2},
		{"a second run without", errors, &none, nil, []coverage.Kind{coverage.TimedOut}, 2},
		{"two runs", errors, &timeouts, nil, nil, 3},
	} {
		p := &coverage.Profile{}
		for _, d := range []*coverage.Definition{&test.first, test.add} {
			if d == nil {
				continue
			}
			if err := p.Add(d); err != nil {
				t.Fatal(err)
			}
		}
		p.Ask(test.ask)
		if got := unasked(p); !slices.Equal(got, test.want) || p.Share().Total != test.total {
			t.Errorf("%s: %v do not count, %d do; want %v and %d",
				test.title, got, p.Share().Total, test.want, test.total)
		}
	}
}

// Parts that do not count are in no share and not missing; an entry about no part is told. A bar is never lowered.
func TestIgnored(t *testing.T) {
	item := func(state string, kind coverage.Kind, count int64) coverage.Item {
		return coverage.Item{ID: coverage.ID{State: state, Kind: kind}, Count: count}
	}
	d := coverage.Definition{Items: []coverage.Item{
		item("A", coverage.Entered, 1), item("A", coverage.Uncaught, 0), item("P/Branches[0]/B", coverage.Entered, 0),
		item("P/Branches[0]/B", coverage.Uncaught, 0),
	}}
	unused := d.Ignore([]coverage.Ignored{
		{State: "B", Reason: "never"}, {State: "A", Group: "errors", Reason: "no"},
		{State: "A", Group: "rules", Reason: "none"},
	})
	if len(unused) != 1 || unused[0].Group != "rules" {
		t.Errorf("unused: %v", unused)
	}
	if s := d.Share(); s.Covered != 1 || s.Total != 1 || len(d.Missing()) != 0 {
		t.Errorf("%+v, missing %v", s, d.Missing())
	}
	d.Items[0].Count, d.Items[1].Ignored = 0, ""
	p := &coverage.Profile{Definitions: []coverage.Definition{d}}
	bars := []coverage.Bar{{Percent: 40}, {Group: "states", Percent: 50}}
	if p.Reaches(bars) || !slices.Equal(p.Below(bars), []string{"states 0 % (0 of 1), below 50 %"}) {
		t.Errorf("below: %q", p.Below(bars))
	}
	if got := coverage.BarsText(p.Raised(bars)); got != "40, states=50, errors=0" {
		t.Errorf("raised: %s", got)
	}
}

// A bar of conditions is not reached where a definition has rules whose conditions were not counted: 100 % of none says
// nothing. A definition without rules has none to count.
func TestUncountedConditions(t *testing.T) {
	rule := coverage.Item{ID: coverage.ID{State: "C", Kind: coverage.Rule}, Count: 1}
	holds := coverage.Item{ID: coverage.ID{State: "C", Kind: coverage.ConditionTrue}, Count: 1}
	bars := []coverage.Bar{{Group: "conditions", Percent: 90}}
	for _, test := range []struct {
		items []coverage.Item
		want  []string
	}{
		{[]coverage.Item{rule}, []string{
			"conditions: none were counted in a.json, below 90 %: " +
				"--coverage-conditions of asldb run and test counts them",
		}},
		{[]coverage.Item{rule, holds}, nil}, {nil, nil},
	} {
		p := &coverage.Profile{Definitions: []coverage.Definition{{File: "a.json", Items: test.items}}}
		if got := p.Below(bars); !slices.Equal(got, test.want) || p.Reaches(bars) != (test.want == nil) {
			t.Errorf("%v: %q", test.items, got)
		}
		if got := p.Below([]coverage.Bar{{Group: "conditions"}}); got != nil {
			t.Errorf("a bar of 0: %q", got)
		}
	}
}
