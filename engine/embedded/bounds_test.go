package embedded

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"asldb/engine/value"
)

// template makes the text of a template with one state machine.
func template(t *testing.T, properties any, more map[string]any) string {
	t.Helper()
	all := map[string]any{"Resources": map[string]any{"M": map[string]any{"Type": serverlessType,
		"Properties": properties}}}
	for key, v := range more {
		all[key] = v
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

type object = map[string]any

// Conditions that refer to conditions are worked out once each, however often they are referred to.
func TestConditionsOfConditions(t *testing.T) {
	const deep = 90
	conditions := object{fmt.Sprint("C", deep): object{"Fn::Equals": []any{"1", "1"}}}
	for i := range deep {
		next := object{"Condition": fmt.Sprint("C", i+1)}
		conditions[fmt.Sprint("C", i)] = object{"Fn::And": []any{next, next}}
	}
	conditions["Loop"] = object{"Fn::Or": []any{object{"Fn::Not": []any{object{"Condition": "Loop"}}},
		object{"Condition": "Loop"}}}
	for name, want := range map[string]string{"C50": `"yes"`, "Loop": `"yes"`} {
		text := template(t, object{"Definition": object{"Comment": object{"Fn::If": []any{name, "yes", "no"}}}},
			object{"Conditions": conditions})
		found, problems, err := func() (*Definition, int, error) {
			tpl, _ := read(t, "t.json", text)
			d, problems, err := tpl.Definition(Options{})
			return d, len(problems), err
		}()
		if err != nil || found == nil || value.Compact(found.Root.Get("Comment").Value) != want {
			t.Fatalf("%s: %v, %v", name, found, err)
		}
		if warned := problems > 0; warned != (name == "Loop") {
			t.Errorf("%s: %d problems", name, problems)
		}
	}
}

// Functions that double a text again and again are stopped.
func TestTextWithoutBound(t *testing.T) {
	var sub, join any = "xxxxxxxxxx", "xxxxxxxxxx"
	for range 40 {
		sub = object{"Fn::Sub": []any{"${a}${a}", object{"a": sub}}}
		join = object{"Fn::Join": []any{"", []any{object{"Fn::Sub": []any{"${a}${a}", object{"a": join}}}}}}
	}
	for _, properties := range []any{
		object{"DefinitionString": sub}, object{"DefinitionString": join}, object{"Definition": object{"Comment": sub}},
		object{"Definition": object{"Comment": "${s}"}, "DefinitionSubstitutions": object{"s": join}},
	} {
		tpl, _ := read(t, "t.json", template(t, properties, nil))
		found, problems, err := tpl.Definition(Options{})
		if found != nil || err != nil || len(problems) == 0 || !strings.Contains(problems[0].Message, "8388608 bytes") {
			t.Errorf("found %v, problems %v, %v", found != nil, problems, err)
		}
	}
}

// A mapping holds values and no functions, so it cannot lead into itself.
func TestMappingOfItself(t *testing.T) {
	again := object{"Fn::FindInMap": []any{"M", "a", "a"}}
	text := template(t, object{"Definition": object{"Comment": again}},
		object{"Mappings": object{"M": object{"a": object{"a": []any{again, again}}}}})
	tpl, _ := read(t, "t.json", text)
	if found, _, err := tpl.Definition(Options{}); err != nil || found == nil {
		t.Errorf("%v, %v", found, err)
	}
}
