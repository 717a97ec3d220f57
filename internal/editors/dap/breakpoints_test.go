package dap

import (
	"asldb/engine/value"
	"fmt"
	"strings"
	"testing"
)

// A machine with a Choice, in several forms.
const routeJSON = `{"StartAt": "Prépare😀", "States": {"Prépare😀": {"Type": "Pass", "Result": {"n": 2}, "ResultPath": "$.made", "Next": "Route"}, "Route": {"Type": "Choice", "Choices": [{"Variable": "$.made.n", "NumericEquals": 1, "Next": "One"}, {"Variable": "$.made.n", "NumericEquals": 2, "Next": "Two"}], "Default": "One"}, "One": {"Type": "Pass", "Next": "Prépare😀"}, "Two": {"Type": "Succeed"}}}`

const routeYAML = `# a comment
StartAt: Prepare
States:
  Prepare:
    Type: Pass
    Result:
      n: 2
    ResultPath: $.made
    Next: Route
  Route:
    Type: Choice
    Choices:
      - Variable: $.made.n
        NumericEquals: 1
        Next: One
      - Variable: $.made.n
        NumericEquals: 2
        Next: Two
    Default: One
  One:
    Type: Pass
    Next: Prepare
  Two:
    Type: Succeed
`

const template = `AWSTemplateFormatVersion: "2010-09-09"
Resources:
  Machine:
    Type: AWS::StepFunctions::StateMachine
    Properties:
      Definition:
        StartAt: Prepare
        States:
          Prepare:
            Type: Pass
            Result: {n: 2}
            ResultPath: $.made
            Next: Two
          Two:
            Type: Succeed
`

// points sets breakpoints on lines and returns the answers.
func (e *editor) points(path string, points ...map[string]any) []map[string]any {
	e.t.Helper()
	return list(e.t, e.must("setBreakpoints", map[string]any{"source": map[string]any{"path": path}, "breakpoints": points}), "breakpoints")
}

// place writes the place of a breakpoint as line:column.
func placeText(b map[string]any) string { return fmt.Sprintf("%v:%v", b["line"], b["column"]) }

// In YAML a breakpoint is set on the field of the line, on a rule, or else at the state's entry.
func TestLinesOfYAML(t *testing.T) {
	e := newEditor(t)
	path := e.file("route.asl.yaml", routeYAML)
	e.begin(map[string]any{"program": path})
	var wanted []map[string]any
	lines := []int{1, 4, 5, 7, 8, 14, 16, 18, 19, 23}
	for _, line := range lines {
		wanted = append(wanted, map[string]any{"line": line})
	}
	places := []string{"no", "4:3", "4:3", "6:5", "8:5", "13:9", "16:9", "16:9", "10:3", "23:3"}
	for i, b := range e.points(path, wanted...) {
		found := placeText(b)
		if b["verified"] != true {
			found = "no"
		}
		if found != places[i] {
			t.Errorf("line %d is set at %s, want %s: %v", lines[i], found, places[i], b)
		}
	}
	e.points(path, map[string]any{"line": 18})
	e.must("configurationDone", nil)
	e.stopped("breakpoint")
	if top := e.top(1); top["name"] != "Route › output" {
		t.Errorf("the rule stops at %v", top["name"])
	}
	e.must("next", map[string]any{"threadId": 1})
	e.stopped("step")
	if top := e.top(1); !strings.HasPrefix(top["name"].(string), "Two") || top["line"] != 23.0 {
		t.Errorf("the rule leads to %v", top)
	}
	e.disconnect("yaml")
}

