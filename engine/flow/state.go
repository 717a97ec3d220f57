package flow

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/source"
	"asldb/engine/value"
)

// visit is the computation of one state for one shape of its input.
type visit struct {
	*pass
	state     *asl.State
	variables *Shape
	sites     *sites // nil until everything is settled
	// item is the shape of $$.Map.Item.Value where an ItemSelector is evaluated.
	item    *Shape
	inItem  bool
	stopped bool // the state certainly fails
	failed  bool // it has, on one way
	went    bool // it has ended without failure
	lenient bool
	ways    []way

	raw, effective, result *Shape
}

// through computes a state for one shape of its input. Faults go to the sites, if there are any.
func (p *pass) through(s *asl.State, raw *Shape, in *input, sites *sites) *visit {
	v := &visit{pass: p, state: s, variables: in.variables, lenient: in.lenient, sites: sites, raw: raw}
	switch {
	case p.options.Damage.States[s] || in.unknown == notComputed:
		v.damaged()
	case s.QueryLanguage == asl.JSONata:
		v.query()
	default:
		v.paths()
	}
	return v
}

// stop notes that the state fails.
func (v *visit) stop() {
	v.failed = true
	v.stopped = !v.lenient
}

// to goes on to a state.
func (v *visit) to(name string, data, variables *Shape) {
	if next := v.state.Scope.Meant(name); next != nil {
		v.ways = append(v.ways, way{next, data, variables})
	}
}

// end goes on to Next, or ends the scope.
func (v *visit) end(data, variables *Shape) {
	s := v.state
	if v.stopped || s.Type == asl.Fail {
		return
	}
	v.went = true
	switch {
	case s.Terminal():
		if v.sites == nil {
			v.exit(s.Scope, data)
		}
	default:
		v.to(s.Next, data, variables)
	}
}

// paths computes a JSONPath state.
func (v *visit) paths() {
	s := v.state
	v.effective = v.selected("InputPath", s.InputPath, v.raw)
	if v.stopped {
		return
	}
	switch s.Type {
	case asl.Choice:
		v.choice()
		return
	case asl.Wait:
		v.quantities(asl.StageWait)
		v.finish(v.effective, v.effective)
		return
	case asl.Succeed:
		v.finish(v.effective, v.effective)
		return
	case asl.Fail:
		v.failure()
		return
	default:
	}
	v.quantities(asl.StageLimits)
	payload := v.effective
	if m := member(s.Node, "Parameters"); m != nil && s.Parameters != nil {
		payload = v.template(m, v.effective)
	}
	if c := member(s.Node, "Credentials"); c != nil {
		v.template(c, v.effective)
	}
	if v.stopped {
		return
	}
	v.caught()
	if !v.work(payload) {
		return
	}
	selected := v.result
	if m := member(s.Node, "ResultSelector"); m != nil {
		selected = v.template(m, v.result)
	}
	v.finish(v.result, v.placed(s.ResultPath, selected, v.raw))
}

// finish ends a JSONPath state: Assign reads one document, OutputPath the output.
func (v *visit) finish(assign, output *Shape) {
	if v.stopped {
		return
	}
	variables := v.assigned(v.state.Node, assign)
	exit := v.selected("OutputPath", v.state.OutputPath, output)
	v.end(exit, variables)
}

// work sets the result of a state that works; false where it cannot end.
func (v *visit) work(payload *Shape) bool {
	s := v.state
	switch s.Type {
	case asl.Pass:
		v.result = payload
		if s.Result != nil {
			made := v.space.Of(s.Result.Value)
			v.result = v.space.Because(made, s, s.Result.Span, "the Result of "+s.Name+" "+made.Has())
		}
	case asl.Task:
		v.result = v.answer()
	case asl.Parallel:
		return v.branches(payload)
	case asl.Map:
		return v.iterations()
	default:
	}
	return true
}

