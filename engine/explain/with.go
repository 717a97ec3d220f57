package explain

import (
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/cause"
	"asldb/engine/debug"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/engine/value"
)

// Bounds of the values that are named beside a cause: maxWith of them, among the first maxMembers members of the request.
const (
	maxWith    = 3
	maxMembers = 40
)

// with names the values that a failure had to do with, and where they came from: of a task the members of its request that
// came from the data, of a Choice state the values that its rule compared.
func with(s *debug.Session, root *cause.Link) Text {
	log := s.Log()
	if root.Visit == nil || !log.Whole() {
		return nil
	}
	at := int(root.Visit.Entered) - 1
	paths := root.Compared
	if root.Kind == cause.Failed {
		e := log.At(root.Event)
		request := log.RequestBefore(root.Event)
		if e.Type != engine.TaskFailed && e.Type != engine.TaskTimedOut || request == nil {
			return nil
		}
		at = log.Scheduled(request.ID)
		paths = membersOf(root.Visit.State, request.Parameters, root.Failure)
	}
	var text Text
	for _, p := range paths {
		if len(text) == maxWith {
			break
		}
		if spans := valueWithOrigin(s, at, p, root.Visit); spans != nil {
			text = append(text, Paragraph{Label: "with", Spans: spans})
		}
	}
	return text
}

// membersOf returns the paths of the members of a request that may have to do with its error: those whose value the error
// quotes before the others. Without a payload template the request is the whole input: then only those.
func membersOf(state *asl.State, request value.Value, failure *engine.Failure) []string {
	var quoted, others []string
	seen := 0
	var walk func(at []path.Segment, v value.Value)
	walk = func(at []path.Segment, v value.Value) {
		if seen++; seen > maxMembers {
			return
		}
		switch v := v.(type) {
		case *value.Object:
			for key, member := range v.All() {
				walk(append(at[:len(at):len(at)], path.Segment{Kind: path.NameSegment, Name: key}), member)
			}
		case *value.Array:
		case value.String:
			if len(v) > 2 && strings.Contains(failure.Cause, string(v)) {
				quoted = append(quoted, provenance.PathText(at))
				return
			}
			others = append(others, provenance.PathText(at))
		case value.Number:
			if text := value.Compact(v); len(text) > 1 && strings.Contains(failure.Cause, text) {
				quoted = append(quoted, provenance.PathText(at))
				return
			}
			others = append(others, provenance.PathText(at))
		default:
			others = append(others, provenance.PathText(at))
		}
	}
	walk(nil, request)
	if state.Parameters == nil {
		return quoted
	}
	return append(quoted, others...)
}

// valueWithOrigin says which value is at a path of the data of event i, and where it came from: "$.Payload.amount = 129.90, from
// $.validation.total of ValidateOrder". It is nil for a literal of the definition, and where the origin is not known.
func valueWithOrigin(s *debug.Session, i int, p string, visit *engine.Visit) []Span {
	hops, err := provenance.Of(s.Log(), i, p)
	if err != nil || len(hops) == 0 {
		return nil
	}
	source := p // the path in the raw input of the state
	k := 0
	for ; k < len(hops) && s.Log().At(hops[k].Event).Visit == visit && hops[k].Kind == provenance.Moved; k++ {
		source = hops[k].From
	}
	if k < len(hops) && s.Log().At(hops[k].Event).Visit == visit {
		if hops[k].Kind != provenance.Computed {
			return nil // a literal, or the context object
		}
		return []Span{pathSpan(p), words(" = "), val(hops[0].Value), words(", computed by "), code(Clip(oneLine(hops[k].Expression), maxExpression))}
	}
	spans := []Span{pathSpan(p), words(" = "), val(hops[0].Value), words(", from ")}
	if source != p {
		spans = append(spans, pathSpan(source), words(" of "))
	}
	origin := hops[len(hops)-1]
	event := s.Log().At(origin.Event)
	if origin.Kind == provenance.Input || event.Visit == nil {
		return append(spans, words("the input"))
	}
	return append(spans, Span{Kind: KindState, Text: PlaceName(event.Visit), Event: event.Seq})
}
