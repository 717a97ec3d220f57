package lint

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
)

// stations are the shapes that a state's data have on their way through it.
type stations struct {
	raw, effective, payload, result, assign, output *shape
	// exit is the input of the next state.
	exit *shape
}

// dataFlow computes the shape that the input of every state may have: that of the execution's input is unknown, and
// where ways meet, everything that one of them may have. So a member that is missing is missing on all ways.
type dataFlow struct {
	c      *checker
	in     map[*asl.State]*shape
	known  map[*asl.State]bool
	visits map[*asl.State]int
}

// maxVisits bounds how often a state's shape is computed again before nothing more is said of it.
const maxVisits = 12

// data looks for reads of data that no way to the state can provide.
func (c *checker) data(states []stateReads) {
	flow := dataFlow{c: c, in: make(map[*asl.State]*shape), known: make(map[*asl.State]bool), visits: make(map[*asl.State]int)}
	flow.scope(c.machine.Top, nil)
	for _, s := range states {
		c.lostInput(s.state)
		if !flow.known[s.state] {
			continue
		}
		at := flow.through(s.state)
		for _, r := range s.reads {
			if r.root != path.DataRoot || r.optional || len(r.names) == 0 {
				continue
			}
			c.missing(s.state, &r, at.of(r.at))
		}
	}
}

// of returns the shape that a read sees; nil where nothing is known.
func (a *stations) of(d asl.Document) *shape {
	switch d {
	case asl.RawInput:
		return a.raw
	case asl.EffectiveInput:
		return a.effective
	case asl.RawResult:
		return a.result
	case asl.AssignInput:
		return a.assign
	case asl.StateOutput:
		return a.output
	case asl.NoDocument, asl.ErrorOutput:
	}
	return errorOutput()
}

// missing notes a read of something that its data cannot have.
func (c *checker) missing(s *asl.State, r *read, data *shape) {
	_, lacks, i, ok := data.get(r.names)
	if ok || lacks.kind != objectShape && i == 0 && len(lacks.why) == 0 {
		return
	}
	rule, where := rules.Discarded, "an earlier state has thrown it away"
	if lacks.by == s || lacks.by == nil {
		rule, where = rules.NeverProvided, "nothing in this state provides it"
	}
	whole := "the data"
	if i > 0 {
		whole = strings.Join(r.names[:i], ".")
	}
	d := c.warn(r.node, rule, "%s cannot be there: %s; %s %s", r.text, where, whole, lacks.has())
	d.Expected, d.Found = r.names[i], lacks.has()
	d.Reasons = append(d.Reasons, lacks.why...)
	d.Reasons = append(d.Reasons, asl.Reason{Text: r.field + " of " + s.Name + " reads " + r.text, Span: r.node.Span})
	if lacks.kind == objectShape {
		suggest(d, r.names[i], names(lacks.members))
	}
}

// lostInput hints at catchers that replace the whole input by the Error Output.
func (c *checker) lostInput(s *asl.State) {
	for _, catcher := range s.Catch {
		next := s.Scope.State(catcher.Next)
		if catcher.ResultPath == nil && s.QueryLanguage == asl.JSONPath && next != nil && next.Type != asl.Fail && next.Type != asl.Succeed {
			n := itemOf(s.Node.Get("Catch"), indexOf(s.Catch, catcher))
			if n != nil {
				c.hint(n, n.Span, rules.LostInput, "this catcher puts the Error Output in place of the input of %q: \"ResultPath\": \"$.error\" keeps both", s.Name)
			}
		}
	}
}

func indexOf(catchers []*asl.Catcher, wanted *asl.Catcher) int {
	for i, catcher := range catchers {
		if catcher == wanted {
			return i
		}
	}
	return len(catchers)
}

// scope goes over a scope until nothing changes, and then into the scopes in it.
func (f *dataFlow) scope(scope *asl.Scope, input *shape) {
	first := scope.State(scope.StartAt)
	if first == nil {
		return
	}
	f.in[first], f.known[first] = input, true
	for pending := []*asl.State{first}; len(pending) > 0; {
		s := pending[0]
		pending = pending[1:]
		at := f.through(s)
		for _, e := range s.Edges() {
			if f.enter(e.To, f.along(s, e, &at)) {
				pending = append(pending, e.To)
			}
		}
	}
	for _, s := range scope.States {
		if !f.known[s] {
			continue
		}
		at := f.through(s)
		for _, branch := range s.Branches {
			f.scope(branch, at.payload)
		}
		if s.Processor != nil {
			f.scope(s.Processor, f.iteration(s, &at))
		}
	}
}

