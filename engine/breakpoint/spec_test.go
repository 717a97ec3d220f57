package breakpoint_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"asldb/engine/asl"
	"asldb/engine/breakpoint"
	"asldb/internal/testkit/runs"
)

func TestCheckTarget(t *testing.T) {
	definition := runs.Machine(order).Definition()
	if err := breakpoint.CheckTarget("Fulfil/**", definition); err != nil {
		t.Error(err)
	}
	var fault *breakpoint.SpecError
	if err := breakpoint.CheckTarget("Chrge", definition); !errors.As(err, &fault) ||
		!strings.Contains(err.Error(), `did you mean "Charge"?`) {
		t.Error(err)
	}
}

func TestSpecErrorsSayWhatWasExpected(t *testing.T) {
	s := lookAt(order, orderInput, runs.Echo)
	for spec, want := range map[string]string{
		"eror":                               `did you mean "error"?`,
		"Charge:reslt":                       `did you mean "Result"?`,
		"Charge:ResultPat":                   `did you mean "ResultPath"?`,
		"Charge:erorr":                       `did you mean "error"?`,
		"Charge:qqqqqqqqqq":                  "expected input",
		"Charge hits":                        "expected hits == 3, hits > 5, hits % 10",
		"Charge hits ~ 3":                    "expected hits == 3",
		"Charge hits % 0":                    "expected a number from 1",
		"Charge hits > 99999999999999999999": "above what can be counted",
		"Charge once twice":                  `has "twice" where if, hits, once or log may stand`,
		"Charge log":                         "lacks the message",
		"Charge log total {$.total":          "not closed",
		"Charge log total }":                 "closes nothing",
		"Charge log {$.total >}":             "cannot be read",
		"Charge if $.total > log hi":         "has a condition that cannot be read",
		"change":                             "lacks what to watch",
		"change $.a ==":                      "watches an expression that cannot be read",
		"at noon":                            "expected +5m",
		"at +5":                              "expected +5m",
		"at -5m":                             "expected +5m",
		"at +9999999h":                       "expected +5m",
		"error Card Timeout":                 `write it in quotes, "Card Timeout"`,
		"error \"Card":                       "cannot be read",
		"timeout Card":                       "nothing but if, hits, once or log may stand",
		"Check -> Fulfil":                    "Check leads to Charge, Free",
		"Done -> Check":                      "Done leads to no other state",
		"Check -> Nowhere":                   "matches no state",
		"Chek -> Charge":                     `did you mean "Check"?`,
		"Charg:error":                        `did you mean "Charge"?`,
	} {
		_, err := s.Breakpoints().Add(spec)
		var fault *breakpoint.SpecError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want something with %q", spec, err, want)
		}
	}
	if n := len(s.Breakpoints().All()); n != 0 {
		t.Errorf("%d breakpoints were made", n)
	}
}

// The examples of the help are specs themselves.
func TestHelpExamplesAreRead(t *testing.T) {
	s := lookAt(order, orderInput, runs.Echo)
	for _, language := range []asl.QueryLanguage{asl.JSONPath, asl.JSONata} {
		places, clauses := breakpoint.Help(language)
		for _, form := range places {
			if strings.HasSuffix(form.Example, ":Output") { // these states are in JSONPath
				continue
			}
			if _, err := s.Breakpoints().Add(form.Example); err != nil {
				t.Error(err)
			}
		}
		for _, form := range clauses {
			if b, err := s.Breakpoints().Add("Charge " + form.Example); err != nil || b.String() != "Charge "+
				form.Example {
				t.Errorf("%s: %v, %v", form.Syntax, b, err)
			}
			if uses := strings.Contains(form.Example, "$states"); uses != (language == asl.JSONata) &&
				strings.Contains(form.Example, "$") {
				t.Errorf("in %v the example is %s", language, form.Example)
			}
		}
	}
}

