package asl

import (
	"maps"
	"slices"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
	"asldb/internal/spelling"
)

// stateFields reads every field of a state.
func (b *builder) stateFields(s *State) {
	types := b.stateType(s)
	b.stateLanguage(s)
	for i := range s.Node.Members {
		m := &s.Node.Members[i]
		permitted, known := permissions[m.Key]
		switch {
		case !known:
			b.unknownStateField(s, m, types)
		case permitted.types&types == 0:
			b.wrongKey(m, rules.WrongStateType, "a %s state has no field %s", s.Type, quote(m.Key))
		case permitted.language != "" && permitted.language != s.QueryLanguage:
			b.wrongKey(m, rules.WrongQueryLanguage, "%s belongs to %s, but the query language of this state is %s",
				quote(m.Key), permitted.language, s.QueryLanguage)
		default:
			b.stateField(s, m)
		}
	}
	b.stateAsWhole(s, types)
}

// stateType reads Type. Where it is missing or wrong the set has all types, so that the fields are
// not all reported as strange.
func (b *builder) stateType(s *State) typeSet {
	for i := range s.Node.Members {
		m := &s.Node.Members[i]
		if m.Key != "Type" {
			continue
		}
		word, ok := b.enum(m, stateTypes...)
		if !ok {
			return onAll
		}
		s.Type = StateType(word)
		return typeSets[s.Type]
	}
	b.missing(s.Node, "a state", "Type")
	return onAll
}

func (b *builder) stateLanguage(s *State) {
	for i := range s.Node.Members {
		m := &s.Node.Members[i]
		if m.Key != "QueryLanguage" {
			continue
		}
		s.QueryLanguage = b.queryLanguage(m, b.machine.QueryLanguage)
		if s.QueryLanguage == JSONPath && b.machine.QueryLanguage == JSONata {
			const refusal = "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine"
			d := b.wrong(m, rules.WrongQueryLanguage, refusal+": the service refuses it, the language allows it")
			d.Severity = Warning
			d.Service = source.Reply{Message: refusal, Location: s.Pointer}
		}
	}
}

func (b *builder) unknownStateField(s *State, m *NodeMember, types typeSet) {
	owner := "a state"
	if s.Type != "" {
		owner = "a " + string(s.Type) + " state"
	}
	d := b.wrongKey(m, rules.UnknownField, "%s has no field %s", owner, quote(m.Key))
	d.Expected, d.Found = "a field of "+owner, quote(m.Key)
	suggest(d, spelling.Nearest(m.Key, func(yield func(string) bool) {
		for _, name := range slices.Sorted(maps.Keys(permissions)) {
			if permissions[name].types&types != 0 && !yield(name) {
				return
			}
		}
	}))
}

// stateAsWhole checks what concerns several fields of a state.
func (b *builder) stateAsWhole(s *State, types typeSet) {
	if s.Type == "" {
		return
	}
	owner := "a " + string(s.Type) + " state"
	for _, required := range requiredFields {
		if required.types&types != 0 && !slices.ContainsFunc(required.fields, func(f string) bool { return s.Node.Get(f) != nil }) {
			if len(required.fields) == 1 {
				b.missing(s.Node, owner, required.fields[0])
			} else {
				b.report(s.Node, s.Span, rules.MissingField, "%s must have the field %s", owner, oneOf(required.fields))
			}
		}
	}
	for _, group := range exclusiveFields {
		if group.types&types != 0 {
			b.exclusive(s.Node, group.fields...)
		}
	}
	if permissions["Next"].types&types != 0 {
		b.nextOrEnd(s, owner)
	}
	b.heartbeatBelowTimeout(s)
}

func (b *builder) nextOrEnd(s *State, owner string) {
	next, end := s.Node.Get("Next"), s.Node.Get("End")
	switch {
	case next != nil && s.End:
		b.exclusive(s.Node, "Next", "End")
	case next == nil && end == nil:
		b.report(s.Node, s.Span, rules.MissingTransition, "%s must have \"Next\" or \"End\": true", owner)
	case next == nil && end.Kind == value.KindBool && !s.End:
		b.report(s.Node, end.Span, rules.MissingTransition, "%s with \"End\": false must have \"Next\"", owner)
	}
}

// heartbeatBelowTimeout checks that a heartbeat comes before the timeout, where both are literal.
func (b *builder) heartbeatBelowTimeout(s *State) {
	timeout, okT := s.TimeoutSeconds.whole()
	heartbeat, okH := s.HeartbeatSeconds.whole()
	if okT && okH && heartbeat >= timeout {
		n := s.Node.Get("HeartbeatSeconds")
		b.report(n, n.Span, rules.Range, "\"HeartbeatSeconds\" must be smaller than \"TimeoutSeconds\" (%d), but is %d", timeout, heartbeat)
	}
}

