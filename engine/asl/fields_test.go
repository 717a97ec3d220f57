package asl_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/lint"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

var (
	allTypes = []asl.StateType{asl.Pass, asl.Task, asl.Choice, asl.Wait, asl.Succeed, asl.Fail, asl.Parallel,
		asl.Map}
	allLanguages = []asl.QueryLanguage{asl.JSONPath, asl.JSONata}
)

// sampleOf is a value of a field that reads a variable wherever its text can.
func sampleOf(f *asl.Field, language asl.QueryLanguage) string {
	data := `{"RoleArn": "r", "a.$": "$nope"}`
	part, query := "Parameters", language == asl.JSONata
	if query {
		data, part = `{"RoleArn": "r", "a": "{% $nope %}"}`, "Arguments"
	}
	literal := map[asl.Content]string{
		asl.ContentComment: `"c"`, asl.ContentFlag: `true`, asl.ContentName: `"Z"`, asl.ContentURI: `"a:b"`,
		asl.ContentLabel: `"l"`,
		asl.ContentWord:  `"` + language.String() + `"`, asl.ContentLiteral: `{"a.$": "$.b"}`,
		asl.ContentResultPath: `"$.r"`, asl.ContentPath: `"$nope"`, asl.ContentItemsPath: `"$nope"`,
		asl.ContentQuantityPath: `"$nope"`,
		asl.ContentTextPath:     `"$nope"`, asl.ContentTemplate: data, asl.ContentPayload: data,
		asl.ContentAssign: data,
		asl.ContentRole:   data,
		asl.ContentCount:  `9`, asl.ContentPercentage: `9`, asl.ContentTimestamp: `"2026-01-01T00:00:00Z"`,
		asl.ContentText:      `"t"`,
		asl.ContentRules:     `[{"Variable": "$nope", "IsNull": true, "Next": "Z"}]`,
		asl.ContentRetriers:  `[{"ErrorEquals": ["E"]}]`,
		asl.ContentCatchers:  `[{"ErrorEquals": ["E"], "Assign": ` + data + `, "Next": "Z"}]`,
		asl.ContentBranches:  `[{"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}]`,
		asl.ContentProcessor: `{"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}`,
		asl.ContentReader:    `{"Resource": "arn:aws:states:::s3:getObject", "` + part + `": ` + data + `}`,
		asl.ContentBatcher:   `{"MaxItemsPerBatch": 1, "BatchInput": ` + data + `}`,
		asl.ContentWriter:    `{"Resource": "arn:aws:states:::s3:putObject", "` + part + `": ` + data + `}`,
	}
	if query {
		for _, c := range []asl.Content{asl.ContentItems, asl.ContentCount, asl.ContentPercentage, asl.ContentTimestamp,
			asl.ContentText} {
			literal[c] = `"{% $nope %}"`
		}
		literal[asl.ContentRules] = `[{"Condition": "{% $nope %}", "Next": "Z"}]`
	}
	if f.Name == "Type" {
		return ""
	}
	return literal[f.Content]
}

// neighbours are the fields that a state of a type needs besides f.
func neighbours(t asl.StateType, f *asl.Field, language asl.QueryLanguage) string {
	var fields []string
	need := func(name string, others ...string) {
		if f.Name != name && !slices.Contains(others, f.Name) {
			fields = append(fields, fmt.Sprintf("%q: %s", name, sampleOf(asl.FieldOf(t, name), language)))
		}
	}
	switch t {
	case asl.Task:
		need("Resource")
	case asl.Choice:
		need("Choices")
	case asl.Wait:
		need("Seconds", "SecondsPath", "Timestamp", "TimestampPath")
	case asl.Parallel:
		need("Branches")
	case asl.Map:
		need("ItemProcessor", "Iterator")
	case asl.Pass, asl.Succeed, asl.Fail:
	}
	if asl.FieldOf(t, "End") != nil {
		need("End", "Next")
	}
	return strings.Join(append(fields, ""), ", ")
}

