package asl

import (
	"strconv"
	"strings"

	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// rewriting returns the advice about a value of another kind than wanted, or "".
func rewriting(m *NodeMember, wanted value.Kind) string {
	text, _ := m.Node.Value.(value.String)
	switch {
	case wanted == value.KindArray && (m.Node.Kind == value.KindObject || m.Node.Kind == value.KindString):
		return "put it in brackets: [...]"
	case wanted == value.KindObject && m.Node.Kind == value.KindArray && len(m.Node.Items) == 1 && m.Node.Items[0].Kind == value.KindObject:
		return "remove the brackets around the object"
	case wanted == value.KindString && m.Node.Kind == value.KindArray && len(m.Node.Items) == 1:
		return "remove the brackets around the string"
	case wanted == value.KindNumber && isNumeral(string(text)), wanted == value.KindBool && (text == "true" || text == "false"):
		return "write " + string(text) + " without quotes"
	case (wanted == value.KindNumber || wanted == value.KindBool) && strings.HasPrefix(string(text), "$") && hasField(m.Key+"Path"):
		return "did you mean " + quote(m.Key+"Path") + "? It takes a path"
	}
	return ""
}

func isNumeral(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// hasField reports whether there is a field, or an operator of choice rules, of that name.
func hasField(name string) bool {
	for f := range Fields() {
		if f.Name == name {
			return true
		}
	}
	operator := OperatorNamed(strings.TrimSuffix(name, "Path"))
	return operator != nil && operator.HasPath
}

// inPlaceOf returns the advice about a field of another query language than the state's.
func inPlaceOf(field string, language QueryLanguage) string {
	if language == JSONata {
		return "\"QueryLanguage\": \"JSONata\" in the state makes it one of JSONata"
	}
	in := map[string]string{
		"InputPath": "read $states.input in the fields that need it", "Parameters": "write \"Arguments\"", "ResultPath": "write \"Output\" or \"Assign\"",
		"ResultSelector": "write \"Output\", which reads $states.result", "OutputPath": "write \"Output\"", "ItemsPath": "write \"Items\"",
		"Variable": "write \"Condition\"",
	}
	if advice := in[field]; advice != "" {
		return "in JSONata, " + advice
	}
	if base, ok := strings.CutSuffix(field, "Path"); ok {
		return "in JSONata, write \"" + base + "\": \"{% ... %}\""
	}
	return ""
}

// plainName is a name that was probably meant as a member of the data.
var plainName = wording.Pattern(`^\w+(\.\w+)*$`)

// evaluated returns the advice about the value of a field whose name ends in .$, or "".
func evaluated(n *source.Node, field string) string {
	text, isText := n.Value.(value.String)
	plain := strings.TrimSuffix(field, template.Suffix)
	switch {
	case !isText:
		return "write the name without .$: " + quote(plain)
	case plainName().MatchString(string(text)):
		return "write " + quote("$."+string(text)) + ", or the name without .$: " + quote(plain)
	}
	return ""
}

// outer returns the state at the top level that has a state inside.
func outer(s *State) *State {
	for s.Scope.Container != nil {
		s = s.Scope.Container
	}
	return s
}