// whole returns the literal whole number of a quantity.
func (q *Quantity) whole() (int64, bool) {
	if q == nil {
		return 0, false
	}
	n, ok := q.Literal.(value.Number)
	if !ok {
		return 0, false
	}
	return n.Int64()
}

// stateField reads one field that the state may have.
func (b *builder) stateField(s *State, m *NodeMember) {
	switch m.Key {
	case "Comment":
		s.Comment = b.comment(m)
	case "Next":
		if name, ok := b.text(m); ok {
			s.Next = name
			b.transition(s, EdgeNext, 0, m, name)
		}
	case "End":
		if b.kind(m, value.KindBool) {
			s.End = bool(m.Node.Value.(value.Bool))
		}
	case "InputPath":
		s.InputPath = b.path(m)
	case "OutputPath":
		s.OutputPath = b.path(m)
	case "ResultPath":
		s.ResultPath = b.resultPath(m)
	case "Parameters": // any JSON: older texts of the language do not demand an object, nor do validators
		if s.Type == Map {
			s.ItemSelector = b.template(m)
		} else {
			s.Parameters = b.template(m)
		}
	case "ResultSelector":
		s.ResultSelector = b.payload(s, m)
	case "Arguments":
		s.Arguments = b.payload(s, m)
	case "Output":
		s.Output = b.query(s, m, m.Key)
	case "Assign":
		s.Assign = b.assign(s, m, "")
	case "Retry":
		b.retry(s, m)
	case "Catch":
		b.catch(s, m)
	case "Result":
		s.Result = &TemplateField{Value: m.Node.Value, Span: m.Node.Span}
	case "Choices":
		b.choices(s, m)
	case "Default":
		if name, ok := b.text(m); ok {
			s.Default = name
			b.transition(s, EdgeDefault, 0, m, name)
		}
	case "Branches":
		b.branches(s, m)
	default:
		b.ownField(s, m)
	}
}

// ownField reads a field that only one type of state has.
func (b *builder) ownField(s *State, m *NodeMember) {
	switch m.Key {
	case "Resource":
		b.resource(s, m)
	case "TimeoutSeconds", "TimeoutSecondsPath":
		s.TimeoutSeconds = b.quantity(s, m, 1, maxSeconds)
	case "HeartbeatSeconds", "HeartbeatSecondsPath":
		s.HeartbeatSeconds = b.quantity(s, m, 1, maxSeconds)
	case "Credentials":
		s.Credentials = b.credentials(s, m)
	case "Seconds", "SecondsPath":
		s.Seconds = b.quantity(s, m, 0, maxSeconds)
	case "Timestamp", "TimestampPath":
		s.Timestamp = b.timestamp(s, m)
	case "Error", "ErrorPath":
		s.Error = b.failText(s, m)
	case "Cause", "CausePath":
		s.Cause = b.failText(s, m)
	default:
		b.mapField(s, m)
	}
}

// resource reads a Task state's Resource: a URI. A ${placeholder} may stand in it, for templates that are
// filled in before they are deployed.
func (b *builder) resource(s *State, m *NodeMember) {
	text, ok := b.text(m)
	if !ok {
		return
	}
	s.Resource = text
	opened := strings.Index(text, "${")
	switch {
	case opened >= 0:
		if !strings.Contains(text[opened:], "}") {
			b.wrong(m, rules.Resource, "\"Resource\" has a placeholder ${ that is not closed with }: %s", quote(text))
		}
	case !strings.Contains(text, ":"):
		d := b.wrong(m, rules.Resource, "\"Resource\" should be a URI, such as the ARN of a function, but is %s", quote(text))
		d.Severity = Warning // its meaning is up to whoever runs the task
	}
}

// credentials reads a Task state's Credentials, which name a role.
func (b *builder) credentials(s *State, m *NodeMember) *TemplateField {
	if m.Node.Kind == value.KindObject && m.Node.Get("RoleArn") == nil && m.Node.Get("RoleArn"+template.Suffix) == nil {
		d := b.missing(m.Node, "\"Credentials\"", "RoleArn")
		d.Severity = Warning // the service refuses it, the language lets an interpreter decide
		d.Service.Message = "The field 'RoleArn' is required but was missing"
	}
	return b.payload(s, m)
}

// branches reads the branches of a Parallel state.
func (b *builder) branches(s *State, m *NodeMember) {
	if !b.kind(m, value.KindArray) {
		return
	}
	if len(m.Node.Items) == 0 {
		b.wrong(m, rules.EmptyArray, "\"Branches\" must have at least one branch")
	}
	for i, n := range m.Node.Items {
		if n.Kind != value.KindObject {
			b.report(n, n.Span, rules.Type, "a branch must be an object, but is %s", describe(n))
			continue
		}
		index := itoa(i)
		branch := &Scope{Kind: BranchScope, Container: s, Branch: i}
		s.Branches = append(s.Branches, b.scope(n, branch, s.Pointer+"/Branches/"+index, s.path+"/Branches["+index+"]/", "a branch", branchFields))
	}
}
