package flow_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"asldb/engine/flow"
)

// reads is a state R with a payload template in JSONPath, gives one with an Output in JSONata.
func reads(members string) string {
	return `"R":{"Type":"Pass","QueryLanguage":"JSONPath","Parameters":{` + members + `},"End":true}`
}

func gives(output string) string {
	return `"R":{"Type":"Pass","QueryLanguage":"JSONata","Output":"{% ` + output + ` %}","End":true}`
}

// A reader may take any member of a result where the analysis cannot tell which, and no other where it can.
func TestDemandsTellWhichMembersAreRead(t *testing.T) {
	const path, query = "JSONPath", "JSONata"
	tests := []struct {
		name, language, states string
		// read are members that a reader may take, unread others; each is a path of names.
		read, unread string
	}{
		{"a path", path, reads(`"v.$":"$.a.b"`), "a a.b", "z a.z"},
		{"a value passed whole", path, `"R":{"Type":"Pass","Parameters":{"v.$":"$.a"},"Next":"D"},
			"D":{"Type":"Pass","Result":1,"End":true}`,
			"a", "z a.z"},
		{"the output", path, `"R":{"Type":"Pass","End":true}`, "", "z"}, // nobody reads it
		{"a descent", path, reads(`"v.$":"$..b"`), "b z z.y", ""},
		{"a wildcard", path, reads(`"v.$":"$.a.*"`), "a a.z a.z.y", "z"},
		{"a function", path, reads(`"v.$":"States.JsonToString($.a)"`), "a a.z a.z.y", "z"},
		{"a nested function", path, reads(`"v.$":"States.Hash(States.JsonToString($.a), 'MD5')"`), "a a.z", "z"},
		{"a merge", path, reads(`"v.$":"States.JsonMerge($.a, $.b, false)"`), "a a.z b.z", "z"},
		{"names", path, reads(`"v.$":"$['a','b']"`), "a b", "z a.z"},
		{"a Map's items", path, `"R":{"Type":"Map","ItemsPath":"$.a",
			"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass",
			"Parameters":{"v.$":"$.b"},"End":true}}},"End":true}`, "a", "z"},
		{"a Choice", path, `"R":{"Type":"Choice",
			"Choices":[{"Variable":"$.a.b","StringEquals":"x","Next":"D"}],"Default":"D"},
			"D":{"Type":"Succeed"}`, "a a.b", "z a.z"},
		{"IsPresent", path, `"R":{"Type":"Choice",
			"Choices":[{"Variable":"$.a.b","IsPresent":true,"Next":"D"}],"Default":"D"},
			"D":{"Type":"Succeed"}`, "a a.b", "z a.z"},
		{"a catcher's reader", path, `"R":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage",
			"Parameters":{"QueueUrl":"q","MessageBody":"m"},
			"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Next":"D"}],"Next":"E"},"E":{"Type":"Succeed"},
			"D":{"Type":"Pass","Parameters":{"v.$":"$.a"},"End":true}`, "a", "z"},

		{"names that are computed with", path, reads(`"v.$":"States.JsonToString($['a','b'])"`), "a a.z b.z", "z"},
		{"a deep path", path, reads(`"v.$":"$` + strings.Repeat(".a", 20) + `"`),
			"a a" + strings.Repeat(".a", 19), "z a.z"},
		{"deep arrays", path, deepArrays(20), "a1.z a15.z a16.z a17.z a18.z a20.z", ""},
		{"behind a payload template", path, `"W":{"Type":"Pass","Parameters":{"x.$":"$.a"},"Next":"R"},` +
			reads(`"v.$":"States.JsonToString($)"`), "a a.z", "z"},
		{"behind an array", path, `"W":{"Type":"Pass","Parameters":{"x":[{"y.$":"$.a"}]},"Next":"R"},` +
			reads(`"v.$":"States.JsonToString($.x)"`), "a a.z", "z"},
		{"behind an array and its item", path, `"W":{"Type":"Pass","Parameters":{"x":[{"y.$":"$.a"}]},"Next":"R"},` +
			reads(`"v.$":"States.JsonToString($.x)","w.$":"$.x[0].y.b"`), "a a.b a.z", "z"},
		{"a batch", path, `"W":{"Type":"Map","ItemsPath":"$.l","ItemSelector":{"k.$":"$.a"},
			"ItemBatcher":{"MaxItemsPerBatch":2,"BatchInput":{"m.$":"$.b"}},
			"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"R",
			"States":{` + reads(`"v.$":"States.JsonToString($)",
				"w.$":"$.BatchInput.m.q","x.$":"$.Items[0].k.q"`) + `}},"End":true}`,
			"l a a.z b b.z", "z"},
		{"an object that a function makes for each item", query, `"W":{"Type":"Pass",
			"Output":{"x":"{% $map([1, 2], function($o){ {'m': $states.input.a} }) %}"},"Next":"R"},` +
			reads(`"v.$":"States.JsonToString($.x)","w.$":"$.x[0].m.q"`),
			"a a.q a.z", "z"},
		{"an object that is made", query, `"W":{"Type":"Pass",
			"Output":{"x":"{% {'m': $states.input.a} %}"},"Next":"R"},` +
			reads(`"v.$":"States.JsonToString($.x)","w.$":"$.x.m.q"`),
			"a a.q a.z", "z"},
		{"$eval as a value", query, gives(`$map(['$states.input.a'], $eval)`), "a z", ""},
		{"a deep expression", query, gives(strings.Repeat("[", 300) + `$states.input.a` + strings.Repeat("]", 300)),
			"a z", ""},

		{"a path of JSONata", query, gives(`$string($states.input.a.b)`), "a a.b a.b.z", "z a.z"},
		{"an object that is compared", query, gives(`$states.input.a = $states.input.b`), "a a.z b.z", "z"},
		{"$keys", query, gives(`$keys($states.input.a)`), "a a.z", "z"},
		{"$lookup", query, gives(`$lookup($states.input.a, 'b')`), "a a.b", "z"},
		{"$merge", query, gives(`$merge([$states.input.a, {'x': 1}]).b`), "a a.b", "z"},
		{"$eval", query, gives(`$eval('$states.input.a')`), "a z", ""},
		{"$eval of a variable", query, `"W":{"Type":"Pass","Assign":{"x":"{% $states.input.a %}"},
			"Output":1,"Next":"R"},` +
			gives(`$eval('$x.b')`), "a a.b", "z"},
		{"$states", query, gives(`$string($states)`), "a z", ""},
		{"a wildcard step", query, gives(`$count($states.input.a.*)`), "a a.z", ""},
		{"a descent step", query, gives(`$count($states.input.**.b)`), "a z", ""},
		{"a lambda's parameter", query, gives(`$map($states.input.a, function($o){ $o.b })`), "a", "z"},
		{"a block's variable", query, gives(`($x := $states.input.a; $x.b)`), "a a.b", "z"},
	}
	for _, test := range tests {
		first := `"T":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Next":"` + test.states[1:2] + `"},`
		text := `{"QueryLanguage":"` + test.language + `","StartAt":"T","States":{` + first + test.states + `}}`
		machine := parse(t, text)
		d := flow.Analyse(machine, flow.Options{LiteralFirst: true}).Demander().Demands(t.Context(), flow.Intent{})
		has := func(path string) bool {
			at := d.Reads(machine.Lookup("T"))
			names := strings.Split(path, ".")
			for _, name := range names[:len(names)-1] {
				at = at.Of(name)
			}
			return at.Reads(names[len(names)-1])
		}
		for _, path := range strings.Fields(test.read) {
			if !has(path) {
				t.Errorf("%s: %s is read, and the demands do not have it", test.name, path)
			}
		}
		for _, path := range strings.Fields(test.unread) {
			if has(path) {
				t.Errorf("%s: nobody reads %s, and the demands have it", test.name, path)
			}
		}
	}
}

