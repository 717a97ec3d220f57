package waiter

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

// shopModel is a model whose operation has members of every kind, with the acceptors %s.
const shopModel = `{"smithy": "2.0", "shapes": {
  "x#Shop": {"type": "service", "operations": [{"target": "x#GetShop"}], "errors": [{"target": "x#Throttled"}]},
  "x#GetShop": {"type": "operation", "input": {"target": "x#In"}, "output": {"target": "x#Out"}, "errors": [{"target": "x#NoSuchShop"}],
    "traits": {"smithy.waiters#waitable": {"ShopOpen": {"acceptors": [%s]}}}},
  "x#In": {"type": "structure", "members": {"Id": {"target": "smithy.api#String"}, "Want": {"target": "smithy.api#Integer"}}},
  "x#Out": {"type": "structure", "members": {
    "Status": {"target": "x#Status"}, "Count": {"target": "smithy.api#Integer"}, "Open": {"target": "smithy.api#Boolean"}, "Any": {"target": "smithy.api#Document"},
    "Items": {"target": "x#Items"}, "ByName": {"target": "x#ByName"}, "Since": {"target": "smithy.api#Timestamp"}, "Either": {"target": "x#Either"}}},
  "x#Status": {"type": "enum", "members": {"OPEN": {"target": "smithy.api#Unit"}}},
  "x#Items": {"type": "list", "member": {"target": "x#Item"}},
  "x#Item": {"type": "structure", "members": {"Name": {"target": "smithy.api#String"}, "Ready": {"target": "smithy.api#Boolean"}, "Price": {"target": "smithy.api#Double"}, "Tags": {"target": "x#Tags"}}},
  "x#Tags": {"type": "list", "member": {"target": "smithy.api#String"}},
  "x#ByName": {"type": "map", "key": {"target": "smithy.api#String"}, "value": {"target": "x#Item"}},
  "x#Either": {"type": "union", "members": {"Text": {"target": "smithy.api#String"}, "Number": {"target": "smithy.api#Long"}}},
  "x#NoSuchShop": {"type": "structure", "members": {"message": {"target": "smithy.api#String"}}, "traits": {"smithy.api#error": "client"}},
  "x#Throttled": {"type": "structure", "members": {}, "traits": {"smithy.api#error": "server"}}}}`

const alwaysRight = `{"state": "success", "matcher": {"success": true}}`

func acceptorOf(kind, path, comparator, expected string) string {
	text, _ := json.Marshal(map[string]any{"state": "success",
		"matcher": map[string]any{kind: map[string]any{"path": path, "comparator": comparator, "expected": expected}}})
	return string(text)
}

func shop(t *testing.T, acceptors string) (*Model, []source.Diagnostic) {
	t.Helper()
	return readText(t, strings.Replace(shopModel, "%s", acceptors, 1))
}

const shopOutput = `{"Status":"OPEN","Count":3,"Open":true,"Any":{"deep":["x"]},"Since":"2026-01-02T00:00:00Z","Either":{"Text":"t"},
	"Items":[{"Name":"a","Ready":true,"Price":1.5,"Tags":["red","round"]},{"Name":"b","Ready":true,"Price":2},{"Name":"c","Ready":false,"Price":3,"Tags":["red"]}],
	"ByName":{"z":{"Name":"last"},"m":{"Name":"middle"}}}`

