package explore_test

import (
	"strings"
	"testing"

	"asldb/internal/explore"
	"asldb/internal/report"
	"asldb/internal/testkit"
)

// TestPagesEnd: a service does not give tokens for another page for ever, but a loop over another answer may be endless
// and is told with its exit.
func TestPagesEnd(t *testing.T) {
	pages := `{"StartAt": "List", "States": {
		"List": {"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:s3:listObjectsV2",
			"Parameters": {"Bucket": "b"}, "Next": "More?"},
		"More?": {"Type": "Choice", "Choices": [{"Variable": "$.NextContinuationToken", "IsPresent": true,
			"Next": "Work"}], "Default": "Done"},
		"Work": {"Type": "Pass", "Next": "List"}, "Done": {"Type": "Succeed"}}}`
	if list := findings(explored(t, pages), explore.Endless); len(list) > 0 {
		t.Errorf("%q: pages end", list)
	}
	polls := strings.NewReplacer(`"Variable": "$.NextContinuationToken", "IsPresent": true`,
		`"Variable": "$.Status", "StringEquals": "complete"`, `"Next": "Work"`, `"Next": "Done"`, `"Default": "Done"`,
		`"Default": "Work"`, "aws-sdk:s3:listObjectsV2", "lambda:invoke", `"Parameters": {"Bucket": "b"}`,
		`"Parameters": {"FunctionName": "f"}, "OutputPath": "$.Payload"`).Replace(pages)
	list := findings(explored(t, polls), explore.Endless)
	exit := `the loop leaves only with $.Status = "complete"; nothing bounds it`
	if len(list) != 1 || !strings.HasSuffix(strings.TrimSpace(list[0]), exit) {
		t.Errorf("%q: want one that ends in %q", list, exit)
	}
}

// TestOneLineForOneCause: tasks without catchers are one line, and a state behind a way that no run takes is not told
// beside the way.
func TestOneLineForOneCause(t *testing.T) {
	const task = `{"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage",
		"Parameters": {"QueueUrl": "q", "MessageBody": "b"}, "Next": "NEXT"}`
	to := func(next string) string { return strings.Replace(task, "NEXT", next, 1) }
	definition := `{"StartAt": "A", "States": {"A": ` + to("B") + `, "B": ` + to("C") + `, "C": ` + to("D") + `,
		"D": {"Type": "Pass", "Result": {"n": 1}, "Next": "E"},
		"E": {"Type": "Choice", "Choices": [{"Variable": "$$.Execution.Name",
			"StringEquals": "never", "Next": "F"}], "Default": "G"},
		"F": {"Type": "Pass", "Next": "G"}, "G": {"Type": "Succeed"}}}`
	r := explored(t, definition)
	for form, look := range map[string]report.Look{"text": {}, "markdown": {Page: true}} {
		got := testkit.Report(t, explore.Answer(r, "", 0), form, look)
		if strings.Count(got, "no retrier and no catcher takes the error") != 1 || !strings.Contains(got, "3 of 3 tasks: ") {
			t.Errorf("%s: %s", form, got)
		}
	}
	if last := r.Findings[len(r.Findings)-1]; last.Class != explore.Uncaught || len(last.Same) != 2 {
		t.Errorf("%q: what is so of all tasks is last", explore.Title(last))
	}
	if sum := explore.Summary(r); !strings.Contains(sum, "1 unhandled") {
		t.Errorf("%s: one cause counts once", sum)
	}
	for _, form := range []string{"json", "sarif"} {
		got := testkit.Report(t, explore.Answer(r, "", 0), form, report.Look{})
		if strings.Count(got, "no retrier and no catcher") != 1 {
			t.Errorf("%s: %s", form, got)
		}
	}
	if list := findings(r, explore.Unreached); len(list) != 1 || !strings.Contains(list[0], "rule 1") {
		t.Errorf("%q: want rule 1 of E alone", list)
	}
}

// Catchers that lead to one state, and the states of a loop without a bound, are one line each.
func TestOneLineForOneHandlerAndLoop(t *testing.T) {
	const task = `{"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f"},
		"Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Handle"}], "ResultPath": null, "Next": "NEXT"}`
	to := func(next string) string { return strings.Replace(task, "NEXT", next, 1) }
	list := findings(explored(t, `{"StartAt": "A", "States": {"A": `+to("B")+`, "B": `+to("Done")+`,
		"Handle": {"Type": "Pass", "Next": "Done"}, "Done": {"Type": "Succeed"}}}`), explore.Swallowed)
	if len(list) != 1 || !strings.Contains(list[0], "catcher 1 leads to Handle, and the execution succeeds") {
		t.Errorf("%q: want one for the catchers of A and B", list)
	}
	loop := findings(explored(t, `{"StartAt": "C", "States": {
		"C": {"Type": "Choice", "Choices": [{"Variable": "$.a", "StringEquals": "x", "Next": "P"},
			{"Variable": "$.a", "StringEquals": "y", "Next": "Q"}, {"Variable": "$.a", "StringEquals": "z", "Next": "Done"}],
			"Default": "P"},
		"P": {"Type": "Pass", "Next": "C"}, "Q": {"Type": "Pass", "Next": "C"}, "Done": {"Type": "Succeed"}}}`),
		explore.Endless)
	if len(loop) != 1 || !strings.Contains(loop[0], `the loop leaves only with $.a = "z"; nothing bounds it`) {
		t.Errorf("%q: want one for the loop", loop)
	}
}