// branches goes into the branches of a Parallel state; its result is there when all of them end.
func (v *visit) branches(payload *Shape) bool {
	s := v.state
	var results []*Shape
	all := true
	for _, branch := range s.Branches {
		if first := branch.Meant(branch.StartAt); first != nil && v.sites == nil {
			v.enter(first, payload, v.variables)
		}
		result, ends := v.exits[branch]
		results = append(results, result)
		all = all && ends
	}
	v.result = v.space.Because(v.space.Array(results...), s, s.NameSpan, "the result of a Parallel state such as "+s.Name+" is an array, with one item for each branch")
	return all && v.settled()
}

// settled reports whether all states inside of the container are computed; else the container is computed again when they are.
func (v *visit) settled() bool {
	depth := 1
	for c := v.state.Scope.Container; c != nil; c = c.Scope.Container {
		depth++
	}
	for ; depth < len(v.pending); depth++ {
		if len(v.pending[depth]) > 0 {
			v.queue(v.state, v.inputs[v.state])
			return false
		}
	}
	return true
}

// iterations goes into the iterations of a Map state.
func (v *visit) iterations() bool {
	s := v.state
	item := v.iteration()
	if v.stopped || s.Processor == nil {
		return false
	}
	variables := v.variables
	if s.Distributed() { // its iterations are executions of their own
		variables = v.space.Object(nil, false)
	}
	if first := s.Processor.Meant(s.Processor.StartAt); first != nil && v.sites == nil {
		v.enter(first, item, variables)
	}
	result, ends := v.exits[s.Processor]
	if s.ResultWriter != nil {
		v.result = v.written()
		ends = ends && !v.stopped
	} else {
		v.result = v.space.Because(v.space.ArrayOf(result), s, s.NameSpan, "the result of a Map state such as "+s.Name+" is an array, with one item for each iteration")
	}
	return ends && v.settled()
}

// written evaluates the parameters of a ResultWriter, and returns the result of a Map that has one: where the outputs are, or their
// descriptions.
func (v *visit) written() *Shape {
	s := v.state
	n := s.Node.Get("ResultWriter")
	for _, field := range []string{"Parameters", "Arguments"} {
		if m := member(n, field); m != nil {
			v.either(m, v.effective)
		}
	}
	if s.ResultWriter.Resource == "" {
		return nil
	}
	text := Scalar(String, nil)
	details := v.space.Object([]Member{{Name: "Bucket", Shape: text}, {Name: "Key", Shape: text}}, false)
	made := v.space.Object([]Member{{Name: "MapRunArn", Shape: text}, {Name: "ResultWriterDetails", Shape: details}}, false)
	return v.space.Because(made, s, s.ResultWriter.Span, "the ResultWriter of "+s.Name+" writes the outputs elsewhere: the result is an object with MapRunArn and ResultWriterDetails")
}

// bounds reads the bounds in an ItemReader and an ItemBatcher; those of the state itself are read with its limits.
func (v *visit) bounds() {
	for _, m := range asl.FlowOf(v.state, true).Work {
		for _, part := range m.Parts() {
			if m.Stage != asl.StageLimits || part.Node == nil || !strings.Contains(part.At, "/") {
				continue
			}
			text, _ := part.Node.Value.(value.String)
			if p, err := path.Parse(string(text)); err == nil && part.Field.Content == asl.ContentQuantityPath {
				v.read(part.Node, part.Field.Name, p, v.effective)
			}
		}
	}
}

// iteration returns the input of a Map state's iterations.
func (v *visit) iteration() *Shape {
	s := v.state
	jsonata := s.QueryLanguage == asl.JSONata
	v.bounds()
	var items *Shape
	switch {
	case s.ItemReader != nil:
		v.readerParts()
	case jsonata:
		items = v.items()
	default:
		items = v.itemsPath()
	}
	if v.stopped {
		return nil
	}
	if s.ItemReader == nil {
		v.item = v.space.AnyItem(items)
		if jsonata {
			v.item = v.space.Each(items, v.itemOfQuery)
		}
		if v.item.Kind() == Absent {
			v.item = nil
		}
	}
	v.inItem = true
	defer func() { v.inItem = false }()
	input := v.item
	for _, field := range []string{"ItemSelector", "Parameters"} {
		if m := member(s.Node, field); m != nil && s.ItemSelector != nil {
			if jsonata {
				input = v.queryTemplate(m.Node, field, nil)
			} else {
				input = v.template(m, v.effective)
			}
			break
		}
	}
	if m := member(s.Node, "ItemBatcher"); m != nil {
		return v.batch(m.Node, input)
	}
	return input
}

