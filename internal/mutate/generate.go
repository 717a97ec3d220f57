package mutate

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/suite"
)

// Of returns the mutants of a definition, in the order of its states. Changes that can make no difference are left out:
// of data and variables that no state reads, or of two rules that are never both true.
func Of(machine *asl.StateMachine) []*Mutant {
	g := &generator{machine: machine}
	if i := indexOf(machine.Root, "TimeoutSeconds"); i >= 0 {
		g.add(
			TimeoutDropped,
			"TimeoutSeconds dropped",
			dropMember{machine.Root, i},
			need{any: []coverage.ID{{Kind: coverage.TimedOut}}, missing: "no case makes the execution time out"},
		)
	}
	for state := range machine.All() {
		g.state = state
		g.ofState()
	}
	for i, m := range g.mutants {
		m.Number = i + 1
	}
	return g.mutants
}

type generator struct {
	machine *asl.StateMachine
	state   *asl.State
	mutants []*Mutant
}

// indexOf returns the number of the member called key, -1 where there is none.
func indexOf(n *source.Node, key string) int {
	if n == nil {
		return -1
	}
	return slices.IndexFunc(n.Members, func(m source.NodeMember) bool { return m.Key == key })
}

func (g *generator) add(kind Kind, description string, c change, needs need) {
	m := &Mutant{
		Kind:        kind,
		State:       g.state,
		Description: description,
		File:        g.machine.Source,
		At:          c.place(),
		change:      c,
		needs:       needs,
	}
	if at := c.target().Span; at.File != nil {
		m.File = at.File
	}
	g.mutants = append(g.mutants, m)
}

// item is an item of coverage of the state.
func (g *generator) item(kind coverage.Kind, index int) coverage.ID {
	return coverage.ID{State: g.state.Path(), Kind: kind, Index: index}
}

// ofState adds the mutants of the state, in the order of its fields.
func (g *generator) ofState() {
	node := g.state.Node
	for i := range node.Members {
		m := &node.Members[i]
		switch m.Key {
		case "Catch":
			g.catchers(i)
		case "Retry":
			g.retriers(i)
		case "Choices":
			g.rules(m.Node)
		case "Default":
			g.defaultTarget(m.Node)
		case "States", "Branches", "ItemProcessor", "Iterator":
		default:
			g.field(i)
			if g.state.QueryLanguage == asl.JSONata {
				g.expressions(m.Node, need{})
			}
		}
	}
	g.addedResultPath()
}

// field adds the mutants of a field that is dropped or changed as a whole.
func (g *generator) field(i int) {
	node := g.state.Node
	m := &node.Members[i]
	switch m.Key {
	case "ResultPath":
		g.resultPath(node, i, g.result(), "")
	case "ResultSelector":
		g.output(SelectorDropped, m.Key+" dropped", dropMember{node, i})
	case "OutputPath":
		if text, _ := m.Node.Value.(value.String); text != "$" {
			g.output(SelectorDropped, m.Key+" dropped", dropMember{node, i})
		}
	case "Assign":
		g.assign(node, i, g.result(), "")
	case "Output":
		g.output(OutputDropped, "Output dropped", dropMember{node, i})
	case "Parameters", "Arguments", "ItemSelector":
		g.payload(m.Node, m.Key)
	case "TimeoutSeconds", "TimeoutSecondsPath":
		g.add(
			TimeoutDropped,
			m.Key+" dropped",
			dropMember{node, i},
			need{
				any:     []coverage.ID{g.item(coverage.TimedOut, 0)},
				missing: "no case makes " + g.state.Path() + " time out (tasks: {" + g.name() + ": [{output: ..., after: ...}]})",
			},
		)
	case "HeartbeatSeconds", "HeartbeatSecondsPath":
		g.add(
			HeartbeatDropped,
			m.Key+" dropped",
			dropMember{node, i},
			need{
				any:     []coverage.ID{g.item(coverage.HeartbeatMissed, 0)},
				missing: "no case makes " + g.state.Path() + " miss a heartbeat (tasks: {" + g.name() + ": [{output: ..., after: ...}]})",
			},
		)
	case "ToleratedFailureCount",
		"ToleratedFailurePercentage",
		"ToleratedFailureCountPath",
		"ToleratedFailurePercentagePath":
		needs := need{
			any:     []coverage.ID{g.item(coverage.MapFailed, 0)},
			missing: "no case has an iteration of " + g.state.Path() + " that fails",
		}
		g.add(ToleranceChanged, m.Key+" dropped", dropMember{node, i}, needs)
		if m.Key == "ToleratedFailureCount" {
			g.number(ToleranceChanged, node, i, 1, needs)
		}
	case "Error":
		if _, text := m.Node.Value.(value.String); text && g.state.Type == asl.Fail {
			g.add(ErrorDropped, "Error dropped", dropMember{node, i}, need{})
		}
	case "Seconds":
		if g.state.Type == asl.Wait {
			g.number(WaitChanged, node, i, 1, need{})
		}
	}
}

