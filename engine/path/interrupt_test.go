package path

import (
	"errors"
	"strings"
	"testing"

	"asldb/engine/interrupt"
	"asldb/engine/value"
)

// Paths that look at many values can be interrupted; they find nothing then.
func TestInterrupted(t *testing.T) {
	checkInterrupted(t, value.Must(`[`+strings.Repeat(`{"a":[1,{"b":2}],"c":"x"},`, 2600)+`0]`),
		[]string{"$..b", "$..*", "$[*].a[*]", "$[?(@.c == 'x')]", "$[?(@..b)]", "$[?(@.a[*] == 7)].c", "$[0:2500].a"})
	lists := `{"one":[1],"x":[` + strings.Repeat("1,", 2500) + `2],"y":[` + strings.Repeat("3,", 2500) + `4]}`
	checkInterrupted(t, value.Must(lists), []string{"$.one[?($.x noneof $.y)]", "$.one[?($.x subsetof $.x)]",
		"$.one[?($.x anyof $.y)]", "$.one[?(7 nin $.x)]",
		"$.one[?($.x contains 7)]"})
}

func checkInterrupted(t *testing.T, data value.Value, texts []string) {
	t.Helper()
	enough := errors.New("enough")
	for _, text := range texts {
		p, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		looks := 0
		poll := interrupt.NewPoll(func() error {
			if looks++; looks == 2 {
				return enough
			}
			return nil
		})
		roots := &Roots{Data: data, Poll: &poll}
		found := p.Find(roots)
		v, err := p.Get(roots)
		if found != nil || v != nil || !interrupt.Is(err) || !errors.Is(err, enough) || looks != 2 {
			t.Errorf("%s: %v, %v, %v after %d looks", text, found, v, err, looks)
		}
		poll.Reset()
		if v, err := p.Get(roots); v == nil || err != nil {
			t.Errorf("%s: afterwards %v", text, err)
		}
	}
}

// A regular expression that tries too many ways to match has no verdict: how long it takes depends on the machine, so
// it must not become an error that a Catch could take.
func TestAPatternThatTakesTooLongInterrupts(t *testing.T) {
	t.Parallel() // it lasts as long as regex.Bound
	p, err := Parse(`$[?(@.text =~ /^(?!y)(x+x+)+$/)]`)
	if err != nil {
		t.Fatal(err)
	}
	data := value.ArrayOf(value.ObjectOf(value.Member{Key: "text", Value: value.String(strings.Repeat("x", 60) + "y")}))
	_, err = p.Get(&Roots{Data: data})
	var pattern *PatternError
	if !interrupt.Is(err) || !errors.As(err, &pattern) {
		t.Errorf("got %v, want an interruption by the pattern's bound", err)
	}
}
