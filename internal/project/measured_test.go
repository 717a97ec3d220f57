package project

import (
	"strings"
	"testing"
)

// wrapped is a definition with one state A.
func wrapped(state string) string { return `{"StartAt":"A","States":{"A":{` + state + `}}}` }

// mapped is a definition with a Map state M that has the fields in addition to those it needs.
func mapped(fields string) string {
	return `{"StartAt":"M","States":{"M":{"Type":"Map","End":true,` + fields +
		`"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}}}}}`
}

// ruled is a definition with a Choice state whose one rule has the fields.
func ruled(fields string) string {
	return `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{` + fields +
		`,"Next":"D"}],"Default":"D"},"D":{"Type":"Succeed"}}}`
}

// operators are the fields of comparisons, in the service's order (tiny-asl-machine, ChoiceValidation).
const operators = "StringEquals, IsBoolean, StringLessThan, IsNumeric, BooleanEquals, StringLessThanEqualsPath, " +
	"NumericLessThan, NumericGreaterThan, NumericLessThanPath, StringMatches, TimestampLessThanEqualsPath, " +
	"NumericEquals, TimestampGreaterThan, StringGreaterThanEqualsPath, TimestampGreaterThanEqualsPath, " +
	"TimestampLessThanEquals, NumericLessThanEqualsPath, TimestampEquals, BooleanEqualsPath, IsTimestamp, " +
	"StringLessThanEquals, NumericLessThanEquals, StringLessThanPath, TimestampGreaterThanPath, " +
	"StringGreaterThan, StringGreaterThanPath, IsString, StringEqualsPath, TimestampEqualsPath, " +
	"TimestampLessThan, StringGreaterThanEquals, NumericGreaterThanPath, NumericGreaterThanEquals, " +
	"NumericEqualsPath, TimestampLessThanPath, IsNull, IsPresent, TimestampGreaterThanEquals, " +
	"NumericGreaterThanEqualsPath"

// reading is a definition with a distributed Map state M that reads with an action and a ReaderConfig, whose place is
// config.
func reading(action, config string) string {
	return strings.Replace(mapped(`"ItemReader":{"Resource":"arn:aws:states:::s3:`+action+
		`","Parameters":{"Bucket":"b","Key":"k"},"ReaderConfig":{`+config+`}},`),
		`"ItemProcessor":{`, `"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},`, 1)
}

const config = "|/States/M/ItemReader/ReaderConfig"

const schema = "SCHEMA_VALIDATION_FAILED|"

// missing is the answer to a transition without a target.
func missing(name, location string) string {
	return "MISSING_TRANSITION_TARGET|Missing 'Next' target: " + name + "|" + location
}

func unreachable(name, location string) string {
	return `MISSING_TRANSITION_TARGET|State "` + name + `" is not reachable.|` + location
}

const noEnd = "MISSING_END_STATE|Workflow has no terminal state|"

