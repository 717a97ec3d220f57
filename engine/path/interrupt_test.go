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
	data := value.Must(`[` + strings.Repeat(`{"a":[1,{"b":2}],"c":"x"},`, 3000) + `0]`)
	enough := errors.New("enough")
	for _, text := range []string{"$..b", "$..*", "$[*].a[*]", "$[?(@.c == 'x')]", "$[?(@..b)]", "$[?(@.a[*] == 7)].c", "$[0:2500].a"} {
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
