package figures_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/figures"
	"asldb/internal/report"
	"asldb/internal/testkit"
)

const definition = `{"StartAt":"Both","States":{
"Both":{"Type":"Parallel","Catch":[{"ErrorEquals":["States.ALL"],"Next":"Lost"}],"Next":"End","Branches":[
{"StartAt":"Charge\u202e","States":{"Charge\u202e":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","End":true}}}]},
"End":{"Type":"Succeed"},
"Lost":{"Type":"Fail"}}}`

// document is an execution whose task works so many milliseconds, after it has failed.
func document(region string, works int) string {
	at, id := 0, 0
	var events []string
	add := func(after int, kind string, previous int, key, details string) {
		at += after
		id++
		events = append(events, fmt.Sprintf(`{"timestamp":%d.%03d,"type":%q,"id":%d,"previousEventId":%d,"%sEventDetails":%s}`, 1_700_000_000+at/1000, at%1000, kind, id, previous, key, details))
	}
	task := `{"resourceType":"sqs","resource":"sendMessage"`
	add(0, "ExecutionStarted", 0, "executionStarted", `{"input":"{}"}`)
	add(0, "ParallelStateEntered", 0, "stateEntered", `{"name":"Both","input":"{}"}`)
	add(0, "ParallelStateStarted", 2, "x", `{}`)
	add(0, "TaskStateEntered", 3, "stateEntered", `{"name":"Charge\u202e","input":"{}"}`)
	add(0, "TaskScheduled", 4, "taskScheduled", task+`,"parameters":"{}"}`)
	add(5, "TaskStarted", 5, "taskStarted", task+`}`)
	add(10, "TaskFailed", 6, "taskFailed", task+`,"error":"Card|Busy"}`)
	add(1000, "TaskScheduled", 7, "taskScheduled", task+`,"parameters":"{}"}`)
	add(5, "TaskStarted", 8, "taskStarted", task+`}`)
	add(works, "TaskSucceeded", 9, "taskSucceeded", task+`,"output":"`+strings.Repeat("1", 250_000)+`"}`)
	add(0, "TaskStateExited", 10, "stateExited", `{"name":"Charge\u202e","output":"{}"}`)
	add(0, "ParallelStateSucceeded", 11, "x", `{}`)
	add(0, "ParallelStateExited", 11, "stateExited", `{"name":"Both","output":"{}"}`)
	add(0, "SucceedStateEntered", 13, "stateEntered", `{"name":"End","input":"{}"}`)
	add(0, "SucceedStateExited", 14, "stateExited", `{"name":"End","output":"{}"}`)
	add(0, "ExecutionSucceeded", 15, "executionSucceeded", `{"output":"{}"}`)
	return `{"executionArn":"arn:aws:states:` + region + `:123456789012:execution:Order:x","events":[` +
		strings.Join(events, ",") + `]}`
}

