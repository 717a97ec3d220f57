package explore

import (
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/value"
)

// errorTests is how a definition tells errors apart behind its catchers.
type errorTests struct {
	tests  []func(name value.Value) bool // of Choice states on the Error
	names  []string                      // with which it is compared
	any    bool                          // an expression or a function computes with it
	causes bool                          // the Cause is read
}

// errorTestsOf looks for the reads of Error and Cause in a definition.
func errorTestsOf(machine *asl.StateMachine) *errorTests {
	t := &errorTests{}
	for s := range machine.All() {
		for _, m := range asl.FlowOf(s, true).Moves() {
			t.move(m, false)
		}
	}
	return t
}

// move looks at a move and its parts. computed: it is an operand.
func (t *errorTests) move(m *asl.Move, computed bool) {
	switch {
	case m.Test != nil:
		t.test(m.Test)
	case m.Expression != nil && len(m.Parts()) > 0:
		t.expression(m)
		computed = false
	}
	if m.Test == nil {
		for _, from := range m.From {
			name := lastName(from.Path)
			whole := from.Register == asl.RegisterError && from.Path == nil
			t.causes = t.causes || name == "Cause" && (computed || m.Kind == asl.MoveCall)
			t.any = t.any || m.Intrinsic != nil && m.Intrinsic.Function() != "States.Format" && (name == "Error" || whole)
		}
	}
	parts := m.Parts()
	for i := range parts {
		t.move(&parts[i], computed || m.Kind == asl.MoveCall)
	}
}

// test looks at a test of a Choice.
func (t *errorTests) test(test *asl.Test) {
	switch operator := asl.OperatorNamed(test.Operator); {
	case test.Variable == nil || operator == nil || operator.Tests || test.Operator == "IsPresent":
	case lastName(test.Variable) == "Cause" || test.Path != nil && lastName(test.Path) == "Cause":
		t.causes = true
	case lastName(test.Variable) != "Error" && (test.Path == nil || lastName(test.Path) != "Error"):
	case test.Value == nil:
		t.any = true
	default:
		if compare, err := operator.Compile(test.Value); err == nil {
			t.tests = append(t.tests, compare)
		}
		t.named(test.Value)
	}
}

// expression looks at an expression.
func (t *errorTests) expression(m *asl.Move) {
	compared := map[any]bool{}
	for x := range m.Expression.Tree().All() {
		if side, literal := x.Compared(); side != nil && x.Text == "=" && side.Last() == "Error" {
			t.tests = append(t.tests, func(name value.Value) bool { return value.Equal(name, literal) })
			t.named(literal)
			compared[side] = true
		}
		t.any = t.any || x.Last() == "Error" && !compared[x] || x.Last() == "errorOutput"
		t.causes = t.causes || x.Last() == "Cause"
	}
}

// lastName returns the last name of a path, empty where it has none.
func lastName(p *path.Path) string {
	if p == nil || p.Len() == 0 {
		return ""
	}
	return p.Segment(p.Len() - 1).Name
}

func (t *errorTests) named(v value.Value) {
	if name, ok := v.(value.String); ok && name != "" && !strings.ContainsAny(string(name), " *") {
		t.names = append(t.names, string(name))
	}
}

// class returns a text that two errors of a task share where nothing in the definition tells them apart: the retriers
// and catchers around the task answer both alike, and so do the tests behind.
func (t *errorTests) class(c *Change, dialect engine.Dialect) string {
	var key strings.Builder
	if key.WriteString(c.Kind.String()); c.Kind == Large {
		key.Reset()
		key.WriteString(Fails.String())
	}
	failure := &engine.Failure{Name: c.Error}
	caught := false
	for s := c.State; s != nil; s = s.Scope.Container {
		catcher := engine.MatchingCatcher(s, failure, dialect)
		caught = caught || catcher >= 0
		key.WriteString(" " + strconv.Itoa(engine.MatchingRetrier(s, failure, dialect)) + "/" + strconv.Itoa(catcher))
	}
	if !caught {
		return key.String()
	}
	for _, test := range t.tests {
		key.WriteString(" " + strconv.FormatBool(test(value.String(c.Error))))
	}
	if t.any {
		key.WriteString(" " + c.Error)
	}
	if t.causes {
		key.WriteString(" " + strconv.FormatBool(strings.HasPrefix(c.Cause, "{")))
	}
	return key.String()
}
