package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/internal/fetch"
	"asldb/internal/recorded"
	"asldb/internal/testkit/sfnstub"
	"asldb/recorder"
	"asldb/recorder/history"
	"asldb/recorder/rerun"
)

var day = time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)

// withoutAWS keeps the machine's own AWS configuration out of a test.
func withoutAWS(t *testing.T) {
	t.Helper()
	for _, name := range []string{"AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"} {
		t.Setenv(name, "/dev/null")
	}
	for _, name := range []string{"AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_SFN", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
}

func arn(t testing.TB, text string) fetch.ARN {
	t.Helper()
	a, err := fetch.ParseARN(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func connect(t *testing.T, stub *sfnstub.Server) *fetch.Client {
	t.Helper()
	withoutAWS(t)
	client, err := fetch.Connect(t.Context(), fetch.Connection{Endpoint: stub.URL, Rate: 1e6, MaxBackoff: time.Millisecond}, arn(t, sfnstub.Prefix+"stateMachine:Order"))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestARN(t *testing.T) {
	const execution = "arn:aws:states:eu-west-1:123456789012:execution:Order:4f1a"
	for text, want := range map[string]fetch.ARN{
		execution: {Text: execution, Region: "eu-west-1", Resource: fetch.StandardExecution, Machine: "Order", Name: "4f1a"},
		"https://eu-west-1.console.aws.amazon.com/states/home?region=eu-west-1#/v2/executions/details/" + execution:                                             {Text: execution, Region: "eu-west-1", Resource: fetch.StandardExecution, Machine: "Order", Name: "4f1a"},
		"https://console.aws.amazon.com/states/home?region=eu-west-1#/executions/details/" + strings.ReplaceAll(execution, ":", "%3A") + "?statusFilter=FAILED": {Text: execution, Region: "eu-west-1", Resource: fetch.StandardExecution, Machine: "Order", Name: "4f1a"},
		"arn:aws-cn:states:cn-north-1:1:stateMachine:Order:live":                                                                                                {Text: "arn:aws-cn:states:cn-north-1:1:stateMachine:Order:live", Region: "cn-north-1", Resource: fetch.StateMachine, Machine: "Order"},
		"arn:aws:states:eu-west-1:1:express:Order:4f1a:77":                                                                                                      {Text: "arn:aws:states:eu-west-1:1:express:Order:4f1a:77", Region: "eu-west-1", Resource: fetch.ExpressExecution, Machine: "Order", Name: "4f1a:77"},
		"arn:aws:states:eu-west-1:1:mapRun:Order/each:4f1a":                                                                                                     {Text: "arn:aws:states:eu-west-1:1:mapRun:Order/each:4f1a", Region: "eu-west-1", Resource: fetch.MapRun, Machine: "Order/each", Name: "4f1a"},
		"https://console.aws.amazon.com/states/home#/%zz/" + execution:                                                                                          {Text: execution, Region: "eu-west-1", Resource: fetch.StandardExecution, Machine: "Order", Name: "4f1a"},
		"https://example.com/":                       {},
		"order":                                      {},
		"arn:aws:lambda:eu-west-1:1:function:f":      {},
		"arn:aws:states:eu-west-1:1:activity:a":      {},
		"arn:aws:states:eu-west-1:1:execution:Order": {},
		"arn:aws:states::1:execution:Order:1":        {},
	} {
		got, err := fetch.ParseARN(text)
		if (err == nil) != (want.Text != "") || err == nil && got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}

// An execution comes with all pages, in the form that the importer reads, and runs again.
func TestExecutionHasAllPages(t *testing.T) {
	x := sfnstub.Of("one", day, `{"id": 1, "card": "good-card"}`)
	stub := sfnstub.Start(t, x)
	stub.PageSize = 3
	client := connect(t, stub)
	var counts []int
	got, err := client.Execution(t.Context(), arn(t, x.ARN), func(events int) { counts = append(counts, events) })
	if err != nil {
		t.Fatal(err)
	}
	want, err := history.Read(history.File{Name: "history.json", Data: x.History})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Events) != len(want[0].Events) || got.Status() != "SUCCEEDED" || !got.Ended || counts[0] != 3 || counts[len(counts)-1] != len(got.Events) {
		t.Errorf("%d events, %s, pages to %v; want %d", len(got.Events), got.Status(), counts, len(want[0].Events))
	}
	if d := got.Definition; d == nil || d.Text != sfnstub.Order || d.Revision != "rev-1" || d.Name != "Order" {
		t.Errorf("definition %+v", d)
	}
	if nested := got.Nested(); len(nested) != 1 || nested[0] != sfnstub.Prefix+"execution:Ship:one" {
		t.Errorf("nested %q", nested)
	}
	if calls := stub.Calls(); len(calls) != 1+(len(got.Events)+2)/3 || calls[0] != "DescribeStateMachineForExecution execution:Order:one" || calls[1] != "GetExecutionHistory execution:Order:one" {
		t.Errorf("calls %q", calls)
	}
}

// Each reason for which nothing comes has its own message.
func TestReasons(t *testing.T) {
	x := sfnstub.Of("one", day, `{"card": "bad-card"}`)
	for code, want := range map[string]struct {
		reason fetch.Reason
		text   string
	}{
		"ExpiredTokenException":       {fetch.Expired, "the AWS credentials have expired (ExpiredTokenException: m): log in again"},
		"UnrecognizedClientException": {fetch.BadCredentials, "no valid AWS credentials"},
		"AccessDeniedException":       {fetch.Denied, "the credentials need states:GetExecutionHistory"},
		"ExecutionDoesNotExist":       {fetch.Missing, "ended more than 90 days ago"},
		"KmsAccessDeniedException":    {fetch.Encrypted, "kms:Decrypt"},
		"KmsInvalidStateException":    {fetch.Encrypted, "the key must be enabled"},
		"ThrottlingException":         {fetch.Throttled, "was throttled, also after retries"},
		"KmsThrottlingException":      {fetch.Throttled, "was throttled, also after retries"},
		"InvalidArn":                  {fetch.Other, "GetExecutionHistory failed: InvalidArn: m"},
	} {
		stub := sfnstub.Start(t, x)
		stub.Refuse = func(call string, _ int, _ string) *sfnstub.Refusal {
			if call == "GetExecutionHistory" {
				return &sfnstub.Refusal{Code: code, Message: "m"}
			}
			return nil
		}
		_, err := connect(t, stub).Execution(t.Context(), arn(t, x.ARN), nil)
		var wrong *fetch.Error
		if !errors.As(err, &wrong) || wrong.Reason != want.reason || !strings.Contains(err.Error(), want.text) || wrong.About != x.ARN {
			t.Errorf("%s: %v", code, err)
		}
		if wanted := 2; want.reason == fetch.Throttled {
			if calls := len(stub.Calls()); calls != 9 {
				t.Errorf("%s: %d calls, want 9: one and eight attempts", code, calls)
			}
		} else if calls := len(stub.Calls()); calls != wanted {
			t.Errorf("%s: %d calls, want %d", code, calls, wanted)
		}
	}
}

// A call that is throttled is made again.
func TestThrottledCallsAreMadeAgain(t *testing.T) {
	x := sfnstub.Of("one", day, `{"card": "bad-card"}`)
	stub := sfnstub.Start(t, x)
	stub.PageSize = 4
	stub.Refuse = func(_ string, n int, _ string) *sfnstub.Refusal {
		if n%3 != 0 {
			return &sfnstub.Refusal{Code: "ThrottlingException", Message: "Rate exceeded"}
		}
		return nil
	}
	got, err := connect(t, stub).Execution(t.Context(), arn(t, x.ARN), nil)
	if err != nil || got.Status() != "FAILED" {
		t.Fatal(err)
	}
}

// Without the definition the history is of use, too.
func TestDefinitionIsWithheld(t *testing.T) {
	x := sfnstub.Of("one", day, `{"card": "bad-card"}`)
	for code, kept := range map[string]bool{"AccessDeniedException": true, "KmsAccessDeniedException": true, "StateMachineDoesNotExist": true, "ExpiredTokenException": false} {
		stub := sfnstub.Start(t, x)
		stub.Refuse = func(call string, _ int, _ string) *sfnstub.Refusal {
			if call == "DescribeStateMachineForExecution" {
				return &sfnstub.Refusal{Code: code, Message: "m"}
			}
			return nil
		}
		got, err := connect(t, stub).Execution(t.Context(), arn(t, x.ARN), nil)
		if kept != (err == nil) || kept && (got.Definition != nil || got.Withheld == nil || len(got.Events) == 0) {
			t.Errorf("%s: %v", code, err)
		}
	}
}

// A history of which pages are missing is an error, never a shorter history.
func TestMissingPages(t *testing.T) {
	x := sfnstub.Of("one", day, `{"card": "good-card"}`)
	for name, c := range map[string]struct {
		change func(token string, events []any) []any
		refuse func(call string, n int, token string) *sfnstub.Refusal
		want   string
	}{
		"an empty page": {change: func(token string, events []any) []any {
			if token == "page-3" {
				return []any{}
			}
			return events
		}, want: "event 4 is missing"},
		"the first event": {change: func(token string, events []any) []any {
			if token == "" {
				return events[1:]
			}
			return events
		}, want: "event 1 is missing"},
		"an expired token": {refuse: func(_ string, _ int, token string) *sfnstub.Refusal {
			if token == "page-6" {
				return &sfnstub.Refusal{Code: "InvalidToken", Message: "Invalid Token"}
			}
			return nil
		}, want: "the page after event 6 was refused (InvalidToken: Invalid Token)"},
		"none": {change: func(string, []any) []any { return []any{} }, want: "it has no events"},
		"no event": {change: func(string, []any) []any {
			return []any{map[string]any{"type": "ExecutionStarted", "id": 1, "timestamp": 1}, nil}
		}, want: "an event is not an object"},
	} {
		stub := sfnstub.Start(t, x)
		stub.PageSize, stub.Change, stub.Refuse = 3, c.change, c.refuse
		_, err := connect(t, stub).Execution(t.Context(), arn(t, x.ARN), nil)
		var wrong *fetch.Error
		if !errors.As(err, &wrong) || wrong.Reason != fetch.Incomplete || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Express executions are told by their ARN: no call is made.
func TestExpress(t *testing.T) {
	stub := sfnstub.Start(t)
	client := connect(t, stub)
	_, err := client.Execution(t.Context(), arn(t, sfnstub.Prefix+"express:Order:4f1a:77"), nil)
	if err == nil || !strings.Contains(err.Error(), "CloudWatch Logs") || !strings.Contains(err.Error(), "--state-machine-arn "+sfnstub.Prefix+"stateMachine:Order --query loggingConfiguration") {
		t.Error(err)
	}
	if calls := stub.Calls(); len(calls) > 0 {
		t.Error(calls)
	}
	stub.Refuse = func(string, int, string) *sfnstub.Refusal {
		return &sfnstub.Refusal{Code: "StateMachineTypeNotSupported"}
	}
	_, err = client.Search(t.Context(), fetch.Query{Of: arn(t, sfnstub.Prefix+"stateMachine:Order")}, nil)
	if err == nil || !strings.Contains(err.Error(), "is Express") {
		t.Error(err)
	}
}

func TestCredentials(t *testing.T) {
	withoutAWS(t)
	of := arn(t, sfnstub.Prefix+"stateMachine:Order")
	_, err := fetch.Connect(t.Context(), fetch.Connection{}, of)
	var wrong *fetch.Error
	if !errors.As(err, &wrong) || wrong.Reason != fetch.BadCredentials {
		t.Error(err)
	}
	if _, err = fetch.Connect(t.Context(), fetch.Connection{Profile: "none"}, of); !errors.As(err, &wrong) || wrong.Reason != fetch.BadCredentials || !strings.Contains(err.Error(), "none") {
		t.Error(err)
	}
	if _, err = fetch.Connect(t.Context(), fetch.Connection{Endpoint: "localhost:1"}, of); err == nil || !strings.Contains(err.Error(), "is not a URL") {
		t.Error(err)
	}
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	if _, err = fetch.Connect(ended, fetch.Connection{}, of); err == nil || err.Error() != "interrupted" {
		t.Error(err)
	}
}

// Nothing listens at the endpoint.
func TestUnreachable(t *testing.T) {
	withoutAWS(t)
	of := arn(t, sfnstub.Prefix+"execution:Order:one")
	client, err := fetch.Connect(t.Context(), fetch.Connection{Endpoint: "http://127.0.0.1:1", MaxBackoff: time.Millisecond, Rate: 1e6}, of)
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Execution(t.Context(), of, nil)
	var wrong *fetch.Error
	if !errors.As(err, &wrong) || wrong.Reason != fetch.Unreachable {
		t.Error(err)
	}
}

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

// folder returns a folder of the executions, with what was saved.
func folder(t *testing.T, redact ...string) (*fetch.Folder, *[]fetch.Saved) {
	t.Helper()
	var saved []fetch.Saved
	f := &fetch.Folder{Dir: filepath.Join(t.TempDir(), "histories"), Nested: true, Saved: func(s fetch.Saved) { saved = append(saved, s) }}
	for _, path := range redact {
		redaction, err := recorder.ParseRedaction(path)
		if err != nil {
			t.Fatal(err)
		}
		f.Redactions = append(f.Redactions, redaction)
	}
	return f, &saved
}

// files returns the names of the files below a folder.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			name, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// A folder has histories that are read back as they are, and definitions once.
func TestFolder(t *testing.T) {
	one, two := sfnstub.Of("one", day, `{"id": 1, "card": "good-card"}`), sfnstub.Of("two", day.Add(-time.Hour), `{"id": 2, "card": "bad-card"}`)
	stub := sfnstub.Start(t, one, two, sfnstub.Shipped("one", day))
	client := connect(t, stub)
	f, saved := folder(t)
	items, err := client.Search(t.Context(), fetch.Query{Of: arn(t, sfnstub.Prefix+"stateMachine:Order")}, nil)
	if err == nil {
		err = f.AddAll(t.Context(), client, items)
	}
	if err != nil {
		t.Fatal(err)
	}
	names := files(t, f.Dir)
	if len(names) != 5 || names[2] != "nested/Ship/one.history.json" || names[3] != "one.history.json" || names[4] != "two.history.json" || !strings.HasPrefix(names[0], "definitions/Order-") {
		t.Errorf("%q", names)
	}
	for _, x := range []sfnstub.Execution{one, two} {
		data, err := os.ReadFile(filepath.Join(f.Dir, x.ARN[len(x.ARN)-3:]+recorded.Suffix))
		if err != nil {
			t.Fatal(err)
		}
		got, err := history.Read(history.File{Name: "got", Data: data})
		if err != nil {
			t.Fatal(err)
		}
		want, err := history.Read(history.File{Name: "want", Data: x.History})
		if err != nil {
			t.Fatal(err)
		}
		if got[0].ARN != x.ARN || len(got[0].Events) != len(want[0].Events) || len(got[0].Notes) != 0 {
			t.Errorf("%s: %d events, notes %v", got[0].ARN, len(got[0].Events), got[0].Notes)
		}
		for i := range got[0].Events {
			if g, w := &got[0].Events[i], &want[0].Events[i]; g.ID != w.ID || g.Type != w.Type || g.Time/1e6 != w.Time/1e6 {
				t.Errorf("%+v, want %+v", g, w)
			}
		}
		if status, _, _, _ := rerun.Of(got[0]).Result(); status != x.Status {
			t.Errorf("%s: %s", x.ARN, status)
		}
	}
	info, err := os.Stat(filepath.Join(f.Dir, "one.history.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if len(*saved) != 3 || (*saved)[2].Status != "FAILED" {
		t.Errorf("%+v", *saved)
	}
}

// A fetch that ended goes on where it was; a redriven or running execution is fetched again.
func TestResume(t *testing.T) {
	var all []sfnstub.Execution
	for i := range 4 {
		all = append(all, sfnstub.Of(fmt.Sprintf("x%d", i), day.Add(-time.Duration(i)*time.Hour), `{"card": "bad-card"}`))
	}
	stub := sfnstub.Start(t, all...)
	stub.Refuse = func(_ string, n int, _ string) *sfnstub.Refusal {
		if n == 6 { // the history of the third
			return &sfnstub.Refusal{Code: "ExpiredTokenException"}
		}
		return nil
	}
	client := connect(t, stub)
	f, _ := folder(t)
	query := fetch.Query{Of: arn(t, sfnstub.Prefix+"stateMachine:Order")}
	search := func() []fetch.Item {
		items, err := client.Search(t.Context(), query, nil)
		if err != nil {
			t.Fatal(err)
		}
		stub.Calls()
		return items
	}
	if err := f.AddAll(t.Context(), client, search()); err == nil || len(slices.DeleteFunc(files(t, f.Dir), func(name string) bool { return !strings.HasSuffix(name, recorded.Suffix) })) != 2 {
		t.Fatalf("%v, %q", err, files(t, f.Dir))
	}
	stub.Refuse = nil
	again := func() []string {
		next := &fetch.Folder{Dir: f.Dir, Redactions: f.Redactions}
		if err := next.AddAll(t.Context(), client, search()); err != nil {
			t.Fatal(err)
		}
		return stub.Calls()
	}
	if calls := again(); len(calls) != 4 || !strings.HasSuffix(calls[0], ":x2") || !strings.HasSuffix(calls[3], ":x3") {
		t.Errorf("%q", calls)
	}
	if calls := again(); len(calls) != 0 {
		t.Errorf("%q", calls)
	}
	all[1].Redrives = 1
	stub.Set(all...)
	if calls := again(); len(calls) != 2 || !strings.HasSuffix(calls[0], ":x1") {
		t.Errorf("%q", calls)
	}
	all[1].Redrives = 0
	stub.Set(all...)
	card, err := recorder.ParseRedaction("$..card")
	if err != nil {
		t.Fatal(err)
	}
	f.Redactions = []*recorder.Redaction{card}
	if calls := again(); len(calls) != 8 { // they are not redacted
		t.Errorf("%q", calls)
	}
	if calls := again(); len(calls) != 0 {
		t.Errorf("%q", calls)
	}
}

// No secret comes into the folder, and the rest is as it was.
func TestRedactedFolder(t *testing.T) {
	x := sfnstub.Of("one", day, `{"id": 1, "card": "bad-card", "list": [{"card": 4242424242}]}`)
	x.Definition = strings.Replace(sfnstub.Order, `"charge"`, `"charge-bad-card"`, 1)
	stub := sfnstub.Start(t, x)
	f, _ := folder(t, "$..card", "$..nothing")
	if err := f.Add(t.Context(), connect(t, stub), arn(t, x.ARN)); err != nil {
		t.Fatal(err)
	}
	for _, name := range files(t, f.Dir) {
		data, err := os.ReadFile(filepath.Join(f.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if text := string(data); strings.Contains(text, "bad-card") || strings.Contains(text, "4242") || !strings.Contains(text, "redacted") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if unfound := f.Unfound(); len(unfound) != 1 || unfound[0] != "$..nothing" {
		t.Errorf("%q", unfound)
	}
}

// Payloads that were cut off are replaced as a whole; variables are found by their names.
func TestRedactedTexts(t *testing.T) {
	x := sfnstub.Of("one", day, `{"id": 1}`)
	stub := sfnstub.Start(t, x)
	stub.Change = func(_ string, events []any) []any {
		for _, event := range events {
			switch d := event.(map[string]any); d["type"] {
			case "TaskStateEntered":
				d["stateEnteredEventDetails"].(map[string]any)["input"] = `{"password": "hush-hu`
			case "TaskStateExited":
				d["stateExitedEventDetails"].(map[string]any)["assignedVariables"] = map[string]any{"password": `"open-sesame"`, "other": `{"a": "open-sesame!"}`, "cut": `"open-`}
			}
		}
		return events
	}
	f, _ := folder(t, "$..password")
	if err := f.Add(t.Context(), connect(t, stub), arn(t, x.ARN)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(f.Dir, "one.history.json"))
	if err != nil || strings.Contains(string(data), "hush") || strings.Contains(string(data), "open-") || !strings.Contains(string(data), `"other":"{\"a\":\"[redacted]!\"}"`) {
		t.Errorf("%v %s", err, data)
	}
}

// What is in the folder and was not fetched stays as it is.
func TestOtherFilesStay(t *testing.T) {
	x := sfnstub.Of("one", day, `{"id": 1}`)
	stub := sfnstub.Start(t, x)
	client := connect(t, stub)
	f, saved := folder(t)
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(f.Dir, "one.history.json")
	for _, text := range []string{"mine", "{\n\"a\": ,\n\"events\": [", "{\n\"executionArn\": \"another\",\n\"events\": [\n]}"} {
		if err := os.WriteFile(mine, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		next := &fetch.Folder{Dir: f.Dir, Saved: f.Saved}
		if err := next.Add(t.Context(), client, arn(t, x.ARN)); err != nil {
			t.Fatal(err)
		}
		if data, _ := os.ReadFile(mine); string(data) != text {
			t.Errorf("%s", data)
		}
	}
	name := (*saved)[0].File
	if !strings.HasPrefix(filepath.Base(name), "one-") {
		t.Error(name)
	}
	if err := os.WriteFile(name, []byte("mine, too"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (&fetch.Folder{Dir: f.Dir}).Add(t.Context(), client, arn(t, x.ARN)); err == nil || !strings.Contains(err.Error(), "is not a fetched history") {
		t.Error(err)
	}
}

// The executions of a Map Run come from the list of that.
func TestMapRuns(t *testing.T) {
	const run = sfnstub.Prefix + "mapRun:Order/each:1"
	x := sfnstub.Execution{ARN: sfnstub.Prefix + "execution:Order:one", Status: "RUNNING", Start: day, Definition: sfnstub.Order, History: []byte(`{"events": [
	  {"timestamp": "2026-01-10T12:00:00Z", "type": "ExecutionStarted", "id": 1, "executionStartedEventDetails": {"input": "{}"}},
	  {"timestamp": "2026-01-10T12:00:00Z", "type": "MapRunStarted", "id": 2, "previousEventId": 1, "mapRunStartedEventDetails": {"mapRunArn": "` + run + `"}}]}`)}
	child := sfnstub.Shipped("child", day)
	child.ARN, child.MapRun = sfnstub.Prefix+"execution:Order/each:child", run
	express := child
	express.ARN = sfnstub.Prefix + "express:Order/each:child:1"
	stub := sfnstub.Start(t, x, child, express)
	f, saved := folder(t)
	f.MapRuns = true
	if err := f.Add(t.Context(), connect(t, stub), arn(t, x.ARN)); err != nil {
		t.Fatal(err)
	}
	if len(*saved) != 3 || (*saved)[0].File != filepath.Join(f.Dir, "map-runs", "one", "child.history.json") || (*saved)[1].Err == nil || (*saved)[2].Status != "RUNNING" {
		t.Errorf("%+v", *saved)
	}
	if calls := stub.Calls(); !slices.Contains(calls, "ListExecutions mapRun:Order/each:1") {
		t.Errorf("%q", calls)
	}
}

// Names of executions may hold what no name of a file should.
func TestNamesOfFiles(t *testing.T) {
	x := sfnstub.Of("..", day, `{"id": 1}`)
	stub := sfnstub.Start(t, x)
	f, saved := folder(t)
	f.Nested = false
	if err := f.Add(t.Context(), connect(t, stub), arn(t, x.ARN)); err != nil {
		t.Fatal(err)
	}
	if got := (*saved)[0].File; got != filepath.Join(f.Dir, "_..history.json") {
		t.Error(got)
	}
}
