package listing_test

import (
	"strconv"
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/embedded"
	"asldb/engine/lint"
	"asldb/engine/source"
	"asldb/tui/part/canvas"
	"asldb/tui/part/listing"
)

const (
	samText = `Resources:
  Wait:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        # the first
        StartAt: A
        States:
          A:
            Type: Pass
            Parameters: {id.$: $.id, table: !Ref Table}
            Next: B
          B: {Type: Succeed}
  Table:
    Type: AWS::DynamoDB::Table
`
	cdkText = `{"Resources": {"Wait": {"Type": "AWS::StepFunctions::StateMachine", "Properties": {"DefinitionString": {"Fn::Join": ["", [
  "{\"StartAt\":\"A\",\"States\":{\"A\":{\"Type\":\"Task\",\"Resource\":\"arn:",
  {"Ref": "AWS::Partition"},
  ":states:::lambda:invoke\",\"Parameters\":{\"n\":[1,true,\"x\"],\"empty\":{}},\"ResultPath\":\"$.a\",",
  "\"Retry\":[{\"ErrorEquals\":[\"States.ALL\"]}],\"Next\":\"B\"},\"B\":{\"Type\":\"Succeed\"}}}"]]}}}}}
`
	heredocText = "resource \"aws_sfn_state_machine\" \"wait\" {\n  definition = <<EOF\n  {\n    \"StartAt\": \"B\",\n    \"States\": {\n      \"B\": {\"Type\": \"Succeed\"}\n    }\n  }\nEOF\n}\n"
	encodeText  = "resource \"aws_sfn_state_machine\" \"wait\" {\n  definition = jsonencode({\n    StartAt = \"B\"\n    States = {\n      B = { Type = \"Wait\", Seconds = 5, End = true }\n    }\n  })\n}\n"
)

// template returns the definition in a template.
func template(t *testing.T, name, text string) (*source.File, *asl.StateMachine) {
	t.Helper()
	file := &source.File{Name: name, Data: []byte(text)}
	if strings.HasSuffix(name, ".tf") {
		module, problem := embedded.Read(file, nil, nil)
		if problem != nil {
			t.Fatal(problem.Format())
		}
		found, problems, err := module.Definition(embedded.Options{})
		if err != nil || found == nil {
			t.Fatal(err, problems)
		}
		return file, parseTree(t, file, found.Name, found.Root)
	}
	root, problem := source.Read(file, embedded.Tags)
	if problem != nil {
		t.Fatal(problem.Format())
	}
	found, problems, err := embedded.OfCloudFormation(file, root).Definition(embedded.Options{})
	if err != nil || found == nil {
		t.Fatal(err, problems)
	}
	return file, parseTree(t, file, found.Name, found.Root)
}

func parseTree(t *testing.T, file *source.File, name string, root *source.Node) *asl.StateMachine {
	t.Helper()
	definition, problems := asl.ParseTree(file, root)
	if definition == nil {
		t.Fatal(problems[0].Format())
	}
	definition.Name = name
	return definition
}

// TestInsideOfATemplate has the lines that are shown of a definition in a template, each behind its number and the text at its place in the file.
func TestInsideOfATemplate(t *testing.T) {
	tests := []struct{ file, text, about, want string }{
		{"t.yaml", samText, "Wait in t.yaml, lines 7 to 13", `
7 |StartA| StartAt: A
8 |States| States:
9 |A:|   A:
10 |Type: |     Type: Pass
11 |Parame|     Parameters: {id.$: $.id, table: !Ref Table}
12 |Next: |     Next: B
13 |B: {Ty|   B: {Type: Succeed}`},
		{"cdk.json", cdkText, "Wait in cdk.json, lines 2 to 5; decoded and formatted", `
1 |{\"Sta| {
2 |\"Star|   "StartAt": "A",
3 |\"Stat|   "States": {
4 |\"A\":|     "A": {
5 |\"Type|       "Type": "Task",
6 |\"Reso|       "Resource": "arn:aws:states:::lambda:invoke",
7 |\"Para|       "Parameters": {
8 |\"n\":|         "n": [1, true, "x"],
9 |\"empt|         "empty": {}
10 |},\"Re|       },
11 |\"Resu|       "ResultPath": "$.a",
12 |\"Retr|       "Retry": [
13 |{\"Err|         {
14 |\"Erro|           "ErrorEquals": ["States.ALL"]
15 |}],\"N|         }
16 |],\"Ne|       ],
17 |\"Next|       "Next": "B"
18 |},\"B\|     },
19 |\"B\":|     "B": {
20 |\"Type|       "Type": "Succeed"
21 |}}}"]]|     }
22 |}}"]]}|   }
23 |}"]]}}| }`},
		{"main.tf", heredocText, "wait in main.tf, lines 3 to 8", `
3 |{| {
4 |"Start|   "StartAt": "B",
5 |"State|   "States": {
6 |"B": {|     "B": {"Type": "Succeed"}
7 |}|   }
8 |}| }`},
		{"main.tf", encodeText, "wait in main.tf, lines 2 to 7; decoded and formatted", `
1 |{| {
2 |StartA|   "StartAt": "B",
3 |States|   "States": {
4 |B = { |     "B": {
5 |Type =|       "Type": "Wait",
6 |Second|       "Seconds": 5,
7 |End = |       "End": true
8 |}|     }
9 |}|   }
10 |})| }`},
	}
	for _, tt := range tests {
		file, definition := template(t, tt.file, tt.text)
		text := listing.New(file, definition)
		var got strings.Builder
		for i := range text.Len() {
			of, at := text.Origin(i)
			if of != file {
				t.Errorf("line %d is of %s", i+1, of.Name)
			}
			inFile := strings.Split(tt.text, "\n")[at.Line-1][at.Col-1:]
			got.WriteString("\n" + strconv.Itoa(text.Number(i)) + " |" + inFile[:min(len(inFile), 6)] + "| " + text.Line(i))
		}
		if got.String() != tt.want || text.About() != tt.about {
			t.Errorf("%s: %s\ngot%s\nwant%s", tt.file, text.About(), got.String(), tt.want)
		}
	}
}