// In a definition on one line the columns tell the places, in units of UTF-16.
func TestColumns(t *testing.T) {
	for _, base := range []int{0, 1} {
		e := newEditor(t)
		path := e.file("route.asl.json", routeJSON)
		e.must("initialize", map[string]any{"linesStartAt1": base == 1, "columnsStartAt1": base == 1})
		e.must("launch", map[string]any{"program": path})
		// The name Prépare😀 has 9 units; the last two are one character.
		column := func(part string) int { return len([]rune(routeJSON[:strings.Index(routeJSON, part)])) + base }
		source := map[string]any{"path": path}
		locations := list(t, e.must("breakpointLocations", map[string]any{"source": source, "line": base}), "breakpoints")
		columns := value.Each(locations, func(l map[string]any) string { return fmt.Sprint(l["column"]) })
		want := fmt.Sprint(column(`"Prépare😀": {`)+1, column(`"Result": {`)+2, column(`"ResultPath"`)+2, column(`"Route": {`)+2, column(`"Choices"`)+2,
			column(`{"Variable": "$.made.n", "NumericEquals": 1`)+2, column(`{"Variable": "$.made.n", "NumericEquals": 2`)+2, column(`"One": {`)+2, column(`"Two": {`)+3)
		if found := strings.Join(columns, " "); found != want {
			t.Errorf("the columns are %s, want %s", found, want)
		}
		at := column(`"ResultPath"`) + 2
		points := e.points(path, map[string]any{"line": base, "column": at + 3}, map[string]any{"line": base})
		if points[0]["column"] != float64(at) || points[1]["column"] != float64(column(`"Prépare😀": {`)+1) {
			t.Errorf("the breakpoints are %v, want columns %d and %d", points, at, column(`"Prépare😀": {`)+1)
		}
		range1 := list(t, e.must("breakpointLocations", map[string]any{"source": source, "line": base, "column": at, "endLine": base, "endColumn": at + 1}), "breakpoints")
		if len(range1) != 1 {
			t.Errorf("the range has %v", range1)
		}
		e.must("configurationDone", nil)
		e.stopped("breakpoint")
		e.must("continue", map[string]any{"threadId": 1})
		e.stopped("breakpoint")
		if top := e.top(1); top["name"] != "Prépare😀 › ResultPath" || top["column"] != float64(at) {
			t.Errorf("it stops at %v", top)
		}
		if base == 1 {
			e.disconnect("columns")
		} else {
			e.disconnect("")
		}
	}
}

// A definition in a template has its places in the template.
func TestTemplate(t *testing.T) {
	e := newEditor(t)
	path := e.file("template.yaml", template)
	e.begin(map[string]any{"program": path, "resource": "Machine"})
	if b := e.points(path, map[string]any{"line": 12}); b[0]["verified"] != true || placeText(b[0]) != "12:13" {
		t.Errorf("the breakpoint is %v", b)
	}
	other := e.file("other.yaml", "a: 1\n")
	if b := e.points(other, map[string]any{"line": 1}); b[0]["verified"] != false || !strings.Contains(b[0]["message"].(string), "this file") {
		t.Errorf("the breakpoint in another file is %v", b)
	}
	e.must("configurationDone", nil)
	e.stopped("breakpoint")
	if top := e.top(1); top["line"] != 12.0 || top["source"].(map[string]any)["path"] != path {
		t.Errorf("it stops at %v", top)
	}
	e.disconnect("template")
}

// Conditions, hit counts and messages are clauses of breakpoints.
func TestClauses(t *testing.T) {
	e := newEditor(t)
	path := e.file("loop.asl.json", `{
  "StartAt": "Add",
  "States": {
    "Add": {
      "Type": "Pass",
      "Parameters": {"n.$": "States.MathAdd($.n, 1)"},
      "Next": "Check"
    },
    "Check": {
      "Type": "Choice",
      "Choices": [
        {"Variable": "$.n", "NumericLessThan": 9, "Next": "Add"}
      ],
      "Default": "Done"
    },
    "Done": {"Type": "Succeed"}
  }
}`)
	e.begin(map[string]any{"program": path, "input": map[string]any{"n": 0}})
	answers := e.points(path, map[string]any{"line": 4, "condition": "$.n > 2", "hitCondition": "% 2"}, map[string]any{"line": 9, "logMessage": "n is {$.n}"},
		map[string]any{"line": 6, "condition": "$.n >"}, map[string]any{"line": 16, "hitCondition": "many"})
	if answers[2]["verified"] != false || answers[3]["verified"] != false || answers[2]["message"] == "" {
		t.Errorf("the answers are %v", answers)
	}
	e.must("configurationDone", nil)
	e.stopped("breakpoint")
	if n := e.value("$.n"); n != "4" {
		t.Errorf("it stops with %s, want 4", n)
	}
	if text := strings.Count(e.log.String(), `"output":"n is `); text != 4 {
		t.Errorf("%d messages came, want 4", text)
	}
	if !strings.Contains(e.log.String(), `"output":"n is 4\n","source":{"name":"loop.asl.json","path":"DIR/loop.asl.json"},"line":9`) {
		t.Error("a message has no place")
	}
	id := answers[0]["id"]
	if again := e.points(path, map[string]any{"line": 4, "condition": "$.n > 2", "hitCondition": "% 2"}); again[0]["id"] != id {
		t.Errorf("the same breakpoint is %v, and was %v", again[0]["id"], id)
	}
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("breakpoint")
	if n := e.value("$.n"); n != "6" {
		t.Errorf("it stops with %s, want 6: its hits are counted on", n)
	}
	e.points(path, map[string]any{"line": 12})
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("breakpoint")
	if top := e.top(1); top["name"] != "Check › output" && !strings.HasPrefix(top["name"].(string), "Check › output") {
		t.Errorf("the rule stops at %v", top["name"])
	}
	e.disconnect("clauses")
}