// output adds a mutant of the state's output, unless nothing reads that.
func (g *generator) output(kind Kind, description string, c change) {
	if !g.unread(g.state.Next) {
		g.add(kind, description, c, g.result())
	}
}

// result is the need for a result of the state.
func (g *generator) result() need {
	missing := g.state.Path() + " has a result in no case"
	if g.state.Type == asl.Task {
		missing = g.state.Path() + " succeeds in no case (tasks: {" + g.name() + ": [{output: ...}]})"
	}
	return need{any: []coverage.ID{g.item(worked, 0)}, missing: missing}
}

// maxPassed bounds how many states in a row pass data on.
const maxPassed = 20

// unread reports whether nothing reads the data that a state enters with: the state replaces it by its own data, or
// passes it on to one that does.
func (g *generator) unread(name string) bool {
	for range maxPassed {
		next := g.state.Scope.State(name)
		if next == nil || reads(next.Node) {
			return false
		}
		has := func(key string) bool { return indexOf(next.Node, key) >= 0 }
		replaces := has("Parameters") || has("Arguments")
		switch next.Type {
		case asl.Fail:
			return true
		case asl.Pass:
			replaces = replaces || has("Result") || has("Output")
		case asl.Wait:
			replaces = has("Output")
		case asl.Task:
			if !replaces {
				return false
			}
		case asl.Choice, asl.Succeed, asl.Parallel, asl.Map:
			return false
		}
		if replaces || next.End {
			return replaces
		}
		name = next.Next
	}
	return false
}

// reads reports whether a text in a state may read its input, or puts a result into it.
func reads(node *source.Node) bool {
	for i := range node.Members {
		m := &node.Members[i]
		text, _ := m.Node.Value.(value.String)
		switch {
		case m.Key == "ResultPath":
			if text != "$" {
				return true
			}
		case strings.HasSuffix(m.Key, "Path"),
			strings.HasSuffix(m.Key, ".$"),
			strings.HasPrefix(string(text), "{%"),
			reads(m.Node):
			return true
		}
	}
	for _, item := range node.Items {
		text, _ := item.Value.(value.String)
		if strings.HasPrefix(string(text), "{%") || reads(item) {
			return true
		}
	}
	return false
}

// named reports whether a text of the definition has the name of a variable.
func (g *generator) named(node *source.Node, variable string) bool {
	text, _ := node.Value.(value.String)
	return strings.Contains(string(text), "$"+variable) ||
		slices.ContainsFunc(node.Members, func(m source.NodeMember) bool { return g.named(m.Node, variable) }) ||
		slices.ContainsFunc(node.Items, func(item *source.Node) bool { return g.named(item, variable) })
}

// number adds a mutant in which a whole number is another; offset is added to it.
func (g *generator) number(kind Kind, object *source.Node, i int, offset int64, needs need) {
	m := &object.Members[i]
	n, ok := m.Node.Value.(value.Number)
	if !ok || m.Node.Unknown {
		return
	}
	whole, ok := n.Int64()
	if !ok {
		return
	}
	text := strconv.FormatInt(whole+offset, 10)
	g.add(kind, m.Key+" "+value.Compact(n)+" is "+text, setScalar{m.Node, value.Int(whole + offset)}, needs)
}

// resultPath adds the mutants of a ResultPath, of the state or of a catcher, which prefix names.
func (g *generator) resultPath(object *source.Node, i int, needs need, prefix string) {
	node := object.Members[i].Node
	path, isPath := node.Value.(value.String)
	if prefix == "" && g.unread(g.state.Next) {
		return
	}
	if isPath {
		g.add(ResultPathChanged, prefix+"ResultPath "+string(path)+" is null", setScalar{node, value.Null{}}, needs)
	}
	if !isPath || path != "$" {
		g.add(ResultPathChanged, prefix+"ResultPath dropped", dropMember{object, i}, needs)
	}
}

// addedResultPath adds the mutant in which a state without a ResultPath drops its result.
func (g *generator) addedResultPath() {
	if g.state.QueryLanguage == asl.JSONata || indexOf(g.state.Node, "ResultPath") >= 0 || g.unread(g.state.Next) {
		return
	}
	makes := false
	switch g.state.Type {
	case asl.Task, asl.Parallel, asl.Map:
		makes = true
	case asl.Pass:
		makes = indexOf(g.state.Node, "Result") >= 0 || indexOf(g.state.Node, "Parameters") >= 0
	case asl.Choice, asl.Wait, asl.Succeed, asl.Fail:
	}
	if makes {
		g.add(
			ResultPathChanged,
			"ResultPath null added",
			addMember{g.state.Node, "ResultPath", value.Null{}},
			g.result(),
		)
	}
}