// TestMarksInATemplate: the marks are on the lines shown, and a breakpoint is set where the line is.
func TestMarksInATemplate(t *testing.T) {
	file, definition := template(t, "cdk.json", cdkText)
	text := listing.New(file, definition)
	for line, want := range map[int]string{1: "none", 3: "none", 4: "A ", 5: "A ", 6: "A A:Task", 8: "A A:Parameters", 11: "A A:ResultPath", 14: "A A:retry", 19: "B ", 23: "none"} {
		got := "none"
		if _, state, spec := text.PointAt(nil, line-1); state != nil {
			got = state.Name + " " + spec
		}
		if got != want {
			t.Errorf("line %d: %s, want %s", line, got, want)
		}
	}
	if s := text.Target(16); s != definition.Lookup("B") {
		t.Errorf("Next leads to %v", s)
	}
	if at := text.Name(definition.Lookup("B")); at.Line != 19 || at.Col != 5 {
		t.Errorf("the name of B is at %v", at)
	}
	points := pointsOf(t, definition)
	for _, spec := range []string{"A:ResultPath", "B"} {
		if _, err := points.Add(spec); err != nil {
			t.Fatal(err)
		}
	}
	v := listing.NewView(text)
	v.Show(listing.Marks{State: definition.Lookup("A"), Field: "ResultPath", Now: -1, Breakpoints: points.All()}, true)
	c := canvas.New(72, 23, canvas.ASCII())
	v.Draw(c.Area(canvas.Rect{W: 72, H: 23}), true)
	frame := c.String()
	for _, want := range []string{
		" Wait in cdk.json, lines 2 to 5; decoded and formatted    cdk.json:4:81", ">* 11 @     \"ResultPath\": \"$.a\",", " * 19     \"B\": {",
	} {
		if !strings.Contains(frame, want) {
			t.Errorf("%q is not in\n%s", want, frame)
		}
	}
	if v.SelectAt(1); v.Cursor() != 1 { // below the line that says where the definition comes from
		t.Errorf("a click on the first line goes to line %d", v.Cursor()+1)
	}
}

// TestProblemsInATemplate: problems of the definition are on its lines; those elsewhere are on the first one, with their place.
func TestProblemsInATemplate(t *testing.T) {
	for name, text := range map[string]string{"t.yaml": strings.Replace(samText, "Next: B", "InputPath: $.a\n            OutputPath: $.b\n            Next: B", 1), "cdk.json": cdkText} {
		file, definition := template(t, name, text)
		problems := lint.Check(definition, lint.Options{Hints: true})
		for i := range problems {
			problems[i].File = file
		}
		elsewhere := source.Diagnostic{File: file, Rule: "a-rule", Message: "elsewhere", Span: source.Span{Start: source.Position{Offset: 2, Line: 1, Col: 3}}}
		v := listing.NewView(listing.New(file, definition))
		v.Show(listing.Marks{State: definition.Lookup("A"), Now: -1, Problems: append(problems, elsewhere)}, true)
		seen := make(map[string]bool)
		for range len(problems) + 1 {
			v.NextProblem()
			c := canvas.New(200, 40, canvas.ASCII())
			v.Draw(c.Area(canvas.Rect{W: 200, H: 40}), true)
			if d := v.Problem(); d == nil {
				t.Errorf("%s: no problem on line %d", name, v.Cursor()+1)
			} else if seen[d.Message] = true; !strings.Contains(c.String(), d.Message[:min(len(d.Message), 30)]) {
				t.Errorf("%s: %s is not in\n%s", name, d.Message, c.String())
			} else if d.Rule == "a-rule" && !strings.Contains(c.String(), name+":1:3: ") {
				t.Errorf("%s: no place in\n%s", name, c.String())
			}
		}
		if !seen["elsewhere"] {
			t.Errorf("%s: the problem elsewhere is not found", name)
		}
		for i := range problems {
			v.Show(listing.Marks{Problems: problems[i : i+1]}, false)
			v.NextProblem()
			if _, at := v.Origin(v.Cursor()); at.Line != problems[i].Span.Start.Line {
				t.Errorf("%s: %s is on a line of line %d", name, problems[i].Format(), at.Line)
			}
		}
	}
}

// TestBareName: a ${Name} where a number belongs stays.
func TestBareName(t *testing.T) {
	_, definition := template(t, "t.json", `{"Resources": {"W": {"Type": "AWS::StepFunctions::StateMachine", "Properties": {"DefinitionString": "{\"StartAt\":\"A\",\"States\":{\"A\":{\"Type\":\"Wait\",\"Seconds\":${N},\"End\":true}}}"}}}}`)
	text := listing.New(definition.Source, definition)
	if line := text.Line(5); line != `      "Seconds": ${N},` {
		t.Errorf("line 6 is %q", line)
	}
}
