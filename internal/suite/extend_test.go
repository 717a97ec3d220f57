package suite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/suite"
)

// A case has the keys of the case that it extends: objects are merged, and all else is its own.
func TestExtends(t *testing.T) {
	s, err := load(t, `version: 1
tags: all
properties: {team: orders}
cases:
  last:
    extends: middle
    expect: {status: SUCCEEDED, output!: {c: 3}}
  base:
    tags: [smoke]
    properties: {ticket: 7}
    skip: later
    input: {order: {id: 1, lines: []}, customer: a}
    inject: {ChargeCard: A}
    expect: {status: FAILED, error: E, output: {a: 1}, path: [A], states: {A: {visits: 1}, B: {visits: 1}}}
  middle:
    extends: base
    input: {order: {lines: [1]}}
    expect: {order: [B], states: {A: {visits: 2, attempts: 3}}}
`)
	if err != nil {
		t.Fatal(err)
	}
	last, middle := s.Cases[0], s.Cases[2]
	if middle.Expect.Status != suite.Failed || middle.Expect.Error.Text() != `"E"` || !middle.Expect.Path.Open ||
		len(
			middle.Expect.States,
		) != 2 || middle.Expect.States[0].Visits.Number != 2 || middle.Expect.States[0].Attempts.Number != 3 ||
		middle.Skip != "" || middle.Injects[0] != "ChargeCard" {
		t.Errorf("the middle one expects %+v", middle.Expect)
	}
	of, err := middle.Results()
	if err != nil || value.Compact(of.Input) != `{"order":{"id":1,"lines":[1]},"customer":"a"}` {
		t.Errorf("its input is %v, %v", of.Input, err)
	}
	if last.Expect.Error != nil || !last.Expect.Output.Exact || last.Expect.Output.Text() != `{"c":3}` {
		t.Errorf("the last one expects %+v", last.Expect)
	}
	if !slices.Equal(last.Tags, []string{"all", "smoke"}) ||
		fmt.Sprint(last.Properties) != "[{team orders} {ticket 7}]" {
		t.Errorf("it has the tags %q and the properties %v", last.Tags, last.Properties)
	}
}

func TestWrongExtends(t *testing.T) {
	const head = "version: 1\ncases:\n  a: "
	for text, want := range map[string]string{
		"{extends: pasy}\n  pays: {expect: {}}": `3:16: there is no case "pasy" to extend (did you mean "pays"?)`,
		"{extends: a}":                          `3:16: the case "a" extends itself`,
		"{extends: b}\n  b: {extends: a}":       `the case "b" extends itself`,
		"{extends: 1}":                          "extends names a case; it is a text, not 1",
		"{extends: 'b{{n}}'}\n  'b{{n}}': {expect: {}, table: [{n: 1}]}":     `"b{{n}}" has a table, and so is several cases`,
		"{expect: {}, tags: [a b]}":                                          `a tag is a word without blanks and commas that does not begin with !, not "a b"`,
		"{expect: {status: [FAILED, SUCCEEDED], error: E}}":                  "has not SUCCEEDED: add status: FAILED",
		"{expect: {status: []}}":                                             "the list is empty",
		"{expect: {}, tags: '!a'}":                                           "a tag is a word",
		"{expect: {}, properties: {a: []}}":                                  "the property a is a text, a number, true or false, not an array",
		"{expect: {events: '1, < 3'}}":                                       "two bounds of events have < <= > >= before each number",
		"{expect: {events: '> 1, three'}}":                                   "events is a number",
		"{expect: {}, inject: {A: {error: e, times: ever}}}":                 "times is a",
		"{expect: {states: {F/B[1]: {visits: 1}}}}":                          `quote the key: "F/B[1]"`,
		"{expect: {}}\n  'b{{n}}': {expect: {}, table: none.csv}":            "4:33: table: open ",
		"{expect: {}}\n  'b{{n}}': {expect: {}, table: order.fixtures.yaml}": "table is a list of rows, each an object of columns, or the name of a file",
	} {
		_, err := load(t, head+text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

// The rows of a table come from a file. Cells of a CSV file are numbers and the like where they are written so.
func TestTablesFromFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"rows.csv":   "n,code,ok\n1,007,true\n2,x y,false\n",
		"rows.json":  `[{"n": 1, "code": "007", "ok": true}, {"n": 2, "code": "x y", "ok": false}]`,
		"rows.yaml":  "- {n: 1, code: '007', ok: true}\n- {n: 2, code: x y, ok: false}\n",
		"rows.jsonl": "{\"n\": 1, \"code\": \"007\", \"ok\": true}\n{\"n\": 2, \"code\": \"x y\", \"ok\": false}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "a.test.yaml")
		s, err := suite.Load(file, []byte("version: 1\ncases:\n  \"{{code}} {{n}}\":\n    table: "+name+
			"\n    input: {n: \"{{n}}\", code: \"{{code}}\", ok: \"{{ok}}\"}\n    expect: {events: \"> {{n}}, <= {{n}} + 10\"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		of, err := s.Cases[0].Results()
		if err != nil || value.Compact(of.Input) != `{"n":1,"code":"007","ok":true}` {
			t.Errorf("%s: the first input is %v, %v", name, of.Input, err)
		}
		if b := s.Cases[1].Expect.Events; len(s.Cases) != 2 || s.Cases[1].Name != "x y 2" || b.Holds(2) ||
			!b.Holds(3) ||
			!b.Holds(12) ||
			b.Holds(13) {
			t.Errorf("%s: the cases are %v, the bound %+v", name, s.Cases, b)
		}
		if !slices.Equal(s.Tables, []string{filepath.Join(dir, name)}) {
			t.Errorf("the files of rows are %q", s.Tables)
		}
		if _, err := suite.Load(file, []byte("version: 1\ncases:\n  \"{{m}}\": {table: "+name+", expect: {}}\n")); err == nil ||
			!strings.Contains(err.Error(), `row 1 of `+name+` has no column "m"; its columns are n, code, ok`) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}
