package executions_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"asldb/engine/value"
	"asldb/internal/executions"
	"asldb/internal/testkit/runs"
)

// The newest come first, and the search ends at the first that is too old.
func TestSearch(t *testing.T) {
	var all []runs.Execution
	for i := range 12 {
		input := `{"card": "good-card"}`
		if i%2 == 0 {
			input = `{"card": "bad-card"}`
		}
		all = append(all, runs.Of(fmt.Sprintf("x%02d", i), day.Add(-time.Duration(i)*time.Hour), input))
	}
	stub := runs.Start(t, all...)
	client := connect(t, stub)
	of := arn(t, runs.Prefix+"stateMachine:Order")
	for name, c := range map[string]struct {
		q     executions.Query
		want  string
		calls int
	}{
		"all":          {executions.Query{}, "x00 x01 x02 x03 x04 x05 x06 x07 x08 x09 x10 x11", 1},
		"a status":     {executions.Query{Statuses: []string{"FAILED"}}, "x00 x02 x04 x06 x08 x10", 1},
		"two statuses": {executions.Query{Statuses: []string{"FAILED", "ABORTED"}, Limit: 2}, "x00 x02", 1},
		"a limit":      {executions.Query{Limit: 3}, "x00 x01 x02", 1},
		"since":        {executions.Query{Since: day.Add(-150 * time.Minute)}, "x00 x01 x02", 1},
		"none":         {executions.Query{Since: day.Add(time.Hour)}, "", 1},
	} {
		c.q.Of = of
		items, err := client.Search(t.Context(), c.q, nil)
		names := value.Each(items, func(item executions.Item) string { return item.ARN.Name })
		if got := strings.Join(names, " "); err != nil || got != c.want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
		if calls := stub.Calls(); len(calls) != c.calls {
			t.Errorf("%s: %q", name, calls)
		}
	}
}
