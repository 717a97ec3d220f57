package asl

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
)

// stateFields reads every field of a state.
func (b *builder) stateFields(s *State) {
	types := b.stateType(s)
	b.stateLanguage(s)
	for i := range s.Node.Members {
		m := &s.Node.Members[i]
		known := fieldIndex.byName[m.Key]
		if known == nil {
			b.unknownStateField(s, m, types)
			continue
		}
		f := known[s.Type]
		if s.Type == 0 {
			f = FieldNamed(m.Key)
		}
		switch {
		case f == nil:
			b.notSupported(b.wrongKey(m, rules.WrongStateType, "a %s state has no field %s", s.Type, quote(m.Key)), m)
		case b.allowed(s, m, f.Language):
			b.stateField(s, m, f)
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
		before := len(b.diagnostics)
		if s.Type = wordIn(b.reporter, m, stateTypes); s.Type == 0 {
			if m.Node.IsText() && len(b.diagnostics) > before {
				b.diagnostics[before].Service.Message = "The field 'Type' should have one of these values: [Task, Wait, Pass, Succeed, Fail, Choice, Parallel, Map]"
			}
			return onAll
		}
		return 1 << s.Type
	}
	return onAll
}

func (b *builder) stateLanguage(s *State) {
	for i := range s.Node.Members {
		m := &s.Node.Members[i]
		if m.Key != "QueryLanguage" {
			continue
		}
		s.QueryLanguage = b.queryLanguage(m)
		if s.QueryLanguage == JSONPath && b.machine.QueryLanguage == JSONata {
			const refusal = "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine"
			d := b.wrong(m, rules.WrongQueryLanguage, refusal+"; the service refuses it, the language allows it")
			d.Severity = Warning
			b.differs(d, rules.RefusesJSONPathInJSONata)
			d.Service = source.Reply{Message: refusal, Location: s.Pointer}
		}
	}
}

func (b *builder) unknownStateField(s *State, m *NodeMember, types typeSet) {
	owner := "a state"
	if s.Type != 0 {
		owner = "a " + s.Type.String() + " state"
	}
	d := b.wrongKey(m, rules.UnknownField, "%s has no field %s", owner, quote(m.Key))
	d.Expected, d.Found = "a field of "+owner, quote(m.Key)
	b.suggestField(d, s.Node, m.Key, fieldNames(types))
	b.notSupported(d, m)
}

// stateAsWhole checks the rules about several fields of a state.
func (b *builder) stateAsWhole(s *State, types typeSet) {
	if s.Type == 0 {
		if s.Node.Get("Type") == nil {
			d := b.missing(s.Node, "a state", "Type")
			d.Suggestion, d.Service.Message = "the types are "+strings.Join(stateTypes, ", "), "The field 'Type' is required"
		}
		return
	}
	owner := "a " + s.Type.String() + " state"
	for _, required := range requiredFields {
		if required.types&types != 0 && !slices.ContainsFunc(required.fields, func(f string) bool { return s.Node.Get(f) != nil }) {
			if len(required.fields) == 1 {
				b.missing(s.Node, owner, required.fields[0])
			} else {
				own := slices.DeleteFunc(slices.Clone(required.fields), func(f string) bool { return !FieldOf(s.Type, f).In(s.QueryLanguage) })
				d := b.lacks(s.Node, required.fields, s.Span, rules.MissingField, "%s must have the field %s", owner, oneOf(own))
				if s.Type == Wait && s.QueryLanguage == JSONPath { // of others the service's words are not known
					d.Service.Message = oneOfMessage(required.fields)
				}
			}
		}
	}
	if s.Type == Fail {
		b.differs(b.withoutField(s, owner, "Error"), rules.RefusesFailWithoutError)
		b.differs(b.withoutField(s, owner, "Cause"), rules.RefusesFailWithoutCause)
	}
	for _, group := range exclusiveFields {
		if group.types&types != 0 {
			b.exclusive(s.Node, group.fields...)
		}
	}
	if FieldOf(s.Type, "Next") != nil {
		b.nextOrEnd(s, owner)
	}
	b.heartbeatBelowTimeout(s)
}

// withoutField notes that a state lacks a field, if it does.
func (b *builder) withoutField(s *State, owner, field string) *Diagnostic {
	misspelt := func(m misspelling) bool { return m.object == s.Node && m.meant == field }
	if s.Node.Get(field) != nil || slices.ContainsFunc(b.misspelt, misspelt) {
		return nil
	}
	return b.missing(s.Node, owner, field)
}

func (b *builder) nextOrEnd(s *State, owner string) {
	next, end := s.Node.Get("Next"), s.Node.Get("End")
	switch {
	case next != nil && s.End:
		b.exclusive(s.Node, "Next", "End")
	case next == nil && end == nil:
		d := b.lacks(s.Node, []string{"Next", "End"}, s.Span, rules.MissingTransition, "%s must have \"Next\" or \"End\": true", owner)
		d.Found, d.Service.Message = fieldsOf(s.Node), oneOfMessage([]string{"Next", "End"})
	case next == nil && end.Kind == value.KindBool && !s.End:
		b.lacks(s.Node, []string{"Next"}, end.Span, rules.MissingTransition, "%s with \"End\": false must have \"Next\"", owner).Suggestion =
			"add \"Next\", or write \"End\": true"
	}
}

// heartbeatBelowTimeout checks that a heartbeat comes before the timeout, where both are literal.
func (b *builder) heartbeatBelowTimeout(s *State) {
	if n := s.Node.Get("TimeoutSeconds"); n != nil && n.Unknown {
		return
	}
	timeout, okT := s.TimeoutSeconds.whole()
	if heartbeat, okH := s.HeartbeatSeconds.whole(); okT && okH && heartbeat >= timeout {
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

// stateField reads one field that the state may have, by the kind of its text.
func (b *builder) stateField(s *State, m *NodeMember, f *Field) {
	switch f.Content {
	case ContentWord: // Type and QueryLanguage are read before the others
	case ContentComment:
		*f.slot.word(s) = b.comment(m)
	case ContentFlag:
		if b.kind(m, value.KindBool) {
			s.End = bool(m.Node.Value.(value.Bool))
		}
	case ContentName:
		b.successor(s, m, f)
	case ContentURI:
		*f.slot.word(s) = b.resource(m)
	case ContentLabel:
		*f.slot.word(s) = b.label(m)
	case ContentRules:
		b.choices(s, m)
	case ContentRetriers:
		b.retry(s, m)
	case ContentCatchers:
		b.catch(s, m)
	case ContentBranches:
		b.branches(s, m)
	case ContentProcessor:
		b.processor(s, m)
	case ContentReader:
		s.ItemReader = b.itemReader(s, m, f)
	case ContentBatcher:
		s.ItemBatcher = b.itemBatcher(s, m, f)
	case ContentWriter:
		s.ResultWriter = b.resultWriter(s, m, f)
	default:
		b.dataField(s, m, f)
	}
}

// dataField reads a field that data are made of.
func (b *builder) dataField(s *State, m *NodeMember, f *Field) {
	switch f.Content {
	case ContentPath:
		*f.slot.path(s) = b.path(m)
	case ContentItemsPath:
		if p := b.reference(m, "a Reference Path"); p != nil {
			*f.slot.path(s) = &PathField{Path: p, Span: m.Node.Span}
		}
	case ContentResultPath:
		*f.slot.path(s) = b.resultPath(m)
	case ContentLiteral:
		*f.slot.template(s) = &TemplateField{Value: m.Node.Value, Span: m.Node.Span}
	case ContentTemplate:
		if s.QueryLanguage == JSONata {
			*f.slot.template(s) = b.query(s, m, m.Key, f)
		} else {
			if m.Node.Kind != value.KindObject {
				b.differs(b.mustBe(m, rules.Type, "an object", describe(m.Node)), rules.RefusesOtherPayloads)
			}
			*f.slot.template(s) = b.template(m)
		}
	case ContentPayload:
		*f.slot.template(s) = b.payload(s, m, f)
	case ContentRole:
		*f.slot.template(s) = b.credentials(s, m, f)
	case ContentAssign:
		*f.slot.template(s) = b.assign(s, m, "", f)
	case ContentItems:
		*f.slot.template(s) = b.items(s, m, f)
	case ContentCount, ContentQuantityPath:
		*f.slot.quantity(s) = b.quantity(s, m, f)
	case ContentPercentage:
		*f.slot.quantity(s) = b.percentage(s, m, f)
	case ContentTimestamp:
		*f.slot.quantity(s) = b.timestamp(s, m, f)
	case ContentText, ContentTextPath:
		*f.slot.text(s) = b.failText(s, m, f)
	default:
		panic(fmt.Sprintf("no reader of the content %d of %s", f.Content, f.Name))
	}
}

// successor reads the name of the state to go to: Next or Default.
func (b *builder) successor(s *State, m *NodeMember, f *Field) {
	kind := EdgeNext
	if f.Name == "Default" {
		kind = EdgeDefault
	}
	if name, ok := b.text(m); ok {
		*f.slot.word(s) = name
		b.transition(s, kind, 0, m, name)
	}
}

// resource reads a Task state's Resource: a URI. A ${placeholder} may be in it, for templates that are
// filled in before they are deployed.
func (b *builder) resource(m *NodeMember) string {
	text, ok := b.text(m)
	if !ok {
		return ""
	}
	opened := strings.Index(text, "${")
	switch {
	case opened >= 0:
		if !strings.Contains(text[opened:], "}") {
			b.wrong(m, rules.Resource, "\"Resource\" has a placeholder ${ that is not closed with }: %s", quote(text))
		}
	case !strings.Contains(text, ":"):
		d := b.wrong(m, rules.Resource, "\"Resource\" should be a URI, such as the ARN of a function, but is %s", quote(text))
		d.Severity = Warning // its meaning is up to the program that runs the task
		b.differs(d, rules.RefusesResourceWithoutScheme)
		d.Expected, d.Found = "a URI", quote(text)
		d.Service.Message = "Value is not a valid resource ARN"
		name := cmp.Or(text, "NAME")
		d.Suggestion = "write arn:aws:lambda:REGION:ACCOUNT:function:" + name + ", or arn:aws:states:::SERVICE:ACTION"
	}
	return text
}

// credentials reads a Task state's Credentials, which name a role.
func (b *builder) credentials(s *State, m *NodeMember, f *Field) *TemplateField {
	if m.Node.Kind == value.KindObject && m.Node.Get("RoleArn") == nil && m.Node.Get("RoleArn"+template.Suffix) == nil {
		d := b.missing(m.Node, "\"Credentials\"", "RoleArn")
		d.Severity = Warning // the service refuses it, the language lets an interpreter decide
		d.Service.Message = "The field 'RoleArn' is required but was missing"
	}
	return b.payload(s, m, f)
}

// objects iterates over the objects in the array of a field, with their indexes, and reports the other members. one is the noun of a
// member, for messages.
func (b *builder) objects(m *NodeMember, one string) iter.Seq2[int, *Node] {
	return func(yield func(int, *Node) bool) {
		if !b.kind(m, value.KindArray) {
			return
		}
		if len(m.Node.Items) == 0 {
			b.wrong(m, rules.EmptyArray, "%q must have at least one %s", m.Key, one).Service.Message = emptyMessage
		}
		for i, n := range m.Node.Items {
			if n.Kind != value.KindObject {
				b.report(n, n.Span, rules.Type, "a %s must be an object, but is %s", one, describe(n))
			} else if !yield(i, n) {
				return
			}
		}
	}
}

// branches reads the branches of a Parallel state.
func (b *builder) branches(s *State, m *NodeMember) {
	for i, n := range b.objects(m, "branch") {
		index := strconv.Itoa(i)
		branch := &Scope{Kind: BranchScope, Container: s, Branch: i}
		s.Branches = append(s.Branches, b.scope(n, branch, s.Pointer+"/Branches/"+index, s.path+"/Branches["+index+"]/", "a branch", branchFields))
	}
}