// The semantics are JMESPath's (jmespath.org, "JMESPath Specification") and of Smithy's "Matcher union".
func TestMatchers(t *testing.T) {
	for _, c := range []struct {
		path, comparator, expected string
		match                      bool
		reason                     string
	}{
		{"Status", "stringEquals", "OPEN", true, `it is "OPEN"`},
		{"Status", "stringEquals", "open", false, `it is "OPEN"`},
		{"Missing", "stringEquals", "OPEN", false,
			"nothing is there: the path gives null, and the comparator takes a string"},
		{"Count", "stringEquals", "3", false, "it is number, not a string: 3"},
		{"Open", "booleanEquals", "true", true, "it is true"},
		{"Open", "booleanEquals", "false", false, "it is true"},
		{"Status", "booleanEquals", "true", false, `it is string, not a boolean: "OPEN"`},
		{"Items[*].Name", "anyStringEquals", "b", true, `item 1 is "b"`},
		{"Items[*].Name", "anyStringEquals", "d", false, "none of its 3 items is"},
		{"Items[*].Name", "allStringEquals", "a", false, `item 1 is "b"`},
		{"Items[?Price > `9`].Name", "allStringEquals", "a", false, "the array is empty"},
		{"Items[?Ready].Name", "anyStringEquals", "c", false, "none of its 2 items is"},
		{"Items[].Tags[]", "anyStringEquals", "round", true, `item 1 is "round"`},
		{"Items[?contains(Tags || `[]`, 'red')].Tags[0]", "allStringEquals", "red", true, "all 2 items are equal"},
		{"Status", "allStringEquals", "OPEN", false, `it is string, not an array: "OPEN"`},
		{"Items[-1].Name", "stringEquals", "c", true, `it is "c"`},
		{"Items[0:2].Name", "allStringEquals", "a", false, `item 1 is "b"`},
		{"ByName.*.Name", "anyStringEquals", "last", true, `item 1 is "last"`}, // in the order of the keys
		{"keys(ByName)[0]", "stringEquals", "m", true, `it is "m"`},
		{"values(ByName)[1].Name", "stringEquals", "last", true, `it is "last"`},
		{"length(Items) == Count", "booleanEquals", "true", true, "it is true"},
		{"sum(Items[].Price) > `6`", "booleanEquals", "true", true, "it is true"},
		{"!Open", "booleanEquals", "false", true, "it is false"},
		{"Open && Status == 'OPEN'", "booleanEquals", "true", true, "it is true"},
		{"[Status, Any.deep[0]]", "anyStringEquals", "x", true, `item 1 is "x"`},
		{"{a: Status}.a", "stringEquals", "OPEN", true, `it is "OPEN"`},
		{"Items | [0].Name", "stringEquals", "a", true, `it is "a"`},
		{"Since > `1767225600`", "booleanEquals", "true", true, "it is true"},
		{"join(',', Items[*].Name)", "stringEquals", "a,b,c", true, `it is "a,b,c"`},
		{"max_by(Items, &Price).Name", "stringEquals", "c", true, `it is "c"`},
		{"to_string(Count)", "stringEquals", "3", true, `it is "3"`},
		{"type(Any)", "stringEquals", "object", true, `it is "object"`},
		{"length(Count)", "stringEquals", "1", false, "the path cannot be evaluated: "},
	} {
		m, _ := shop(t, acceptorOf("output", c.path, c.comparator, c.expected))
		w := m.Lookup("ShopOpen")
		got := w.Acceptors[0].Matcher.Match(w.typed(&Response{Output: value.Must(shopOutput)}))
		if got.Matched != c.match || !strings.HasPrefix(got.Reason, c.reason) {
			t.Errorf("%s %s %q: %v, %q, want %v, %q", c.path, c.comparator, c.expected, got.Matched, got.Reason,
				c.match, c.reason)
		}
	}
}

// The first acceptor that matches decides; a result that none matches is tried again, or fails where it is an error
// (Smithy, "Waiter workflow").
func TestSteps(t *testing.T) {
	m, problems := shop(t, `{"state": "failure", "matcher": {"errorType": "x#NoSuchShop"}}, {"state": "retry", "matcher": {"errorType": "Throttled"}},
	 {"state": "success", "matcher": {"inputOutput": {"path": "output.Count == input.Want", "comparator": "booleanEquals", "expected": "true"}}},
	 {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "GONE"}}, "message": "Any"}`)
	for _, p := range problems {
		if p.Severity == source.Error {
			t.Fatal(p.Message)
		}
	}
	for _, c := range []struct {
		response Response
		acceptor int
		state    State
	}{
		{Response{Error: "NoSuchShop"}, 0, Failure},
		{Response{Error: "y#NoSuchShop"}, 0, Failure}, // a service may use another namespace on the wire
		{Response{Error: "x#Throttled"}, 1, Retry},
		{Response{Error: "AccessDenied"}, -1, Failure},
		{Response{Input: value.Must(`{"Want":3}`), Output: value.Must(shopOutput)}, 2, Success},
		{Response{Input: value.Must(`{"Want":4}`), Output: value.Must(shopOutput)}, -1, Retry},
		{Response{Output: value.Must(`{"Status":"GONE"}`)}, 2, Success}, // neither is there: null == null
		{Response{Input: value.Must(`{"Want":4}`), Output: value.Must(`{"Status":"GONE"}`)}, 3, Failure},
		{Response{Input: value.Must(`{"Want":4}`)}, -1, Retry},
	} {
		if acceptor, state := m.Lookup("ShopOpen").Step(&c.response); acceptor != c.acceptor || state != c.state {
			t.Errorf("%+v: %d, %s, want %d, %s", c.response, acceptor, state, c.acceptor, c.state)
		}
	}
	for i, want := range []string{"error NoSuchShop", "error Throttled", "output.Count == input.Want = true",
		`Status = "GONE"`} {
		if got := m.Lookup("ShopOpen").Acceptors[i].Matcher.String(); got != want {
			t.Errorf("acceptor %d is %q, want %q", i, got, want)
		}
	}
	m, _ = shop(t, alwaysRight+`, {"state": "failure", "matcher": {"success": false}}, `+
		acceptorOf("output", "Items[].Name", "allStringEquals", "a")+", "+
		acceptorOf("output", "Items[].Name", "anyStringEquals", "a"))
	for i, want := range []string{"no error", "any error", `all of Items[].Name = "a"`, `any of Items[].Name = "a"`} {
		if got := m.Lookup("ShopOpen").Acceptors[i].Matcher.String(); got != want {
			t.Errorf("acceptor %d is %q, want %q", i, got, want)
		}
	}
	if m.Lookup("Other") != nil {
		t.Error("a waiter that is none is found")
	}
}

