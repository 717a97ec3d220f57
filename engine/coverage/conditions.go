package coverage

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/jsonata"
	"asldb/engine/template"
)

// decision is the two items of a condition.
type decision struct{ whenTrue, whenFalse ID }

func (d decision) of(holds bool) ID {
	if holds {
		return d.whenTrue
	}
	return d.whenFalse
}

// expression is an expression in JSONata with the items of its conditions.
type expression struct {
	operands, conditionals []decision
	compiled               *jsonata.Expression
}

// decide adds the two items of a condition.
func (l *Items) decide(state *asl.State, part, label, field string) decision {
	d := decision{
		ID{State: state.Path(), Kind: ConditionTrue, Part: part}, ID{State: state.Path(), Kind: ConditionFalse, Part: part},
	}
	l.add(state, d.whenTrue, label, field)
	l.add(state, d.whenFalse, label, field)
	return d
}

// conditions adds the parts of the conditions of Choice rules, and the conditionals of all expressions.
func (l *Items) conditions(state *asl.State) {
	for i, rule := range state.Choices {
		field := "Choices[" + strconv.Itoa(i) + "]"
		if rule.Test != nil {
			l.test(state, rule.Test, field)
		}
		l.query(state, rule.Query, field+"/Condition", true)
		l.template(state, rule.Assign, field+"/Assign")
		l.template(state, rule.Output, field+"/Output")
	}
	l.template(state, state.Arguments, "Arguments")
	l.template(state, state.Items, "Items")
	l.template(state, state.ItemSelector, "ItemSelector")
	l.template(state, state.Assign, "Assign")
	l.template(state, state.Output, "Output")
	for i, catcher := range state.Catch {
		field := "Catch[" + strconv.Itoa(i) + "]"
		l.template(state, catcher.Assign, field+"/Assign")
		l.template(state, catcher.Output, field+"/Output")
	}
}

// test adds the comparisons of a Data-Test Expression.
func (l *Items) test(state *asl.State, test *asl.Test, field string) {
	if len(test.Tests) == 0 {
		l.tests[test] = l.decide(state, field, test.String(), field)
		return
	}
	for i, part := range test.Tests {
		name := field + "/" + test.Operator
		if test.Operator != asl.Not {
			name += "[" + strconv.Itoa(i) + "]"
		}
		l.test(state, part, name)
	}
}

func (l *Items) template(state *asl.State, field *asl.TemplateField, name string) {
	if field != nil {
		l.query(state, field.Query, name, false)
	}
}

// query adds the conditions of the expressions of a field.
func (l *Items) query(state *asl.State, query *template.Query, name string, condition bool) {
	if query == nil {
		return
	}
	for e := range query.Expressions {
		place := name + e.Pointer
		x := &expression{compiled: e.Compiled}
		if condition {
			for i, o := range e.Compiled.Operands() {
				x.operands = append(x.operands, l.decide(state, place+" "+strconv.Itoa(i+1), short(o.Text), place))
			}
		}
		for i, d := range e.Compiled.Conditionals() {
			x.conditionals = append(x.conditionals, l.decide(state, place+" ?"+strconv.Itoa(i+1), short(d.Text), place))
		}
		if len(x.operands)+len(x.conditionals) > 0 {
			l.expressions[e.Compiled] = x
		}
	}
}

// countTest counts the comparisons of a test that were made.
func (l *Items) countTest(r *engine.TestResult) {
	if r.Test != nil && r.Evaluated && r.Err == nil {
		if d, ok := l.tests[r.Test]; ok {
			l.count(d.of(r.Holds), 1)
		}
	}
	for i := range r.Operands {
		l.countTest(&r.Operands[i])
	}
}

// countExpression counts the conditions of an evaluation.
func (l *Items) countExpression(e *template.Explanation) {
	x := l.expressions[e.Compiled]
	if x == nil || e.Trace == nil {
		return
	}
	for i, o := range x.compiled.Operands() {
		if i >= len(x.operands) {
			break
		}
		if r := e.Trace.Find(o.Start, o.End); r != nil && r.Err == nil {
			l.count(x.operands[i].of(r.True()), 1)
		}
	}
	all := x.compiled.Conditionals()
	for _, d := range e.Trace.Conditionals() {
		for i := range all {
			if all[i].Start == d.Start && all[i].End == d.End {
				l.count(x.conditionals[i].whenTrue, int64(d.True))
				l.count(x.conditionals[i].whenFalse, int64(d.False))
			}
		}
	}
}

// maxLabel is the greatest number of bytes of an expression in a label.
const maxLabel = 60

// short returns an expression on one line, cut where it is long.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= maxLabel {
		return text
	}
	cut := maxLabel - len("…")
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}
