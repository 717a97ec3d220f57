package report

import (
	"strings"
	"testing"
)

// wrapped is a definition with one state A.
func wrapped(state string) string { return `{"StartAt":"A","States":{"A":{` + state + `}}}` }

// mapped is a definition with a Map state M that has the fields in addition to those it needs.
func mapped(fields string) string {
	return `{"StartAt":"M","States":{"M":{"Type":"Map","End":true,` + fields + `"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}}}}}`
}

const schema = "SCHEMA_VALIDATION_FAILED|"

// missing is the answer to a transition without a target.
func missing(name, location string) string {
	return "MISSING_TRANSITION_TARGET|Missing 'Next' target: " + name + "|" + location
}

func unreachable(name, location string) string {
	return `MISSING_TRANSITION_TARGET|State "` + name + `" is not reachable.|` + location
}

const noEnd = "MISSING_END_STATE|Workflow has no terminal state|"

// TestMeasuredReplies compares with what others measured of ValidateStateMachineDefinition and CreateStateMachine, or report of
// them: the source of each row is a thread of a public repository.
func TestMeasuredReplies(t *testing.T) {
	const loop = `"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Pass","Next":"A"}`
	for _, test := range []struct {
		source, definition string
		want               []string // code, message and location of each
	}{
		// The graph.
		{"floci-io/floci#2735", `{"StartAt":"A","States":{` + loop + `}}`, []string{noEnd}},
		{"floci-io/floci#2735, no search for unreachable states", `{"StartAt":"A","States":{` + loop + `,"C":{"Type":"Pass","Next":"A"}}}`, []string{noEnd}},
		{"floci-io/floci#2735, a terminal state that is not reachable", `{"StartAt":"A","States":{` + loop + `,"C":{"Type":"Succeed"}}}`, []string{unreachable("C", "/States/C")}},
		{"floci-io/floci PR 2786, in an ItemProcessor", `{"StartAt":"M","States":{"M":{"Type":"Map","End":true,"ItemProcessor":{"StartAt":"A","States":{` + loop + `}}}}}`, nil},
		{"floci-io/floci PR 2786, in a branch", `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"A","States":{` + loop + `}}]}}}`, nil},
		{"floci-io/floci#2735, Next", wrapped(`"Type":"Pass","Next":"NOPE"`), []string{missing("NOPE", "/States/A/Next"), noEnd}},
		{
			"floci-io/floci#2735, a rule's Next", `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"Variable":"$.a","IsNull":true,"Next":"X"}],"Default":"D"},"D":{"Type":"Succeed"}}}`,
			[]string{missing("X", "/States/C/Choices[0]/Next")},
		},
		{
			"floci-io/floci#2735, Default", `{"StartAt":"A","States":{"A":{"Type":"Choice","Choices":[{"Variable":"$.a","IsNull":true,"Next":"D"}],"Default":"X"},"D":{"Type":"Succeed"}}}`,
			[]string{missing("X", "/States/A/Default")},
		},
		{
			"floci-io/floci#2735, a catcher's Next", `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Parameters":{"QueueUrl":"q","MessageBody":"m"},"End":true,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"X"}]}}}`,
			[]string{missing("X", "/States/T/Catch[0]/Next")},
		},
		{
			"floci-io/floci#2735, StartAt", `{"StartAt":"X","States":{"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Succeed"}}}`,
			[]string{missing("X", "/StartAt"), unreachable("A", "/States/A"), unreachable("B", "/States/B")},
		},
		{"floci-io/floci#2735, StartAt and no terminal state", `{"StartAt":"X","States":{` + loop + `}}`, []string{missing("X", "/StartAt"), noEnd}},
		{
			"aws-cloudformation/cfn-lint#4074, a processor's StartAt", `{"StartAt":"M","States":{"M":{"Type":"Map","End":true,"ItemProcessor":{"StartAt":"X","States":{"I":{"Type":"Pass","End":true}}}}}}`,
			[]string{missing("X", "/States/M/ItemProcessor/StartAt"), unreachable("I", "/States/M/ItemProcessor/States/I")},
		},
		{
			"floci-io/floci#2735, in a processor", `{"StartAt":"M","States":{"M":{"Type":"Map","End":true,"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true},"Ghost":{"Type":"Pass","End":true}}}}}}`,
			[]string{unreachable("Ghost", "/States/M/ItemProcessor/States/Ghost")},
		},
		{
			"floci-io/floci#2735, in a branch", `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"I","States":{"I":{"Type":"Pass","End":true},"Ghost":{"Type":"Pass","End":true}}}]}}}`,
			[]string{unreachable("Ghost", "/States/P/Branches[0]/States/Ghost")},
		},
		{
			"localstack/localstack#11978", `{"StartAt":"pass1","States":{"pass1":{"Type":"Pass","Next":"pass3"},"pass2":{"Type":"Pass","End":true}}}`,
			[]string{missing("pass3", "/States/pass1/Next"), unreachable("pass2", "/States/pass2")},
		},
		{"floci-io/floci#2735, names are raw", `{"StartAt":"a","States":{"a":{"Type":"Succeed"},"a/b":{"Type":"Succeed"}}}`, []string{unreachable("a/b", "/States/a/b")}},
		// Names.
		{
			"aws-cloudformation/cfn-lint#3616", `{"StartAt":"A","States":{"A":{"Type":"Map","End":true,"ItemProcessor":{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}}}}}`,
			[]string{"DUPLICATE_STATE_NAME|Duplicate State name: A|/States/A/ItemProcessor/States/A"},
		},
		{
			"ChristopheBougere/asl-validator#69", strings.ReplaceAll(wrapped(`"Type":"Succeed"`), `"A"`, `"`+strings.Repeat("n", 81)+`"`),
			[]string{"INVALID_STATE_NAME|Invalid State name: State '" + strings.Repeat("n", 81) + "' exceeds the 80-character limit allowed by the service|/States/" + strings.Repeat("n", 81)},
		},
		{
			"API reference, DUPLICATE_LABEL_NAME, of which the text is not documented", `{"StartAt":"M","States":{"M":{"Type":"Map","Label":"l","Next":"N","ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}}},` +
				`"N":{"Type":"Map","Label":"l","End":true,"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"J","States":{"J":{"Type":"Pass","End":true}}}}}}`,
			[]string{"DUPLICATE_LABEL_NAME|Duplicate Label name: l|/States/N/Label"},
		},
		// Fields where they do not belong.
		{"floci-io/floci#2735", wrapped(`"Type":"Pass","TimeoutSeconds":5,"End":true`), []string{schema + "Field 'TimeoutSeconds' is not supported|/States/A"}},
		{"floci-io/floci PR 2786", wrapped(`"Type":"Wait","Seconds":1,"Retry":[],"End":true`), []string{schema + "Field 'Retry' is not supported|/States/A"}},
		{"floci-io/floci PR 2786", `{"QueryLanguage":"JSONata",` + wrapped(`"Type":"Pass","Catch":[],"End":true`)[1:], []string{schema + "Field 'Catch' is not supported|/States/A"}},
		{
			"floci-io/floci#2968, in a processor", `{"StartAt":"M","States":{"M":{"Type":"Map","End":true,"ItemProcessor":{"QueryLanguage":"JSONPath","StartAt":"I","States":{"I":{"Type":"Pass","End":true}}}}}}`,
			[]string{schema + "Field 'QueryLanguage' is not supported|/States/M/ItemProcessor"},
		},
		{
			"floci-io/floci#2968, in an Iterator", `{"StartAt":"M","States":{"M":{"Type":"Map","End":true,"Iterator":{"QueryLanguage":"JSONata","StartAt":"I","States":{"I":{"Type":"Pass","End":true}}}}}}`,
			[]string{schema + "Field 'QueryLanguage' is not supported|/States/M/Iterator"},
		},
		{
			"floci-io/floci#2968, in a branch", `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[{"QueryLanguage":"JSONata","StartAt":"I","States":{"I":{"Type":"Pass","End":true}}}]}}}`,
			[]string{schema + "Field 'QueryLanguage' is not supported|/States/P/Branches[0]"},
		},
		{"floci-io/floci#2968", wrapped(`"Type":"Pass","Output":1,"End":true`), []string{schema + "The QueryLanguage is set to 'JSONPath', but field 'Output' is only supported for the 'JSONata' QueryLanguage|/States/A"}},
		{"floci-io/floci#2968", wrapped(`"Type":"Pass","QueryLanguage":"JSONata","InputPath":"$","End":true`), []string{schema + "The QueryLanguage is set to 'JSONata', but field 'InputPath' is only supported for the 'JSONPath' QueryLanguage|/States/A"}},
		{
			"floci-io/floci#2968, for that state only", `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Pass","QueryLanguage":"JSONPath","Output":1,"Next":"W"},"W":{"Type":"Wait","QueryLanguage":"JSONPath","Seconds":-1,"Next":"B"},"B":{"Type":"Pass","InputPath":"$","End":true}}}`,
			[]string{
				schema + "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine|/States/A",
				schema + "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine|/States/W",
				schema + "Minimum value is 0|/States/W/Seconds",
				schema + "The QueryLanguage is set to 'JSONata', but field 'InputPath' is only supported for the 'JSONPath' QueryLanguage|/States/B",
			},
		},
		{
			"localstack/localstack#12958, inner states have the machine's language", `{"StartAt":"M","States":{"M":{"Type":"Map","QueryLanguage":"JSONata","Items":[1],"End":true,"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","InputPath":"$","End":true}}}}}}`, nil,
		},
		{
			"floci-io/floci#2968, a state's language of another case", wrapped(`"Type":"Pass","QueryLanguage":"jsonata","InputPath":"$","End":true`),
			[]string{
				schema + "The QueryLanguage is set to 'JSONata', but field 'InputPath' is only supported for the 'JSONPath' QueryLanguage|/States/A",
				schema + "Value should be one of the following: [JSONPath, JSONata]|/States/A/QueryLanguage",
			},
		},
		{
			"floci-io/floci#2968, the machine's comes first", `{` + strings.TrimSuffix(wrapped(`"Type":"Pass","InputPath":"$","End":true`)[1:], "}") + `,"QueryLanguage":"XPath"}`,
			[]string{
				schema + "Value should be one of the following: [JSONPath, JSONata]|/QueryLanguage",
				schema + "The QueryLanguage is set to 'JSONata', but field 'InputPath' is only supported for the 'JSONPath' QueryLanguage|/States/A",
			},
		},
		// Values.
		{"floci-io/floci#2968", wrapped(`"Type":"Pass","Comment":5,"End":true`), []string{schema + "Expected value of type [STRING]|/States/A/Comment"}},
		{
			"floci-io/floci#3733", mapped(`"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","Parameters":{"Bucket":"b","Key":"k"},"ReaderConfig":{"InputType":"JSON","MaxItems":1,"MaxItemsPath":"$.n"}},`),
			[]string{schema + "There should only be one of the following fields: [MaxItems, MaxItemsPath]|/States/M/ItemReader/ReaderConfig"},
		},
		{"floci-io/floci#3733", mapped(`"ToleratedFailureCount":-1,`), []string{schema + "Minimum value is 0|/States/M/ToleratedFailureCount"}},
		{"floci-io/floci#3733", mapped(`"ToleratedFailurePercentage":-1,`), []string{schema + "Minimum value is 0.0|/States/M/ToleratedFailurePercentage"}},
		{"floci-io/floci#3733", mapped(`"ToleratedFailurePercentage":101,`), []string{schema + "Maximum value is 100.0|/States/M/ToleratedFailurePercentage"}},
		{
			"floci-io/floci#3733", mapped(`"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","Parameters":{"Bucket":"b","Key":"k"},"ReaderConfig":{"InputType":"JSON","MaxItems":100000001}},`),
			[]string{schema + "Maximum value is 100000000|/States/M/ItemReader/ReaderConfig/MaxItems"},
		},
		{"floci-io/floci#3733", mapped(`"MaxConcurrency":9223372036854775807,`), nil},
		{"floci-io/floci#3733", mapped(`"MaxConcurrencyPath":"$$.Execution.Input.n",`), []string{schema + "Value is not a Reference Path|/States/M/MaxConcurrencyPath"}},
		{"floci-io/floci#3733", mapped(`"ToleratedFailureCountPath":"$$.Execution.Input.n",`), []string{schema + "Value is not a Reference Path|/States/M/ToleratedFailureCountPath"}},
		{"floci-io/floci#3733", mapped(`"ToleratedFailurePercentagePath":"$$.Execution.Input.n",`), []string{schema + "Value is not a Reference Path|/States/M/ToleratedFailurePercentagePath"}},
		{"floci-io/floci#3733", mapped(`"ItemBatcher":{"MaxItemsPerBatchPath":"$$.Execution.Input.n"},`), []string{schema + "Value is not a Reference Path|/States/M/ItemBatcher/MaxItemsPerBatchPath"}},
		{"floci-io/floci#3733", mapped(`"ItemBatcher":{"MaxInputBytesPerBatchPath":"$$.Execution.Input.n"},`), []string{schema + "Value is not a Reference Path|/States/M/ItemBatcher/MaxInputBytesPerBatchPath"}},
		{
			"floci-io/floci#3733", mapped(`"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","Parameters":{"Bucket":"b","Key":"k"},"ReaderConfig":{"InputType":"JSON","MaxItemsPath":"$$.Execution.Input.n"}},`),
			[]string{schema + "Value is not a Reference Path|/States/M/ItemReader/ReaderConfig/MaxItemsPath"},
		},
		{"floci-io/floci#3733, ItemsPath takes it", mapped(`"ItemsPath":"$$.Execution.Input.items",`), nil},
		{
			"aws-cloudformation/cfn-lint#4076", `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"Variable":"a","IsNull":true,"Next":"D"}],"Default":"D"},"D":{"Type":"Succeed"}}}`,
			[]string{schema + "Value is not a Reference Path: Reference path didn't start with '$'|/States/C/Choices[0]/Variable"},
		},
		{"aws-cloudformation/cfn-lint#4078", `{"StartAt":"P","States":{"P":{"Type":"Pass","OutputPath":"a","End":true}}}`, []string{schema + "Value must be a valid JSONPath.|/States/P/OutputPath"}},
		{
			"aws-cloudformation/cfn-lint#4077", `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"Variable":"$.a","IsNull":true}],"Default":"D"},"D":{"Type":"Succeed"}}}`,
			[]string{schema + "These fields are required: [Next]|/States/C/Choices[0]"},
		},
		{"aws-cloudformation/cfn-lint#4075", `{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":100000000,"End":true}}}`, []string{schema + "Maximum value is 99999999|/States/W/Seconds"}},
		{"aws/aws-sam-cli-app-templates#185", wrapped(`"Type":"Task","Resource":"function","End":true`), []string{schema + "Value is not a valid resource ARN|/States/A/Resource"}},
		// Legal.
		{"aws-cloudformation/cfn-lint#4049", `{"StartAt":"C","States":{"C":{"Type":"Choice","Assign":{"v":1},"Choices":[{"Variable":"$.a","IsNull":true,"Assign":{"v":2},"Next":"D"}],"Default":"D"},"D":{"Type":"Succeed"}}}`, nil},
		{"aws-cloudformation/cfn-lint#4128", `{"QueryLanguage":"JSONata","StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"Condition":"{% true %}","Output":1,"Assign":{"v":2},"Next":"D"}],"Default":"D"},"D":{"Type":"Succeed"}}}`, nil},
		{"aws-cloudformation/cfn-lint#4206, an ItemReader without the mode DISTRIBUTED", mapped(`"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","Parameters":{"Bucket":"b","Key":"k"}},`), nil},
		{"developer guide, tokens of EKS and Bedrock", wrapped(`"Type":"Task","Resource":"arn:aws:states:::eks:runJob.waitForTaskToken","Parameters":{"T.$":"$$.Task.Token"},"End":true`), nil},
		{"developer guide, an action that no table has yet", wrapped(`"Type":"Task","Resource":"arn:aws:states:::aws-sdk:brandnew:makeIt","End":true`), nil},
		// Warnings, of which the code is documented and the text is not.
		{"API reference, NO_DOLLAR", wrapped(`"Type":"Pass","Parameters":{"a":"$.b"},"End":true`), []string{"NO_DOLLAR||/States/A/Parameters/a"}},
		{"API reference, NO_PATH", wrapped(`"Type":"Fail","Cause":"$.b"`), []string{"NO_PATH||/States/A/Cause"}},
		{
			"API reference, NO_PATH of a rule", `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"And":[{"Variable":"$.a","StringEquals":"$.b"}],"Next":"D"}],"Default":"D"},"D":{"Type":"Succeed"}}}`,
			[]string{"NO_PATH||/States/C/Choices[0]/And[0]/StringEquals"},
		},
		{"API reference, PASS_RESULT_IS_STATIC", wrapped(`"Type":"Pass","Result":{"a":["$.b"]},"End":true`), []string{"PASS_RESULT_IS_STATIC||/States/A/Result/a[0]"}},
		{"API reference, PASS_RESULT_IS_STATIC", wrapped(`"Type":"Pass","Result":{"a":"$.b"},"End":true`), []string{"PASS_RESULT_IS_STATIC||/States/A/Result/a"}},
		{"API reference, TOO_DEEPLY_NESTED", wrapped(`"Type":"Pass","Result":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `,"End":true`), []string{"TOO_DEEPLY_NESTED||/"}},
	} {
		result, diagnostics, _ := replyTo(t, test.definition, Options{})
		var got []string
		failed := "OK"
		for _, d := range diagnostics.All() {
			message := textOf(get(d, "message"))
			if textOf(get(d, "severity")) == "ERROR" {
				failed = "FAIL"
			}
			if code := textOf(get(d, "code")); strings.HasPrefix(code, "NO_") || strings.HasPrefix(code, "PASS_") || strings.HasPrefix(code, "TOO_") {
				message = ""
			}
			got = append(got, textOf(get(d, "code"))+"|"+message+"|"+textOf(get(d, "location")))
		}
		if result != failed || strings.Join(got, "\n") != strings.Join(test.want, "\n") {
			t.Errorf("%s\n%s\n%s\n got %q\nwant %q", test.source, test.definition, result, got, test.want)
		}
	}
}

// TestOwnWarnings: the service's reply has none of asldb's own warnings, but where they are asked for.
func TestOwnWarnings(t *testing.T) {
	definition := wrapped(`"Type":"Task","Resource":"arn:aws:states:::aws-sdk:s3:getObjet","End":true`)
	if result, list, _ := replyTo(t, definition, Options{}); result != "OK" || list.Len() != 0 {
		t.Errorf("%s with %d diagnostics", result, list.Len())
	}
	result, list, _ := replyTo(t, definition, Options{Own: true})
	if result != "OK" || list.Len() != 1 || textOf(get(list.At(0), "severity")) != "WARNING" || textOf(get(list.At(0), "code")) != "UNKNOWN_SDK_ACTION" {
		t.Errorf("%s with %d diagnostics", result, list.Len())
	}
}
