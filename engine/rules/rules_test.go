package rules_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"asldb/engine/rules"
	"asldb/engine/source"
)

// Every entry of the catalogue is complete, its name is its own and fit for a command line, and it is found by it. That
// the examples have the problem, and have it no more, is tested where the checks are, in engine/lint.
func TestCatalogue(t *testing.T) {
	form := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	var names []string
	for r := range rules.All() {
		names = append(names, r.Name)
		if !form.MatchString(r.Name) {
			t.Errorf("%q is not words with dashes", r.Name)
		}
		if found, ok := rules.Find(r.Name); !ok || found != r {
			t.Errorf("%s: found %v, %v", r.Name, found, ok)
		}
		if r.Summary == "" || r.Explanation == "" || r.Section == "" || r.Summary[len(r.Summary)-1] != '.' {
			t.Errorf("%s: summary %q, explanation %q, section %q", r.Name, r.Summary, r.Explanation, r.Section)
		}
		if _, problem := source.Read(&source.File{Name: "right.yaml", Data: []byte(r.Right)}, nil); r.Right != "" &&
			problem != nil { // JSON is YAML
			t.Errorf("%s: the right example cannot be read: %v\n%s", r.Name, problem, r.Right)
		}
		if own := strings.HasPrefix(r.Section, "asldb"); own != (r.URL() == "") {
			t.Errorf("%s: the page of %q is %q", r.Name, r.Section, r.URL())
		}
		if r.Right != "" && r.Right == r.Wrong {
			t.Errorf("%s: both examples are the same", r.Name)
		}
	}
	slices.Sort(names)
	if unique := slices.Compact(slices.Clone(names)); len(unique) != len(names) {
		t.Errorf("a name comes twice: %v", names)
	}
	if !slices.Equal(rules.Names(), names) {
		t.Errorf("Names = %v, want %v", rules.Names(), names)
	}
	if _, ok := rules.Find("no-such-rule"); ok {
		t.Error("a rule that is none is found")
	}
	for range rules.All() {
		break // no more is asked for
	}
}

// The codes of ValidateStateMachineDefinition stand for errors; problems that the service does not find have the name
// of their rule.
func TestCodes(t *testing.T) {
	codes := rules.Codes()
	for name, want := range map[string]string{
		rules.StartAt:        rules.CodeTransition,
		rules.Target:         rules.CodeTransition,
		rules.UnknownField:   rules.CodeSchema,
		rules.MissingDefault: "CHOICE_WITHOUT_DEFAULT",
		rules.DeadRule:       "UNREACHABLE_CHOICE_RULE",
	} {
		if codes[name] != want {
			t.Errorf("%s: %q, want %q", name, codes[name], want)
		}
	}
	for r := range rules.All() {
		if r.Severity == source.Error && r.Code == "" && codes[r.Name] != rules.CodeSchema {
			t.Errorf("%s: %q", r.Name, codes[r.Name])
		}
	}
	if len(codes) != len(rules.Names()) {
		t.Errorf("%d codes for %d rules", len(codes), len(rules.Names()))
	}
}

func ExampleFind() {
	r, _ := rules.Find(rules.ManyOperators)
	fmt.Println(r.Summary)
	fmt.Println(r.Explanation)
	fmt.Println(r.Section)
	// Output:
	// A Choice rule must have exactly one operator.
	// Combine conditions with And or Or.
	// States Language: Choice State
}
