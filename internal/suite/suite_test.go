package suite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/suite"
)

// whole has every key of the format.
const whole = `# The order under test.
version: 1
definition: order.asl.json
resource: Orders
substitutions: {Table: orders, Limit: 5}
include: [order.fixtures.yaml]
startTime: "2026-01-01T09:00:00Z"
defaults: {timeout: 2h, maxEvents: 500}
skip: {reason: "see #12", cases: [later]}
invariants:
  - {never: Ship, without: ChargeCard}
  - {when: SUCCEEDED, assert: '$.payment != null'}
  - {after: ChargeCard, not: FAILED, unless: RefundCard}
cases:
  pays and ships:
    expect:
      output: {orderId: o-1042, paid: captured}
      path: [ValidateOrder, PaymentDue, ChargeCard, ..., OrderCompleted]
      duration: < 2h
      unused: none
  declined card:
    inject: {ChargeCard: Card.Declined}
    expect:
      status: FAILED
      error: Order.Rejected
      never: [Fulfil/**, AwaitSettlement]
      states:
        ChargeCard: {attempts: 1, caught: Card.Declined, by: 0, next: OrderRejected}
  "retries {{n}} times":
    table: [{n: 1, s: 2}, {n: 2, s: 6}]
    inject: {ChargeCard: {error: Card.Timeout, times: "{{n}}"}}
    expect: {states: {ChargeCard: {attempts: "{{n}} + 1", retryDelay: "{{s}}s"}}}
  asks for the right amount:
    expect:
      tasks:
        ChargeCard:
          - payload: {Payload: {amount: 129.90, card: "$any(string)"}}
        PackLines/Iterations[*]/PickLine: {count: 3, each: {payload: $.number < 3}}
      states: {PaymentDue: {rule: 1, after: {Choices: $.validation.total > 0}}}
      assert: ["$sum($states.output.parcels.grams) = 2530", $.paid != null]
  nothing to pack:
    input: {order: {id: o-1, lines: []}, customer: {name: A, card: c, mailbox: m}}
    snapshot: {ignore: ["$..requestId"]}
  like production 2026-10-03:
    history: histories/8f1c.json
    execution: arn:aws:states:eu-central-1:123456789012:execution:order:8f1c
  later:
    tasks: {ChargeCard: [{output: {}}]}
    inject: {ChargeCard: [A, {error: B, cause: c, after: 2s, times: 2}]}
    expect: {output!: {a: [1, "$regex(^r-)"], b: "$absent", c: "$$any"}, size: <= 200 KB, events: 12, order: [A, B],
      states: {A: {visits: 1, retries: 0, retryDelays: [2s, "< 5s"], failed: E, duration: 1h, path: [B, ...], before: {Parameters: {a: 1}}, input: {b: 2}, rule: default}},
      tasks: {B: {invocations: [{payload!: {}, resource: "$any"}]}}}
`

func load(t *testing.T, text string) (*suite.Suite, error) {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "order.test.yaml")
	for file, content := range map[string]string{
		"order.fixtures.yaml": "version: 1\ntasks: {ChargeCard: [{output: {paid: true}, repeat: forever}]}\n",
		"order.test.yaml":     text,
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := suite.Load(name, []byte(text))
	if err != nil {
		return nil, fmt.Errorf("%s", strings.ReplaceAll(err.Error(), name, "order.test.yaml"))
	}
	return s, nil
}

func TestLoad(t *testing.T) {
	s, err := load(t, whole)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range s.Cases {
		line := fmt.Sprintf("%s:%d row %d", c.Name, c.At.Line, c.Row)
		if c.Skip != "" {
			line += " skip " + c.Skip
		}
		got = append(got, line)
	}
	want := `pays and ships:15 row 0
declined card:21 row 0
retries 1 times:29 row 1
retries 2 times:29 row 2
asks for the right amount:33 row 0
nothing to pack:41 row 0
like production 2026-10-03:44 row 0
later:47 row 0 skip see #12`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if filepath.Base(s.Definition().File) != "order.asl.json" || s.Definition().Resource != "Orders" ||
		len(s.Definition().Substitute) != 2 || s.Defaults.MaxEvents != 500 || s.Defaults.Timeout.Hours() != 2 {
		t.Errorf("the suite is %+v", s)
	}
	first := s.Cases[0].Expect
	if p := first.Path; len(p.Steps) != 4 || !p.Steps[3].Gap || p.Steps[2].Gap || p.Open {
		t.Errorf("the path is %+v", p)
	}
	if first.Status != suite.Succeeded || first.Duration.Op != suite.Less || first.Unused == nil {
		t.Errorf("the first case expects %+v", first)
	}
	again := s.Cases[3].Expect.States[0]
	if again.Attempts.Number != 3 || again.Delay.Number != 6e9 {
		t.Errorf("the second row expects %+v", again)
	}
	if r := s.Cases[6].Recording; r == nil || filepath.Base(r.Given.Spec.History.Files[0]) != "8f1c.json" ||
		r.Given.Spec.History.Execution == "" {
		t.Errorf("the recording is %+v", r)
	}
	if rule := s.Cases[7].Expect.States[0].Rule; rule.Number != -1 {
		t.Errorf("the rule is %+v", rule)
	}
	if i := s.Invariants[2]; i.After.Text != "ChargeCard" || i.Not[0] != suite.Failed ||
		i.String() != "invariant: after ChargeCard not FAILED unless RefundCard" || i.Unless.Text != "RefundCard" {
		t.Errorf("the invariant is %+v", i)
	}
	if text := s.Cases[7].Expect.Output.Text(); text != `{"a":[1,"$regex(^r-)"],"b":"$absent","c":"$$any"}` {
		t.Errorf("the output is written %s", text)
	}
	for _, c := range s.Cases {
		if _, err := s.Fixtures.Case(c.Name); err != nil {
			t.Errorf("the fixtures of %s: %v", c, err)
		}
	}
}