// A data breakpoint stops where a value changes; a function breakpoint is any spec.
func TestDataBreakpoints(t *testing.T) {
	e := newEditor(t)
	path := e.file("route.asl.yaml", routeYAML)
	e.begin(map[string]any{"program": path, "input": map[string]any{"made": map[string]any{"n": 0}}, "stopOnEntry": true})
	e.must("configurationDone", nil)
	e.stopped("entry")
	info := e.must("dataBreakpointInfo", map[string]any{"variablesReference": e.scope("Data"), "name": "made"})
	if info["dataId"] != "change $.made" || info["canPersist"] != true {
		t.Errorf("the info is %v", info)
	}
	if info := e.must("dataBreakpointInfo", map[string]any{"name": "$.x[", "frameId": 0}); info["dataId"] != nil {
		t.Errorf("the info of a text that is not a path is %v", info)
	}
	set := list(t, e.must("setDataBreakpoints", map[string]any{"breakpoints": []any{map[string]any{"dataId": info["dataId"]}, map[string]any{"dataId": "$.x["}}}), "breakpoints")
	if set[0]["verified"] != true || set[1]["verified"] != false {
		t.Errorf("the data breakpoints are %v", set)
	}
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("data breakpoint")
	if top := e.top(1); top["name"] != "Prepare › ResultPath" {
		t.Errorf("it stops at %v", top["name"])
	}
	specs := list(t, e.must("setFunctionBreakpoints", map[string]any{"breakpoints": []any{map[string]any{"name": "Route -> Two"}, map[string]any{"name": "Nowhere"}, map[string]any{"name": "Route:Choices[1]"}}}), "breakpoints")
	if specs[0]["verified"] != true || specs[1]["verified"] != false || specs[2]["verified"] != true {
		t.Errorf("the function breakpoints are %v", specs)
	}
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("function breakpoint")
	e.refused("dataBreakpointInfo", map[string]any{"variablesReference": 4711, "name": "x"}, "no such variables")
	e.disconnect("data")
}

// TestExpressOfTheTemplate: the type and the name of a machine are its template's.
func TestExpressOfTheTemplate(t *testing.T) {
	e := newEditor(t)
	template := func(state string) string {
		return `Resources:
  M:
    Type: AWS::StepFunctions::StateMachine
    Properties:
      StateMachineType: EXPRESS
      StateMachineName: orders
      DefinitionString: '{"StartAt": "A", "States": {"A": {` + state + `, "End": true}}}'
`
	}
	wrong := e.file("wrong.yaml", template(`"Type": "Task", "Resource": "arn:aws:states:::ecs:runTask.sync"`))
	e.refused("launch", map[string]any{"program": wrong}, "wrong.yaml has 1 error")
	e = newEditor(t)
	e.begin(map[string]any{"program": e.file("right.yaml", template(`"Type": "Pass"`)), "stopOnEntry": true})
	e.must("configurationDone", nil)
	e.stopped("entry")
	if got := e.value("$$.StateMachine.Name"); got != `"orders"` {
		t.Errorf("the name of the machine is %s", got)
	}
}