// assign adds a mutant for each variable of an Assign.
func (g *generator) assign(object *source.Node, i int, needs need, prefix string) {
	node := object.Members[i].Node
	read := func(m source.NodeMember) bool { return g.named(g.machine.Root, strings.TrimSuffix(m.Key, ".$")) }
	if len(node.Members) > 0 && !slices.ContainsFunc(node.Members, read) {
		return
	}
	if len(node.Members) < 2 {
		g.add(AssignDropped, prefix+"Assign dropped", dropMember{object, i}, needs)
		return
	}
	for k := range node.Members {
		if !read(node.Members[k]) {
			continue
		}
		g.add(
			AssignDropped,
			prefix+"Assign without "+strings.TrimSuffix(node.Members[k].Key, ".$"),
			dropMember{node, k},
			needs,
		)
	}
}

// payload adds a mutant for each member of a payload that is taken from data.
func (g *generator) payload(node *source.Node, name string) {
	for i := range node.Members {
		m := &node.Members[i]
		text, isText := m.Node.Value.(value.String)
		dynamic := strings.HasSuffix(m.Key, ".$") ||
			g.state.QueryLanguage == asl.JSONata && strings.HasPrefix(string(text), "{%")
		switch {
		case isText && dynamic && !strings.Contains(string(text), "$$.Task.Token") && !strings.Contains(string(text), "context.Task.Token"):
			g.add(PayloadDropped, name+" without "+strings.TrimSuffix(m.Key, ".$"), dropMember{node, i}, need{})
		case m.Node.Kind == value.KindObject:
			g.payload(m.Node, name+"."+m.Key)
		}
	}
}

// catchers adds the mutants of the state's catchers.
func (g *generator) catchers(at int) {
	list := g.state.Node.Members[at].Node
	for i, item := range list.Items {
		if i >= len(g.state.Catch) {
			return
		}
		c := g.state.Catch[i]
		name := "catcher " + strconv.Itoa(i+1)
		needs := need{
			any: []coverage.ID{g.item(coverage.Caught, i)},
			missing: "no case has an error of " + g.state.Path() + " that " + name + " takes" +
				g.inject(g.caught(i), 0),
		}
		drop := change(dropItem{list, i})
		if len(list.Items) == 1 {
			drop = dropMember{g.state.Node, at}
		}
		g.add(CatcherDropped, name+" ("+strings.Join(c.ErrorEquals, ", ")+") dropped", drop, needs)
		g.narrowed(item, name, c.ErrorEquals, needs)
		if g.unread(c.Next) {
			continue
		}
		for k := range item.Members {
			switch item.Members[k].Key {
			case "ResultPath":
				g.resultPath(item, k, needs, name+": ")
			case "Assign":
				g.assign(item, k, needs, name+": ")
				g.queries(item.Members[k].Node, needs)
			case "Output":
				g.add(OutputDropped, name+": Output dropped", dropMember{item, k}, needs)
				g.queries(item.Members[k].Node, needs)
			}
		}
		if c.ResultPath == nil && g.state.QueryLanguage == asl.JSONPath && indexOf(item, "ResultPath") < 0 {
			g.add(ResultPathChanged, name+": ResultPath null added", addMember{item, "ResultPath", value.Null{}}, needs)
		}
	}
}

// narrowed adds the mutants in which a catcher takes fewer errors.
func (g *generator) narrowed(item *source.Node, name string, errors []string, needs need) {
	names := item.Get("ErrorEquals")
	switch {
	case names == nil:
	case len(names.Items) > 1:
		for i, n := range names.Items {
			text, _ := n.Value.(value.String)
			g.add(CatcherNarrowed, name+" without "+string(text), dropItem{names, i}, needs)
		}
	case len(errors) == 1 && errors[0] == engine.ErrorAll && g.state.Type == asl.Task:
		needs.way = strings.Trim(g.inject(engine.ErrorTimeout, 0), " ()")
		g.add(
			CatcherNarrowed,
			name+" takes States.TaskFailed in place of States.ALL",
			setScalar{names.Items[0], value.String(engine.ErrorTaskFailed)},
			needs,
		)
	}
}

// name is the state's name in a suite, or its path where another state has that name.
func (g *generator) name() string {
	n := 0
	for other := range g.machine.All() {
		if other.Name == g.state.Name {
			n++
		}
	}
	if n > 1 {
		return suite.Plain(g.state.Path())
	}
	return suite.Plain(g.state.Name)
}