// enter joins a shape to the input of a state, and reports whether it has changed.
func (f *dataFlow) enter(s *asl.State, data *shape) bool {
	if !f.known[s] {
		f.in[s], f.known[s] = data, true
		return true
	}
	before := f.in[s]
	if before == nil || before.covers(data, 0) {
		return false
	}
	f.visits[s]++
	if f.in[s] = join(before, data, 0); f.visits[s] > maxVisits {
		f.in[s] = nil
	}
	return true
}

// along returns the input of the next state along an edge.
func (f *dataFlow) along(s *asl.State, e asl.Edge, at *stations) *shape {
	switch {
	case e.Kind == asl.EdgeCatch:
		return f.caught(s, e.Index, at)
	case e.Kind == asl.EdgeChoice && s.QueryLanguage == asl.JSONata:
		if output := itemOf(s.Node.Get("Choices"), e.Index).Get("Output"); output != nil {
			return f.output(s, output)
		}
		return at.raw
	}
	return at.exit
}

func errorOutput() *shape {
	return &shape{members: map[string]*shape{"Error": {kind: scalarShape}, "Cause": nil}}
}

// caught returns the input of a catcher's next state.
func (f *dataFlow) caught(s *asl.State, index int, at *stations) *shape {
	catcher := s.Catch[index]
	if s.QueryLanguage == asl.JSONata && catcher.Output != nil {
		return f.output(s, itemOf(s.Node.Get("Catch"), index).Get("Output"))
	}
	caught := errorOutput().because(s, catcher.Span, "a catcher of "+s.Name+" gives the Error Output: Error and Cause")
	if p := catcher.ResultPath; p == nil || s.QueryLanguage == asl.JSONata {
		return caught.because(s, catcher.Span, "without ResultPath it takes the place of the whole input of "+s.Name)
	} else if p.Null {
		return at.raw
	}
	return setPath(at.raw, catcher.ResultPath.Path, caught)
}

// through computes the stations of a state from the shape of its input.
func (f *dataFlow) through(s *asl.State) stations {
	at := stations{raw: f.in[s]}
	if s.QueryLanguage == asl.JSONata {
		f.query(s, &at)
		return at
	}
	at.effective = f.selected(s, "InputPath", s.InputPath, at.raw)
	at.payload = at.effective
	if s.Parameters != nil {
		at.payload = f.template(s, "Parameters", at.effective)
	}
	at.result = f.result(s, &at)
	at.assign = at.result
	selected := at.result
	if s.ResultSelector != nil {
		selected = f.template(s, "ResultSelector", at.result)
	}
	switch s.Type {
	case asl.Choice, asl.Wait, asl.Succeed, asl.Fail:
		at.output, at.assign = at.effective, at.effective
	default:
		at.output = f.placed(s, selected, at.raw)
	}
	at.exit = f.selected(s, "OutputPath", s.OutputPath, at.output)
	return at
}

// result returns the shape of the work's result.
func (f *dataFlow) result(s *asl.State, at *stations) *shape {
	switch s.Type {
	case asl.Pass:
		if s.Result != nil {
			v := shapeOf(s.Result.Value, 0)
			return v.because(s, s.Result.Span, "the Result of "+s.Name+" "+v.has())
		}
		return at.payload
	case asl.Parallel:
		list := &shape{kind: arrayShape}
		return list.because(s, s.NameSpan, "the result of a Parallel state such as "+s.Name+" is an array, with one item for each branch")
	case asl.Map:
		if s.ResultWriter == nil {
			list := &shape{kind: arrayShape}
			return list.because(s, s.NameSpan, "the result of a Map state such as "+s.Name+" is an array, with one item for each iteration")
		}
	default:
	}
	return nil
}

// placed returns the output of ResultPath.
func (f *dataFlow) placed(s *asl.State, result, raw *shape) *shape {
	switch p := s.ResultPath; {
	case p == nil && (s.Type != asl.Pass || s.Result != nil || s.Parameters != nil):
		return result.because(s, s.NameSpan, "without ResultPath the result of "+s.Name+" takes the place of its whole input")
	case p == nil:
		return result
	case p.Null:
		return raw
	default:
		return setPath(raw, p.Path, result)
	}
}

