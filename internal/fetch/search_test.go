package fetch_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"asldb/internal/fetch"
	"asldb/internal/testkit/sfnstub"
)

// The newest come first, and the search ends at the first that is too old.
func TestSearch(t *testing.T) {
	var all []sfnstub.Execution
	for i := range 12 {
		input := `{"card": "good-card"}`
		if i%2 == 0 {
			input = `{"card": "bad-card"}`
		}
		all = append(all, sfnstub.Of(fmt.Sprintf("x%02d", i), day.Add(-time.Duration(i)*time.Hour), input))
	}
	stub := sfnstub.Start(t, all...)
	client := connect(t, stub)
	of := arn(t, sfnstub.Prefix+"stateMachine:Order")
	for name, c := range map[string]struct {
		q     fetch.Query
		want  string
		calls int
	}{
		"all":          {fetch.Query{}, "x00 x01 x02 x03 x04 x05 x06 x07 x08 x09 x10 x11", 1},
		"a status":     {fetch.Query{Statuses: []string{"FAILED"}}, "x00 x02 x04 x06 x08 x10", 1},
		"two statuses": {fetch.Query{Statuses: []string{"FAILED", "ABORTED"}, Limit: 2}, "x00 x02", 1},
		"a limit":      {fetch.Query{Limit: 3}, "x00 x01 x02", 1},
		"since":        {fetch.Query{Since: day.Add(-150 * time.Minute)}, "x00 x01 x02", 1},
		"none":         {fetch.Query{Since: day.Add(time.Hour)}, "", 1},
	} {
		c.q.Of = of
		items, err := client.Search(t.Context(), c.q, nil)
		var names []string
		for _, item := range items {
			names = append(names, item.ARN.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != c.want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
		if calls := stub.Calls(); len(calls) != c.calls {
			t.Errorf("%s: %q", name, calls)
		}
	}
}
