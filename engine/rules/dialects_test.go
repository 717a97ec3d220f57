package rules_test

import (
	"slices"
	"strings"
	"testing"

	"asldb/engine/rules"
)

func TestDialectNames(t *testing.T) {
	for _, name := range rules.DialectNames() {
		if d, err := rules.ParseDialect(name); err != nil || d.String() != name {
			t.Errorf("%s is %v, %v", name, d, err)
		}
	}
	_, err := rules.ParseDialect("spec@2017")
	if err == nil || !strings.Contains(err.Error(), "expected aws, spec, spec@2020 or spec@2016") {
		t.Errorf("spec@2017: %v", err)
	}
}

// Every row of the table has answers that differ, and each is told once, with its dialects.
func TestDifferences(t *testing.T) {
	var told []string
	for d := range rules.Differences() {
		if d.About == "" || slices.Contains(told, d.About) {
			t.Errorf("%q is nothing, or there twice", d.About)
		}
		told = append(told, d.About)
		var names, answers []string
		for group, answer := range d.Groups() {
			names, answers = append(names, group...), append(answers, answer)
		}
		slices.Sort(names)
		want := slices.Sorted(slices.Values(rules.DialectNames()))
		if len(answers) != 2 || slices.Contains(answers, "") || !slices.Equal(names, want) {
			t.Errorf("%s: %q of %q", d.About, answers, names)
		}
	}
}

// TestWhatTheDialectsDo has some cells of the table: the texts'.
func TestWhatTheDialectsDo(t *testing.T) {
	for _, test := range []struct {
		matter rules.Matter
		does   [4]bool // aws, spec, spec@2020, spec@2016
	}{
		{rules.RefusesNamesOver80, [4]bool{true, true, false, false}},
		{rules.RefusesFailWithoutError, [4]bool{false, false, true, true}},
		{rules.NamesHeartbeatTimeout, [4]bool{false, true, false, false}},
		{rules.MatchesHeartbeatTimeout, [4]bool{true, true, true, false}},
		{rules.NamesOutputMatchFailure, [4]bool{false, false, false, true}},
		{rules.NamesBranchFailed, [4]bool{false, true, true, true}},
		{rules.EndsForTooMuchData, [4]bool{true, false, false, false}},
	} {
		for i, name := range rules.DialectNames() {
			if d, _ := rules.ParseDialect(name); d.Does(test.matter) != test.does[i] {
				t.Errorf("matter %d in %s: %v", test.matter, name, !test.does[i])
			}
		}
	}
}