// A message has the place, the expectation and, where one is near, the right word.
func TestWrongSuites(t *testing.T) {
	const head = "version: 1\ncases:\n  a:\n    "
	const tail = "\ncases: {a: {expect: {}}}"
	for text, want := range map[string]string{
		"[]":                                                                      "order.test.yaml:1:1: a suite is an object that begins with version: 1",
		"a: [":                                                                    "order.test.yaml:",
		"version: 1":                                                              "order.test.yaml:1:1: a suite has cases, and this has none",
		"version: 1\ncases: {}":                                                   "a suite has cases, and this has none",
		"version: 1\ncases: []":                                                   "2:8: cases is an object whose keys are each the name of a case",
		"version: 1\ncases: {a: 1}":                                               `2:12: the case "a" is an object with expect and the like, not a number`,
		"cases: {a: {expect: {}}}":                                                "version: 1 is missing",
		"version: 1\ndefintion: x":                                                `2:1: a suite has no key "defintion"; its keys are definition, `,
		head + "input: {}":                                                        `3:3: the case "a" has no expect, snapshot, history or trace: it could not fail`,
		head + "expct: {}":                                                        `a case has no key "expct"; its keys are expect, inject, `,
		head + "expect: {ouput: 1}":                                               `expect has no key "ouput"; its keys are status, `,
		head + "expect: {status: FAILD}":                                          `status is SUCCEEDED, FAILED, TIMED_OUT, ABORTED, not "FAILD" (did you mean "FAILED"?)`,
		head + "expect: {error: E}":                                               "has not SUCCEEDED: add status: FAILED",
		head + "expect: {path: A}":                                                "path is a list of states, with ... for any others, not a string",
		head + "expect: {duration: long}":                                         "duration is a duration such as 90s or 1h30m, with < <= > >= before it for a bound",
		head + "expect: {size: big}":                                              "size is a size such as 900 or 200 KB",
		head + "expect: {events: '1 +'}":                                          "events is a number",
		head + "expect: {events: '\"a\"'}":                                        "events is a number",
		head + "expect: {output: $any}":                                           "",
		head + "expect: {output: '$any(sting)'}":                                  `$any has one of string, number, boolean, object, array, uuid, date in brackets, not "$any(sting)" (did you mean "string"?)`,
		head + "expect: {output: {a: $x}}":                                        `"$x" begins with $ and is not a matcher: $any, $any(TYPE), $regex(EXPRESSION), $absent; for the text itself write "$$x"`,
		head + "expect: {output: '$regex(()'}":                                    "the regular expression",
		head + "expect: {output: $.a ==}":                                         "the condition \"$.a ==\"",
		head + "expect: {output: 1, output!: 1}":                                  "output and output! exclude each other",
		head + "expect: {path: [A], order: [A]}":                                  "path and order exclude each other",
		head + "expect: {unused: all}":                                            "unused is none",
		head + "expect: {assert: [1]}":                                            "an assertion is a text",
		head + "expect: {states: {A: {atempts: 1}}}":                              `an expectation on a state has no key "atempts"`,
		head + "expect: {states: {A: {after: {Paramters: 1}}}}":                   `the data at stages has no key "Paramters"`,
		head + "expect: {tasks: {A: 1}}":                                          "an expectation on a task is a list of invocations, or an object with count and each, not a number",
		head + "expect: {tasks: {A: {ech: 1}}}":                                   `an expectation on a task has no key "ech"`,
		head + "expect: {tasks: {A: [{paylod: 1}]}}":                              `an invocation has no key "paylod"`,
		head + "expect: {tasks: {A: {invocations: 1}}}":                           "invocations is a list",
		head + "snapshot: 1":                                                      "snapshot is true, or {ignore: [paths]}",
		head + "snapshot: {ignor: []}":                                            `snapshot has no key "ignor"`,
		head + "execution: arn":                                                   "execution and attempt belong to a history",
		head + "{history: a, trace: b}":                                           "has a history and a trace: it can have one",
		head + "{expect: {}, inject: {A: {cause: c}}}":                            `an injected error of "A" needs error: the Error Name`,
		head + "{expect: {}, inject: {A: {error: e, time: 1}}}":                   `an injected error has no key "time"`,
		head + "{expect: {}, inject: {A: {error: e, times: 0}}}":                  "times is a whole number from 1",
		head + "{expect: {}, tasks: {A: [{outut: 1}]}}":                           "outut",
		head + "{expect: {}, table: 1}":                                           "table is a list of rows",
		head + "{expect: {}, table: [{n: 1}]}":                                    `the case "a" has a table, and its name no column: write one as {{NAME}}`,
		"version: 1\ncases:\n  \"a{{n}}\": {expect: {}, table: [1]}":              "a row is an object of columns",
		"version: 1\ncases:\n  \"a{{n}}\": {expect: {}, table: [{n: 1}, {m: 1}]}": `the row of the table on line 3 has no column "n"; its columns are m`,
		"version: 1\ncases:\n  \"a{{n}}\": {expect: {}, table: [{n: 1}, {n: 1}]}": `two cases have the name "a1"`,
		"version: 1\ndefaults: {timout: 1s}" + tail:                               `defaults has no key "timout"`,
		"version: 1\ndefaults: {timeout: soon}" + tail:                            "timeout is a duration",
		"version: 1\ndefaults: {maxEvents: -1}" + tail:                            "maxEvents is a whole number from 0",
		"version: 1\nskip: {cases: [b], reason: r}" + tail:                        `there is no case "b"`,
		"version: 1\nskip: {cases: [a]}" + tail:                                   "skip needs a reason",
		"version: 1\nskip: {case: [a]}" + tail:                                    `skip has no key "case"`,
		"version: 1\ninvariants: {}" + tail:                                       "invariants is a list",
		"version: 1\ninvariants: [{nevr: A}]" + tail:                              `an invariant has no key "nevr"`,
		"version: 1\ninvariants: [{unless: A}]" + tail:                            "an invariant is {never, without}, {when, assert} or {after, not, unless}, and this has no after",
		"version: 1\ninvariants: [{without: A}]" + tail:                           "and this has no never",
		"version: 1\ninvariants: [{when: FAILED}]" + tail:                         "and this has no assert",
		"version: 1\ninvariants: [{after: A}]" + tail:                             "and this has no not",
		"version: 1\ninvariants: [{}]" + tail:                                     "or {after, not, unless}, not {}",
		"version: 1\ninvariants: [7]" + tail:                                      "an invariant is an object, not a number",
		"version: 1\ninvariants: [{never: A, when: FAILED, assert: $.a}]" +
			tail: "and this has keys of two forms: write two invariants",
		"version: 1\ninvariants: [{after: A, not: BROKEN}]" +
			tail: `status is SUCCEEDED, FAILED, TIMED_OUT, ABORTED, not "BROKEN"`,
		"version: 1\ninvariants: [{after: A, not: []}]" + tail: "the list is empty",
		"version: 1\ninvariants: [{never: [A]}]" + tail:        "never is a text, not [\"A\"]",
		head + "expect: {assert: ['{% $count($.a) = 0 %}']}":   "an expression has no context: $ has no value here; the value is $states.output",
		head + "expect: {output: '{% a = 1 %}'}":               "an expression has no context: a has no value here; the value is $states.output",
		head + "expect: {assert: ['$states.result.a = 1']}":    "$states has no result here; it has output, input, context",
		head + "expect: {output: '{% $states.outputs = 1 %}'}": "$states has no outputs here; it has output, input, context, result, errorOutput",
		"version: 1\ninvariants: [{assert: \"$.a >\"}]" + tail: "the condition \"$.a >\"",
		"version: 1\nsubstitutions: {A: []}" + tail:            "the substitution A is a text or a number",
		"version: 1\nsubstitutions: 1" + tail:                  "substitutions is an object",
		"version: 1\ninclude: [none.yaml]" + tail:              "none.yaml",
		"version: 1\ninclude: [order.test.yaml]" + tail:        "order.test.yaml includes itself",
	} {
		_, err := load(t, text)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s\ngot  %v\nwant no error", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, test := range []struct{ want, found, differences string }{
		{"{a: 1}", `{"a":1.0,"b":2}`, ""},
		{"{a: {b: [1, {c: 2}]}}", `{"a":{"b":[1,{"c":2,"d":3}]}}`, ""},
		{"{a: [1, 2]}", `{"a":[1]}`, `$.a [1,2] [1] has 1 item instead of 2 items`},
		{"{a: 1}", `[]`, `$ {"a":1} [] `},
		{"[1]", `{}`, `$ [1] {} `},
		{"{a: 1, 'b c': x}", `{"a":2}`, `$.a 1 2 |$['b c'] "x" nothing `},
		{"{a: $any}", `{"a":null}`, ""},
		{"{a: $any}", `{}`, `$.a "$any" nothing `},
		{"{a: '$any(number)', b: '$any(boolean)', c: '$any(object)', d: '$any(array)', e: '$any(string)'}",
			`{"a":1,"b":true,"c":{},"d":[],"e":""}`, ""},
		{"{a: '$any(number)'}", `{"a":"1"}`, `$.a "$any(number)" "1" is not a number`},
		{"{a: '$any(uuid)', b: '$any(date)', c: '$any(date)'}",
			`{"a":"01234567-89ab-cdef-0123-456789abcdef","b":"2026-01-01T00:00:00.5Z","c":"2026-01-01"}`, ""},
		{"{a: '$any(date)'}", `{"a":"soon"}`, `$.a "$any(date)" "soon" is not a date`},
		{"{a: '$regex(^r-[0-9]+$)'}", `{"a":"r-77"}`, ""},
		{"{a: '$regex(^r)'}", `{"a":7}`, `$.a "$regex(^r)" 7 does not match`},
		{"{a: $absent}", `{"b":1}`, ""},
		{"{a: $absent}", `{"a":1}`, `$.a "$absent" 1 `},
		{"{a: $$any}", `{"a":"$any"}`, ""},
		{"{a: $$any}", `{"a":"x"}`, `$.a "$$any" "x" `},
		{"$.a > 1", `{"a":2}`, ""},
		{"$.a > 1", `{"a":1}`, `$ "$.a > 1" {"a":1} is false`},
		{"'{% $states.input.a = 1 %}'", `{"a":1}`, ""},
		{"'{% $sum($states.output) > 5 %}'", `[1,2,3]`, ""},
		{"'{% $states.output[n > 1].n = 2 %}'", `[{"n":1},{"n":2}]`, ""},
	} {
		s, err := load(t, "version: 1\ncases: {a: {expect: {output: "+test.want+"}}}")
		if err != nil {
			t.Errorf("%s: %v", test.want, err)
			continue
		}
		if got := differences(s.Cases[0].Expect.Output, test.found); got != test.differences {
			t.Errorf("%s, found %s\ngot  %s\nwant %s", test.want, test.found, got, test.differences)
		}
	}
	s, err := load(t, "version: 1\ncases: {a: {expect: {output!: {a: {b: 1}}}}}")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := differences(s.Cases[0].Expect.Output, `{"a":{"b":1,"c":2},"d":3}`),
		`$.a.c nothing 2 |$.d nothing 3 `; got != want {
		t.Errorf("exact\ngot  %s\nwant %s", got, want)
	}
}