func specs() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		state := rapid.SampledFrom([]string{"Charge", "Check", "C*", "Fulfil/**", "Each/Iterations[1]/Ship", "*"})
		event := rapid.SampledFrom([]string{
			"error", "error Card.*", `error "two words"`, "caught error", "uncaught error X", "retry", "catch *",
			"timeout", "scheduled",
			"change $.a", `change $.a == " if "`, `error "if"`, `error "a\nb"`,
		})
		var spec string
		switch rapid.IntRange(0, 5).Draw(t, "form") {
		case 0:
			spec = state.Draw(t, "state")
		case 1:
			spec = event.Draw(t, "event")
		case 2:
			spec = state.Draw(t, "state") + ":" + event.Draw(t, "event")
		case 3:
			spec = "Charge -> " + rapid.SampledFrom([]string{"*", "Fulfil", "Re*"}).Draw(t, "to")
		case 4:
			spec = "at +" + time.Duration(rapid.Int64Range(0, 1e15).Draw(t, "after")).String()
		case 5:
			spec = "Charge:ResultPath"
		}
		clauses := []string{"", " hits % 3", " once", ` if $.a == " log x " && $.b > 1`, " if $.x once",
			" hits >= 2 once"}
		spec += rapid.SampledFrom(clauses).Draw(t, "clause")
		if rapid.Bool().Draw(t, "logs") {
			message := rapid.StringMatching(`[a-z "\\]{0,5}({\$\.[a-z]}|{{|}}|é| if | log ){1,3}[ "]{0,2}`).Draw(t,
				"message")
			spec += " log " + message
		}
		return spec
	})
}

func TestSpecsRoundTrip(t *testing.T) {
	s := lookAt(order, orderInput, runs.Echo)
	rapid.Check(t, func(t *rapid.T) {
		spec := specs().Draw(t, "spec")
		b, err := s.Breakpoints().Add(spec)
		if err != nil {
			t.Fatalf("%v", err)
		}
		again, err := s.Breakpoints().Add(b.String())
		if err != nil {
			t.Fatalf("%q is listed as %q: %v", spec, b, err)
		}
		if again.String() != b.String() || again.Kind != b.Kind || again.Pattern != b.Pattern || again.To != b.To ||
			again.Names != b.Names ||
			again.Watched != b.Watched || again.Condition != b.Condition || again.HitCount != b.HitCount ||
			again.Once != b.Once ||
			again.Message != b.Message || again.After != b.After || again.Stage != b.Stage {
			t.Fatalf("%q is read as\n%+v\nand its own text as\n%+v", spec, b, again)
		}
		s.Breakpoints().Remove(b.ID)
		s.Breakpoints().Remove(again.ID)
	})
}

// No text makes the reader panic.
func FuzzSpec(f *testing.F) {
	f.Add("Charge if $.a hits == 3 once log {x}")
	f.Add("a -> b:error \"x\" log \"")
	f.Fuzz(func(t *testing.T, spec string) {
		s := lookAt(order, orderInput, runs.Echo)
		b, err := s.Breakpoints().Add(spec)
		if err != nil {
			return
		}
		if again, err := s.Breakpoints().Add(b.String()); err != nil || again.String() != b.String() {
			t.Errorf("%q is listed as %q, which gives %v, %v", spec, b, again, err)
		}
	})
}

func TestSpecsSayWhatIsWrong(t *testing.T) {
	s := lookAt(oddNames, orderInput, runs.Echo)
	for spec, want := range map[string]string{
		"star if":             "lacks the condition after if",
		"star if ":            "lacks the condition after if",
		"x if y if":           "lacks the condition after if",
		"x if y if $.n >":     "condition that cannot be read",
		"T if $.n":            "matches no state of the definition",
		"A":                   "matches no state of the definition",
		"tar":                 `did you mean "star"?`,
		"star:Nothing if $.n": "names a stage",
	} {
		_, err := s.Breakpoints().Add(spec)
		var fault *breakpoint.SpecError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want something with %q", spec, err, want)
		}
		if len(spec) == 1 && strings.Contains(err.Error(), "did you mean") {
			t.Errorf("%q: %v, and nothing is like one letter", spec, err)
		}
	}
}
