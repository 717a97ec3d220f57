package explain

import (
	"slices"
	"sort"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/internal/wording"
)

// Step is a node of a way, or one of the answers to a path that is missing, as an entry of a list.
type Step struct {
	// Event is the index of its event, from 0, and Path the path of the value in the data of that event. Event is -1
	// where the step sums up several, and Path is empty where there is no value.
	Event int
	Path  string
	Visit *engine.Visit
	// Depth is that in the tree, from 0.
	Depth int
	Tone  Tone
	Sign  Sign
	// Head names the state, the path and the value; Details say how that came about, a line each.
	Head    []Span
	Details Text
	// Place is where the field is in the definition, or nil.
	Place *asl.Place
	// Carried are the states between this step and the next one, which left the value where it was.
	Carried []Span
}

// Steps explains a way of a value as a list: an entry for each node of its tree.
func Steps(w *provenance.Way, log *runlog.Log) []Step {
	var steps []Step
	var nodes []*provenance.Node
	alone := map[*provenance.Node]bool{} // without siblings
	if len(w.Nodes) == 1 {
		alone[w.Nodes[0]] = true
	}
	for depth, n := range w.All() {
		if len(n.Children) == 1 {
			alone[n.Children[0]] = true
		}
		nodes = append(nodes, n)
		steps = append(steps, stepOf(n, depth, alone[n], log))
	}
	straighten(steps, nodes, alone)
	for i, n := range nodes {
		if i+1 < len(nodes) && alone[nodes[i+1]] && len(n.Children) == 1 {
			steps[i].Carried = carriers(w, n, nodes[i+1])
		}
	}
	return append(hintSteps(w.Hints), steps...)
}

// straighten gives the steps of a chain the depth of its first: only where the way divides the entries go deeper.
func straighten(steps []Step, nodes []*provenance.Node, alone map[*provenance.Node]bool) {
	depth := map[*provenance.Node]int{}
	for i, n := range nodes {
		steps[i].Depth = depth[n]
		for _, child := range n.Children {
			if depth[child] = depth[n]; !alone[child] {
				depth[child]++
			}
		}
	}
}

func stepOf(n *provenance.Node, depth int, alone bool, log *runlog.Log) Step {
	s := Step{Event: n.Event, Path: n.To, Visit: n.Visit, Depth: depth, Tone: wayTone(n.Kind), Place: n.Place, Head: headOf(n)}
	switch n.Kind {
	case provenance.Folded, provenance.Context, provenance.Unknown, provenance.Dropped:
		s.Path = ""
	default:
	}
	if n.Operand != "" && !alone && n.Operand != n.To {
		s.Head = append([]Span{code(oneLine(n.Operand)), words(": ")}, s.Head...)
	}
	did := append(didOf(n, log), timesOf(n)...)
	if len(did) > 0 {
		s.Details = Text{say(ToneQuiet, NoSign, did...)}
	}
	return s
}

// headOf names the state of a node and the path with the value.
func headOf(n *provenance.Node) []Span {
	var spans []Span
	switch {
	case n.Kind == provenance.Folded:
		return []Span{words(wording.Count(n.Hidden, "more step"))}
	case n.Kind == provenance.Input:
		spans = append(spans, state("input"))
	case n.Kind == provenance.Output:
		spans = append(spans, state("output"))
	case n.Kind == provenance.Context:
		spans = append(spans, state("context object"), words("  "), code(n.Expression))
	case n.Visit != nil:
		spans = append(spans, state(PlaceName(n.Visit)))
	}
	at := n.To
	if n.Kind == provenance.Dropped {
		at = n.From
	}
	if at != "" && n.Kind != provenance.Context {
		spans = append(spans, words("  "), pathSpan(at))
	}
	if n.Value != nil {
		spans = append(spans, words(" = "), val(n.Value))
	}
	return spans
}

