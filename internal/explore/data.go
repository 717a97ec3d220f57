package explore

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/engine/services"
	"asldb/engine/value"
	"asldb/fixtures/starter"
)

// dataChanges returns the changes of data that a base suggests, and no other has: the boundary values of comparisons,
// lists with no, one and many items, and results without a member that may be missing.
func (x *exploration) dataChanges(base *Base) []*Change {
	c := x.collector(base, base.setting.log)
	for i := range c.log.Len() {
		event := c.log.At(i)
		if event.Type != engine.StateEntered {
			continue
		}
		switch state := event.Visit.State; state.Type {
		case asl.Choice:
			c.choice(i, event)
		case asl.Map:
			c.items(i, event)
		case asl.Task:
			c.members(state)
		case asl.Pass, asl.Wait, asl.Succeed, asl.Fail, asl.Parallel:
		}
	}
	return c.changes
}

// editsBehind returns the changes of data at the Choice and Map states that a run with other changes has entered, and
// that no earlier run has: in the order of its events, each of the data as they are in this run. Its base has the
// events before the one with index from.
func (x *exploration) editsBehind(base *Base, log *runlog.Log, from int) []*Change {
	c := x.collector(base, log)
	for i := from; i < log.Len(); i++ {
		event := log.At(i)
		if event.Type != engine.StateEntered {
			continue
		}
		switch event.Visit.State.Type {
		case asl.Choice:
			c.choice(i, event)
		case asl.Map:
			c.items(i, event)
		case asl.Task, asl.Pass, asl.Wait, asl.Succeed, asl.Fail, asl.Parallel:
		}
	}
	return c.changes
}

func (x *exploration) collector(base *Base, log *runlog.Log) *collector {
	c := &collector{
		base: base, setting: base.setting, log: log, seen: x.seen, all: x.options.Data, left: map[*asl.State]int{},
	}
	if base.setting.file == nil { // else the results may depend on the requests
		c.demands = x.demands
	}
	return c
}

// collector collects the changes of data of a base. Of a state only the first visit counts.
type collector struct {
	base    *Base
	setting *setting
	log     *runlog.Log
	seen    map[string]bool
	changes []*Change
	all     bool               // members that only a function's own code may leave out too
	demands *flow.Demands      // nil: all of a result may be read
	left    map[*asl.State]int // the number of members that were left out
}

// first reports whether something was not seen before.
func (c *collector) first(key string) bool {
	if c.seen[key] {
		return false
	}
	c.seen[key] = true
	return true
}

// visited is the key of a state whose data have been changed.
func visited(s *asl.State) string { return "state " + s.Path() }

// add adds the change of the value at a path of the data of a state, which was entered with event i, in the input or in
// the result that it comes from.
func (c *collector) add(i int, state *asl.State, text, aim string, v value.Value) {
	if !c.first("value " + state.Path() + " " + text + " " + aim) {
		return
	}
	data := c.log.At(i).After
	p, err := path.ParseReference(text)
	if err != nil {
		return
	}
	roots := &path.Roots{Data: data}
	if now := p.Find(roots); now == nil && v == nil || now != nil && v != nil && value.Equal(now, v) {
		return
	}
	change := &Change{Kind: Edited, State: state, Path: text, Value: v, Aim: aim}
	if !replaceable(data, p, v) {
		return
	}
	c.locate(change, i, p, p.Find(roots) == nil)
	c.changes = append(c.changes, change)
}

// locate finds the place from which the value of a change comes as it is: the input, or the first result of a task.
// Behind another change it is edited where it is read.
func (c *collector) locate(change *Change, i int, p *path.Path, absent bool) {
	if c.log != c.setting.log {
		return
	}
	if name, ok := memberOf(p); ok && c.setting.trail.fromInput(i, name) {
		if replaceable(c.setting.input, p, change.Value) {
			change.Kind, change.Path = Input, canonical(p)
		}
		return
	}
	text, rest := p.String(), ""
	if absent { // its parent, to which it is added
		if p.Len() == 0 || p.Segment(p.Len()-1).Kind != path.NameSegment {
			return
		}
		at := p.Offset(p.Len() - 1)
		text, rest = text[:at], text[at:]
	}
	hops, err := provenance.Of(c.log, i, text)
	if err != nil || len(hops) == 0 {
		return
	}
	for _, hop := range hops[:len(hops)-1] {
		if hop.Kind != provenance.Moved && (hop.Kind != provenance.ChangedInside || !absent) {
			return
		}
	}
	last := hops[len(hops)-1]
	switch last.Kind {
	case provenance.Input:
		if _, err := replaced(c.setting.input, last.To+rest, change.Value); err == nil {
			change.Kind, change.Path = Input, last.To+rest
		}
	case provenance.Result:
		visit := c.log.At(last.Event).Visit
		if visit == nil || visit.State.Type != asl.Task || !c.firstResult(last.Event) {
			return
		}
		outcome := c.setting.outcomes[visit.State][0]
		if outcome.Output == nil {
			return
		}
		changed, err := replaced(outcome.Output, last.To+rest, change.Value)
		if err != nil {
			return
		}
		outcome.Output = changed
		change.Kind, change.Source, change.Path, change.outcome = ResultValue, visit.State, last.To+rest, outcome
	default:
	}
}

