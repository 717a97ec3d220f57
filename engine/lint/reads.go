package lint

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/jsonata"
	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
)

// read is one place where a state reads something.
type read struct {
	node  *source.Node
	field string // of the state, "Parameters"
	text  string // as it is shown: "$.order.id"
	at    asl.Document
	root  path.RootKind
	// variable is the name of the variable; names are the members asked for, up to the first part that is no name.
	variable string
	names    []string
	// whole: names are the whole path, so that nothing there is a fault. optional: the state asks first.
	whole, optional bool
}

// stateReads holds a state and its reads.
type stateReads struct {
	state  *asl.State
	reads  []read
	faults []callFault
}

// callFault is a call of an intrinsic function that can never work.
type callFault struct {
	node *source.Node
	err  error
}

// calls notes the calls of intrinsic functions that can never work.
func (c *checker) calls(states []stateReads) {
	for _, s := range states {
		for _, f := range s.faults {
			c.warn(f.node, rules.CallFails, "this call can never work: %v", f.err)
		}
	}
}

// readAll collects the reads of every state.
func (c *checker) readAll() []stateReads {
	var list []stateReads
	for s := range c.machine.All() {
		if s.Node == nil || s.Type == 0 {
			continue
		}
		r := reader{state: s}
		for i := range s.Node.Members {
			r.member(&s.Node.Members[i])
		}
		r.guard()
		list = append(list, stateReads{s, r.found, r.faults})
	}
	return list
}

// reader collects the reads of one state.
type reader struct {
	state  *asl.State
	field  string
	at     asl.Document
	found  []read
	faults []callFault
	// asked are the paths whose presence the state tests.
	asked map[string]bool
}

// member reads one field of the state, by its row in the table of fields.
func (r *reader) member(m *source.NodeMember) {
	f := asl.FieldOf(r.state.Type, m.Key)
	if f == nil {
		return
	}
	r.field, r.at = m.Key, f.Reads
	switch {
	case f.Content == asl.ContentRules:
		for _, rule := range m.Node.Items {
			r.rule(rule)
		}
	case f.Content == asl.ContentItemsPath && r.state.ItemReader != nil: // beside one it is not looked at, as was recorded
	default:
		r.content(m, f)
	}
}

// content reads a field, or a part of one, by the kind of its text.
func (r *reader) content(m *source.NodeMember, f *asl.Field) {
	switch {
	case f.Content == asl.ContentPath:
		r.path(m.Node)
	case f.Content.Evaluated():
		r.template(m)
	case m.Node.Kind == value.KindArray:
		for _, item := range m.Node.Items {
			r.parts(item, f)
		}
	default:
		r.parts(m.Node, f)
	}
}

// parts reads the members of an object that are parts of a field.
func (r *reader) parts(n *source.Node, owner *asl.Field) {
	for i := range n.Members {
		if f := owner.Part(n.Members[i].Key); f != nil {
			r.content(&n.Members[i], f)
		}
	}
}

// rule reads a choice rule with the rules in it.
func (r *reader) rule(n *source.Node) {
	variable, _ := source.TextOf(n.Get("Variable"))
	if n.Get("IsPresent") != nil {
		if r.asked == nil {
			r.asked = make(map[string]bool)
		}
		r.asked[variable] = true
	}
	for i := range n.Members {
		m := &n.Members[i]
		switch {
		case m.Key == asl.And || m.Key == asl.Or:
			for _, inner := range m.Node.Items {
				r.rule(inner)
			}
		case m.Key == asl.Not:
			r.rule(m.Node)
		case m.Key == "Variable":
			r.path(m.Node)
		case m.Key == "Assign" || m.Key == "Output" || m.Key == "Condition" || strings.HasSuffix(m.Key, "Path"):
			r.template(m)
		}
	}
}

