package engine

import (
	"fmt"
	"time"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/value"
)

// operation is the operation of a test.
type operation uint8

const (
	testAnd operation = iota
	testOr
	testNot
	testCompare
)

// combinations are the operators that combine tests.
var combinations = map[string]operation{asl.And: testAnd, asl.Or: testOr, asl.Not: testNot}

// testPlan is a Data-Test Expression made ready to run.
type testPlan struct {
	def       *asl.Test
	operation operation
	operands  []testPlan // of And, Or, Not
	operator  *asl.Operator
	holds     asl.Comparison // with the literal; nil where a Path gives the right operand
	fault     error          // of the literal, when the test is evaluated
	// slot is 1 + the place of the Variable among those that several tests of the state read; 0 for another.
	slot int
}

// lookup is the value of a Variable that several tests of a state read, found once.
type lookup struct {
	value value.Value // nil where the Variable is absent
	known bool
}

// sharedVariables gives the tests of a state's rules that read the same Variable a slot for it. It returns the number of slots.
func sharedVariables(rules []rulePlan) (slots int) {
	count := make(map[string]int)
	for i := range rules {
		rules[i].test.each(func(t *testPlan) { count[t.def.Variable.String()]++ })
	}
	slotOf := make(map[string]int)
	for i := range rules {
		rules[i].test.each(func(t *testPlan) {
			name := t.def.Variable.String()
			if count[name] > 1 && slotOf[name] == 0 {
				slotOf[name] = len(slotOf) + 1
			}
			t.slot = slotOf[name]
		})
	}
	return len(slotOf)
}

// each calls visit for the comparisons of a test whose Variable is a plain path.
func (t *testPlan) each(visit func(*testPlan)) {
	if t.operation == testCompare && t.def != nil && t.def.Variable.Plain() {
		visit(t)
	}
	for i := range t.operands {
		t.operands[i].each(visit)
	}
}

// variable returns the value of the Variable, nil where it is absent. known has what was found for the same data before.
func (t *testPlan) variable(roots *path.Roots, known []lookup) value.Value {
	if t.slot == 0 || known == nil {
		return t.def.Variable.Find(roots)
	}
	l := &known[t.slot-1]
	if !l.known {
		l.value, l.known = t.def.Variable.Find(roots), true
	}
	return l.value
}

// compileTest makes a rule's test ready to run. The definition has been validated, so the error is an unknown
// operator. A malformed pattern is a fault of the state that evaluates it (section "Choice State").
func compileTest(def *asl.Test) (testPlan, error) {
	plan := testPlan{def: def}
	if operation, ok := combinations[def.Operator]; ok {
		plan.operation = operation
		for _, operand := range def.Tests {
			compiled, err := compileTest(operand)
			if err != nil {
				return plan, err
			}
			plan.operands = append(plan.operands, compiled)
		}
		return plan, nil
	}
	plan.operation, plan.operator = testCompare, asl.OperatorNamed(def.Operator)
	if plan.operator == nil {
		return plan, fmt.Errorf("unknown comparison operator %q", def.Operator)
	}
	if def.Path != nil {
		return plan, nil
	}
	plan.holds, plan.fault = plan.operator.Compile(def.Value)
	return plan, nil
}

// Holds reports whether a Data-Test Expression holds for data, as a Choice state decides it. The error says that the
// operator is unknown, or that the expression reads a value that is not there.
func Holds(test *asl.Test, data value.Value) (bool, error) {
	plan, err := compileTest(test)
	if err != nil {
		return false, err
	}
	return plan.eval(&path.Roots{Data: data}, nil)
}

// choiceMiss is the fault of a test whose Variable or …Path is not there.
type choiceMiss struct {
	path *path.Path
	err  error
}

func (e *choiceMiss) Error() string {
	return fmt.Sprintf("Invalid path '%s': The choice state's condition path references an invalid value.", e.path)
}

func (e *choiceMiss) Unwrap() error { return e.err }

// eval reports whether the test holds. And and Or stop at the operand that decides, so a later one
// may name a value that is not there (section "Choice State"). known is as for variable.
func (t *testPlan) eval(roots *path.Roots, known []lookup) (bool, error) {
	switch t.operation {
	case testAnd, testOr:
		for i := range t.operands {
			holds, err := t.operands[i].eval(roots, known)
			if err != nil || holds == (t.operation == testOr) {
				return holds, err
			}
		}
		return t.operation == testAnd, nil
	case testNot:
		holds, err := t.operands[0].eval(roots, known)
		return !holds, err
	case testCompare:
	}
	left := t.variable(roots, known)
	if left == nil && !t.operator.TakesAbsent {
		return false, missed(t.def.Variable, roots)
	}
	if t.def.Path == nil {
		if t.fault != nil {
			return false, t.fault
		}
		return t.holds(left), nil
	}
	right := t.def.Path.Find(roots)
	if right == nil {
		return false, missed(t.def.Path, roots)
	}
	holds, err := t.operator.Compile(right)
	return err == nil && holds(left), err
}

func missed(p *path.Path, roots *path.Roots) error {
	_, err := p.Get(roots)
	return &choiceMiss{path: p, err: err}
}

func timestampOf(v value.Value) (time.Time, bool) {
	text, ok := v.(value.String)
	if !ok {
		return time.Time{}, false
	}
	return asl.ParseTimestamp(string(text))
}

// RuleResult is the result of one Choice rule.
type RuleResult struct {
	Rule *asl.ChoiceRule
	// Reached is false for the rules after the one that matched.
	Reached bool
	TestResult
}

// TestResult is the result of one Data-Test Expression.
type TestResult struct {
	Test *asl.Test
	// Evaluated is false where an earlier operand of an And or Or had decided.
	Evaluated bool
	Holds     bool
	// Left and Right are the values compared; nil where they are not there.
	Left, Right value.Value
	// Err says why the test could not be evaluated.
	Err      error
	Operands []TestResult
}

// ExplainChoice evaluates the rules of a Choice state again, with the values that each test compared. roots has the effective
// input as its data. It returns nil for other states, and for those in JSONata, whose conditions aren't tests.
func ExplainChoice(state *asl.State, roots *path.Roots) []RuleResult {
	if state.Type != asl.Choice || state.QueryLanguage == asl.JSONata {
		return nil
	}
	results := make([]RuleResult, 0, len(state.Choices))
	decided := false
	for _, rule := range state.Choices {
		result := RuleResult{Rule: rule, Reached: !decided}
		switch plan, err := compileTest(rule.Test); {
		case err != nil:
			result.TestResult = TestResult{Test: rule.Test, Err: err}
		case decided: // the run has not looked at it either
			result.TestResult = TestResult{Test: rule.Test}
		default:
			result.TestResult = plan.explain(roots, true)
		}
		decided = decided || (result.Holds && result.Reached) || result.Err != nil
		results = append(results, result)
	}
	return results
}

func (t *testPlan) explain(roots *path.Roots, evaluate bool) TestResult {
	result := TestResult{Test: t.def, Evaluated: evaluate}
	if len(t.operands) == 0 {
		result.Left = t.def.Variable.Find(roots)
		result.Right = t.def.Value
		if t.def.Path != nil {
			result.Right = t.def.Path.Find(roots)
		}
	}
	if evaluate {
		result.Holds, result.Err = t.eval(roots, nil)
	}
	open := evaluate
	for i := range t.operands {
		operand := t.operands[i].explain(roots, open)
		if t.operation != testNot && (operand.Err != nil || operand.Holds == (t.operation == testOr)) {
			open = false
		}
		result.Operands = append(result.Operands, operand)
	}
	return result
}