// Impossible paths over the shapes of their operation are noted, as Smithy's validators do; possible ones are not.
func TestTypesOfPaths(t *testing.T) {
	for path, want := range map[string]string{
		"Statsu":                          "Object field 'Statsu' does not exist in object with properties [Any, ByName, Count, Either, Items, Open, Since, Status]",
		"Status.Name":                     "Object field 'Name' extraction performed on string",
		"Count.Name":                      "Object field 'Name' extraction performed on number",
		"Items.Name":                      "Object field 'Name' extraction performed on array",
		"Items[0].Nam":                    "Object field 'Nam' does not exist in object with properties [Name, Price, Ready, Tags]",
		"Items[?Nam == 'a'] | [0].Name":   "Object field 'Nam' does not exist",
		"Items[].Tags[].Deep | [0]":       "Object field 'Deep' extraction performed on string",
		"ByName.*.Nam | [0]":              "Object field 'Nam' does not exist",
		"Status[0]":                       "Array index extraction performed on string",
		"Status[] | [0]":                  "Array flatten performed on string",
		"Either.Other":                    "Object field 'Other' does not exist in object with properties [Number, Text]",
		"Open < `1`":                      "Invalid comparator '<' for boolean",
		"Count < `\"1\"`":                 "Invalid comparator '<' for string",
		"lenth(Items)":                    "Unknown function: lenth",
		"Status[*].Name":                  "Array projection performed on string",
		"Status[?Name]":                   "Filter projection performed on string",
		"Status[1:]":                      "Slice performed on string",
		"length(Count)":                   "length function argument 0 error: expected one of [string array object], but found number",
		"join(',', Items)":                "join function argument 1 error: expected one of [array[string]], but found array",
		"max_by(Items, 'Price')":          "max_by function argument 1 error: expected one of [expref], but found string",
		"length(&Items)":                  "length function argument 0 error: expected one of [string array object], but found expref",
		"length(Items, Items)":            "length function expected 1 arguments, but was given 2",
		"join(',', Items[].Tags[])":       "",
		"not_null(Count, Open, Status)":   "",
		"Count":                           "stringEquals takes the type string, and this expression gives the type number",
		"Open":                            "this expression gives the type boolean",
		"Items":                           "this expression gives the type array",
		"ByName":                          "this expression gives the type object",
		"Either":                          "this expression gives the type object",
		"!Open":                           "this expression gives the type boolean",
		"Open && Open":                    "this expression gives the type boolean",
		"Count > `1`":                     "this expression gives the type boolean",
		"[Status]":                        "this expression gives the type array",
		"{a: Status}":                     "this expression gives the type object",
		"Status.*":                        "this expression gives the type null",
		"Items[0:1]":                      "this expression gives the type array",
		"Items[]":                         "this expression gives the type array",
		"length(Items)":                   "this expression gives the type number",
		"`1`":                             "this expression gives the type number",
		"`true`":                          "this expression gives the type boolean",
		"`[]`":                            "this expression gives the type array",
		"`{}`":                            "this expression gives the type object",
		"`null`":                          "this expression gives the type null",
		"@":                               "this expression gives the type object",
		"Status[":                         "invalid JMESPath",
		"Any.deep.anything[0].whatever[]": "this expression gives the type array",
		"Status":                          "",
		"'x'":                             "",
		"ByName.key.Name":                 "",
		"Either.Text":                     "",
		"Items[-1].Tags[0]":               "",
		"Any":                             "",
		"Any.deep[0]":                     "",
		"Open || Status":                  "",
		"max_by(Items, &Price).Name":      "",
		"not_null(Status, Any)":           "",
		"to_string(Count)":                "",
		"Items[?Price > `1` && Ready].Name | [0]": "",
		"Since > `1` && Status || Any":            "",
	} {
		_, problems := shop(t, acceptorOf("output", path, "stringEquals", "OPEN"))
		texts := value.Each(problems, func(p source.Diagnostic) string { return p.Message })
		if all := strings.Join(texts, "\n"); (all == "") != (want == "") || !strings.Contains(all, want) {
			t.Errorf("%s:\n got %s\nwant %s", path, all, want)
		}
	}
}