// canonical writes a path of names and numbers.
func canonical(p *path.Path) string {
	text := "$"
	for i := range p.Len() {
		if s := p.Segment(i); s.Kind == path.NameSegment {
			text += path.Member(s.Name)
		} else {
			text += fmt.Sprintf("[%d]", s.Index)
		}
	}
	return text
}

// firstResult reports whether an event belongs to the first invocation of its task.
func (c *collector) firstResult(event int) bool {
	log := c.log
	visit := log.At(event).Visit
	for i := event; i >= 0; i-- {
		if e := log.At(i); e.Visit == visit && e.Type == engine.TaskScheduled {
			request, ok := e.Detail.(*engine.TaskRequest)
			return ok && request.Invocation == 1
		}
	}
	return false
}

// choice adds the boundary values of the comparisons of a Choice state.
func (c *collector) choice(i int, event *engine.Event) {
	state := event.Visit.State
	if !c.first(visited(state)) {
		return
	}
	for _, rule := range state.Choices {
		if rule.Test != nil {
			c.test(i, state, rule.Test)
		}
	}
	for _, m := range asl.FlowOf(state, true).Moves() {
		if m.To.Register != asl.RegisterDecision {
			continue
		}
		for _, rule := range m.Parts() {
			if rule.Expression != nil {
				c.condition(i, &rule)
			}
		}
	}
}

func (c *collector) test(i int, state *asl.State, t *asl.Test) {
	for _, operand := range t.Tests {
		c.test(i, state, operand)
	}
	operator := asl.OperatorNamed(t.Operator)
	if t.Variable == nil || operator == nil || t.Variable.Root() != path.DataRoot || t.Variable.Len() == 0 ||
		unfilled(t.Value) || unknownAt(state.Node.Get("Choices"), t) {
		return
	}
	prefix := ""
	if p := state.InputPath; p != nil && p.Path != nil && p.Path.String() != "$" {
		if p.Path.Root() != path.DataRoot {
			return
		}
		prefix = strings.TrimPrefix(p.Path.String(), "$")
	}
	text := "$" + prefix + strings.TrimPrefix(t.Variable.String(), "$")
	right := t.Value
	if t.Path != nil {
		data := c.log.At(i).After
		if prefix != "" {
			data = state.InputPath.Path.Find(&path.Roots{Data: data})
		}
		if right = t.Path.Find(&path.Roots{Data: data}); right == nil {
			return
		}
	}
	for _, b := range boundaries(operator, right) {
		if b.some {
			if b.value = c.some(i, state, text); b.value == nil {
				continue
			}
		}
		c.add(i, state, text, b.aim, b.value)
	}
}

// unfilled reports whether a text has the place of a value that nothing gave: ${Name}.
func unfilled(v value.Value) bool {
	text, ok := v.(value.String)
	return ok && strings.Contains(string(text), "${")
}

// blank returns the first name in a text, as ${Name}, that the definition has without a value; empty: there is none.
func (x *exploration) blank(text string) string {
	for _, name := range namesIn(text) {
		for n := range x.options.Machine.Definition.Machine.Root.Pointers() {
			if s, ok := n.Value.(value.String); ok && slices.Contains(namesIn(string(s)), name) {
				return name
			}
		}
	}
	return ""
}

// namesIn returns the names that a text has as ${Name}.
func namesIn(text string) (names []string) {
	for _, part := range strings.Split(text, "${")[1:] {
		if name, _, closed := strings.Cut(part, "}"); closed {
			names = append(names, name)
		}
	}
	return names
}