// caught is the name of an error that a catcher takes, and no catcher before it; empty: there is none.
func (g *generator) caught(catcher int) string {
	return injected(g.state.Catch[catcher].ErrorEquals, func(failure *engine.Failure) bool {
		return engine.MatchingCatcher(g.state, failure, engine.AWS) == catcher
	})
}

// retried is the name of an error that a retrier takes, and no retrier before it; empty: there is none.
func (g *generator) retried(retrier int) string {
	return injected(g.state.Retry[retrier].ErrorEquals, func(failure *engine.Failure) bool {
		return engine.MatchingRetrier(g.state, failure, engine.AWS) == retrier
	})
}

// injected is the name of an error that ErrorEquals names and that is taken; empty: there is none.
func injected(names []string, isTaken func(*engine.Failure) bool) string {
	for _, name := range names {
		tried := []string{name}
		switch name {
		case engine.ErrorTaskFailed:
			tried = []string{"Some.Error"}
		case engine.ErrorAll:
			tried = []string{"Some.Error", engine.ErrorTimeout}
		}
		for _, one := range tried {
			if isTaken(&engine.Failure{Name: one}) {
				return one
			}
		}
	}
	return ""
}

// inject is how a case has an error some times: " (inject: {Charge: Busy})"; 0: as often as its retrier leaves it to
// catchers. It is empty of a container, which has none itself.
func (g *generator) inject(failure string, times int64) string {
	if g.state.Type != asl.Task || failure == "" {
		return ""
	}
	if times == 0 {
		times = 1
		if i := engine.MatchingRetrier(g.state, &engine.Failure{Name: failure}, engine.AWS); i >= 0 {
			times += g.state.Retry[i].MaxAttempts
		}
	}
	text := suite.Plain(failure)
	if times > 1 {
		text = "{error: " + text + ", times: " + strconv.FormatInt(times, 10) + "}"
	}
	return " (inject: {" + g.name() + ": " + text + "})"
}

// retriers adds the mutants of the state's retriers.
func (g *generator) retriers(at int) {
	list := g.state.Node.Members[at].Node
	for i, item := range list.Items {
		if i >= len(g.state.Retry) {
			return
		}
		r := g.state.Retry[i]
		name, failure := "retrier "+strconv.Itoa(i+1), g.retried(i)
		retried, exhausted := g.item(coverage.Retried, i), g.item(coverage.Exhausted, i)
		taken := need{
			any:     []coverage.ID{retried, exhausted},
			missing: "no case has an error of " + g.state.Path() + " that " + name + " takes" + g.inject(failure, 1),
		}
		usedUp := need{
			any:     []coverage.ID{exhausted},
			missing: "no case uses up " + name + " of " + g.state.Path() + g.inject(failure, r.MaxAttempts+1),
		}
		drop := change(dropItem{list, i})
		if len(list.Items) == 1 {
			drop = dropMember{g.state.Node, at}
		}
		g.add(RetrierDropped, name+" ("+strings.Join(r.ErrorEquals, ", ")+") dropped", drop, taken)
		if i+1 < len(list.Items) && r.MaxAttempts > 0 { // the last one is dropped in effect
			g.retrierField(AttemptsChanged, item, name, "MaxAttempts", r.MaxAttempts, -r.MaxAttempts, taken)
		}
		g.retrierField(AttemptsChanged, item, name, "MaxAttempts", r.MaxAttempts, 1, usedUp)
		waits := need{any: []coverage.ID{retried}, missing: taken.missing}
		if r.MaxAttempts > 0 && r.JitterStrategy == asl.JitterNone {
			g.retrierField(DelayChanged, item, name, "IntervalSeconds", r.IntervalSeconds, 1, waits)
			if r.MaxAttempts > 1 && r.BackoffRate == float64(int64(r.BackoffRate)) {
				twice := need{
					any: []coverage.ID{g.item(retriedTwice, i)},
					missing: "no case has two errors in a row of " + g.state.Path() + " that " + name + " takes" +
						g.inject(failure, 2),
				}
				g.retrierField(DelayChanged, item, name, "BackoffRate", int64(r.BackoffRate), 1, twice)
			}
		}
	}
}

// retrierField adds a mutant in which a number of a retrier is another; now is the one that holds.
func (g *generator) retrierField(kind Kind, item *source.Node, name, key string, now, offset int64, needs need) {
	description := name + ": " + key + " " + strconv.FormatInt(now, 10) + " is " + strconv.FormatInt(now+offset, 10)
	c := change(addMember{item, key, value.Int(now + offset)})
	if i := indexOf(item, key); i >= 0 {
		if item.Members[i].Node.Unknown || item.Members[i].Node.Kind != value.KindNumber {
			return
		}
		c = setScalar{item.Members[i].Node, value.Int(now + offset)}
	}
	g.add(kind, description, c, needs)
}
