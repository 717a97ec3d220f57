package provenance

import (
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/template"
	"asldb/engine/value"
)

// remedy returns the line that keeps a value which was lost at a place; nil where no single line does. had is where it was
// before.
func (w *walker) remedy(loss *Loss, had, lost place) *Remedy {
	event := w.at(lost.event)
	if event.Visit == nil {
		return nil
	}
	caught := w.catcherAt(lost.event) >= 0
	switch loss.Kind {
	case Replaced:
		raw, isObject := w.at(had.event).After.(*value.Object)
		name := "result"
		if caught {
			name = "error"
		}
		if !isObject {
			return nil
		}
		if event.Visit.State.QueryLanguage == asl.JSONata {
			return w.remedyOf(loss, `"Output": "{% `+merged(raw, event.After, caught)+` %}"`)
		}
		return w.withResultPath(loss, raw, name)
	case Overwritten:
		raw, isObject := w.at(had.event).After.(*value.Object)
		if !isObject || !strings.HasSuffix(loss.Field, "ResultPath") {
			return nil
		}
		name := "result"
		if caught {
			name = "error"
		}
		return w.withResultPath(loss, raw, name)
	case Discarded:
		raw, _ := event.Before.(*value.Object)
		return w.withResultPath(loss, raw, "result")
	case LeftOut:
		return w.missingLine(loss, had, lost)
	case NeverThere, NotSelected, NotInItem, EditedAway, OutOfScope, Elsewhere:
	}
	return nil
}

// remedyOf is a line for the field that lost the value.
func (w *walker) remedyOf(loss *Loss, line string) *Remedy {
	return &Remedy{Line: line, Field: loss.Field, Place: loss.Place, Instead: !loss.Default}
}

// withResultPath is a ResultPath to a member that raw, the input of the state, does not have. Behind a result comes OutputPath, behind an
// Error Output it does not.
func (w *walker) withResultPath(loss *Loss, raw *value.Object, name string) *Remedy {
	r := w.remedyOf(loss, resultPathLine(raw, name))
	state := w.at(loss.At).Visit.State
	if field := state.OutputPath; field != nil && w.catcherAt(loss.At) < 0 {
		switch {
		case field.Null:
			r.Without = `"OutputPath": null`
		case field.Path.String() != "$":
			r.Without = `"OutputPath": ` + value.Quote(field.Path.String())
		}
	}
	return r
}

func resultPathLine(raw *value.Object, name string) string {
	return `"ResultPath": "` + FreeMember(raw, name) + `"`
}

// FreeMember returns a Reference Path to a member that an object does not have.
func FreeMember(of value.Value, name string) string {
	object, _ := of.(*value.Object)
	free := name
	for n := 2; object != nil && object.Get(free) != nil; n++ {
		free = name + strconv.Itoa(n)
	}
	return "$." + free
}

// merged is an expression that keeps the input of a state in JSONata besides its result.
func merged(raw *value.Object, result value.Value, caught bool) string {
	added := "$states.result"
	if caught {
		return "$merge([$states.input, {'" + FreeMember(raw, "error")[2:] + "': $states.errorOutput}])"
	}
	if _, isObject := result.(*value.Object); !isObject {
		added = "{'" + FreeMember(raw, "result")[2:] + "': $states.result}"
	}
	return "$merge([$states.input, " + added + "])"
}

// missingLine returns the member that a template would need to have a value.
func (w *walker) missingLine(loss *Loss, had, lost place) *Remedy {
	m, event := w.moveAt(lost.event), w.at(lost.event)
	if m == nil || !fills(m) || m.Node == nil {
		return nil
	}
	query := m.Query != nil
	container, depth := m.Node.Value, 0
	for ; depth < len(lost.segments); depth++ {
		object, ok := container.(*value.Object)
		if !ok || lost.segments[depth].Kind != path.NameSegment {
			return nil // an expression, or a list, gives the value around it
		}
		if !query && object.Get(lost.segments[depth].Name+template.Suffix) != nil {
			return nil
		}
		next := object.Get(lost.segments[depth].Name)
		if next == nil {
			break
		}
		container = next
	}
	if depth == len(lost.segments) {
		return nil
	}
	name, from := lost.segments[depth].Name, had.segments[:depth+1]
	line := value.Quote(name+template.Suffix) + ": " + value.Quote(pathText(from))
	if query {
		text, ok := queryText(w.tracer, had, from, lost.event)
		if !ok {
			return nil
		}
		line = value.Quote(name) + ": " + value.Quote("{% "+text+" %}")
	}
	at := m.At + memberAt(m, lost.segments[:depth])
	return &Remedy{Line: line, Field: at, Place: placeOf(event, at)}
}

// queryText writes the place of a value as a JSONata expression of the state of event i.
func queryText(t *tracer, had place, names []path.Segment, i int) (string, bool) {
	text := "$states.input"
	if had.event == t.resultOf(t.at(i).Visit, i) {
		text = "$states.result"
		if t.catcherAt(i) >= 0 {
			text = "$states.errorOutput"
		}
	}
	for _, segment := range names {
		switch {
		case segment.Kind == path.IndexSegment:
			text += "[" + strconv.Itoa(segment.Index) + "]"
		case path.Plain(segment.Name):
			text += "." + segment.Name
		case strings.Contains(segment.Name, "`"):
			return "", false
		default:
			text += ".`" + segment.Name + "`"
		}
	}
	return text, true
}

// trimExpression takes the marks of a JSONata expression away.
func trimExpression(text string) string {
	if !template.IsExpression(text) {
		return text
	}
	return strings.TrimSpace(text[2 : len(text)-2])
}