// definitionWith has the state A of the type with the field f, and Z.
func definitionWith(t asl.StateType, f *asl.Field, language asl.QueryLanguage, text string) string {
	own := ""
	if f.Name != "Type" && f.Name != "QueryLanguage" {
		own = fmt.Sprintf(", %q: %s", f.Name, text)
	}
	return fmt.Sprintf(`{"QueryLanguage": %q, "StartAt": "A", "States": {"A": {%s "Type": %q%s}, "Z": {"Type": "Succeed"}}}`,
		language, neighbours(t, f, language), t, own)
}

func parseText(text string) (*asl.StateMachine, []asl.Diagnostic) {
	src := &asl.Source{Name: "a.json", Data: []byte(text)}
	root, problem := source.Read(src, nil)
	if problem != nil {
		return nil, []asl.Diagnostic{*problem}
	}
	machine, found := asl.Examine(src, root, rules.AWS)
	return machine, slices.DeleteFunc(found, func(d asl.Diagnostic) bool {
		return d.Rule == rules.Unreachable ||
			d.Severity != asl.Error
	})
}

// eachField calls check for each row of the table with each type of state and query language that it belongs to.
func eachField(check func(f *asl.Field, t asl.StateType, language asl.QueryLanguage, name string)) {
	for f := range asl.Fields() {
		for _, t := range allTypes {
			for _, language := range allLanguages {
				if f.On(t) && f.In(language) {
					check(f, t, language, fmt.Sprintf("%s of a %s state in %s", f.Name, t, language))
				}
			}
		}
	}
}

// Each reader knows every field of the table: the builder, the stages, Compile, engine/lint and engine/explain.
func TestEachReaderKnowsEveryField(t *testing.T) {
	count := 0
	eachField(func(f *asl.Field, of asl.StateType, language asl.QueryLanguage, name string) {
		count++
		text := definitionWith(of, f, language, sampleOf(f, language))
		machine, problems := parseText(text)
		if len(problems) > 0 {
			t.Errorf("%s: the builder refuses %s: %v", name, text, problems)
			return
		}
		if _, err := engine.Compile(machine, engine.AWS); err != nil {
			t.Errorf("%s: Compile: %v", name, err)
		}
		knownToStages(t, machine.Lookup("A"), f, name)
		evaluated := strings.Contains(sampleOf(f, language), "$nope")
		unassigned := slices.ContainsFunc(lint.Check(machine, lint.Options{}),
			func(d asl.Diagnostic) bool { return d.Rule == rules.Unassigned })
		other := strings.Contains(neighbours(of, f, language), "$nope")
		if evaluated && !unassigned || !evaluated && !other && unassigned {
			t.Errorf("%s: engine/lint sees the variable that it reads: %v, want %v in %s", name, unassigned, evaluated,
				text)
		}
		if f.Content.Evaluated() && !evaluated && language == asl.JSONata {
			t.Errorf("%s: the sample %s evaluates nothing", name, sampleOf(f, language))
		}
	})
	if count < 150 {
		t.Errorf("only %d fields of kinds of states", count)
	}
}

func knownToStages(t *testing.T, state *asl.State, f *asl.Field, name string) {
	t.Helper()
	if f.Stage == asl.NoStage {
		return
	}
	stages := engine.StagesOf(state)
	at := slices.IndexFunc(stages, func(i engine.StageInfo) bool { return i.Stage == f.Stage })
	evaluated := f.Content == asl.ContentQuantityPath || state.QueryLanguage == asl.JSONata
	if f.Stage == asl.StageLimits && !evaluated {
		return // a literal bound isn't a step
	}
	if at < 0 || !stages[at].Declared {
		t.Errorf("%s: no stage %s among %v", name, f.Stage, stages)
		return
	}
	if explain.Purpose(state, f.Stage) == "" {
		t.Errorf("%s: the stage %s has no purpose", name, f.Stage)
	}
	first := asl.FieldsAt(state.Type, state.QueryLanguage, f.Stage)[0]
	if got := stages[at].Field; f.Stage != asl.StageResult && f.Stage != asl.StageFail && got != f.Name &&
		got != first.Name {
		t.Errorf("%s: the stage %s is named %s", name, f.Stage, got)
	}
}

