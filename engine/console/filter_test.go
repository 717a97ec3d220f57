package console_test

import (
	"testing"

	"asldb/engine/console"
	"asldb/engine/value"
)

func TestRead(t *testing.T) {
	for text, want := range map[string]console.Filter{
		"":                   {},
		"  ":                 {},
		"failed":             {Kind: console.Failed, Source: "failed", Name: "failed"},
		"Failed to charge":   {Kind: console.Text, Source: "Failed to charge", Name: "failed to charge"},
		" state Pack lines ": {Kind: console.State, Source: "state Pack lines", Name: "Pack lines"},
		"state":              {Kind: console.Text, Source: "state", Name: "state"},
		"thread 12":          {Kind: console.Thread, Source: "thread 12", Name: "thread 12", Thread: 12},
		"thread of":          {Kind: console.Text, Source: "thread of", Name: "thread of"},
		"Card.Timeout":       {Kind: console.Text, Source: "Card.Timeout", Name: "card.timeout"},
	} {
		if got, err := console.Read(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, wrong := range []string{"$.a >", "state == ", "a && "} {
		if f, err := console.Read(wrong); err == nil {
			t.Errorf("%q is read as %+v", wrong, f)
		}
	}
}

func TestMatches(t *testing.T) {
	f, err := console.Read(`$.n > 2 && state == "A"`)
	if err != nil || f.Kind != console.FilterText {
		t.Fatalf("%+v, %v", f, err)
	}
	for document, want := range map[string]bool{`{"n":3}`: true, `{"n":2}`: false, `{}`: false} {
		if got := f.True(value.Must(document), map[string]value.Value{"state": value.String("A")}); got != want {
			t.Errorf("over %s: %v, want %v", document, got, want)
		}
	}
	text, _ := console.Read("timeOUT")
	if !text.Contains("Card.Timeout") || text.Contains("time out") {
		t.Error("a text is found where it is not, or not where it is")
	}
}