func setPath(raw *shape, p *path.Path, v *shape) *shape {
	var list []string
	for i := range p.Len() {
		segment := p.Segment(i)
		if segment.Kind != path.NameSegment {
			return nil
		}
		list = append(list, segment.Name)
	}
	return raw.set(list, v)
}

// selected returns the result of InputPath or OutputPath.
func (f *dataFlow) selected(s *asl.State, field string, p *asl.PathField, data *shape) *shape {
	if p == nil {
		return data
	}
	if p.Null {
		empty := &shape{}
		return empty.because(s, p.Span, field+" of "+s.Name+" is null: the data are an empty object")
	}
	if p.Path.Root() != path.DataRoot || !p.Path.Plain() {
		return nil
	}
	found := lookup(data, p.Path)
	if p.Path.Len() == 0 {
		return found
	}
	return found.because(s, p.Span, field+" of "+s.Name+" keeps only "+p.Path.String())
}

// lookup returns the target of a path; nil where it is unknown or missing.
func lookup(data *shape, p *path.Path) *shape {
	if p.Root() != path.DataRoot {
		return nil
	}
	var list []string
	for i := range p.Len() {
		segment := p.Segment(i)
		if segment.Kind != path.NameSegment {
			return nil
		}
		list = append(list, segment.Name)
	}
	found, _, _, _ := data.get(list)
	return found
}

// template returns the shape of a payload template.
func (f *dataFlow) template(s *asl.State, field string, data *shape) *shape {
	m := member(s.Node, field)
	made := f.templateNode(m.Node, data, 0)
	if made == nil {
		return nil
	}
	return made.because(s, m.KeySpan, "the "+field+" of "+s.Name+" make a new value, which "+made.has())
}

func (f *dataFlow) templateNode(n *source.Node, data *shape, depth int) *shape {
	if depth > maxDepth {
		return nil
	}
	if n.Kind != value.KindObject {
		return shapeOf(n.Value, depth)
	}
	made := &shape{members: make(map[string]*shape, len(n.Members))}
	for i := range n.Members {
		m := &n.Members[i]
		name, evaluated := strings.CutSuffix(m.Key, template.Suffix)
		if !evaluated {
			made.members[name] = f.templateNode(m.Node, data, depth+1)
			continue
		}
		made.members[name] = nil
		if text, ok := textOf(m.Node); ok && strings.HasPrefix(text, "$") {
			if p, err := path.Parse(text); err == nil {
				made.members[name] = limit(lookup(data, p), depth+1)
			}
		}
	}
	return made
}

// limit cuts a shape at the greatest depth.
func limit(s *shape, depth int) *shape {
	if s == nil || depth > maxDepth {
		return nil
	}
	if len(s.members) == 0 {
		return s
	}
	twin := *s
	twin.members = make(map[string]*shape, len(s.members))
	for name, inner := range s.members {
		twin.members[name] = limit(inner, depth+1)
	}
	return &twin
}

// iteration returns the input of a Map state's iterations.
func (f *dataFlow) iteration(s *asl.State, at *stations) *shape {
	if s.ItemSelector == nil || s.ItemBatcher != nil || s.QueryLanguage == asl.JSONata {
		return nil
	}
	field := "ItemSelector"
	if member(s.Node, field) == nil {
		field = "Parameters"
	}
	return f.template(s, field, at.effective)
}

// query computes the stations of a JSONata state.
func (f *dataFlow) query(s *asl.State, at *stations) {
	at.effective, at.exit = at.raw, at.raw
	switch s.Type {
	case asl.Task, asl.Parallel, asl.Map:
		at.exit = nil
	default:
	}
	if output := s.Node.Get("Output"); output != nil {
		at.exit = f.output(s, output)
	}
}

// output returns the shape of a JSONata Output.
func (f *dataFlow) output(s *asl.State, n *source.Node) *shape {
	made := queryShape(n, 0)
	if made == nil {
		return nil
	}
	return made.because(s, n.Span, "the Output of "+s.Name+" "+made.has())
}

func queryShape(n *source.Node, depth int) *shape {
	text, ok := textOf(n)
	switch {
	case ok && template.IsExpression(text) || depth > maxDepth:
		return nil
	case n.Kind != value.KindObject:
		return shapeOf(n.Value, depth)
	}
	made := &shape{members: make(map[string]*shape, len(n.Members))}
	for i := range n.Members {
		made.members[n.Members[i].Key] = queryShape(n.Members[i].Node, depth+1)
	}
	return made
}