// A field takes the kinds of values that the table says, and no others; Type and QueryLanguage are read apart.
func TestTheBuilderTakesTheKindsOfTheTable(t *testing.T) {
	samples := map[value.Kind]string{
		value.KindNull: `null`, value.KindBool: `true`, value.KindNumber: `7`, value.KindString: `"{% 1 %}"`,
		value.KindArray: `[]`, value.KindObject: `{}`,
	}
	eachField(func(f *asl.Field, of asl.StateType, language asl.QueryLanguage, name string) {
		if f.Name == "Type" || f.Name == "QueryLanguage" {
			return
		}
		for kind, sample := range samples {
			_, problems := parseText(definitionWith(of, f, language, sample))
			wrong := slices.ContainsFunc(problems,
				func(d asl.Diagnostic) bool { return d.Rule == rules.Type && d.Pointer == "/States/A/"+f.Name })
			if f.Takes(kind, language) == wrong {
				t.Errorf("%s: takes %s: %v by the table; the builder: %v", name, sample, f.Takes(kind, language),
					problems)
			}
		}
	})
}

// A field that is not in the table is known to no reader.
func TestAFieldOutsideOfTheTableIsUnknown(t *testing.T) {
	for _, name := range []string{"ResultSelector", "HeartbeatSecondsPath", "Credentials"} {
		f := asl.FieldOf(asl.Task, name)
		text := definitionWith(asl.Task, f, asl.JSONPath, sampleOf(f, asl.JSONPath))
		restore := asl.WithoutField(name)
		machine, problems := parseText(text)
		restore()
		if len(problems) != 1 || problems[0].Rule != rules.UnknownField {
			t.Errorf("%s is still read: %v", name, problems)
		}
		if state := machine.Lookup("A"); state.ResultSelector != nil || state.HeartbeatSeconds != nil ||
			state.Credentials != nil {
			t.Errorf("%s is in the state", name)
		}
	}
}

// The context object is there in every field that can name it, alone and without any other field that does.
func TestEachFieldReadsTheContextObject(t *testing.T) {
	for name, text := range map[string]string{
		"InputPath":          `{"Type": "Pass", "InputPath": "$$.State", "End": true}`,
		"OutputPath":         `{"Type": "Pass", "OutputPath": "$$.State", "End": true}`,
		"Parameters":         `{"Type": "Pass", "Parameters": {"s.$": "$$.State.Name"}, "End": true}`,
		"SecondsPath":        `{"Type": "Wait", "SecondsPath": "$$.Execution.Input.n", "OutputPath": "$", "End": true}`,
		"ErrorPath":          `{"Type": "Fail", "ErrorPath": "$$.State.Name"}`,
		"CausePath":          `{"Type": "Fail", "CausePath": "States.Format('{}', $$.State.Name)"}`,
		"Choices":            `{"Type": "Choice", "Choices": [{"Variable": "$$.State.Name", "StringEquals": "A", "Next": "Z"}]}`,
		"ItemsPath":          `{"Type": "Map", "ItemsPath": "$$.Execution.Input.list", "End": true, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}}`,
		"ItemSelector":       `{"Type": "Map", "ItemsPath": "$.list", "ItemSelector": {"s.$": "$$.State.Name"}, "End": true, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}}`,
		"TimeoutSecondsPath": `{"Type": "Task", "Resource": "a:b", "TimeoutSecondsPath": "$$.Execution.Input.n", "End": true}`,
		"Credentials":        `{"Type": "Task", "Resource": "a:b", "Credentials": {"RoleArn.$": "$$.State.Name"}, "End": true}`,
	} {
		machine, problems := parseText(`{"StartAt": "A", "States": {"A": ` + text + `, "Z": {"Type": "Succeed"}}}`)
		if len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
			continue
		}
		compiled, err := engine.Compile(machine, engine.AWS)
		if err != nil {
			t.Fatal(err)
		}
		run := compiled.Start(value.Must(`{"n": 5, "list": [1, 2]}`), engine.StartOptions{})
		for run.Status() == engine.Runnable {
			for _, event := range run.Step() {
				if failure := event.Failure(); failure != nil && failure.Name == engine.ErrorRuntime {
					t.Errorf("%s: %s: %s", name, failure.Name, failure.Cause)
				}
			}
		}
	}
}