// Problems of a waiter itself.
func TestProblemsOfWaiters(t *testing.T) {
	for acceptors, want := range map[string]string{
		`{"state": "sucess", "matcher": {"success": true}}, ` +
			alwaysRight: `state is one of success, failure, retry, not "sucess"`,
		`{"state": 1, "matcher": {"success": true}}, ` + alwaysRight:        "state is a string, not a number",
		`{"matcher": {"success": true}}, ` + alwaysRight:                    "acceptor 0 of ShopOpen has no state",
		`{"state": "retry"}, ` + alwaysRight:                                "acceptor 0 of ShopOpen has no matcher",
		`7, ` + alwaysRight:                                                 "an acceptor is an object with state and matcher, not a number",
		`{"state": "retry", "matcher": {}}, ` + alwaysRight:                 "a matcher is an object with exactly one of output, inputOutput, success, errorType",
		`{"state": "retry", "matcher": {"succes": true}}, ` + alwaysRight:   `a matcher has no member "succes"`,
		`{"state": "retry", "matcher": {"success": "yes"}}, ` + alwaysRight: "success is true or false, not a string",
		`{"state": "retry", "matcher": {"errorType": 1}}, ` + alwaysRight:   "errorType is a string, not a number",
		`{"state": "retry", "matcher": {"errorType": "Unheard"}}, ` +
			alwaysRight: `the error "Unheard" is none of the operation's: x#NoSuchShop`,
		`{"state": "retry", "matcher": {"output": 1}}, ` +
			alwaysRight: "output is an object with path, comparator and expected, not a number",
		`{"state": "retry", "matcher": {"output": {"path": "Status"}}}, ` +
			alwaysRight: "acceptor 0 of ShopOpen has no comparator",
		`{"state": "retry", "matcher": {"success": true}, "note": 1}, ` +
			alwaysRight: `an acceptor has no member "note"`,
		`{"state": "retry", "matcher": {"success": true}}`: "the waiter ShopOpen has no acceptor with the state success",
		acceptorOf("output", "Open", "booleanEquals",
			"yes"): `with booleanEquals, expected must be "true" or "false", but is "yes"`,
		`{"state": "retry", "matcher": {"success": true}, "message": "Any"}, ` +
			alwaysRight: "only an acceptor with the state failure has a message, and this has retry",
		`{"state": "failure", "matcher": {"success": false}, "message": "Count"}, ` +
			alwaysRight: "message must give a string or an array of strings, and this expression gives the type number",
		`{"state": "failure", "matcher": {"success": false}, "message": "["}, ` +
			alwaysRight: "invalid JMESPath in message",
		`{"state": "failure", "matcher": {"success": false}, "message": 5}, ` +
			alwaysRight: "message is a string, not a number",
	} {
		m, problems := shop(t, acceptors)
		texts := value.Each(problems, func(p source.Diagnostic) string { return p.Message })
		if all := strings.Join(texts, "\n"); !strings.Contains(all, want) {
			t.Errorf("%s:\n got %s\nwant %s", acceptors, all, want)
		}
		if w := m.Lookup("ShopOpen"); len(w.Own(problems)) != len(problems) {
			t.Errorf("%s: %d of %d problems are the waiter's", acceptors, len(w.Own(problems)), len(problems))
		}
	}
	for waiters, want := range map[string]string{
		`[]`: "the trait smithy.waiters#waitable is an object of waiters, not an array",
		`{"shopOpen": {"acceptors": [` + alwaysRight + `]}}`: `the name of a waiter must match`,
		`{"A": 1}`:                 "a waiter is an object, not a number",
		`{"A": {}}`:                "the waiter A has no acceptors",
		`{"A": {"acceptors": []}}`: "acceptors is a list with at least one acceptor",
		`{"A": {"acceptors": [` + alwaysRight + `], "minDelay": 9, "maxDelay": 3}}`: "the waiter A has a minDelay of 9 that is greater than its maxDelay of 3",
		`{"A": {"acceptors": [` + alwaysRight + `], "minDelay": 0}}`:                "minDelay is a whole number of seconds from 1, not 0",
		`{"A": {"acceptors": [` + alwaysRight + `], "maxDelay": 3000000000}}`:       "maxDelay is at most 2147483647 seconds, not 3000000000",
		`{"A": {"acceptors": [` + alwaysRight + `], "deprecated": 1}}`:              "deprecated is true or false, not a number",
		`{"A": {"acceptors": [` + alwaysRight + `], "documentaton": "x"}}`:          `a waiter has no member "documentaton"`,
		`{"A": {"acceptors": [` + alwaysRight + `]}, "a": {"acceptors": [` + alwaysRight +
			`]}}`: `the waiter a conflicts with A of GetShop`,
		`{"A": {"acceptors": [` + alwaysRight + `], "documentation": "d", "tags": ["t"], "deprecated": true}}`: "",
	} {
		_, problems := readText(t, strings.Replace(shopModel, `{"ShopOpen": {"acceptors": [%s]}}`, waiters, 1))
		texts := value.Each(problems, func(p source.Diagnostic) string { return p.Message })
		if all := strings.Join(texts, "\n"); (want == "") != (all == "") || !strings.Contains(all, want) {
			t.Errorf("%s:\n got %s\nwant %s", waiters, all, want)
		}
	}
}

