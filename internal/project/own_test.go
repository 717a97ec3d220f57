package project

import (
	"bytes"
	"strings"
	"testing"

	"asldb/engine/lint"
	"asldb/engine/source"
	"asldb/engine/value"
)

// replyTo returns the reply of ValidateStateMachineDefinition to a text.
func replyTo(t *testing.T, text string, o Options) (result string, diagnostics *value.Array, truncated bool) {
	t.Helper()
	file := problemsOf("m.asl.json", text, lint.Options{})
	var out bytes.Buffer
	if err := AWS(&out, []Checked{file}, o); err != nil {
		t.Fatal(err)
	}
	reply := parseReport(t, &out)
	list, _ := get(reply, "diagnostics").(*value.Array)
	cut, _ := get(reply, "truncated").(value.Bool)
	return replyText(get(reply, "result")), list, bool(cut)
}

func TestReplies(t *testing.T) {
	for _, test := range []struct {
		name, definition, result string
		want                     []string // code, message and location of each, with a part of the message
	}{
		{"valid", `{"StartAt":"A","States":{"A":{"Type":"Succeed"}}}`, "OK", nil},
		{
			"fields that are missing are one problem", `{"Comment":"x"}`, "FAIL",
			[]string{"SCHEMA_VALIDATION_FAILED|These fields are required: [States, StartAt]|/"},
		},
		{
			"not JSON", `{"StartAt": nowhere}`, "FAIL",
			[]string{`INVALID_JSON_DESCRIPTION|Unrecognized token 'nowhere': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')` + "\n" +
				` at [Source: (String)"{"StartAt": nowhere}"; line: 1, column: 20]|[Source: (String)"{"StartAt": nowhere}"; line: 1, column: 20]`},
		},
		{"an array", `[1]`, "FAIL", []string{"SCHEMA_VALIDATION_FAILED|Definition must be a valid JSON object|"}},
		{"nothing", ``, "FAIL", []string{"SCHEMA_VALIDATION_FAILED|Definition must be a valid JSON object|"}},
	} {
		result, diagnostics, _ := replyTo(t, test.definition, Options{})
		var got []string
		for _, d := range diagnostics.All() {
			got = append(got, replyText(get(d, "code"))+"|"+replyText(get(d, "message"))+"|"+
				replyText(get(d, "location")))
		}
		if result != test.result || strings.Join(got, "\n") != strings.Join(test.want, "\n") {
			t.Errorf("%s: %s\n got %q\nwant %s\n     %q", test.name, result, got, test.result, test.want)
		}
	}
}

func TestRepliesAreCut(t *testing.T) {
	definition := `{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"X"},"B":{"Type":"Pass","Next":"Y"}}}`
	_, all, cut := replyTo(t, definition, Options{})
	if all.Len() < 2 || cut {
		t.Fatalf("%d problems, cut: %v", all.Len(), cut)
	}
	if _, one, cut := replyTo(t, definition, Options{Max: 1}); one.Len() != 1 || !cut {
		t.Errorf("of %d problems %d are left, cut: %v; want 1, true", all.Len(), one.Len(), cut)
	}
	if _, long, _ := replyTo(t, `{"a": `+strings.Repeat("x", 600),
		Options{}); !strings.Contains(replyText(get(long.At(0), "location")), "[truncated ") {
		t.Error("a long text is repeated whole")
	}
}

// withEverything is a problem that has all that a problem can have.
func withEverything() Checked { return everythingIn("dir/a b.json") }

func everythingIn(name string) Checked {
	file := &source.File{Name: name, Data: []byte("{\"StartAt\": \"A\"}\n")}
	place := source.Span{Start: source.Position{Offset: 12, Line: 1, Col: 13},
		End: source.Position{Offset: 15, Line: 1, Col: 16}}
	return Checked{Given: file, Source: file, Problems: source.Own(file, []source.Diagnostic{
		{
			Severity: source.Warning, Rule: "transition-target-not-found", Message: "no state is called A",
			Pointer: "/StartAt", Span: place,
			Suggestion: "did you mean B?", Expected: "a state", Found: "A",
			Reasons: []source.Reason{{Text: "because", Span: place}, {Text: "so"}},
		},
		{Severity: source.Hint, Rule: "no-such-rule", Message: "m"},
	})}
}

func TestJSONHasEveryPart(t *testing.T) {
	var out bytes.Buffer
	if err := written(&out, "json", []Checked{withEverything()}, Options{}); err != nil {
		t.Fatal(err)
	}
	problems := get(get(parseReport(t, &out), "files").(*value.Array).At(0), "problems").(*value.Array)
	place := `"file":"dir/a b.json","line":1,"column":13,"endLine":1,"endColumn":16,`
	want := `{` + place + `"rule":"transition-target-not-found","text":"no state is called A",` +
		`"related":[{` + place + `"text":"because"},{"file":"dir/a b.json","text":"so"}],` +
		`"severity":"warning","message":"no state is called A","pointer":"/StartAt",` +
		`"wording":"asldb","sureness":"recorded",` +
		`"start":{"line":1,"column":13,"offset":12},"end":{"line":1,"column":16,"offset":15},"expected":"a state","found":"A","suggestion":"did you mean B?",` +
		`"reasons":[{"text":"because","start":{"line":1,"column":13,"offset":12},"end":{"line":1,"column":16,"offset":15}},{"text":"so"}]}`
	first := problems.At(0).(*value.Object)
	var b value.ObjectBuilder
	for key, v := range first.All() {
		if key != "code" {
			b.Set(key, v)
		}
	}
	if got := value.Compact(b.Object()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if get(problems.At(1), "start") != nil {
		t.Error("a problem without a place has one")
	}
}

func TestSARIFHasEveryPart(t *testing.T) {
	var out bytes.Buffer
	stdin, absolute := everythingIn("<stdin>"), everythingIn("/a.json")
	if err := written(&out, "sarif", []Checked{withEverything(), stdin, absolute}, Options{}); err != nil {
		t.Fatal(err)
	}
	run := get(parseReport(t, &out), "runs").(*value.Array).At(0)
	results := get(run, "results").(*value.Array)
	if results.Len() != 6 {
		t.Fatalf("%d results, want 6", results.Len())
	}
	for i, want := range map[int][2]string{0: {"warning", "no state is called A; did you mean B?\n[because](1)\nso"},
		1: {"note", "m"}} {
		if got := replyText(get(results.At(i), "level")); got != want[0] {
			t.Errorf("result %d has the level %q, want %q", i, got, want[0])
		}
		if got := replyText(get(get(results.At(i), "message"), "text")); got != want[1] {
			t.Errorf("result %d says %q, want %q", i, got, want[1])
		}
	}
	if related, ok := get(results.At(0), "relatedLocations").(*value.Array); !ok || related.Len() != 1 {
		t.Error("the reason with a place is a related location")
	}
	var uris []string
	for _, a := range get(run, "artifacts").(*value.Array).All() {
		uris = append(uris, replyText(get(get(a, "location"), "uri")))
	}
	if got, want := strings.Join(uris, "|"), "dir/a%20b.json||file:///a.json"; got != want {
		t.Errorf("the files are %q, want %q", got, want)
	}
	rules := get(get(get(run, "tool"), "driver"), "rules").(*value.Array)
	if rules.Len() != 2 || get(rules.At(0), "help") == nil || get(rules.At(1), "help") != nil {
		t.Errorf("the rules are %s", value.Compact(rules))
	}
}
