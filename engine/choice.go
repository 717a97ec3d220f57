package engine

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf16"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/value"
)

// operation is what a test does.
type operation uint8

const (
	testAnd operation = iota
	testOr
	testNot
	testEqual // of the kind below
	testLess
	testGreater
	testLessEqual
	testGreaterEqual
	testMatches
	testIs
	testPresent
)

// operandKind is what a comparison compares, or what an Is… test asks for.
type operandKind uint8

const (
	anyOperand operandKind = iota
	stringOperand
	numericOperand
	booleanOperand
	timestampOperand
	nullOperand
)

// testPlan is a Data-Test Expression made ready to run.
type testPlan struct {
	def       *asl.Test
	operation operation
	kind      operandKind
	operands  []testPlan // of And, Or, Not
	literal   value.Value
	instant   time.Time // of a timestamp literal
	want      bool      // of the Is… tests
	pattern   []glob    // of StringMatches
}

var comparisons = map[string]operation{
	"Equals": testEqual, "LessThan": testLess, "GreaterThan": testGreater,
	"LessThanEquals": testLessEqual, "GreaterThanEquals": testGreaterEqual, "Matches": testMatches,
}

var operandKinds = []struct {
	prefix string
	kind   operandKind
}{
	{"String", stringOperand}, {"Numeric", numericOperand}, {"Boolean", booleanOperand}, {"Timestamp", timestampOperand},
}

var typeTests = map[string]operandKind{
	"IsNull": nullOperand, "IsNumeric": numericOperand, "IsString": stringOperand,
	"IsBoolean": booleanOperand, "IsTimestamp": timestampOperand,
}

// compileTest turns a rule's test into opcodes. The definition has been validated, so an error means
// an operator that this engine does not know.
func compileTest(def *asl.Test) (testPlan, error) {
	plan := testPlan{def: def}
	switch def.Operator {
	case "And", "Or", "Not":
		plan.operation = map[string]operation{"And": testAnd, "Or": testOr, "Not": testNot}[def.Operator]
		for _, operand := range def.Tests {
			compiled, err := compileTest(operand)
			if err != nil {
				return plan, err
			}
			plan.operands = append(plan.operands, compiled)
		}
		return plan, nil
	case "IsPresent":
		plan.operation, plan.want = testPresent, def.Value == value.Bool(true)
		return plan, nil
	}
	if kind, ok := typeTests[def.Operator]; ok {
		plan.operation, plan.kind, plan.want = testIs, kind, def.Value == value.Bool(true)
		return plan, nil
	}
	for _, family := range operandKinds {
		if rest, ok := strings.CutPrefix(def.Operator, family.prefix); ok {
			if operation, ok := comparisons[rest]; ok {
				plan.operation, plan.kind = operation, family.kind
				return plan, plan.prepareLiteral()
			}
		}
	}
	return plan, fmt.Errorf("unknown comparison operator %q", def.Operator)
}

// Holds reports whether a Data-Test Expression holds for data, as a Choice state decides it. The error says that the
// operator is unknown, or that the expression reads what is not there.
func Holds(test *asl.Test, data value.Value) (bool, error) {
	plan, err := compileTest(test)
	if err != nil {
		return false, err
	}
	return plan.eval(&path.Roots{Data: data})
}

