package jsonata

import (
	"slices"
	"strings"
	"testing"
)

// Every function has a row, and every row the parameters of its function's signature.
func TestFunctionTable(t *testing.T) {
	table := StepFunctions().FunctionTable()
	if len(table) != len(functionTexts) {
		t.Errorf("%d functions, %d rows", len(table), len(functionTexts))
	}
	for _, f := range table {
		row := functionTexts[f.Name]
		switch {
		case row == nil:
			t.Errorf("$%s has no row", f.Name)
		case len(row.parameters) != len(f.Parameters):
			t.Errorf("$%s: %d names for the parameters of %s", f.Name, len(row.parameters), f.Signature)
		case f.About == "" || strings.HasSuffix(f.About, "."):
			t.Errorf("$%s: %q", f.Name, f.About)
		}
	}
	if !slices.IsSortedFunc(table, func(a, b Function) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("not in the order of the names")
	}
}

func functionNamed(t *testing.T, name string) Function {
	t.Helper()
	for _, f := range StepFunctions().FunctionTable() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no $%s", name)
	return Function{}
}

func TestFunctionUsage(t *testing.T) {
	for _, test := range []struct {
		name, usage string
		least, most int
	}{
		{"substring", "$substring(str, start[, length])", 1, 3},
		{"length", "$length(str)", 0, 1},
		{"sum", "$sum(array)", 1, 1},
		{"now", "$now([picture[, timezone]])", 0, 2},
		{"zip", "$zip(array, ...)", 1, -1},
		{"millis", "$millis()", 0, 0},
		{"random", "$random([seed])", 0, 1},
		{"hash", "$hash(data, algorithm)", 2, 2},
		{"replace", "$replace(str, pattern, replacement[, limit])", 2, 4},
	} {
		f := functionNamed(t, test.name)
		least, most := f.Arity()
		if f.Usage() != test.usage || least != test.least || most != test.most {
			t.Errorf("%s: %s, %d to %d", test.name, f.Usage(), least, most)
		}
	}
}

func TestFunctionTypes(t *testing.T) {
	sum := functionNamed(t, "sum").Parameters[0]
	if sum.Types != TypeArray|TypeNumber || sum.Items != TypeNumber || !sum.Single {
		t.Errorf("$sum: %+v", sum)
	}
	if p := functionNamed(t, "contains").Parameters[1]; p.Types != TypeString|TypeFunction {
		t.Errorf("$contains: %s", p.Types)
	}
	if p := functionNamed(t, "length").Parameters[0]; p.Types != TypeString || !p.Context {
		t.Errorf("$length: %+v", p)
	}
	if !functionNamed(t, "parse").Service || functionNamed(t, "sum").Service {
		t.Error("Service")
	}
	for types, words := range map[Types]string{
		TypeAny: "anything", TypeJSON: "any JSON value", 0: "nothing", TypeNumber: "number",
		TypeString | TypeNumber | TypeNull: "string, number or null",
	} {
		if types.String() != words {
			t.Errorf("%q, not %q", types, words)
		}
	}
}

// The results that the functions give have the types of the table.
func TestFunctionResultTypes(t *testing.T) {
	for _, test := range [][2]string{
		{"keys", `$keys({"a":1})`}, {"keys", `$keys({"a":1,"b":2})`}, {"match", `$match("ab", /[ab]/)`},
		{"match", `$match("a", /a/)`},
		{"split", `$split("a", ",")`}, {"count", `$count(nothing)`}, {"exists", `$exists(nothing)`},
		{"each", `$each({"a":1}, function($v){$v})`},
		{"zip", `$zip([1],[2])`}, {"reverse", `$reverse([1])`}, {"sort", `$sort([1])`}, {"range", `$range(1,9,9)`},
		{"partition", `$partition([1],1)`},
		{"now", `$now()`}, {"millis", `$millis()`}, {"merge", `$merge([{"a":1}])`}, {"parse", `$parse("null")`},
		{"uuid", `$uuid()`},
		{"map", `$map([1], function($x){$x})`}, {"filter", `$filter([1,2], function($x){true})`},
		{"sift", `$sift({"a":1}, function($x){true})`},
	} {
		got := evaluate(t, `$type(`+test[1]+`)`, "", StepFunctions())
		word := strings.Trim(got, `"`)
		var is Types
		for _, row := range typeWords {
			if row.word == word {
				is = row.one
			}
		}
		if is == 0 || !functionNamed(t, test[0]).Result.Types.Has(is) {
			t.Errorf("%s: %s, not %s", test[1], got, functionNamed(t, test[0]).Result.Types)
		}
	}
}