func gathered(t *testing.T) *figures.Figures {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.json": document("eu-west-1", 100), "b.json": document("eu-west-1", 900),
		"c.json": document("us-east-1", 30_000), "d.json": `{"x":1}`,
		"e.json": `{"events":[{"timestamp":1,"type":"ExecutionStarted","id":1,"executionStartedEventDetails":{"input":"{}"}}]}`,
		"f.log":  `{"id":"1","type":"ExecutionStarted","details":{"input":"{}"},"previous_event_id":"0","event_timestamp":"1700000000000","execution_arn":"arn:aws:states:eu-west-1:1:express:Fast:run:1"}` + "\n" + `{"id":"2","type":"ExecutionSucceeded","details":{"output":"{}"},"previous_event_id":"0","event_timestamp":"1700000000099","execution_arn":"arn:aws:states:eu-west-1:1:express:Fast:run:1"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	machine, problems := asl.Parse(&source.File{Name: "order.asl.json", Data: []byte(definition)})
	if machine == nil {
		t.Fatal(problems)
	}
	f, err := figures.Gather(context.Background(), []string{"."}, figures.Options{Definition: machine})
	if err != nil {
		t.Fatal(err)
	}
	f.LeftOut = []string{"nested"}
	return f
}

func reportPrices(t *testing.T) *figures.Prices {
	t.Helper()
	p, err := figures.ParsePrices("p.yaml", []byte(
		"version: 1\ncurrency: USD\nregions:\n  eu-west-1: {per1000Transitions: 0.025, perMillionRequests: 1, perGBSecond: 0.01}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func text(t *testing.T, f *figures.Figures, o figures.ReportOptions) string {
	t.Helper()
	return wide(t, f, o, 0, false)
}

func wide(t *testing.T, f *figures.Figures, o figures.ReportOptions, width int, ascii bool) string {
	t.Helper()
	return testkit.Report(t, figures.Answer(f, o), "text", report.Look{Width: figures.TextWidth(width), ASCII: ascii})
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("there is no %q in\n%s", part, text)
		}
	}
}

func TestText(t *testing.T) {
	f := gathered(t)
	got := wide(t, f, figures.ReportOptions{Prices: reportPrices(t)}, 120, false)
	contains(t, got,
		"Order: 3 executions\n  status: SUCCEEDED 3\n  time: p50 1.92s, p90 31.02s, p99 31.02s, from 1.12s to 31.02s (c.json)\n",
		"events: p50 16, p99 16, at most 16 of 25,000 (a.json)",
		"payloads: at most 244.1 KiB of 256 KiB: result of Both/Branches[0]/Charge<U+202E> (a.json, event 10)",
		"state transitions (Standard) in eu-west-1: 8", "state transitions (Standard) in us-east-1: 4",
		"cost in eu-west-1: 0.0002000 USD, without free units and steps of prices",
		`cost: not known: there are no prices for the region "us-east-1"`,
		"\n  Both                       3  1.92s  31.02s  31.02s  31.02s        -       -         -  ██       █  ",
		"order.asl.json:2",
		"\n    [0] Charge<U+202E>       3",
		"Card|Busy      3        3       -            -",
		"payloads over 80 % of the quota: 3", "95.4 %",
		"never entered: Lost (order.asl.json:5)", "unfinished: e.json: the recording ends before the execution",
		"skipped: d.json", "left out, as executions that tasks and Map Runs started: nested",
		"damaged: f.log: it has no event of a state being entered", "Fast: 1 execution, 1 Express",
		"Express in eu-west-1: 1 request, 0.006 GB-seconds with memory estimated from payloads",
	)
	if strings.ContainsRune(got, 0x202e) {
		t.Error("the text has control characters")
	}
	contains(t, text(t, f, figures.ReportOptions{Memory: 100}), "GB-seconds with 100 MB as given")
}

// Error Names without end, such as those with an ID, do not make lists without end: the rest is counted together.
func TestManyErrors(t *testing.T) {
	dir := t.TempDir()
	for i := range 13 {
		for n := range 1 + 13 - i {
			name := fmt.Sprintf("Order.%02d", i)
			text := strings.ReplaceAll(fmt.Sprintf(`{"events":[{"timestamp":1,"type":"ExecutionStarted","id":1,"executionStartedEventDetails":{"input":"{}"}},
{"timestamp":1,"type":"TaskStateEntered","id":2,"previousEventId":1,"stateEnteredEventDetails":{"name":"Charge","input":"{}"}},
{"timestamp":1,"type":"TaskScheduled","id":3,"previousEventId":2,"taskScheduledEventDetails":{"resourceType":"sqs","resource":"sendMessage","parameters":"{}"}},
{"timestamp":2,"type":"TaskFailed","id":4,"previousEventId":3,"taskFailedEventDetails":{"resourceType":"sqs","resource":"sendMessage","error":%[1]q}},
{"timestamp":2,"type":"ExecutionFailed","id":5,"previousEventId":4,"executionFailedEventDetails":{"error":%[1]q}}]}`, name), "\n", "")
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d-%02d.json", i, n)), []byte(text),
				0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	f, err := figures.Gather(context.Background(), []string{dir}, figures.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []func() string{
		func() string { return wide(t, f, figures.ReportOptions{}, 120, false) },
		func() string {
			return testkit.Report(t, figures.Answer(f, figures.ReportOptions{}), "markdown", report.Look{})
		},
	} {
		shown := form()
		contains(t, shown, "ended with: Order.00 14, Order.01 13", "Order.09 5 and 3 others 9", "(3 others)")
		if strings.Contains(shown, "Order.10") || strings.Count(shown, "Order.09") != 2 {
			t.Errorf("more than the ten most frequent are named, or fewer:\n%s", shown)
		}
		if row := lineWith(shown, "(3 others)"); !strings.Contains(row, "Charge") || strings.Count(row, "9") != 2 {
			t.Errorf("the others: %q", row)
		}
	}
	if got := testkit.Report(t, figures.Answer(f, figures.ReportOptions{}), "json", report.Look{}); strings.Count(got,
		"Order.12") != 2 {
		t.Errorf("the JSON does not have all:\n%s", got)
	}
}

func lineWith(text, part string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			return line
		}
	}
	return ""
}

// No line is wider than asked for, and nothing is left out of narrow texts that is in wide ones.
func TestWidths(t *testing.T) {
	f := gathered(t)
	for _, width := range []int{1, 40, 60, 72, 80, 100, 120, 500} {
		bound := min(max(width, 40), 120)
		got := wide(t, f, figures.ReportOptions{}, width, width%3 == 0)
		for line := range strings.Lines(got) {
			if n := runewidth.StringWidth(strings.TrimRight(line, "\n")); n > bound {
				t.Errorf("width %d: %d columns: %s", width, n, line)
			}
		}
		contains(t, strings.ReplaceAll(got, "\n", " "), "Charge<U+202E>", "Card|Busy", "never entered")
		if width%3 == 0 && strings.ContainsAny(got, "▁▂▃▄▅▆▇█") {
			t.Error("the text is not ASCII")
		}
	}
	contains(t, text(t, f, figures.ReportOptions{}), "\n  state ")
}

func TestMarkdown(t *testing.T) {
	out := testkit.Report(t, figures.Answer(gathered(t), figures.ReportOptions{}), "markdown", report.Look{})
	contains(t, out, "### Order: 3 executions\n\n- status: SUCCEEDED 3\n", "#### states\n\n| state | visits | p50 |",
		"| Both/Branches\\[0]/Charge&lt;U+202E> | 3 |", "Card\\|Busy", "\n\nnever entered: Lost",
		"| histogram | place |", "| ██·······█ | order.asl.json:2 |")
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "|") && strings.Count(line, "|")-strings.Count(line, `\|`) < 6 {
			t.Errorf("a row is too short: %s", line)
		}
	}
}

func TestJSON(t *testing.T) {
	out := testkit.Report(t, figures.Answer(gathered(t), figures.ReportOptions{Prices: reportPrices(t), Memory: 64}),
		"json", report.Look{})
	v, err := value.Parse([]byte(out), value.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	get := func(keys ...any) string {
		at := v
		for _, key := range keys {
			switch key := key.(type) {
			case string:
				at = at.(*value.Object).Get(key)
			case int:
				at = at.(*value.Array).At(key)
			}
			if at == nil {
				return "nothing"
			}
		}
		return value.Compact(at)
	}
	const order = 2 // after that without a name, and Fast
	for _, c := range []struct {
		want string
		keys []any
	}{
		{"1", []any{"version"}}, {`"order.asl.json"`, []any{"definition"}}, {"5", []any{"executions"}},
		{`""`, []any{"machines", 0, "name"}}, {`"Fast"`, []any{"machines", 1, "name"}},
		{`"Order"`, []any{"machines", order, "name"}},
		{"1.92", []any{"machines", order, "time", "p50"}}, {`"c.json"`, []any{"machines", order, "time", "maxFile"}},
		{"16", []any{"machines", order, "events", "max"}},
		{"\"Both/Branches[0]/Charge\u202e\"", []any{"machines", order, "states", 1, "state"}},
		{`"order.asl.json:3"`, []any{"machines", order, "states", 1, "place"}},
		{"6", []any{"machines", order, "states", 1, "attempts"}},
		{"0.005", []any{"machines", order, "states", 1, "wait", "max"}},
		{"nothing", []any{"machines", order, "states", 0, "wait"}},
		{`{"name":"Card|Busy","count":3,"retried":3,"caught":0,"notHandled":0}`,
			[]any{"machines", order, "states", 1, "errors", 0}},
		{"3", []any{"machines", order, "nearPayloadQuota"}},
		{"250000", []any{"machines", order, "nearPayloads", 0, "bytes"}},
		{"262144", []any{"machines", order, "payloadQuota"}},
		{"0.0002", []any{"machines", order, "usage", 0, "cost", "total"}},
		{`"there are no prices for the region \"us-east-1\""`, []any{"machines", order, "usage", 1, "cost", "missing"}},
		{"0.00625", []any{"machines", 1, "usage", 0, "gbSeconds"}},
		{`"given"`, []any{"machines", 1, "usage", 0, "memory"}}, {`"Lost"`, []any{"neverEntered", 0, "state"}},
		{`"e.json"`, []any{"machines", 0, "unfinished", 0, "file"}}, {`"d.json"`, []any{"skipped", 0, "file"}},
		{`["nested"]`, []any{"leftOut"}},
	} {
		if got := get(c.keys...); got != c.want {
			t.Errorf("%v: got %s, want %s", c.keys, got, c.want)
		}
	}
}

func TestCSV(t *testing.T) {
	f := gathered(t)
	for comma, name := range map[rune]string{',': "CSV", '\t': "TSV"} {
		in := csv.NewReader(strings.NewReader(testkit.Report(t, figures.Answer(f, figures.ReportOptions{}),
			strings.ToLower(name), report.Look{})))
		in.Comma = comma
		rows, err := in.ReadAll()
		if err != nil {
			t.Fatal(name, err)
		}
		column := make(map[string]int)
		for i, head := range rows[0] {
			column[head] = i
		}
		found := false
		for _, row := range rows {
			if row[column["state"]] == "Both/Branches[0]/Charge<U+202E>" {
				found = true
				for head, want := range map[string]string{
					"machine": "Order", "visits": "3", "attempts": "6", "retries": "3", "errors": "3",
					"time_max": "31.02", "wait_p50": "0.005", "work_count": "6",
					"callback_p50": "", "largest_field": "result", "largest_bytes": "250000", "time_sampled": "0",
					"place": "order.asl.json:3",
				} {
					if got := row[column[head]]; got != want {
						t.Errorf("%s: %s is %q, want %q", name, head, got, want)
					}
				}
			}
		}
		if !found || len(rows) != 1+3+3 {
			t.Errorf("%s: %d rows", name, len(rows))
		}
	}
}
