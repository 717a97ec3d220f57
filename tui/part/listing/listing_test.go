package listing_test

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/tui/part/canvas"
	"asldb/tui/part/listing"
)

const text = `StartAt: A
States:
  A: # the first
    Type: Task
    Resource: r
    Parameters:
      n.$: $.total
      lit: [1, true, "text"]
    Retry:
      - ErrorEquals: [Busy]
        MaxAttempts: 2
    Next: B
  B: {Type: Succeed}
`

func parse(t *testing.T, name, text string) (*source.File, *asl.StateMachine) {
	t.Helper()
	file := &source.File{Name: name, Data: []byte(text)}
	definition, diagnostics := asl.Parse(file)
	if definition == nil {
		t.Fatal(diagnostics[0].Format())
	}
	return file, definition
}

// pointsOf returns the breakpoints of a session of the definition.
func pointsOf(t *testing.T, definition *asl.StateMachine) *breakpoint.List {
	t.Helper()
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	return debug.New(machine, debug.Options{Input: value.Must(`{}`)}).Breakpoints()
}

func frame(v *listing.View, w, h int) (text, styles string) {
	c := canvas.New(w, h, canvas.ASCII())
	v.Draw(c.Area(canvas.Rect{W: w, H: h}), true)
	return c.String(), c.Styles()
}

// TestDraw has the whole picture of a state with its marks and values.
func TestDraw(t *testing.T) {
	file, definition := parse(t, "a.yaml", text)
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	log := runs.Run(machine, `{"total":7}`, runs.Echo)
	points := pointsOf(t, definition)
	for _, spec := range []string{"A:Parameters", "B"} {
		if _, err := points.Add(spec); err != nil {
			t.Fatal(err)
		}
	}
	points.All()[1].Enabled = false
	a := definition.Lookup("A")
	stages := log.StagesAt(log.NewestOf(log.At(1).Visit, engine.StageResult), nil)
	v := listing.NewView(listing.New(file, definition))
	v.Show(listing.Marks{
		State: a, Field: "Resource", Stages: &stages, Breakpoints: points.All(),
		Values: []explain.FieldValue{{Place: a.Place("Parameters/n.$"), Sign: explain.SignLeads, Spans: []explain.Span{{Kind: explain.KindValue, Value: value.Must("7")}}, Value: value.Must("7"), Path: "$.n"}},
	}, true)
	got, styles := frame(v, 46, 12)
	want := `
    3 |   A: # the first
    4 |     Type: Task
>   5 @     Resource: r
 *  6 v     Parameters:
    7 |       n.$: $.total  -> 7
    8 |       lit: [1, true, "text"]
    9 |     Retry:
   10 |       - ErrorEquals: [Busy]
   11 |         MaxAttempts: 2
   12 |     Next: B
 o 13     B: {Type: Succeed}
   14`
	if plain := trim(got); plain != strings.TrimPrefix(want, "\n") {
		t.Errorf("got\n%s\nwant%s", plain, want)
	}
	if !strings.Contains(styles, "\n") {
		t.Error("no styles")
	}
	if v.Move(2, 0); v.Value() == nil || v.Value().Path != "$.n" {
		t.Errorf("on line %d the value is %v", v.Cursor()+1, v.Value())
	}
}

func trim(frame string) string {
	lines := strings.Split(strings.TrimRight(frame, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(strings.TrimRight(lines[i], " "), "%")
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// TestPointAt has the breakpoint that each line means.
func TestPointAt(t *testing.T) {
	file, definition := parse(t, "a.yaml", text)
	text := listing.New(file, definition)
	for line, want := range map[int]string{1: "none", 2: "none", 3: "A ", 4: "A ", 5: "A A:Task", 7: "A A:Parameters", 8: "A A:Parameters", 10: "A A:retry", 12: "A ", 13: "B "} {
		_, state, spec := text.PointAt(nil, line-1)
		got := "none"
		if state != nil {
			got = state.Name + " " + spec
		}
		if got != want {
			t.Errorf("line %d: %s, want %s", line, got, want)
		}
	}
	points := pointsOf(t, definition)
	b, err := points.Add("A:retry")
	if err != nil {
		t.Fatal(err)
	}
	if found, _, _ := text.PointAt(points.All(), 10); found != b {
		t.Errorf("on the line of the retrier is %v", found)
	}
	if found, _, _ := text.PointAt(points.All(), 3); found != nil {
		t.Errorf("on the line of the type is %v", found)
	}
	if s := text.Target(11); s != definition.Lookup("B") {
		t.Errorf("Next leads to %v", s)
	}
	if s := text.Target(4); s != nil {
		t.Errorf("Resource leads to %v", s)
	}
}

// TestFieldOf has the field that works in a stage, of a catcher where one took the error.
func TestFieldOf(t *testing.T) {
	_, definition := parse(t, "a.json", `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"r","ResultPath":"$.x",
"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Next":"B"}],"Next":"B"},"B":{"Type":"Wait","SecondsPath":"$.s","End":true}}}`)
	a := definition.Lookup("A")
	for _, test := range []struct {
		state  *asl.State
		stage  engine.Stage
		caught *asl.Catcher
		want   string
	}{
		{a, engine.StageResultPath, nil, "ResultPath"}, {a, engine.StageResultPath, a.Catch[0], "Catch/0/ResultPath"},
		{a, engine.StageOutputPath, a.Catch[0], "Catch/0"}, {a, engine.StageResult, nil, "Resource"}, {a, engine.StageInput, nil, ""},
		{definition.Lookup("B"), engine.StageWait, nil, "SecondsPath"}, {nil, engine.StageInput, nil, ""},
	} {
		if got := listing.FieldOf(test.state, test.stage, test.caught); got != test.want {
			t.Errorf("%v: %q, want %q", test.stage, got, test.want)
		}
	}
}

// TestMoves: the cursor stays in the text, and a text is found in lines that are scrolled away.
func TestMoves(t *testing.T) {
	file, definition := parse(t, "a.yaml", text)
	v := listing.NewView(listing.New(file, definition))
	v.Show(listing.Marks{Problems: []source.Diagnostic{{Message: "lost", Span: source.Span{Start: source.Position{Line: 7, Col: 3}}}}}, true)
	frame(v, 20, 4)
	if v.Move(100, 8); v.Cursor() != v.Len()-1 {
		t.Errorf("the cursor is on line %d", v.Cursor()+1)
	}
	if wrapped, ok := v.Find("BUSY", 1); !ok || !wrapped || v.Cursor() != 9 {
		t.Errorf("found %v on line %d", ok, v.Cursor()+1)
	}
	if _, ok := v.Find("absent", 1); ok {
		t.Error("found what is not there")
	}
	if !v.NextProblem() || v.Cursor() != 6 || v.Problem() == nil {
		t.Errorf("the next problem is on line %d", v.Cursor()+1)
	}
	if got, _ := frame(v, 20, 4); !strings.Contains(got, "7 ^") {
		t.Errorf("the line has no sign:\n%s", got)
	}
	if v.SelectAt(99) || v.SelectAt(0) {
		t.Error("the cursor was not on the first row")
	}
	if v.Line(0) != "StartAt: A" || v.Line(-1) != "" {
		t.Errorf("the first line is %q", v.Line(0))
	}
}