func (t *testPlan) prepareLiteral() error {
	t.literal = t.def.Value
	text, isText := t.literal.(value.String)
	if t.operation == testMatches && isText {
		pattern, err := parseGlob(string(text))
		t.pattern = pattern
		return err
	}
	if t.kind == timestampOperand && isText {
		t.instant, _ = asl.ParseTimestamp(string(text)) // validated with the definition
	}
	return nil
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
// may name what is not there (section "Choice State").
func (t *testPlan) eval(roots *path.Roots) (bool, error) {
	switch t.operation {
	case testAnd, testOr:
		for i := range t.operands {
			holds, err := t.operands[i].eval(roots)
			if err != nil || holds == (t.operation == testOr) {
				return holds, err
			}
		}
		return t.operation == testAnd, nil
	case testNot:
		holds, err := t.operands[0].eval(roots)
		return !holds, err
	}
	left := t.def.Variable.Find(roots)
	if t.operation == testPresent {
		return (left != nil) == t.want, nil
	}
	if left == nil {
		return false, missed(t.def.Variable, roots)
	}
	if t.operation == testIs {
		return isOfKind(left, t.kind) == t.want, nil
	}
	right := t.literal
	if t.def.Path != nil {
		if right = t.def.Path.Find(roots); right == nil {
			return false, missed(t.def.Path, roots)
		}
	}
	return t.compare(left, right)
}

func missed(p *path.Path, roots *path.Roots) error {
	_, err := p.Get(roots)
	return &choiceMiss{path: p, err: err}
}

// compare compares two values that are there. Operands of another type than the operator's make it
// false, not an error.
func (t *testPlan) compare(left, right value.Value) (bool, error) {
	switch t.kind {
	case stringOperand:
		a, okA := left.(value.String)
		b, okB := right.(value.String)
		if !okA || !okB {
			return false, nil
		}
		if t.operation == testMatches {
			return t.matches(string(a), string(b))
		}
		if t.operation == testEqual {
			return a == b, nil
		}
		return t.ordered(compareUTF16(string(a), string(b))), nil
	case numericOperand:
		a, okA := left.(value.Number)
		b, okB := right.(value.Number)
		return okA && okB && t.ordered(a.Compare(b)), nil
	case booleanOperand:
		a, okA := left.(value.Bool)
		b, okB := right.(value.Bool)
		return okA && okB && a == b, nil
	case timestampOperand:
		a, okA := timestampOf(left)
		b, okB := t.instant, !t.instant.IsZero()
		if t.def.Path != nil {
			b, okB = timestampOf(right)
		}
		return okA && okB && t.ordered(a.Compare(b)), nil
	}
	return false, nil
}

func (t *testPlan) matches(text, pattern string) (bool, error) {
	globs := t.pattern
	if t.def.Path != nil {
		var err error
		if globs, err = parseGlob(pattern); err != nil {
			return false, err
		}
	}
	return matchGlob(globs, text), nil
}

func (t *testPlan) ordered(order int) bool {
	switch t.operation {
	case testEqual:
		return order == 0
	case testLess:
		return order < 0
	case testGreater:
		return order > 0
	case testLessEqual:
		return order <= 0
	case testGreaterEqual:
		return order >= 0
	}
	return false
}

func isOfKind(v value.Value, kind operandKind) bool {
	switch kind {
	case nullOperand:
		return v.Kind() == value.KindNull
	case numericOperand:
		return v.Kind() == value.KindNumber
	case stringOperand:
		return v.Kind() == value.KindString
	case booleanOperand:
		return v.Kind() == value.KindBool
	case timestampOperand:
		_, ok := timestampOf(v)
		return ok
	}
	return false
}

func timestampOf(v value.Value) (time.Time, bool) {
	text, ok := v.(value.String)
	if !ok {
		return time.Time{}, false
	}
	return asl.ParseTimestamp(string(text))
}

// compareUTF16 orders strings as Java's compareTo does, by UTF-16 code units. It differs from the order
// of bytes only where a character beyond U+FFFF meets one from U+E000 up.
func compareUTF16(a, b string) int {
	if strings.IndexFunc(a, beyondSurrogates) < 0 || strings.IndexFunc(b, beyondSurrogates) < 0 {
		return strings.Compare(a, b)
	}
	unitsA, unitsB := utf16.Encode([]rune(a)), utf16.Encode([]rune(b))
	for i := range min(len(unitsA), len(unitsB)) {
		if unitsA[i] != unitsB[i] {
			return int(unitsA[i]) - int(unitsB[i])
		}
	}
	return len(unitsA) - len(unitsB)
}

func beyondSurrogates(r rune) bool { return r >= 0xE000 }

// glob is a stretch of literal text, or any number of characters.
type glob struct {
	any  bool
	text string
}

// parseGlob reads the pattern of StringMatches: * stands for any characters, \* and \\ for themselves.
func parseGlob(pattern string) ([]glob, error) {
	var globs []glob
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			globs = append(globs, glob{text: text.String()})
			text.Reset()
		}
	}
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '*':
			flush()
			if len(globs) == 0 || !globs[len(globs)-1].any {
				globs = append(globs, glob{any: true})
			}
		case c == '\\' && i+1 < len(pattern) && (pattern[i+1] == '*' || pattern[i+1] == '\\'):
			i++
			text.WriteByte(pattern[i])
		case c == '\\':
			return nil, fmt.Errorf("the pattern %q has a backslash at character %d that escapes neither * nor \\", pattern, i+1)
		default:
			text.WriteByte(c)
		}
	}
	flush()
	return globs, nil
}

// matchGlob reports whether the whole of text matches. Each literal is taken at its first place, the
// last one at the end, which is enough because * is the only wildcard.
func matchGlob(globs []glob, text string) bool {
	anchored := true
	for i, g := range globs {
		if g.any {
			anchored = false
			continue
		}
		last := i == len(globs)-1
		switch {
		case anchored && last:
			return text == g.text
		case anchored:
			if !strings.HasPrefix(text, g.text) {
				return false
			}
			text = text[len(g.text):]
		case last:
			return strings.HasSuffix(text, g.text)
		default:
			at := strings.Index(text, g.text)
			if at < 0 {
				return false
			}
			text = text[at+len(g.text):]
		}
		anchored = true
	}
	return !anchored || text == ""
}

// RuleResult explains what became of one Choice rule.
type RuleResult struct {
	Rule *asl.ChoiceRule
	// Reached is false for the rules after the one that matched.
	Reached bool
	TestResult
}

// TestResult explains what became of one Data-Test Expression.
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

// ExplainChoice evaluates the rules of a Choice state again, keeping what each test compared. roots has the effective
// input as its data. It returns nil for other states, and for those in JSONata, whose conditions are no tests.
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
		result.Right = t.literal
		if t.def.Path != nil {
			result.Right = t.def.Path.Find(roots)
		}
		if t.operation == testIs || t.operation == testPresent {
			result.Right = t.def.Value
		}
	}
	if evaluate {
		result.Holds, result.Err = t.eval(roots)
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
