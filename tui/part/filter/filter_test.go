package filter_test

import (
	"testing"

	"asldb/engine/value"
	"asldb/tui/part/filter"
)

func TestRead(t *testing.T) {
	for text, want := range map[string]filter.Filter{
		"":                   {},
		"  ":                 {},
		"failed":             {Kind: filter.Failed, Source: "failed", Name: "failed"},
		"Failed to charge":   {Kind: filter.Text, Source: "Failed to charge", Name: "failed to charge"},
		" state Pack lines ": {Kind: filter.State, Source: "state Pack lines", Name: "Pack lines"},
		"state":              {Kind: filter.Text, Source: "state", Name: "state"},
		"thread 12":          {Kind: filter.Thread, Source: "thread 12", Name: "thread 12", Thread: 12},
		"thread of":          {Kind: filter.Text, Source: "thread of", Name: "thread of"},
		"Card.Timeout":       {Kind: filter.Text, Source: "Card.Timeout", Name: "card.timeout"},
	} {
		if got, err := filter.Read(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, wrong := range []string{"$.a >", "state == ", "a && "} {
		if f, err := filter.Read(wrong); err == nil {
			t.Errorf("%q is read as %+v", wrong, f)
		}
	}
}

func TestMatches(t *testing.T) {
	f, err := filter.Read(`$.n > 2 && state == "A"`)
	if err != nil || f.Kind != filter.Expression {
		t.Fatalf("%+v, %v", f, err)
	}
	for document, want := range map[string]bool{`{"n":3}`: true, `{"n":2}`: false, `{}`: false} {
		if got := f.True(value.Must(document), map[string]value.Value{"state": value.String("A")}); got != want {
			t.Errorf("over %s: %v, want %v", document, got, want)
		}
	}
	text, _ := filter.Read("timeOUT")
	if !text.Contains("Card.Timeout") || text.Contains("time out") {
		t.Error("a text is found where it is not, or not where it is")
	}
}