// guard marks the reads of data whose presence the state tests first.
func (r *reader) guard() {
	for i := range r.found {
		for asked := range r.asked {
			if text := r.found[i].text; text == asked || strings.HasPrefix(text, asked+".") || strings.HasPrefix(text, asked+"[") {
				r.found[i].optional = true
			}
		}
	}
}

// template reads a field that is a template, an expression, or a path by its name.
func (r *reader) template(m *source.NodeMember) {
	text, isText := source.TextOf(m.Node)
	switch {
	case isText && r.state.QueryLanguage == asl.JSONata:
		if template.IsExpression(text) {
			r.expression(m.Node, text[2:len(text)-2])
		}
	case isText && (strings.HasSuffix(m.Key, template.Suffix) || strings.HasSuffix(m.Key, "Path")):
		r.path(m.Node)
	}
	for i := range m.Node.Members {
		inner := &m.Node.Members[i]
		if _, isText := source.TextOf(inner.Node); isText && r.state.QueryLanguage == asl.JSONPath && !strings.HasSuffix(inner.Key, template.Suffix) {
			continue // a plain string, even where its key ends in Path
		}
		r.template(inner)
	}
	for _, item := range m.Node.Items {
		r.template(&source.NodeMember{Node: item})
	}
}

// path reads a string that is a path or a call of an intrinsic function.
func (r *reader) path(n *source.Node) {
	text, ok := source.TextOf(n)
	if !ok {
		return
	}
	if strings.HasPrefix(text, "$") {
		if p, err := path.Parse(text); err == nil {
			r.add(n, p)
		}
		return
	}
	if call, err := template.Parse(text); err == nil {
		if fault := call.Fault(); fault != nil {
			r.faults = append(r.faults, callFault{n, fault})
		}
		for p := range call.Paths() {
			r.add(n, p)
		}
	}
}

func (r *reader) add(n *source.Node, p *path.Path) {
	found := read{node: n, field: r.field, text: p.String(), at: r.at, root: p.Root(), variable: p.Variable(), whole: true}
	for i := range p.Len() {
		segment := p.Segment(i)
		if segment.Kind != path.NameSegment {
			found.whole = false
			break
		}
		found.names = append(found.names, segment.Name)
	}
	if !p.Definite() && p.Root() == path.DataRoot { // it gives an empty array where nothing is found
		found.optional = true
	}
	r.found = append(r.found, found)
}

// expression adds the reads of a JSONata expression.
func (r *reader) expression(n *source.Node, text string) {
	compiled, err := jsonata.Compile(text, jsonata.StepFunctions())
	if err != nil {
		return
	}
	// An expression may ask whether something is there, or fall back on something else.
	asks := strings.Contains(text, "$exists") || strings.ContainsAny(text, "?")
	for _, reference := range compiled.References() {
		found := read{node: n, field: r.field, at: r.at, optional: asks, whole: false}
		switch {
		case reference.Name == "states":
			r.statesMember(&found, reference, strings.TrimSpace(text))
		case reference.Name == "" || reference.Name == "$" || reference.Called: // a call is no read of a variable
			continue
		default:
			found.root, found.variable, found.text = path.VariableRoot, reference.Name, "$"+reference.Name
		}
		if found.text != "" {
			r.found = append(r.found, found)
		}
	}
}

// statesMember reads a member of $states. Nothing there is a fault only where the expression is that path alone: in a
// larger one it may be intended.
func (r *reader) statesMember(found *read, reference jsonata.Reference, text string) {
	if len(reference.Fields) == 0 {
		return
	}
	found.text = "$states." + strings.Join(reference.Fields, ".")
	found.names = reference.Fields[1:]
	found.whole = text == found.text
	found.optional = found.optional || !found.whole
	switch reference.Fields[0] {
	case "input":
		found.at = asl.RawInput
	case "result":
		found.at = asl.RawResult
	case "errorOutput":
		found.at = asl.ErrorOutput
	case "context":
		found.root = path.ContextRoot
		found.optional = false
	default:
		found.text = ""
	}
}