// TestMeasuredReplies compares with what others measured of ValidateStateMachineDefinition and CreateStateMachine, or
// report of them: the source of each row is a thread of a public repository.
func TestMeasuredReplies(t *testing.T) {
	const loop = `"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Pass","Next":"A"}`
	for _, test := range []struct {
		source, definition string
		want               []string // code, message and location of each
	}{
		// The graph.
		{"floci-io/floci#2735", `{"StartAt":"A","States":{` + loop + `}}`, []string{noEnd}},
		{"floci-io/floci#2735, no search for unreachable states", `{"StartAt":"A","States":{` + loop +
			`,"C":{"Type":"Pass","Next":"A"}}}`, []string{noEnd}},
		{"floci-io/floci#2735, a terminal state that is not reachable", `{"StartAt":"A","States":{` + loop +
			`,"C":{"Type":"Succeed"}}}`, []string{unreachable("C", "/States/C")}},
		{"floci-io/floci PR 2786, in an ItemProcessor",
			`{"StartAt":"M","States":{"M":{"Type":"Map","End":true,"ItemProcessor":{"StartAt":"A","States":{` + loop +
				`}}}}}`, nil},
		{"floci-io/floci PR 2786, in a branch", `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"A","States":{` + loop + `}}]}}}`, nil},
		{"floci-io/floci#2735, Next", wrapped(`"Type":"Pass","Next":"NOPE"`),
			[]string{missing("NOPE", "/States/A/Next"), noEnd}},
		{
			"floci-io/floci#2735, a rule's Next", `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"Variable":"$.a","IsNull":true,"Next":"X"}],"Default":"D"},"D":{"Type":"Succeed"}}}`,
			[]string{missing("X", "/States/C/Choices[0]/Next")},
		},
		{
			"floci-io/floci#2735, Default", `{"StartAt":"A","States":{"A":{"Type":"Choice","Choices":[{"Variable":"$.a","IsNull":true,"Next":"D"}],"Default":"X"},"D":{"Type":"Succeed"}}}`,
			[]string{missing("X", "/States/A/Default")},
		},
		{
			"floci-io/floci#2735, a catcher's Next",
			`{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Parameters":{"QueueUrl":"q","MessageBody":"m"},"End":true,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"X"}]}}}`,
			[]string{missing("X", "/States/T/Catch[0]/Next")},
		},
		{
			"aws-cloudformation/cfn-lint#4074, StartAt",
			`{"StartAt":"X","States":{"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Succeed"}}}`,
			[]string{missing("X", "/StartAt"), unreachable("A", "/States/A")},
		},
		{
			"aws-cloudformation/cfn-lint#4074, a misspelt StartAt",
			`{"StartAt":"Frist","States":{"First":{"Type":"Pass","Next":"B"},"B":{"Type":"Succeed"}}}`,
			[]string{missing("Frist", "/StartAt"), unreachable("First", "/States/First")},
		},
		{
			"cfn-lint#4074, behind an unreachable state",
			`{"StartAt":"A","States":{"A":{"Type":"Succeed"},"B":{"Type":"Pass","Next":"C"},"C":{"Type":"Succeed"}}}`,
			[]string{unreachable("B", "/States/B")},
		},
		{
			"tiny-asl-machine BasicStructure.003, a Next where there is none",
			`{"StartAt":"A","States":{"A":{"Type":"Succeed","Next":"B"},"B":{"Type":"Pass","End":true}}}`,
			[]string{schema + "Field 'Next' is not supported|/States/A"},
		},
		{"cfn-lint#4074, states that only name each other",
			`{"StartAt":"A","States":{"A":{"Type":"Succeed"},"B":{"Type":"Pass","Next":"C"},"C":{"Type":"Pass","Next":"B"}}}`, nil},
		{
			"tiny-asl-machine BasicStructure.005", `{"StartAt":"First","States":{}}`,
			[]string{schema + "Value cannot be empty|/States", missing("First", "/StartAt"), noEnd},
		},
		{"floci-io/floci#2735, StartAt and no terminal state", `{"StartAt":"X","States":{` + loop + `}}`,
			[]string{missing("X", "/StartAt"), noEnd}},
		{
			"aws-cloudformation/cfn-lint#4074, a processor's StartAt",
			`{"StartAt":"M","States":{"M":{"Type":"Map","End":true,"ItemProcessor":{"StartAt":"X","States":{"I":{"Type":"Pass","End":true}}}}}}`,
			[]string{missing("X", "/States/M/ItemProcessor/StartAt"),
				unreachable("I", "/States/M/ItemProcessor/States/I")},
		},
		{
			"floci-io/floci#2735, in a processor",
			`{"StartAt":"M","States":{"M":{"Type":"Map","End":true,"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true},"Ghost":{"Type":"Pass","End":true}}}}}}`,
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
			"ChristopheBougere/asl-validator#69", strings.ReplaceAll(wrapped(`"Type":"Succeed"`), `"A"`, `"`+
				strings.Repeat("n", 81)+`"`),
			[]string{"INVALID_STATE_NAME|Invalid State name: State '" + strings.Repeat("n", 81) +
				"' exceeds the 80-character limit allowed by the service|/States/" + strings.Repeat("n", 81)},
		},
		{
			"API reference, DUPLICATE_LABEL_NAME, whose text is not documented",
			`{"StartAt":"M","States":{"M":{"Type":"Map","Label":"l","Next":"N","ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}}},` +
				`"N":{"Type":"Map","Label":"l","End":true,"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"J","States":{"J":{"Type":"Pass","End":true}}}}}}`,
			[]string{"DUPLICATE_LABEL_NAME|Duplicate Label name: l|/States/N/Label"},
		},
		// Fields where they do not belong.
		{"floci-io/floci#2735", wrapped(`"Type":"Pass","TimeoutSeconds":5,"End":true`),
			[]string{schema + "Field 'TimeoutSeconds' is not supported|/States/A"}},
		{"floci-io/floci PR 2786", wrapped(`"Type":"Wait","Seconds":1,"Retry":[],"End":true`),
			[]string{schema + "Field 'Retry' is not supported|/States/A"}},
		{"floci-io/floci PR 2786", `{"QueryLanguage":"JSONata",` + wrapped(`"Type":"Pass","Catch":[],"End":true`)[1:],
			[]string{schema + "Field 'Catch' is not supported|/States/A"}},
		{
			"floci-io/floci#2968, in a processor",
			`{"StartAt":"M","States":{"M":{"Type":"Map","End":true,"ItemProcessor":{"QueryLanguage":"JSONPath","StartAt":"I","States":{"I":{"Type":"Pass","End":true}}}}}}`,
			[]string{schema + "Field 'QueryLanguage' is not supported|/States/M/ItemProcessor"},
		},
		{
			"floci-io/floci#2968, in an Iterator",
			`{"StartAt":"M","States":{"M":{"Type":"Map","End":true,"Iterator":{"QueryLanguage":"JSONata","StartAt":"I","States":{"I":{"Type":"Pass","End":true}}}}}}`,
			[]string{schema + "Field 'QueryLanguage' is not supported|/States/M/Iterator"},
		},
		{
			"floci-io/floci#2968, in a branch", `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[{"QueryLanguage":"JSONata","StartAt":"I","States":{"I":{"Type":"Pass","End":true}}}]}}}`,
			[]string{schema + "Field 'QueryLanguage' is not supported|/States/P/Branches[0]"},
		},
		{"floci-io/floci#2968", wrapped(`"Type":"Pass","Output":1,"End":true`),
			[]string{schema + "The QueryLanguage is set to 'JSONPath', but field 'Output' is only supported for the 'JSONata' QueryLanguage|/States/A"}},
		{"floci-io/floci#2968", wrapped(`"Type":"Pass","QueryLanguage":"JSONata","InputPath":"$","End":true`),
			[]string{schema + "The QueryLanguage is set to 'JSONata', but field 'InputPath' is only supported for the 'JSONPath' QueryLanguage|/States/A"}},
		{
			"floci-io/floci#2968, for that state only",
			`{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Pass","QueryLanguage":"JSONPath","Output":1,"Next":"W"},"W":{"Type":"Wait","QueryLanguage":"JSONPath","Seconds":-1,"Next":"B"},"B":{"Type":"Pass","InputPath":"$","End":true}}}`,
			[]string{
				schema + "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine|/States/A",
				schema + "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine|/States/W",
				schema + "Minimum value is 0|/States/W/Seconds",
				schema + "The QueryLanguage is set to 'JSONata', but field 'InputPath' is only supported for the 'JSONPath' QueryLanguage|/States/B",
			},
		},
		{
			"localstack/localstack#12958, inner states have the machine's language",
			`{"StartAt":"M","States":{"M":{"Type":"Map","QueryLanguage":"JSONata","Items":[1],"End":true,"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","InputPath":"$","End":true}}}}}}`, nil,
		},
		{
			"floci-io/floci#2968, a state's language of another case",
			wrapped(`"Type":"Pass","QueryLanguage":"jsonata","InputPath":"$","End":true`),
			[]string{
				schema + "The QueryLanguage is set to 'JSONata', but field 'InputPath' is only supported for the 'JSONPath' QueryLanguage|/States/A",
				schema + "Value should be one of the following: [JSONPath, JSONata]|/States/A/QueryLanguage",
			},
		},
		{
			"floci-io/floci#2968, the machine's comes first", `{` +
				strings.TrimSuffix(wrapped(`"Type":"Pass","InputPath":"$","End":true`)[1:], "}") +
				`,"QueryLanguage":"XPath"}`,
			[]string{
				schema + "Value should be one of the following: [JSONPath, JSONata]|/QueryLanguage",
				schema + "The QueryLanguage is set to 'JSONata', but field 'InputPath' is only supported for the 'JSONPath' QueryLanguage|/States/A",
			},
		},
		// Fields that are missing, or one too many.
		{"tiny-asl-machine BasicStructure.001", wrapped(`"End":true`),
			[]string{schema + "The field 'Type' is required|/States/A", noEnd}},
		{
			"aws-recorded, an unknown Type", wrapped(`"Type":"Passs","End":true`),
			[]string{schema + "The field 'Type' should have one of these values: [Task, Wait, Pass, Succeed, Fail, Choice, Parallel, Map]|/States/A/Type"},
		},
		{"tiny-asl-machine BasicStructure.004", wrapped(`"Type":"Pass"`),
			[]string{schema + "This object should have only one of the following fields: [Next, End]|/States/A",
				noEnd}},
		{
			"tiny-asl-machine WaitValidation", wrapped(`"Type":"Wait","End":true`),
			[]string{schema + "This object should have only one of the following fields: [SecondsPath, Seconds, TimestampPath, Timestamp]|/States/A"},
		},
		{
			"tiny-asl-machine WaitValidation.001",
			wrapped(`"Type":"Wait","Seconds":1,"TimestampPath":"$.t","End":true`),
			[]string{schema + "There should only be one of the following fields: [SecondsPath, Seconds, TimestampPath, Timestamp]|/States/A"},
		},
		{"tiny-asl-machine ChoiceValidation.003", ruled(`"Variable":"$.a"`),
			[]string{schema + "This object should have only one of the following fields: [" + operators +
				"]|/States/C/Choices[0]"}},
		{
			"tiny-asl-machine ChoiceValidation, inside of And", ruled(`"And":[{"Variable":"$.a"}]`),
			[]string{schema + "This object should have only one of the following fields: [" + operators +
				"]|/States/C/Choices[0]/And[0]"},
		},
		{
			"tiny-asl-machine ChoiceValidation, two operators",
			ruled(`"Variable":"$.a","IsNull":true,"StringEquals":"b"`),
			[]string{schema + "There should only be one of the following fields: [" + operators +
				"]|/States/C/Choices[0]"},
		},
		{
			"tiny-asl-machine Structure.005 to 007",
			wrapped(`"Type":"Parallel","Branches":[{"StartAt":"I","States":{"I":{"Type":"Succeed"}}}],"End":true,"Retry":[{"ErrorEquals":["States.ALL","E"]},{"ErrorEquals":["F"]}]`),
			[]string{schema + "States.ALL must appear alone and at end of list|/States/A/Retry[0]/ErrorEquals"},
		},
		// Values.
		{"tiny-asl-machine WaitValidation.004", wrapped(`"Type":"Wait","Seconds":1.5,"End":true`),
			[]string{schema + "Expected value of type Integer|/States/A/Seconds"}},
		{"floci-io/floci#2968", wrapped(`"Type":"Pass","Comment":5,"End":true`),
			[]string{schema + "Expected value of type [STRING]|/States/A/Comment"}},
		{
			"floci-io/floci#3733", mapped(`"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","Parameters":{"Bucket":"b","Key":"k"},"ReaderConfig":{"InputType":"JSON","MaxItems":1,"MaxItemsPath":"$.n"}},`),
			[]string{schema + "There should only be one of the following fields: [MaxItems, MaxItemsPath]|/States/M/ItemReader/ReaderConfig"},
		},
		{"floci-io/floci#3733", mapped(`"ToleratedFailureCount":-1,`),
			[]string{schema + "Minimum value is 0|/States/M/ToleratedFailureCount"}},
		{"floci-io/floci#3733", mapped(`"ToleratedFailurePercentage":-1,`),
			[]string{schema + "Minimum value is 0.0|/States/M/ToleratedFailurePercentage"}},
		{"floci-io/floci#3733", mapped(`"ToleratedFailurePercentage":101,`),
			[]string{schema + "Maximum value is 100.0|/States/M/ToleratedFailurePercentage"}},
		{
			"floci-io/floci#3733", mapped(`"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","Parameters":{"Bucket":"b","Key":"k"},"ReaderConfig":{"InputType":"JSON","MaxItems":100000001}},`),
			[]string{schema + "Maximum value is 100000000|/States/M/ItemReader/ReaderConfig/MaxItems"},
		},
		{"floci-io/floci#3733", mapped(`"MaxConcurrency":9223372036854775807,`), nil},
		{"floci-io/floci#3733", mapped(`"MaxConcurrencyPath":"$$.Execution.Input.n",`),
			[]string{schema + "Value is not a Reference Path|/States/M/MaxConcurrencyPath"}},
		{"floci-io/floci#3733", mapped(`"ToleratedFailureCountPath":"$$.Execution.Input.n",`),
			[]string{schema + "Value is not a Reference Path|/States/M/ToleratedFailureCountPath"}},
		{"floci-io/floci#3733", mapped(`"ToleratedFailurePercentagePath":"$$.Execution.Input.n",`),
			[]string{schema + "Value is not a Reference Path|/States/M/ToleratedFailurePercentagePath"}},
		{"floci-io/floci#3733", mapped(`"ItemBatcher":{"MaxItemsPerBatchPath":"$$.Execution.Input.n"},`),
			[]string{schema + "Value is not a Reference Path|/States/M/ItemBatcher/MaxItemsPerBatchPath"}},
		{"floci-io/floci#3733", mapped(`"ItemBatcher":{"MaxInputBytesPerBatchPath":"$$.Execution.Input.n"},`),
			[]string{schema + "Value is not a Reference Path|/States/M/ItemBatcher/MaxInputBytesPerBatchPath"}},
		{
			"floci-io/floci#3733", mapped(`"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","Parameters":{"Bucket":"b","Key":"k"},"ReaderConfig":{"InputType":"JSON","MaxItemsPath":"$$.Execution.Input.n"}},`),
			[]string{schema + "Value is not a Reference Path|/States/M/ItemReader/ReaderConfig/MaxItemsPath"},
		},
		{"tiny-asl-machine ItemReader", reading("getObject", `"InputType":"CSV"`),
			[]string{schema + "The field 'CSVHeaderLocation' is required" + config}},
		{"tiny-asl-machine ItemReader.001", reading("getObject", `"InputType":"CSV","ManifestType":"S3_INVENTORY"`),
			[]string{schema + "The field 'CSVHeaderLocation' is required" + config}},
		{"tiny-asl-machine ItemReader.002", reading("listObjectsV2", `"Transformation":"LOAD_AND_FLATTEN"`),
			[]string{schema + "The field 'InputType' is required" + config}},
		{"tiny-asl-machine ItemReader.005", reading("getObject", `"InputType":"JSONL","CSVHeaderLocation":"FIRST_ROW"`),
			[]string{schema + "Field 'CSVHeaderLocation' is not supported" + config}},
		{"tiny-asl-machine ItemReader", reading("getObject", `"InputType":"JSON","CSVHeaders":["a"]`),
			[]string{schema + "Field 'CSVHeaders' is not supported" + config}},
		{"tiny-asl-machine ItemReader.007", reading("getObject", `"InputType":"JSON","ManifestType":"ATHENA_DATA"`),
			[]string{schema + "Field 'ManifestType' is not supported" + config}},
		{"tiny-asl-machine ItemReader.008", reading("getObject", `"InputType":"CSV","CSVHeaderLocation":"GIVEN"`),
			[]string{schema + "These fields are required: [CSVHeaders]" + config}},
		{
			"tiny-asl-machine ItemReader", reading("getObject", `"InputType":"JSON","ItemsPointer":"data/items"`),
			[]string{schema + `Invalid input: JSON Pointer expression must start with '/': "data/items"` + config +
				"/ItemsPointer"},
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
		{"aws/aws-sam-cli-app-templates#185", wrapped(`"Type":"Task","Resource":"function","End":true`),
			[]string{schema + "Value is not a valid resource ARN|/States/A/Resource"}},
		// Legal.
		{"aws-cloudformation/cfn-lint#4049", `{"StartAt":"C","States":{"C":{"Type":"Choice","Assign":{"v":1},"Choices":[{"Variable":"$.a","IsNull":true,"Assign":{"v":2},"Next":"D"}],"Default":"D"},"D":{"Type":"Succeed"}}}`, nil},
		{"aws-cloudformation/cfn-lint#4128", `{"QueryLanguage":"JSONata","StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"Condition":"{% true %}","Output":1,"Assign":{"v":2},"Next":"D"}],"Default":"D"},"D":{"Type":"Succeed"}}}`, nil},
		{"aws-cloudformation/cfn-lint#4206, an ItemReader without the mode DISTRIBUTED",
			mapped(`"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","Parameters":{"Bucket":"b","Key":"k"}},`),
			nil},
		{"developer guide, tokens of EKS and Bedrock",
			wrapped(`"Type":"Task","Resource":"arn:aws:states:::eks:runJob.waitForTaskToken","Parameters":{"T.$":"$$.Task.Token"},"End":true`), nil},
		{"developer guide, an action that no table has yet",
			wrapped(`"Type":"Task","Resource":"arn:aws:states:::aws-sdk:brandnew:makeIt","End":true`), nil},
		// Warnings, whose code is documented and whose text is not.
		{"API reference, NO_DOLLAR", wrapped(`"Type":"Pass","Parameters":{"a":"$.b"},"End":true`),
			[]string{"NO_DOLLAR||/States/A/Parameters/a"}},
		{"API reference, NO_PATH", wrapped(`"Type":"Fail","Cause":"$.b"`), []string{"NO_PATH||/States/A/Cause"}},
		{
			"API reference, NO_PATH of a rule", `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"And":[{"Variable":"$.a","StringEquals":"$.b"}],"Next":"D"}],"Default":"D"},"D":{"Type":"Succeed"}}}`,
			[]string{"NO_PATH||/States/C/Choices[0]/And[0]/StringEquals"},
		},
		{"API reference, PASS_RESULT_IS_STATIC", wrapped(`"Type":"Pass","Result":{"a":["$.b"]},"End":true`),
			[]string{"PASS_RESULT_IS_STATIC||/States/A/Result/a[0]"}},
		{"API reference, PASS_RESULT_IS_STATIC", wrapped(`"Type":"Pass","Result":{"a":"$.b"},"End":true`),
			[]string{"PASS_RESULT_IS_STATIC||/States/A/Result/a"}},
		{"API reference, TOO_DEEPLY_NESTED", wrapped(`"Type":"Pass","Result":` + strings.Repeat("[", 2000) +
			strings.Repeat("]", 2000) + `,"End":true`), []string{"TOO_DEEPLY_NESTED||/"}},
	} {
		result, diagnostics, _ := replyTo(t, test.definition, Options{})
		var got []string
		failed := "OK"
		for _, d := range diagnostics.All() {
			message := replyText(get(d, "message"))
			if replyText(get(d, "severity")) == "ERROR" {
				failed = "FAIL"
			}
			if code := replyText(get(d, "code")); strings.HasPrefix(code, "NO_") || strings.HasPrefix(code, "PASS_") ||
				strings.HasPrefix(code, "TOO_") {
				message = ""
			}
			got = append(got, replyText(get(d, "code"))+"|"+message+"|"+replyText(get(d, "location")))
		}
		if result != failed || strings.Join(got, "\n") != strings.Join(test.want, "\n") {
			t.Errorf("%s\n%s\n%s\n got %q\nwant %q", test.source, test.definition, result, got, test.want)
		}
	}
}

// TestOwnWords: each diagnostic says whose words it has.
func TestOwnWords(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, test := range []struct {
		source, definition string
		want               []string // code, location and wording of each
	}{
		{"tiny-asl-machine BasicStructure.001", wrapped(`"End":true`),
			[]string{schema + "/States/A|aws", "MISSING_END_STATE||aws"}},
		{"sfnx, an unsupported action", wrapped(`"Type":"Task","Resource":"arn:aws:states:::aws-sdk:sts:assumeRole","Parameters":{},"End":true`), []string{schema + "/States/A/Resource|asldb"}},
		{"sfnx, a placeholder", wrapped(`"Type":"Task","Resource":"arn:aws:states:::${Name}","End":true`),
			[]string{schema + "/States/A/Resource|asldb"}},
		{
			"sfnx, a placeholder in a branch", wrapped(
				`"Type":"Parallel","End":true,"Branches":[{"StartAt":"I","States":{"I":{"Type":"Task","Resource":"arn:aws:states:::aws-sdk:${Name}","End":true}}}]`),
			[]string{schema + "/States/A/Branches[0]/States/I/Resource|asldb"},
		},
		{"a placeholder in the partition", wrapped(
			`"Type":"Task","Resource":"arn:${P}:states:::lambda:invoke","Parameters":{"FunctionName":"f"},"End":true`),
			nil},
		{"developer guide, a pattern that the service lacks",
			wrapped(`"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage.sync","Parameters":{"QueueUrl":"q","MessageBody":"m"},"End":true`), []string{schema + "/States/A/Resource|asldb"}},
		{"sfnx, the token in a Pass", `{"QueryLanguage":"JSONata",` +
			wrapped(`"Type":"Pass","Output":"{% $states.context.Task.Token %}","End":true`)[1:],
			[]string{"UNSUPPORTED_JSONATA_EXPRESSION|/States/A/Output|asldb"}},
		{"API reference, MISSING_DESCRIPTION", "null", []string{"MISSING_DESCRIPTION||asldb"}},
		{"API reference, 1,048,576 characters", wrapped(`"Type":"Succeed","Comment":"` + long + `"`),
			[]string{schema + "/|asldb"}},
		{"API reference, 1,048,576 characters are no bytes",
			wrapped(`"Type":"Succeed","Comment":"` + strings.Repeat("é", 1<<20-100) + `"`), nil},
		{"API reference, 1,048,576 characters and blanks", strings.Repeat(" ", 1<<20) + wrapped(`"Type":"Succeed"`),
			[]string{schema + "/|asldb"}},
	} {
		_, diagnostics, _ := replyTo(t, test.definition, Options{})
		var got []string
		for _, d := range diagnostics.All() {
			got = append(got, replyText(get(d, "code"))+"|"+replyText(get(d, "location"))+"|"+
				replyText(get(d, "wording")))
		}
		if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
			t.Errorf("%s\n got %q\nwant %q", test.source, got, test.want)
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
	if result != "OK" || list.Len() != 1 || replyText(get(list.At(0), "severity")) != "WARNING" ||
		replyText(get(list.At(0), "code")) != "UNKNOWN_SDK_ACTION" {
		t.Errorf("%s with %d diagnostics", result, list.Len())
	}
}