// deepArrays reads arrays in arrays, up to a depth.
func deepArrays(depth int) string {
	var parts []string
	for n := 1; n <= depth; n++ {
		parts = append(parts, fmt.Sprintf(`"v%d.$":"$.a%d%s"`, n, n, strings.Repeat("[*]", n)))
	}
	return `"R":{"Type":"Pass","Parameters":{` + strings.Join(parts, ",") + `},"End":true}`
}

// Where not all readers were followed, anything may be read.
func TestDemandsThatAreCutShortReadEverything(t *testing.T) {
	machine := parse(t, `{"StartAt":"T","States":{
		"T":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","End":true}}}`)
	ctx, stop := context.WithCancel(t.Context())
	demander := flow.Analyse(machine, flow.Options{LiteralFirst: true}).Demander()
	if demander.Demands(ctx, flow.Intent{}).Reads(machine.Lookup("T")).Reads("a") {
		t.Error("a member is read that no state reads")
	}
	stop()
	if !demander.Demands(ctx, flow.Intent{}).Reads(machine.Lookup("T")).Reads("a") {
		t.Error("no member is read where no state was looked at")
	}
}

// A name asks all branches of a Parallel state, also where their outputs are read whole.
func TestDemandsOnBranchesThatAreReadWhole(t *testing.T) {
	machine := parse(t, `{"QueryLanguage":"JSONata","StartAt":"P","States":{"P":{"Type":"Parallel",
		"Branches":[{"StartAt":"T","States":{
			"T":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","End":true}}}],
		"Output":"{% $states.result.b & $string($states.result) %}","End":true}}}`)
	d := flow.Analyse(machine, flow.Options{LiteralFirst: true}).Demander().Demands(t.Context(), flow.Intent{})
	if got := d.Result(machine.Lookup("T")); !got.Reads("z") || got.Member("b") == nil {
		t.Errorf("the members that are asked for are %v", got.Members())
	}
}