// A waiter with an error among its problems is not usable; a warning, and another waiter's error, leave it so.
func TestUsable(t *testing.T) {
	m, problems := readText(t, strings.Replace(shopModel, `{"ShopOpen": {"acceptors": [%s]}}`,
		`{"Good": {"acceptors": [`+alwaysRight+`], "note": 1}, "Bad": {"acceptors": [{"state": "retry"}]}}`, 1))
	if !m.Lookup("Good").Usable(problems) || m.Lookup("Bad").Usable(problems) {
		t.Errorf("%v", problems)
	}
	if _, err := m.Program(m.Lookup("Good"), 0); err == nil {
		t.Error("a waiter may wait for 0 s")
	}
	if _, err := m.Program(&Waiter{Name: "Empty"}, time.Minute); err == nil ||
		!strings.Contains(err.Error(), "Empty has no acceptors") {
		t.Errorf("err = %v", err)
	}
}

// The definition of a waiter can be made from its origin again; not from another's.
func TestAgain(t *testing.T) {
	m, _ := readText(t, jobModel)
	made, err := m.Program(m.Lookup("JobDone"), 90*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	again := Again(m.Waiters[0].File, made.Origin)
	if again == nil || value.Compact(again.Origin.Arguments) != `{"waiter":"JobDone","operation":"x#GetJob","maxWait":"1m30s"}` || again.Origin.Format != Format || again.Lookup(DelayFor) == nil {
		t.Fatalf("%+v", again)
	}
	for _, arguments := range []string{`{}`, `{"waiter":"Other","maxWait":"1m"}`,
		`{"waiter":"JobDone","maxWait":"soon"}`, `{"waiter":"JobDone","maxWait":"-1s"}`} {
		if Again(m.Waiters[0].File, &asl.Origin{Format: Format,
			Arguments: value.Must(arguments).(*value.Object)}) != nil {
			t.Errorf("%s gives a definition", arguments)
		}
	}
	if Again(&source.File{Name: "m.json", Data: []byte("{}")}, made.Origin) != nil {
		t.Error("a text that is not a model gives a definition")
	}
}

// Every decision and every time of a waiter says in words how it came about.
func TestExplanations(t *testing.T) {
	m, _ := readText(t, jobModel)
	definition, err := m.Program(m.Lookup("JobDone"), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	moment := func(data string, visit int, after time.Duration) *asl.Moment {
		return &asl.Moment{Data: value.Must(data), Visit: visit, Start: start, Now: start.Add(after),
			Draw: func(n int64) int64 { return n / 2 }}
	}
	text := func(findings []asl.Finding) string {
		all := value.Each(findings, func(f asl.Finding) string { return f.What + ": " + f.Found })
		return strings.Join(all, "\n")
	}
	const running, gone = `{"input":{},"output":{"Status":"RUNNING"}}`,
		`{"input":{},"error":{"Error":"NoSuchJob","Cause":"c"}}`
	for _, c := range []struct {
		state string
		at    *asl.Moment
		holds bool
		want  string
	}{
		{"0 success", moment(running, 1, 0), false, `"RUNNING"`},
		{"2 retry", moment(gone, 1, 0), true, "NoSuchJob"},
		{NoMatch, moment(running, 1, 0), false, "no acceptor matched: the call succeeded: it is tried again"},
		{NoMatch, moment(`{"input":{},"error":{"Error":"Denied","Cause":""}}`, 1, 0), true,
			"no acceptor matched: the call failed with Denied: an error that nothing matches ends the waiter"},
		{TimeLeft, moment(running, 1, 20*time.Second), true, "waited: 20s of 1m0s; 40s left"},
		{TimeLeft, moment(running, 1, time.Minute), false, "waited: 1m0s of 1m0s; 0s left"},
	} {
		p := definition.Lookup(c.state).Choices[0].Predicate
		if got := text(p.Explain(c.at)); p.Holds(c.at) != c.holds || !strings.Contains(got, c.want) ||
			p.String() == "" {
			t.Errorf("%s (%s): %v\n%s\nwant %v\n%s", c.state, p, p.Holds(c.at), got, c.holds, c.want)
		}
	}
	delay, call := definition.Lookup(DelayFor).Seconds.Calculation,
		definition.Lookup("GetJob").TimeoutSeconds.Calculation
	failed, over := definition.Lookup(Failed).Cause.Calculation, definition.Lookup(TimedOut).Cause.Calculation
	inVain := func(last string) string {
		return `"JobDone did not come to success or failure within 1m0s; its last poll: ` + last + `"`
	}
	for _, c := range []struct {
		calculation   asl.Calculation
		at            *asl.Moment
		is, explained string
		called        string
	}{
		{call, moment(running, 1, 20*time.Second), "40", "time left: 40s of 1m0s", "the time that is left"},
		{call, moment(running, 1, time.Minute), "0.000000001", "time left: 0s of 1m0s", "the time that is left"},
		// Attempt 2 of minDelay 2 s: between 2 s and min(2 x 2^1, 20) = 4 s.
		{delay, moment(running, 2, 10*time.Second), "", "range: 2 s to 4 s: min(2 s x 2^1, 20 s)",
			"2 to 20 s, doubled each time"},
		// The ceiling is log2(20/2)+1 = 4.32: from attempt 5 on the delay is between 2 s and 20 s.
		{delay, moment(running, 5, 10*time.Second), "", "attempt 5 is above the ceiling: 20 s",
			"2 to 20 s, doubled each time"},
		{delay, moment(running, 2, 59*time.Second), "1", "left: 0s: the attempt after this delay is the last",
			"2 to 20 s, doubled each time"},
		{failed, moment(`{"input":{},"output":{"Status":"FAILED","Reason":"no disk"}}`, 1, 0),
			`"no disk (acceptor 1 matched: Status = \"FAILED\")"`, "", "the acceptor that matched"},
		{failed, moment(`{"input":{},"output":{"Status":"FAILED"}}`, 1, 0), `"acceptor 1 matched: Status = \"FAILED\""`,
			"", "the acceptor that matched"},
		{failed, moment(`{"input":{},"output":{"Status":"FAILED","Reason":["a"]}}`, 1, 0),
			`"[\"a\"] (acceptor 1 matched: Status = \"FAILED\")"`, "", "the acceptor that matched"},
		{failed, moment(`{"input":{},"error":{"Error":"Denied","Cause":""}}`, 1, 0),
			`"no acceptor matched the error Denied"`, "", "the acceptor that matched"},
		{over, moment(running, 1, time.Minute), inVain(`Status is \"RUNNING\"; no acceptor matched: retry`), "",
			"the time that is over"},
		{over, moment(`{"input":{},"error":{"Error":"NoSuchJob"}}`, 1, time.Minute),
			inVain("error NoSuchJob; acceptor 2 matched: retry"), "", "the time that is over"},
		{over, moment(`{"Error":"States.Timeout"}`, 1, time.Minute), inVain("no response in time"), "",
			"the time that is over"},
	} {
		v := c.calculation.Value(c.at)
		if got := text(c.calculation.Explain(c.at, v)); c.is != "" && value.Compact(v) != c.is ||
			!strings.Contains(got, c.explained) || c.calculation.String() != c.called {
			t.Errorf("%s: %s\n%s\nwant %s\n%s", c.calculation, value.Compact(v), got, c.is, c.explained)
		}
	}
}
