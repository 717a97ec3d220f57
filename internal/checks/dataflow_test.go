package checks

import (
	"fmt"
	"strings"
	"testing"

	"asldb/engine/lint"
	"asldb/engine/rules"
	"asldb/engine/source"
)

// told is a row of what the static check is to say about a definition that starts at A: a part of each problem, in the
// order of the places. An empty list is silence.
type told struct {
	name, states string
	jsonata      bool
	dialect      rules.Dialect
	want         []string
}

const (
	lambdaTask = `"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "TimeoutSeconds": 9, `
	invoked    = `"Parameters": {"FunctionName": "f", "Payload.$": "$"}`
	ended      = `"E": {"Type": "Succeed"}`
	// ofRows is the processor of a distributed Map.
	ofRows = `"ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
		"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}}`
	// ofItems is the processor of an inline Map.
	ofItems = `"MaxConcurrency": 1, "ItemProcessor": {"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}}`
)

// written is a distributed Map whose outputs are written to a bucket, and a state behind it that reads a path.
func written(bucket, path string) string {
	return `"A": {"Type": "Pass", "Result": {"items": [1], "bucket": "b"}, "Next": "M"},
		"M": {"Type": "Map", "ItemsPath": "$.items", "ResultPath": "$.written", "ToleratedFailurePercentage": 1,
		"MaxConcurrency": 1,
			"ResultWriter": {"Resource": "arn:aws:states:::s3:putObject",
			"Parameters": {"Bucket.$": "` + bucket + `"}}, ` + ofRows + `, "Next": "R"},
		"R": {"Type": "Pass", "InputPath": "` + path + `", "End": true}`
}

// choicesInARow is n Choices in a row, each with two ways that add a member, and a state behind them that reads what is
// not there.
func choicesInARow(n int) string {
	var b strings.Builder
	b.WriteString(`"A": {"Type": "Pass", "Next": "C0"}`)
	for i := range n {
		fmt.Fprintf(&b, `, "C%d": {"Type": "Choice", "Choices": [{"Variable": "$.k%[1]d", "IsPresent": true,
			"Next": "X%[1]d"}], "Default": "Y%[1]d"},
			"X%[1]d": {"Type": "Pass", "Result": 1, "ResultPath": "$.x%[1]d", "Next": "C%[2]d"},
			"Y%[1]d": {"Type": "Pass", "Result": 1, "ResultPath": "$.y%[1]d", "Next": "C%[2]d"}`, i, i+1)
	}
	fmt.Fprintf(&b, `, "C%d": {"Type": "Pass", "Result": {"only": 1}, "Next": "L"}, "L": {"Type": "Pass",
		"InputPath": "$.zzz", "End": true}`, n)
	return b.String()
}

// chain is a chain of n states that add a member each.
func chain(n int) string {
	var b strings.Builder
	b.WriteString(`"A": {"Type": "Pass", "Result": {"a": 1}, "Next": "P0"}`)
	for i := range n {
		fmt.Fprintf(&b, `, "P%d": {"Type": "Pass", "Result": 1, "ResultPath": "$.x%[1]d", "Next": "P%[2]d"}`, i, i+1)
	}
	fmt.Fprintf(&b, `, "P%d": {"Type": "Pass", "InputPath": "$.zzz", "End": true}`, n)
	return b.String()
}