// unknownAt reports whether a test compares with a number that nothing gave: 1 is used for it.
func unknownAt(n *asl.Node, t *asl.Test) bool {
	if n == nil {
		return false
	}
	for i := range n.Members {
		if inner := n.Members[i].Node; inner.Unknown && n.Span == t.Span || unknownAt(inner, t) {
			return true
		}
	}
	return slices.ContainsFunc(n.Items, func(item *asl.Node) bool { return unknownAt(item, t) })
}

// some returns a value for a path of the data before a state, which was entered with event i, that leads to nothing or
// to null: as later states read it. It is nil where there is one.
func (c *collector) some(i int, state *asl.State, text string) value.Value {
	p, err := path.ParseReference(text)
	if err != nil {
		return nil
	}
	if now := p.Find(&path.Roots{Data: c.log.At(i).After}); now != nil && now.Kind() != value.KindNull {
		return nil
	}
	demand, name := c.demands.Before(state), ""
	for k := range p.Len() {
		name = p.Segment(k).Name
		demand = demand.Member(name)
	}
	if sample := starter.Value(demand, name); sample != nil {
		return sample
	}
	return value.String("explored")
}

// boundary is a value next to one with which it is compared; nil: there is none. some: any value will do.
type boundary struct {
	aim   string
	value value.Value
	some  bool
}

// boundaries returns the values at which a comparison changes.
func boundaries(o *asl.Operator, right value.Value) []boundary {
	shown := value.Preview(right, 40)
	switch {
	case o.Name == "IsPresent":
		return []boundary{{aim: "present", some: true}, {aim: "absent"}}
	case o.Name == "IsNull":
		return []boundary{{aim: "null", value: value.Null{}}, {aim: "not null", some: true}}
	case o.Tests:
		text := value.String("explored")
		return []boundary{
			{aim: "a number", value: value.Int(1)},
			{aim: "a string", value: text},
			{aim: "true", value: value.Bool(true)},
		}
	}
	switch right := right.(type) {
	case value.Bool:
		return []boundary{{aim: "true", value: value.Bool(true)}, {aim: "false", value: value.Bool(false)}}
	case value.Number:
		if n, ok := right.Int64(); ok {
			return []boundary{{aim: "below " + shown, value: value.Int(n - 1)}, {aim: "at " + shown, value: right}, {aim: "above " + shown, value: value.Int(n + 1)}}
		}
		f := right.Float64()
		return []boundary{{aim: "below " + shown, value: value.Float(f - 0.001)}, {aim: "at " + shown, value: right}, {aim: "above " + shown, value: value.Float(f + 0.001)}}
	case value.String:
		return textBoundaries(o, right, shown)
	}
	return nil
}