// didOf says how the value came to the place of a node, or names its use there.
func didOf(n *provenance.Node, log *runlog.Log) []Span {
	var spans []Span
	if n.Field != "" {
		spans = append(spans, fieldName(n.Field))
		if n.Expression != "" && n.Expression != n.Field {
			spans = append(spans, words(": "), code(wording.Clip(oneLine(n.Expression), maxExpression)))
		}
	}
	with := func(text string, more ...Span) []Span {
		if len(spans) > 0 {
			text = ", " + text
		}
		return append(append(spans, words(text)), more...)
	}
	switch n.Kind {
	case provenance.Moved:
		switch {
		case n.From == "" || n.From == n.Expression:
			return spans
		case strings.HasSuffix(n.Field, "ResultPath"):
			return with("from ", pathSpan(n.From), words(" of the result"))
		}
		return with("from ", pathSpan(n.From))
	case provenance.ChangedInside:
		return with("changed inside")
	case provenance.Gathered:
		return with("from " + childOf(n))
	case provenance.Result:
		text := "the task returned it"
		if request := log.RequestBefore(n.Event); request != nil && request.Attempt > 1 {
			return []Span{words(text + ", attempt "), number(int64(request.Attempt))}
		}
		return []Span{words(text)}
	case provenance.Literal:
		return with("a literal")
	case provenance.Error:
		return with("the Error Output")
	case provenance.Edited:
		return with("edited manually")
	case provenance.Object:
		return with("the ItemReader read it")
	case provenance.Unknown:
		return with("origin unknown")
	case provenance.Read:
		return with("reads it")
	case provenance.Sent:
		return []Span{words("sent to the task")}
	case provenance.Dropped:
		return with("drops it")
	case provenance.Computed, provenance.Folded, provenance.Input, provenance.Context, provenance.Output:
	}
	return spans
}

// maxCarriers is the greatest number of states that are named between two steps.
const maxCarriers = 6

// carriers names the states that carried a value between two steps without moving it.
func carriers(w *provenance.Way, a, b *provenance.Node) []Span {
	if a.Event < 0 || b.Event < 0 {
		return nil
	}
	from, to := min(a.Event, b.Event), max(a.Event, b.Event)
	// The passages are in the order of the run.
	first := sort.Search(len(w.Passages), func(i int) bool { return int(w.Passages[i].Visit.Entered)-1 > from })
	var names []string
	known := make(map[string]bool)
	for _, p := range w.Passages[first:] {
		if int(p.Visit.Entered)-1 >= to {
			break
		}
		if p.Role != provenance.Carried || p.Visit == a.Visit || p.Visit == b.Visit {
			continue
		}
		if name := PlaceName(p.Visit); !known[name] {
			known[name] = true
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	if !w.Forward {
		slices.Reverse(names)
	}
	spans := []Span{words("through ")}
	for i, name := range names {
		if i == maxCarriers {
			return append(spans, words(" and "+wording.Grouped(len(names)-i)+" more"))
		}
		if i > 0 {
			spans = append(spans, words(", "))
		}
		spans = append(spans, state(name))
	}
	return spans
}

// LossSteps explains as a list where a value was lost: the reader, the state and the field that lost it with all that
// was lost there and the line that keeps it, the event that had it last, and the way before that.
func LossSteps(l *provenance.Loss, log *runlog.Log) []Step {
	short := *l
	short.Way, short.Hints = nil, nil
	var steps []Step
	text := Loss(&short, log)
	if len(l.Hints) > 0 {
		text = missing(l, log)
	}
	for _, p := range text {
		if len(steps) > 0 && (p.Level > 0 || l.Kind == provenance.NeverThere) {
			last := &steps[len(steps)-1]
			p.Level = 0
			last.Details = append(last.Details, p)
			continue
		}
		s := Step{Event: -1, Tone: p.Tone, Sign: p.Sign}
		for _, span := range p.Spans {
			switch {
			case span.Event > 0:
				s.Event = int(span.Event) - 1
				s.Visit = log.At(s.Event).Visit
			default:
				s.Head = append(s.Head, span)
			}
		}
		steps = append(steps, s)
	}
	if len(steps) > 2 && l.Kind != provenance.NeverThere && l.Kind != provenance.Elsewhere {
		steps[0].Tone, steps[0].Sign = ToneCaution, SignRemoved
		steps[1].Tone, steps[1].Sign = ToneBad, SignError
		steps[len(steps)-1].Path = l.HadPath
	}
	steps = append(steps, hintSteps(l.Hints)...)
	if l.Way != nil {
		steps = append(steps, Steps(l.Way, log)...)
	}
	return steps
}
