package explore_test

import (
	"slices"
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
		if strings.Count(got, "no retrier and no catcher takes the error") != 1 ||
			!strings.Contains(got, "3 of 3 tasks: ") {
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

// Errors that no catcher takes are one line, whether tasks are retried first or not.
func TestOneLineWithRetriers(t *testing.T) {
	list := findings(explored(t, `{"StartAt": "A", "States": {
		"A": {"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage", "Next": "B",
			"Parameters": {"QueueUrl": "q", "MessageBody": "b"}, "Retry": [{"ErrorEquals": ["States.ALL"]}]},
		"B": {"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage", "End": true,
			"Parameters": {"QueueUrl": "q", "MessageBody": "b"}}}}`), explore.Uncaught)
	if len(list) != 1 || !strings.Contains(list[0], "no catcher takes the error; 1 of them is retried first") {
		t.Errorf("%q: want one for A and B", list)
	}
}

// A state that fails with a ${Name} that nothing fills is a note, since the definition is not at fault.
func TestNameWithoutValueIsANote(t *testing.T) {
	r := explored(t, `{"StartAt": "A", "States": {
		"A": {"Type": "Pass", "Parameters": {"text": "${Query}"}, "Next": "B"},
		"B": {"Type": "Pass", "Parameters": {"q.$": "States.Format($.text, 'x')"}, "Next": "C"},
		"C": {"Type": "Choice", "Choices": [{"Variable": "$.q", "StringEquals": "x", "Next": "D"}], "Default": "D"},
		"D": {"Type": "Succeed"}}}`)
	if list := findings(r, explore.Data, explore.Bug); len(list) > 0 {
		t.Errorf("%q: want none", list)
	}
	want := "B fails since ${Query} has no value: give one with --substitute Query=..."
	if !slices.Contains(r.Notes, want) || strings.Contains(strings.Join(r.Notes, "\n"), "ends FAILED") {
		t.Errorf("%q: want %q, and no note on the end", r.Notes, want)
	}
}

// A ${…} that only the data have does not excuse the state that fails on it.
func TestNameOfTheDataIsNoNameWithoutValue(t *testing.T) {
	r := run(t, explore.Options{Given: []explore.Given{{Input: must(`{"text": "${Query}"}`)}}, Machine: open(t,
		`{"StartAt": "B", "States": {
		"B": {"Type": "Pass", "Parameters": {"q.$": "States.Format($.text, 'x')"}, "Next": "C"},
		"C": {"Type": "Choice", "Choices": [{"Variable": "$.q", "StringEquals": "${Other}", "Next": "D"}],
			"Default": "D"},
		"D": {"Type": "Succeed"}}}`)})
	if list := findings(r, explore.Data); len(list) != 1 || !strings.Contains(list[0], "B fails with") {
		t.Errorf("%q, notes %q: want that B fails", list, r.Notes)
	}
}

// A rule that no run has taken may end a loop: it is told, and nothing is said about a bound. One that cannot hold
// where those before it do not is left out.
func TestLoopWithABoundThatNoRunReaches(t *testing.T) {
	loop := func(rules string) string {
		list := findings(explored(t, `{"StartAt": "Init", "States": {
			"Init": {"Type": "Pass", "Result": 0, "ResultPath": "$.n", "Next": "Get"},
			"Get": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f"},
				"ResultSelector": {"Status.$": "$.Payload.Status"}, "ResultPath": "$.r", "Next": "Add"},
			"Add": {"Type": "Pass", "Parameters": {"n.$": "States.MathAdd($.n, 1)", "r.$": "$.r"}, "Next": "Done?"},
			"Done?": {"Type": "Choice", "Choices": [`+rules+`], "Default": "Wait"},
			"Wait": {"Type": "Wait", "Seconds": 5, "Next": "Get"}, "End": {"Type": "Succeed"}}}`), explore.Endless)
		return strings.Join(list, "\n")
	}
	const status = `{"Variable": "$.r.Status", "StringEquals": "done", "Next": "End"}`
	const both = `the loop leaves only with $.r.Status = "done" or $.n > 1000000`
	got := loop(status + `, {"Variable": "$.n", "NumericGreaterThan": 1000000, "Next": "End"}`)
	if !strings.Contains(got, both) || strings.Contains(got, "bounds") {
		t.Errorf("%q: want both rules, and nothing about a bound", got)
	}
	const one = `the loop leaves only with $.r.Status = "done"; nothing bounds it`
	if got = loop(status + `, ` + status); !strings.Contains(got, one) {
		t.Errorf("%q: rule 2 cannot hold", got)
	}
}

// A Map state behind a catcher gets lists with no, one and many items. The edit comes before the fault in the changes
// of such a run: its error is not one of the fault, which was handled.
func TestMapBehindACatcher(t *testing.T) {
	r := explored(t, `{"StartAt": "A", "States": {
		"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f"},
			"Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.e", "Next": "List"}], "End": true},
		"List": {"Type": "Pass", "Result": [1, 2], "Next": "M"},
		"M": {"Type": "Map", "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}},
			"Next": "First"},
		"First": {"Type": "Pass", "InputPath": "$[0]", "End": true}}}`)
	var aims []string
	for _, other := range r.Others {
		if c := other.Changes[0]; c.Kind == explore.Edited && len(other.Changes) == 2 && !other.Changes[1].Always {
			aims = append(aims, c.Aim)
		}
	}
	if !slices.Equal(aims, []string{"no items", "one item", "3 items"}) {
		t.Errorf("%q", aims)
	}
	list := findings(r, explore.Data, explore.Bug, explore.Uncaught)
	if len(list) != 1 || !strings.HasPrefix(list[0], "data First: First fails with States.Runtime") ||
		!strings.HasPrefix(r.Findings[0].Run.Describe(), "$ at M: no items; A fails with ") {
		t.Errorf("%q: want that First fails without items", list)
	}
}

// An error that nothing handles, in a run whose data were edited behind another fault or that has two, is told once,
// for the task that raises it.
func TestUnhandledErrorInAnEditedRun(t *testing.T) {
	const task = `"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f"}`
	r := explored(t, `{"StartAt": "A", "States": {
		"A": {`+task+`, "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "C"}], "Next": "S"},
		"C": {"Type": "Choice", "Choices": [{"Variable": "$.Error", "StringEquals": "again", "Next": "B"}],
			"Default": "S"},
		"B": {`+task+`, "Next": "S"}, "S": {"Type": "Succeed"}}}`)
	list := findings(r, explore.Uncaught)
	if len(list) != 1 || !strings.HasPrefix(list[0], "unhandled B: no retrier and no catcher takes the error") {
		t.Errorf("%q: want the error of B, which is behind a fault of A", list)
	}
}

// A loop's exits are those that a run takes: a rule behind one that always holds before it leads nowhere. The run is
// told once, by the finding, not by a note beside it.
func TestLoopWithARuleThatNeverHolds(t *testing.T) {
	r := explored(t, `{"StartAt": "Get", "States": {
		"Get": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f"},
			"OutputPath": "$.Payload", "Next": "Choice"},
		"Choice": {"Type": "Choice", "Choices": [
			{"Not": {"Variable": "$.Status", "StringEquals": "completed"}, "Next": "Wait"},
			{"Variable": "$.Status", "StringEquals": "failed", "Next": "Fail"}], "Default": "Success"},
		"Wait": {"Type": "Wait", "Seconds": 5, "Next": "Get"}, "Fail": {"Type": "Fail"},
		"Success": {"Type": "Succeed"}}}`)
	list := findings(r, explore.Endless)
	if len(list) != 1 || !strings.Contains(list[0], "the loop leaves only with no rule of Choice; nothing bounds it") {
		t.Errorf("%q: rule 2 never holds", list)
	}
	for _, note := range r.Notes {
		if strings.Contains(note, "ends FAILED") {
			t.Errorf("%q is told by the finding", note)
		}
	}
}

// A Choice state that only a catcher leads to gets other data, too, so that no rule of it counts as unreached. A loop
// through a state that is retried is told as a loop, with its exit.
func TestDataBehindFaults(t *testing.T) {
	r := explored(t, `{"StartAt": "Acquire", "States": {
		"Acquire": {"Type": "Task", "Resource": "arn:aws:states:::dynamodb:updateItem", "End": true,
			"Parameters": {"TableName": "t", "Key": {"k": {"S": "v"}}},
			"Retry": [{"ErrorEquals": ["States.ALL"], "MaxAttempts": 6}],
			"Catch": [{"ErrorEquals": ["DynamoDB.ConditionalCheckFailedException"], "ResultPath": "$.e",
				"Next": "Look"}]},
		"Look": {"Type": "Task", "Resource": "arn:aws:states:::dynamodb:getItem", "ResultPath": "$.lock",
			"Next": "Mine?",
			"Parameters": {"TableName": "t", "Key": {"k": {"S": "v"}}},
			"ResultSelector": {"text.$": "States.JsonToString($.Item)"}},
		"Mine?": {"Type": "Choice", "Choices": [{"Variable": "$.lock.text", "StringMatches": "*Z*", "Next": "Done"}],
			"Default": "Wait"},
		"Wait": {"Type": "Wait", "Seconds": 3, "Next": "Acquire"}, "Done": {"Type": "Succeed"}}}`)
	if list := findings(r, explore.Unreached); len(list) > 0 {
		t.Errorf("%q: rule 1 of Mine? is taken with other data", list)
	}
	list := findings(r, explore.Endless)
	if len(list) != 1 || !strings.Contains(list[0], "Acquire is entered ") ||
		!strings.Contains(list[0], "the loop leaves ") {
		t.Errorf("%q: want the loop of Acquire", list)
	}
}