func toldRows() []told {
	literal := `"A": {"Type": "Pass", "Result": {"only": 1}, "Next": "B"},
		"B": {"Type": "Pass", "Result": {"made": 1}, "InputPath": "$.zzz", "Parameters": {"y.$": "$.yyy"}, "End": true}`
	return []told{
		{name: "1: a Pass with a Result does not look at InputPath", states: literal},
		{name: "1: in the dialect spec it does", states: literal, dialect: rules.Spec,
			want: []string{"$.zzz is missing"}},
		{name: "2: a bound of batches", want: []string{"$.zzz is missing"}, states: `"A": {"Type": "Pass",
			"Result": {"items": [1]}, "Next": "M"},
			"M": {"Type": "Map", "ItemsPath": "$.items", "MaxConcurrency": 1, "ToleratedFailurePercentage": 1,
			"ItemBatcher": {"MaxItemsPerBatchPath": "$.zzz"}, ` + ofRows + `, "End": true}`},
		{name: "3: the parameters of a writer", states: written("$.bukket", "$.written"),
			want: []string{"$.bukket is missing"}},
		{name: "4: the result of a writer is an object", states: written("$.bucket", "$.written[0]"),
			want: []string{"the result is an object with MapRunArn and ResultWriterDetails"}},
		{name: "5: a member of it is misspelt", states: written("$.bucket", "$.written.ResultWriterDetail.Key"),
			want: []string{"did you mean $.written.ResultWriterDetails.Key?"}},
		{name: "6: a variable of one way", want: []string{"the variable $v is not assigned on the way by Y"}, states: `
			"A": {"Type": "Choice", "Choices": [{"Variable": "$.x", "IsPresent": true, "Next": "X"}], "Default": "Y"},
			"X": {"Type": "Pass", "Assign": {"v": 1}, "Next": "U"}, "Y": {"Type": "Pass", "Next": "U"},
			"U": {"Type": "Pass", "Parameters": {"v.$": "$v"}, "End": true}`},
		{name: "6: a variable behind the Choice that tells the ways apart", states: `
			"A": {"Type": "Choice", "Choices": [{"Variable": "$.x", "IsPresent": true, "Next": "X"}], "Default": "Y"},
			"X": {"Type": "Pass", "Assign": {"v": 1}, "Next": "C"}, "Y": {"Type": "Pass", "Next": "C"},
			"C": {"Type": "Choice", "Choices": [{"Variable": "$.x", "IsPresent": true, "Next": "U"}],
			"Default": "E"}, ` + ended + `,
			"U": {"Type": "Pass", "Parameters": {"v.$": "$v"}, "End": true}`},
		{name: "7: a variable that is a string", jsonata: true,
			want: []string{`+ adds numbers; $n is the string "none", assigned by A`},
			states: `"A": {"Type": "Pass", "Assign": {"n": "none"}, "Next": "B"}, "B": {"Type": "Wait",
				"Seconds": "{% 5 + $n %}", "End": true}`},
		{name: "8: a text that is added", jsonata: true, want: []string{"'order ' is a string"},
			states: `"A": {"Type": "Pass", "Output": "{% 'order ' + $states.input.id %}", "End": true}`},
		{name: "8: what to write", jsonata: true, want: []string{"write &"},
			states: `"A": {"Type": "Pass", "Output": "{% 'order ' + $states.input.id %}", "End": true}`},
		{name: "9: an attribute of DynamoDB", jsonata: true,
			want: []string{`did you mean "$states.result.Item.total.N"?`},
			states: `"A": {"Type": "Task", "Resource": "arn:aws:states:::dynamodb:getItem", "TimeoutSeconds": 9,
				"Arguments": {"TableName": "t", "Key": {"id": {"S": "1"}}},
				"Output": "{% $number($states.result.Item.total) %}", "End": true}`},
		{name: "10: the result of a Parallel is an array", jsonata: true,
			want: []string{"$states.result.Mail.MessageId is missing: $states.result is an array, not an object"},
			states: `"A": {"Type": "Parallel", "Output": "{% $states.result.Mail.MessageId %}", "End": true,
				"Branches": [
				{"StartAt": "L", "States": {"L": {"Type": "Pass", "Output": {"a": 1}, "End": true}}},
				{"StartAt": "Mail", "States": {"Mail": {"Type": "Task", "Resource": "arn:aws:states:::sns:publish",
				"TimeoutSeconds": 9,
					"Arguments": {"TopicArn": "t", "Message": "m"}, "End": true}}}]}`},
		{name: "11: a test that never holds",
			want: []string{"$.nextToken is never there: $ has only list"},
			states: `"A": {"Type": "Pass", "Result": {"list": []}, "Next": "C"},
			"C": {"Type": "Choice", "Choices": [{"Variable": "$.nextToken", "IsPresent": true, "Next": "A"}],
			"Default": "E"}, ` + ended},
		{name: "12: a syntax error in one leaf", want: []string{"n.$", `"o.$"`}, states: `"A": {"Type": "Pass",
			"Result": {"order": {"name": 1}}, "Next": "B"},
			"B": {"Type": "Pass", "Parameters": {"n.$": "$.order.nme", "o.$": "$.order."}, "End": true}`},
		{name: "13: an inline Map over an object", jsonata: true,
			want: []string{"the input is an object, and a Map state iterates over an array"}, states: `
			"A": {"Type": "Pass", "Output": {"o": 1}, "Next": "M"}, "M": {"Type": "Map", ` + ofItems + `,
			"End": true}`},
		{name: "13: an object as Items", jsonata: true,
			want: []string{"this value is an object, and Items takes an array"}, states: `
			"A": {"Type": "Map", "Items": {"a": 1}, ` + ofItems + `, "End": true}`},
		{name: "13: of a distributed Map", jsonata: true, states: `"A": {"Type": "Map", "Items": {"a": 1},
			"MaxConcurrency": 1, "ToleratedFailurePercentage": 1, ` + ofRows + `, "End": true}`},
		{name: "14: 20 Choices", states: choicesInARow(20), want: []string{"$.zzz is missing"}},
		{name: "14: 400 Choices", states: choicesInARow(400), want: []string{"$.zzz is missing"}},
		{name: "14: a chain of 3,000 states", states: chain(3000), want: []string{"$.zzz is missing"}},
		{name: "15: a catcher that discards the Error Output",
			want: []string{"catcher 1 of Charge discards the Error Output"}, states: `
			"A": {"Type": "Pass", "Result": {"order": 1}, "Next": "Charge"},
			"Charge": {` + lambdaTask + invoked + `, "ResultPath": "$.charge", "Next": "E",
			"Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": null, "Next": "F"}]}, ` + ended + `,
			"F": {"Type": "Pass", "InputPath": "$.error.Cause", "End": true}`},
	}
}

// TestDataFlowIsTold holds what the static check says of the moves of data to the table of the reference: nothing more,
// and nothing less.
func TestDataFlowIsTold(t *testing.T) {
	for _, c := range toldRows() {
		t.Run(c.name, func(t *testing.T) {
			head := ""
			if c.jsonata {
				head = `"QueryLanguage": "JSONata", `
			}
			src := &source.File{Name: "t.json", Data: []byte(`{` + head + `"StartAt": "A",
				"States": {` + c.states + `}}`)}
			root, problem := source.Read(src, nil)
			if problem != nil {
				t.Fatal(problem.Message)
			}
			found := lint.All(src, root, lint.Options{Hints: true, Dialect: c.dialect})
			var texts []string
			for i := range found {
				if rule := found[i].Rule; rule != rules.LostInput && rule != rules.MissingDefault {
					texts = append(texts, found[i].Format())
				}
			}
			for i, text := range texts {
				if i >= len(c.want) || !strings.Contains(text, c.want[i]) {
					t.Errorf("said:\n%s", text)
				}
			}
			if len(texts) < len(c.want) {
				t.Errorf("%d problems are told, want %q", len(texts), c.want)
			}
		})
	}
}