func differences(want *suite.Value, found string) string {
	var lines []string
	show := func(v value.Value) string {
		if v == nil {
			return "nothing"
		}
		return value.Compact(v)
	}
	for _, d := range want.Compare(value.Must(found), nil) {
		lines = append(lines, d.Path+" "+show(d.Wanted)+" "+show(d.Found)+" "+d.Reason)
	}
	return strings.Join(lines, "|")
}

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{
		"order.test.yaml": true, "a/order.test.yml": true, "order.test.json": true, "order.yaml": false,
		".test.yaml": false, "test.yaml": false,
	} {
		if suite.IsSuite(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	for text, want := range map[string][2]string{
		"order.test.yaml:pays": {"order.test.yaml", "pays"}, "a.json:b.yaml:c": {"a.json", "b.yaml:c"},
		"order.test.yaml": {"order.test.yaml", ""}, "C:\\a.test.yml:x: y": {"C:\\a.test.yml", "x: y"},
	} {
		file, name := suite.Split(text)
		if file != want[0] || name != want[1] {
			t.Errorf("%s: %q, %q", text, file, name)
		}
	}
}

// A case whose only expectation has a misspelt key has one problem.
func TestMisspeltExpectation(t *testing.T) {
	for key, meant := range map[string]string{"expct: {}": "expect", "snapshots: true": "snapshot",
		"histroy: x.json": "history"} {
		_, err := suite.Load("order.test.yaml", []byte("version: 1\ndefinition: order.asl.json\ncases:\n  a:\n    "+key+
			"\n"))
		if err == nil || strings.Contains(err.Error(), "\n") ||
			!strings.HasSuffix(err.Error(), "(did you mean \""+meant+"\"?)") {
			t.Errorf("%s: %v", key, err)
		}
	}
}
