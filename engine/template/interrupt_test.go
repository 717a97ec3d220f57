package template_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"asldb/engine/interrupt"
	"asldb/engine/path"
	"asldb/engine/template"
	"asldb/engine/value"
)

// many returns an array of n objects, which are there twice, the second time with its members turned round.
func many(n int) *value.Array {
	items := make([]value.Value, 0, 2*n)
	for i := range n {
		items = append(items, value.Must(fmt.Sprintf(`{"id":%d,"tags":["a",{"n":%d.0}]}`, i, i)))
	}
	for i := range n {
		items = append(items, value.Must(fmt.Sprintf(`{"tags":["a",{"n":%d}],"id":%d.0}`, i, i)))
	}
	return value.NewArray(items)
}

func evaluated(t *testing.T, text string, roots *path.Roots) (value.Value, error) {
	t.Helper()
	call, err := template.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return call.Eval(roots, nil)
}

// States.ArrayUnique takes about a step for each item, also where these are objects.
func TestArrayUniqueIsLinear(t *testing.T) {
	const n = 5_000
	poll := interrupt.NewPoll(nil)
	unique, err := evaluated(t, "States.ArrayUnique($)", &path.Roots{Data: many(n), Poll: &poll})
	if err != nil {
		t.Fatal(err)
	}
	if got := unique.(*value.Array); got.Len() != n ||
		!strings.Contains(value.Compact(got), `{"id":7,"tags":["a",{"n":7.0}]}`) {
		t.Errorf("%d items, without the first of two equal ones", got.Len())
	}
	if steps := poll.Spent(); steps > 4*n {
		t.Errorf("%d items took %d steps", 2*n, steps)
	}
}

// Functions that look at every item, and calls in calls, can be interrupted.
func TestInterrupted(t *testing.T) {
	enough := errors.New("enough")
	for _, text := range []string{
		"States.ArrayUnique($)", "States.ArrayContains($, 'x')", "States.ArrayPartition($, 1)",
		"States.ArrayLength(States.ArrayUnique($))",
	} {
		looks := 0
		poll := interrupt.NewPoll(func() error {
			if looks++; looks == 3 {
				return enough
			}
			return nil
		})
		if v, err := evaluated(t, text, &path.Roots{Data: many(5000), Poll: &poll}); !interrupt.Is(err) ||
			!errors.Is(err, enough) || v != nil {
			t.Errorf("%s: %v, %v after %d looks", text, v, err, looks)
		}
	}
}