func textBoundaries(o *asl.Operator, right value.String, shown string) []boundary {
	text := string(right)
	if o.Left == asl.TimestampOperand {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return nil
		}
		moved := func(d time.Duration) value.Value { return value.String(at.Add(d).Format(time.RFC3339)) }
		return []boundary{
			{aim: "before " + shown, value: moved(-time.Second)},
			{aim: "at " + shown, value: right},
			{aim: "after " + shown, value: moved(time.Second)},
		}
	}
	if o.Pattern {
		fits := strings.NewReplacer(`\*`, "*", `\\`, `\`, "*", "explored").Replace(text)
		return []boundary{
			{aim: "like " + shown, value: value.String(fits)},
			{aim: "unlike " + shown, value: value.String("-" + fits)},
		}
	}
	before := value.String("")
	if text != "" {
		before = value.String(text[:len(text)-1])
		for !strings.HasPrefix(text, strings.ToValidUTF8(string(before), "")) || strings.ToValidUTF8(string(before), "") != string(before) {
			before = before[:len(before)-1]
		}
	}
	return []boundary{
		{aim: "before " + shown, value: before},
		{aim: "equal to " + shown, value: right},
		{aim: "after " + shown, value: value.String(text + "~")},
	}
}

// condition adds the boundary values of the comparisons in a condition in JSONata.
func (c *collector) condition(i int, m *asl.Move) {
	for x := range m.Expression.Tree().All() {
		side, right := x.Compared()
		if side == nil || unfilled(right) {
			continue
		}
		names, ok := side.After("states", "input")
		if !ok || len(names) == 0 {
			continue
		}
		text := "$"
		for _, name := range names {
			text += path.Member(name)
		}
		left := asl.StringOperand
		switch right.Kind() {
		case value.KindNumber:
			left = asl.NumberOperand
		case value.KindBool:
			left = asl.BoolOperand
		default:
		}
		for _, b := range boundaries(&asl.Operator{Left: left}, right) {
			c.add(i, c.log.At(i).Visit.State, text, b.aim, b.value)
		}
	}
}

// manyItems is the number of items of a list with many.
const manyItems = 3

// items adds lists with none, one and many items for a Map state.
func (c *collector) items(i int, event *engine.Event) {
	state := event.Visit.State
	if !c.first(visited(state)) || state.ItemReader != nil {
		return
	}
	text, ok := itemsOf(state)
	if !ok {
		return
	}
	p, err := path.ParseReference(text)
	if err != nil {
		return
	}
	list, ok := p.Find(&path.Roots{Data: event.After}).(*value.Array)
	if !ok {
		return
	}
	c.add(i, state, text, "no items", value.ArrayOf())
	if list.Len() == 0 {
		return
	}
	c.add(i, state, text, "one item", list.Slice(0, 1))
	many := slices.Clone(slices.Collect(func(yield func(value.Value) bool) {
		for n := range max(manyItems, list.Len()+1) {
			if !yield(list.At(n % list.Len())) {
				return
			}
		}
	}))
	c.add(i, state, text, fmt.Sprintf("%d items", len(many)), value.NewArray(many))
}

// itemsOf returns the place of a Map's items in its data, where they come from one as they are.
func itemsOf(state *asl.State) (text string, ok bool) {
	text = "$"
	f := asl.FlowOf(state, true)
	for _, m := range slices.Concat(f.Enter, f.Work) {
		switch {
		case m.To.Register != asl.RegisterEffective && m.To.Register != asl.RegisterItems:
			continue
		case len(m.Parts()) == 1 && m.Parts()[0].To.Path == nil:
			m = m.Parts()[0]
		}
		if m.Kind != asl.MoveKeep && m.Kind != asl.MoveSelect || m.From[0].Register > asl.RegisterEffective {
			return "", false
		}
		if p := m.From[0].Path; p != nil {
			text += strings.TrimPrefix(p.String(), "$")
		}
	}
	return text, true
}

// maxMembers bounds the members of one result that are left out, one at a time.
const maxMembers = 16

// members adds results that lack a member which may be missing: any of a function's own result, and of a service's
// those that its shape does not require.
func (c *collector) members(state *asl.State) {
	if !c.first("members "+state.Path()) || len(c.setting.outcomes[state]) == 0 {
		return
	}
	object, ok := c.setting.outcomes[state][0].Output.(*value.Object)
	if !ok {
		return
	}
	var shape *services.Shape
	if call, known := services.CallOf(state.Resource); known {
		if result, has := call.Result(); has {
			shape = result.Shape
		}
	}
	c.leaveOut(state, shape, object, c.demands.Reads(state), "$")
}

// leaveOut adds the results that lack one of the members of an object of a result, which a state may read.
func (c *collector) leaveOut(
	state *asl.State, shape *services.Shape, object *value.Object, demand *flow.Demand, at string,
) {
	top := at == "$"
	for name, v := range object.All() {
		if !demand.Reads(name) {
			continue
		}
		text := at + path.Member(name)
		var inner *services.Shape
		// a job that is waited for has ended
		required := top && engine.IntegrationOf(state.Resource).Pattern == engine.RunJob
		if shape != nil && shape.Kind == services.Structure {
			if m, known := shape.Member(name); known {
				inner, required = m.Shape, required || m.Always(top, at[strings.LastIndexAny(at, ".$")+1:])
			}
		}
		own := shape == nil || shape.Kind == services.Any
		outcome := c.setting.outcomes[state][0]
		leave := !required && (c.all || !own) && c.left[state] < maxMembers
		if changed, err := replaced(outcome.Output, text, nil); leave && err == nil {
			c.left[state]++
			outcome.Output = changed
			aim := "without " + strings.TrimPrefix(text, "$.")
			c.changes = append(c.changes, &Change{
				Kind: ResultValue, State: state, Source: state, Path: text, Aim: aim, outcome: outcome,
			})
		}
		read := demand.Of(name)
		if members, ok := v.(*value.Object); ok && (top || c.demands != nil && read != nil) {
			if inner != nil && inner.Kind != services.Structure {
				inner = nil
			}
			c.leaveOut(state, inner, members, read, text)
		}
	}
}
