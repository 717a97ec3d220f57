package mutate

import (
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/engine/jsonata"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// rules adds the mutants of the rules of a Choice state.
func (g *generator) rules(list *source.Node) {
	for i, item := range list.Items {
		if i >= len(g.state.Choices) {
			return
		}
		name := "rule " + strconv.Itoa(i+1)
		// A rule is looked at where no rule before it was taken.
		looked := need{unended: true, missing: "no case comes to " + name}
		for k := i; k < len(list.Items); k++ {
			looked.any = append(looked.any, g.item(coverage.Rule, k))
		}
		looked.any = append(looked.any, g.item(coverage.Default, 0))
		taken := need{any: []coverage.ID{g.item(coverage.Rule, i)}, missing: "no case takes " + name}
		if i+1 < len(list.Items) && !exclusive(item, list.Items[i+1]) {
			swapped := need{
				any:     []coverage.ID{g.item(coverage.Rule, i), g.item(coverage.Rule, i+1)},
				unended: true,
				missing: "no case takes " + name + " or " + strconv.Itoa(i+2),
			}
			g.add(
				RulesSwapped,
				"rules "+strconv.Itoa(i+1)+" and "+strconv.Itoa(i+2)+" swapped",
				swapItems{list, i},
				swapped,
			)
		}
		g.test(item, name, false, looked)
		for k := range item.Members {
			m := &item.Members[k]
			switch m.Key {
			case "Condition":
				g.expressions(m.Node, looked)
			case "Assign":
				g.assign(item, k, taken, name+": ")
				g.queries(m.Node, taken)
			case "Output":
				g.add(OutputDropped, name+": Output dropped", dropMember{item, k}, taken)
				g.queries(m.Node, taken)
			}
		}
	}
}

// queries adds the mutants of expressions where the state has such.
func (g *generator) queries(node *source.Node, needs need) {
	if g.state.QueryLanguage == asl.JSONata {
		g.expressions(node, needs)
	}
}

// defaultTarget adds the mutant in which Default leads to the target of a rule.
func (g *generator) defaultTarget(node *source.Node) {
	for i, rule := range g.state.Choices {
		if rule.Next != g.state.Default && rule.Next != "" {
			needs := need{any: []coverage.ID{g.item(coverage.Default, 0)}, missing: "no case takes Default"}
			g.add(
				DefaultTurned,
				"Default leads to "+rule.Next+", as rule "+strconv.Itoa(i+1)+" does",
				setScalar{node, value.String(rule.Next)},
				needs,
			)
			return
		}
	}
}

// test adds the mutants of a test, and of those that it combines.
// negated: it is the operand of a Not, without which it has the negation already.
func (g *generator) test(node *source.Node, name string, negated bool, needs need) {
	variable := indexOf(node, "Variable")
	for i := range node.Members {
		m := &node.Members[i]
		switch {
		case m.Key == asl.And || m.Key == asl.Or:
			other := asl.And
			if m.Key == asl.And {
				other = asl.Or
			}
			g.add(ConnectiveTurned, name+": "+m.Key+" is "+other, renameKey{node, i, other}, needs)
			for _, item := range m.Node.Items {
				g.test(item, name, false, needs)
			}
		case m.Key == asl.Not:
			if indexOf(m.Node, "Next") < 0 {
				g.add(NotDropped, name+": Not dropped", dropNot{node, i}, needs)
			}
			g.test(m.Node, name, true, needs)
		case variable >= 0:
			g.comparison(node, i, variable, name, negated, needs)
		}
	}
}

// comparison adds the mutant of a comparison: the boundary of an order, else its negation.
func (g *generator) comparison(node *source.Node, i, variable int, name string, negated bool, needs need) {
	key := node.Members[i].Key
	operator, isPath := strings.CutSuffix(key, "Path")
	known := asl.OperatorNamed(key)
	if known == nil {
		if known = asl.OperatorNamed(operator); known == nil || !isPath {
			return
		}
	} else {
		operator, isPath = key, false
	}
	ending := ""
	if isPath {
		ending = "Path"
	}
	yes, isBool := node.Members[i].Node.Value.(value.Bool)
	left, _ := node.Members[variable].Node.Value.(value.String)
	right := value.Compact(node.Members[i].Node.Value)
	if path, ok := node.Members[i].Node.Value.(value.String); ok && isPath {
		right = string(path)
	}
	atBoundary := needs
	atBoundary.way = string(left) + " = " + right
	switch {
	case strings.HasSuffix(operator, "ThanEquals"):
		other := strings.TrimSuffix(operator, "Equals") + ending
		g.add(ComparisonTurned, name+": "+key+" is "+other, renameKey{node, i, other}, atBoundary)
	case strings.HasSuffix(operator, "Than"):
		other := operator + "Equals" + ending
		g.add(ComparisonTurned, name+": "+key+" is "+other, renameKey{node, i, other}, atBoundary)
	case negated:
	case isBool && !isPath:
		g.add(
			ComparisonTurned,
			name+": "+key+" "+value.Compact(yes)+" is "+value.Compact(!yes),
			setScalar{node.Members[i].Node, !yes},
			needs,
		)
	case i-variable == 1 || variable-i == 1:
		g.add(ComparisonTurned, name+": "+key+" is negated", negate{node, min(i, variable), max(i, variable)}, needs)
	}
}

var turned = map[string]string{
	"<":    "<=",
	"<=":   "<",
	">":    ">=",
	">=":   ">",
	"=":    "!=",
	"!=":   "=",
	"and":  "or",
	"or":   "and",
	"$not": "",
}

// expressions adds the mutants of the comparisons in expressions of JSONata.
func (g *generator) expressions(node *source.Node, needs need) {
	for i := range node.Members {
		g.expressions(node.Members[i].Node, needs)
	}
	for _, item := range node.Items {
		g.expressions(item, needs)
	}
	text, ok := node.Value.(value.String)
	if !ok || !template.IsExpression(string(text)) {
		return
	}
	body := string(text[2 : len(text)-2])
	shift := 2 + len(body) - len(strings.TrimLeft(body, " \t\r\n\f\v"))
	x, err := jsonata.Compile(strings.TrimSpace(body), jsonata.StepFunctions())
	if err != nil {
		return
	}
	for _, o := range x.Operators() {
		with, there := turned[o.Text]
		if !there {
			continue
		}
		kind, description := ComparisonTurned, o.Text+" is "+with
		switch o.Text {
		case "and", "or":
			kind = ConnectiveTurned
		case "$not":
			kind, description = NotDropped, "$not dropped"
		}
		g.add(
			kind,
			description+" in "+value.Preview(value.String(strings.TrimSpace(body)), 60),
			rewrite{node, shift + o.Start, shift + o.End, with},
			needs,
		)
	}
}

var equalTo = wording.Pattern(`^\{%\s*([^=<>!&|?]+?)\s*=\s*('[^']*'|"[^"]*"|[0-9.]+|true|false)\s*%\}$`)

// exclusive reports whether two rules are never both true, or lead to the same end, so that their order makes no difference: both ask
// whether the same is equal to something, and to different values.
func exclusive(a, b *source.Node) bool {
	left, is, ok := equality(a)
	right, other, both := equality(b)
	if ok && both && left == right && is != other {
		return true
	}
	same := func(key string) bool {
		x, y := a.Get(key), b.Get(key)
		return x == nil && y == nil || x != nil && y != nil && value.Equal(x.Value, y.Value)
	}
	return same("Next") && same("Assign") && same("Output")
}

// equality returns the two sides of a rule that asks whether they are equal.
func equality(rule *source.Node) (left, right string, ok bool) {
	if condition := rule.Get("Condition"); condition != nil {
		text, _ := condition.Value.(value.String)
		if m := equalTo().FindStringSubmatch(string(text)); m != nil {
			return m[1], m[2], true
		}
		return "", "", false
	}
	variable := rule.Get("Variable")
	for i := range rule.Members {
		m := &rule.Members[i]
		o := asl.OperatorNamed(m.Key)
		if variable != nil && o != nil &&
			(strings.HasSuffix(m.Key, "Equals") && !strings.HasSuffix(m.Key, "ThanEquals") || o.Tests) {
			test := ""
			if o.Tests {
				test = " " + m.Key
			}
			return value.Compact(variable.Value) + test, value.Compact(m.Node.Value), true
		}
	}
	return "", "", false
}
