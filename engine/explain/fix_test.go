package explain_test

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/source"
)

// tried applies a fix and runs the definition with the answers of the session, and returns the text and the run.
func tried(t *testing.T, s *debug.Session, f *explain.Fix) (text string, after *debug.Session) {
	t.Helper()
	data := source.Apply(f.Edit.File, []source.Edit{f.Edit})
	parsed, problems := asl.Parse(&source.File{Name: "m.asl.json", Data: data})
	if parsed == nil {
		t.Fatalf("%s makes a text that cannot be read: %v\n%s", f.Words, problems, data)
	}
	machine, err := engine.Compile(parsed, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	position, events := s.Position(), s.Log().Len()
	after, err = s.Try(debug.Reloading{Machine: machine}, func() bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	if s.Position() != position || s.Log().Len() != events || len(s.Forks().All()) > 1 {
		t.Error("a trial has changed the session")
	}
	return string(data), after
}

// Each failure has a fix with which the run succeeds under the same answers; the text differs in that place alone.
func TestFixes(t *testing.T) {
	for _, test := range []struct {
		name, definition string
		answers          []engine.Outcome
		words, part      string
	}{
		{"a misspelt member", `{"StartAt":"Q","States":{"Q":{"Type":"Task","Resource":"r","Next":"B"},
			"B":{"Type":"Pass","Parameters":{"amount.$":"$.totl"},"End":true}}}`, []engine.Outcome{output(`{"total":4242}`)},
			"read $.total in place of $.totl", `{"amount.$":"$.total"}`},
		{"a member deeper in the data", `{"StartAt":"Q","States":{"Q":{"Type":"Task","Resource":"r","Next":"B"},
			"B":{"Type":"Pass","Parameters":{"id.$":"States.Format('no {}', $.chargeId)"},"End":true}}}`,
			[]engine.Outcome{output(`{"Payload":{"charge":{"chargeId":7}}}`)},
			"read $.Payload.charge.chargeId in place of $.chargeId", `$.Payload.charge.chargeId)`},
		{"a member with a dash", `{"StartAt":"Q","States":{"Q":{"Type":"Task","Resource":"r","Next":"B"},
			"B":{"Type":"Pass","Parameters":{"id.$":"$['a-b'].nam"},"End":true}}}`,
			[]engine.Outcome{output(`{"a-b":{"name":7}}`)},
			"read $['a-b'].name in place of $['a-b'].nam", `{"id.$":"$['a-b'].name"}`},
		{"a result that replaced the input", `{"StartAt":"Q","States":{"Q":{ "Type":"Task","Resource":"r","Next":"B"},
			"B":{"Type":"Pass","Parameters":{"to.$":"$.customer"},"End":true}}}`, []engine.Outcome{output(`{"paid":true}`)},
			`"ResultPath": "$.result" in Q`, `"Next":"B", "ResultPath": "$.result"}`},
		{"an error that replaced the input", `{"StartAt":"Q","States":{"Q":{"Type":"Task","Resource":"r",
			"Catch":[{"ErrorEquals":["States.ALL"],"Next":"B"}],"End":true},
			"B":{"Type":"Pass","Parameters":{"to.$":"$.customer"},"End":true}}}`, []engine.Outcome{failed("E", "why")},
			`"ResultPath": "$.error" in catcher 1 of Q`, `"Next":"B", "ResultPath": "$.error"}]`},
		{"a misspelt name of an error", `{"StartAt":"Q","States":{"Q":{"Type":"Task","Resource":"r",
			"Catch":[{"ErrorEquals":["Card.Declned"],"ResultPath":"$.e","Next":"B"}],"End":true},
			"B":{"Type":"Pass","End":true}}}`, []engine.Outcome{failed("Card.Declined", "")},
			"name Card.Declined in catcher 1 of Q", `["Card.Declined"]`},
	} {
		s := open(t, test.definition, `{"customer":"Ann"}`)
		play(t, s, test.answers...)
		last := -1
		for i := range s.Log().Len() {
			if s.Log().At(i).RaisesError() && s.Log().At(i).Visit != nil && s.Log().At(i).Failure() != nil {
				last = i
			}
		}
		done := false
		for _, f := range explain.Fixes(s, last) {
			text, after := tried(t, s, &f)
			if f.Words == test.words && after.Status() == engine.Succeeded && strings.Contains(text, test.part) {
				done = true
			}
			if strings.ReplaceAll(text, f.Edit.Text, "") == text {
				t.Errorf("%s: the text has no %q", test.name, f.Edit.Text)
			}
		}
		if !done {
			t.Errorf("%s: %q is not among the fixes with which the run succeeds: %+v", test.name, test.words,
				explain.Fixes(s, last))
		}
	}
}

// The change of a fix is shown as the lines that go and come; a long line is shown around the change.
func TestDiffOfAFix(t *testing.T) {
	for _, test := range []struct{ before, from, to, want string }{
		{"{\n\t\"a\": \"$.totl\"\n}", "$.totl", "$.total", "2 -  \"a\": \"$.totl\"|2 +  \"a\": \"$.total\""},
		{"{\n  \"Type\": 1\n}", "{", "{\n  \"ResultPath\": \"$.r\",", "2 +  \"ResultPath\": \"$.r\","},
		{strings.Repeat("é", 50) + "old" + strings.Repeat("b", 90), "old", "new",
			"1 -  …" + strings.Repeat("é", 10) + "old" + strings.Repeat("b", 37) + "…|" +
				"1 +  …" + strings.Repeat("é", 10) + "new" + strings.Repeat("b", 37) + "…"},
	} {
		file, at := &source.File{Name: "m", Data: []byte(test.before)}, strings.Index(test.before, test.from)
		line := 1 + strings.Count(test.before[:at], "\n")
		f := explain.Fix{Edit: source.Edit{File: file, Text: test.to, Span: source.Span{
			Start: source.Position{Offset: at, Line: line}, End: source.Position{Offset: at + len(test.from)},
		}}}
		if got := strings.Join(explain.Plain(60).Lines(f.Diff(60)), "|"); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

// Where nothing is like what was missing no fix is offered.
func TestNoFix(t *testing.T) {
	s := open(t, `{"StartAt":"B","States":{"B":{"Type":"Pass","Parameters":{"a.$":"$.nothing.like.it"},"End":true}}}`,
		`{"customer":"Ann"}`)
	play(t, s)
	if list := explain.Fixes(s, find(t, s, "B", "Parameters failed")); len(list) > 0 {
		t.Errorf("%+v", list)
	}
	if list := explain.Fixes(s, 0); list != nil {
		t.Errorf("of an event without an error: %+v", list)
	}
}
