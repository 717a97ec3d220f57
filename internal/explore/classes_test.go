package explore_test

import (
	"slices"
	"strings"
	"testing"

	"asldb/engine/lint"
	"asldb/internal/explore"
)

// caughtBy is a definition of a task with one retrier and one catcher for all errors. The catcher leads to the state
// F, the first one of behind.
func caughtBy(behind string) string {
	return `{"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
		"Parameters": {"FunctionName": "f"}, "ResultPath": "$.made", "Retry": [{"ErrorEquals": ["States.ALL"],
		"MaxAttempts": 1}],
		"Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "F"}],
		"End": true}, ` + behind + `}}`
}

// TestClassesOfErrors: errors that the definition does not tell apart are run once and always, for one of them.
func TestClassesOfErrors(t *testing.T) {
	const toOne = `"F": {"Type": "Pass", "End": true}`
	r := explored(t, caughtBy(toOne))
	if r.Done != 1+2 || r.Errors < 39 || len(r.Rows) != r.Errors {
		t.Errorf("%d errors in %d rows and %d runs: want one class", r.Errors, len(r.Rows), r.Done)
	}
	told := `"F": {"Type": "Choice", "Choices": [{"Variable": "$.error.Error", "StringEquals": "Card.Declined",
		"Next": "D"}], "Default": "E"},
		"E": {"Type": "Succeed"}, "D": {"Type": "Fail", "Error": "Declined", "CausePath": "$.made.id"}`
	r = explored(t, caughtBy(told))
	if list := strings.Join(findings(r), "\n"); !strings.Contains(list, "D fails with States.Runtime") {
		t.Errorf("the error that is compared was not tried: %s", list)
	}
	faults := 0
	for _, base := range r.Rows {
		if base.Once.Changes[0].Error == base.Error {
			faults++
		}
	}
	if faults != 2 {
		t.Errorf("%d classes, want 2: Card.Declined and all others", faults)
	}
	query := caughtBy(`"F": {"Type": "Pass", "QueryLanguage": "JSONata",
		"Output": "{% $states.input.error.Error = 'Card.Declined' ? 1 : 2 %}", "End": true}`)
	if r = explored(t, query); len(classesOf(r)) != 2 {
		t.Errorf("an expression tells %v apart", classesOf(r))
	}
	causes := caughtBy(`"F": {"Type": "Pass", "Parameters": {"why.$": "States.StringToJson($.error.Cause)"},
		"End": true}`)
	if r = explored(t, causes); len(classesOf(r)) != 2 { // a function's own error has a Cause that is JSON
		t.Errorf("of the Causes there are %v", classesOf(r))
	}
}

// classesOf returns the errors that were run.
func classesOf(r *explore.Result) (list []string) {
	for _, row := range r.Rows {
		if row.Once.Changes[0].Error == row.Error {
			list = append(list, row.Error)
		}
	}
	return list
}

// TestMembersOfServices: what a service always gives is not left out, and what it may leave out is.
func TestMembersOfServices(t *testing.T) {
	r := explored(t, `{"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": "arn:aws:states:::dynamodb:getItem",
		"Parameters": {"TableName": "t", "Key": {"id": {"S": "1"}}}, "ResultPath": "$.row", "Next": "B"},
		"B": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f",
		"Payload.$": "$.row.Item"},
			"ResultSelector": {"x.$": "$.Payload.x"}, "End": true}}}`)
	if list := findings(r, explore.Data); len(list) != 1 || !strings.Contains(list[0], "Item") {
		t.Errorf("%q: want one about Item, and none about Payload", list)
	}
}

// A path that the data cannot have is found before the run and in it, at one place, in text and in all other forms.
func TestPlacesAreThoseOfValidate(t *testing.T) {
	for _, state := range []string{
		`"Type":"Pass","Parameters":{"a":{"b.$":"$.y"}},"Next":"C"`,
		`"Type":"Pass","Parameters":{"a.$":"States.Format('{}', $.y)"},"Next":"C"`,
		`"Type":"Wait","SecondsPath":"$.y","Next":"C"`,
		`"Type":"Choice","Choices":[{"And":[{"Variable":"$.x","IsPresent":true},
			{"Not":{"Variable":"$.y","NumericEquals":1}}],"Next":"C"}],"Default":"C"`,
	} {
		r := explored(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","Result":{"x":1},"Next":"B"},
			"B":{`+state+`},"C":{"Type":"Task","End":true,"Resource":"arn:aws:states:us-east-1:1:activity:c"}}}`)
		problems := lint.Check(r.Machine.Definition(), lint.Options{})
		at := slices.IndexFunc(r.Findings, func(f *explore.Finding) bool { return f.Class == explore.Data })
		if at < 0 || len(problems) == 0 {
			t.Errorf("%s: findings %v, problems %v", state, findings(r), problems)
			continue
		}
		want := problems[0].Span.Start
		if got := r.Findings[at].At; got.Line != want.Line || got.Col != want.Col {
			t.Errorf("%s: at %v, and validate has it at %d:%d", state, got, want.Line, want.Col)
		}
	}
}