// itemOfQuery returns the item of a JSONata Map's Items, which may be an object: its items have Key and Value.
func (p *pass) itemOfQuery(items *Shape) *Shape {
	if items.Kind() == Array {
		return p.space.AnyItem(items)
	}
	return nil
}

// batch returns the input of an iteration with a batch of items.
func (v *visit) batch(n *source.Node, item *Shape) *Shape {
	members := []Member{{Name: "Items", Shape: v.space.ArrayOf(item)}}
	if m := member(n, "BatchInput"); m != nil {
		members = append(members, Member{Name: "BatchInput", Shape: v.either(m, v.effective)})
	}
	return v.space.Because(v.space.Object(members, false), v.state, n.Span, "the ItemBatcher of "+v.state.Name+" gives an object with Items")
}

// either evaluates a template in the state's query language.
func (v *visit) either(m *source.NodeMember, data *Shape) *Shape {
	if v.state.QueryLanguage == asl.JSONata {
		return v.queryTemplate(m.Node, m.Key, nil)
	}
	return v.template(m, data)
}

// readerParts evaluates the parameters of an ItemReader.
func (v *visit) readerParts() {
	reader := v.state.Node.Get("ItemReader")
	for _, field := range []string{"Parameters", "Arguments"} {
		if m := member(reader, field); m != nil {
			v.either(m, v.effective)
		}
	}
	config := reader.Get("ReaderConfig")
	if q := v.state.ItemReader.Config.MaxItems; q != nil && q.Path != nil && config.Get(q.Field) != nil {
		n := config.Get(q.Field)
		found := v.read(n, "ItemReader", q.Path, v.effective)
		v.typed(&use{node: n, span: n.Span, field: "ItemReader", text: q.Path.String(), shape: found, place: q.Field + " takes", takes: []Kind{Number}, numeric: true, bound: counts})
	}
}

// itemsPath returns the items of a JSONPath Map state.
func (v *visit) itemsPath() *Shape {
	items := v.effective
	var n *source.Node
	text := "the input"
	if p := v.state.ItemsPath; p != nil && !p.Null {
		n = v.state.Node.Get("ItemsPath")
		items = v.read(n, "ItemsPath", p.Path, v.effective)
		text = p.Path.String()
	} else {
		n = v.state.Node
	}
	v.typed(&use{node: n, span: v.spanOf(n), field: "ItemsPath", text: text, shape: items, place: "a Map state iterates over", takes: []Kind{Array}})
	return items
}

func (v *visit) spanOf(n *source.Node) source.Span {
	if n == v.state.Node {
		return v.state.NameSpan
	}
	return n.Span
}

// failure evaluates the fields of a Fail state.
func (v *visit) failure() {
	for _, f := range []*asl.TextField{v.state.Error, v.state.Cause} {
		if f == nil {
			continue
		}
		n := v.state.Node.Get(f.Field)
		var found *Shape
		switch {
		case f.Path != nil:
			found = v.read(n, f.Field, f.Path, v.raw)
		case f.Intrinsic != nil:
			found = v.text(n, f.Field, v.raw)
		default:
			continue
		}
		v.typed(&use{node: n, span: n.Span, field: f.Field, text: value.Plain(n.Value), shape: found, place: f.Field + " takes", takes: []Kind{String}})
	}
}

// quantities evaluates the paths to numbers and timestamps of a stage.
func (v *visit) quantities(stage asl.Stage) {
	for _, f := range asl.FieldsAt(v.state.Type, asl.JSONPath, stage) {
		q := f.QuantityIn(v.state)
		if q == nil || q.Path == nil || q.Field != f.Name {
			continue
		}
		n := v.state.Node.Get(q.Field)
		if n == nil {
			continue
		}
		found := v.read(n, q.Field, q.Path, v.effective)
		u := &use{node: n, span: n.Span, field: q.Field, text: q.Path.String(), shape: found, place: q.Field + " takes", takes: []Kind{Number}, numeric: true, bound: boundOf(q.Field)}
		if q.Field == "TimestampPath" {
			u.takes, u.numeric = []Kind{String}, false
		}
		v.typed(u)
	}
}

// selected returns the result of InputPath or OutputPath.
func (v *visit) selected(field string, p *asl.PathField, data *Shape) *Shape {
	if p == nil {
		return data
	}
	if p.Null {
		return v.space.Because(v.space.Object(nil, false), v.state, p.Span, field+" of "+v.state.Name+" is null: the data are an empty object")
	}
	n := v.state.Node.Get(field)
	found := v.read(n, field, p.Path, data)
	if p.Path.Len() == 0 || p.Path.Root() != path.DataRoot {
		return found
	}
	return v.space.Because(found, v.state, p.Span, field+" of "+v.state.Name+" keeps only "+p.Path.String())
}

// placed returns the output of ResultPath.
func (v *visit) placed(p *asl.PathField, result, raw *Shape) *Shape {
	s := v.state
	switch {
	case p == nil && (s.Type != asl.Pass || s.Result != nil || s.Parameters != nil):
		return v.space.Because(result, s, s.NameSpan, "without ResultPath the result of "+s.Name+" takes the place of its whole input")
	case p == nil:
		return result
	case p.Null:
		return raw
	default:
		return v.set(raw, p.Path, result)
	}
}

func (v *visit) set(raw *Shape, p *path.Path, result *Shape) *Shape {
	list, plain := namesOf(p)
	if !plain {
		return nil
	}
	if len(list) > 0 && p.Root() == path.DataRoot && raw.Kind() != Unknown {
		n := v.state.Node.Get("ResultPath")
		if n != nil {
			v.typed(&use{node: n, span: n.Span, field: "ResultPath", text: "the input", shape: raw, place: "ResultPath " + p.String() + " adds to", takes: []Kind{Object}})
		}
	}
	return v.space.Set(raw, list, result)
}

// caught goes along the catchers of a JSONPath state.
func (v *visit) caught() {
	s := v.state
	list := s.Node.Get("Catch")
	for i, c := range s.Catch {
		n := list.Item(i)
		if n == nil {
			continue
		}
		caught := v.errorOutput(c.Span)
		variables := v.assigned(n, caught)
		data := v.raw
		switch p := c.ResultPath; {
		case p == nil:
			data = v.space.OnWay(caught, s, c.Span, "the catcher of "+s.Name+" replaces the data by the Error Output (no ResultPath)")
		case !p.Null:
			data = v.set(v.raw, p.Path, caught)
		}
		v.to(c.Next, data, variables)
	}
}

// errorOutput returns the Error Output that a catcher takes.
func (v *visit) errorOutput(span source.Span) *Shape {
	text := v.space.Either(Scalar(String, nil), Scalar(Null, nil))
	made := v.space.Object([]Member{{Name: "Error", Shape: text}, {Name: "Cause", Shape: text}}, false)
	return v.space.OnWay(made, v.state, span, "a catcher of "+v.state.Name+" gives the Error Output: Error and Cause")
}

// assigned returns the variables after the Assign of a state, a choice rule or a catcher.
func (v *visit) assigned(n *source.Node, data *Shape) *Shape {
	m := member(n, "Assign")
	if m == nil {
		return v.variables
	}
	made := v.template(m, data)
	variables := v.variables
	for _, one := range made.Members() {
		variables = v.space.Set(variables, []string{one.Name}, one.Shape)
	}
	return variables
}

func member(n *source.Node, key string) *source.NodeMember {
	if n == nil {
		return nil
	}
	for i := range n.Members {
		if n.Members[i].Key == key {
			return &n.Members[i]
		}
	}
	return nil
}

// namesOf returns the names of a path, false where it has other segments.
func namesOf(p *path.Path) (names []string, plain bool) {
	for i := range p.Len() {
		segment := p.Segment(i)
		if segment.Kind != path.NameSegment {
			return nil, false
		}
		names = append(names, segment.Name)
	}
	return names, true
}
