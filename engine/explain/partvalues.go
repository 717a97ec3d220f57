package explain

import (
	"slices"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/console"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// parts adds the values of the expressions in the object of a distributed Map's field, which was evaluated in an event:
// ItemReader, ItemBatcher or ResultWriter.
func (r *valueReader) parts(fields []asl.Field, pointer string, node *source.Node, index int) {
	for i := range fields {
		f := &fields[i]
		part, below := node.Get(f.Name), pointer+"/"+f.Name
		if part == nil {
			continue
		}
		switch f.Content {
		case asl.ContentPayload:
			r.template(below, part, r.payload(f.Name, part, index), index, "")
		case asl.ContentCount, asl.ContentQuantityPath:
			r.quantity(r.state.Place(below), part, index)
		case asl.ContentConfig:
			r.parts(f.Parts, below, part, index)
		default:
		}
	}
}

// payload returns the value of a payload template of a distributed Map, as the event of its stage has it, or else
// evaluated again; nil where it is unknown.
func (r *valueReader) payload(name string, node *source.Node, index int) value.Value {
	event := r.log.At(index)
	switch {
	case event.Stage == engine.StageItemReader:
		return event.Before
	case event.Stage == engine.StageItemBatcher && name == "BatchInput":
		if batches, ok := event.After.(*value.Array); ok && batches.Len() > 0 {
			if batch, ok := batches.At(0).(*value.Object); ok {
				return batch.Get(name)
			}
		}
	}
	return r.evaluate(value.Compact(node.Value), index)
}

// drawn are the functions whose values are others when they are evaluated again.
var drawn = wording.Pattern(`\$(random|uuid|shuffle)\b|States\.(MathRandom|UUID)\b`)

// evaluate evaluates an expression or a payload template on the effective input of the visit, as it was at an event;
// nil where it has no value, or one that another evaluation does not give again.
func (r *valueReader) evaluate(text string, index int) value.Value {
	compiled, err := console.Compile(text)
	if err != nil || drawn().MatchString(text) {
		return nil
	}
	env := r.session.Watches().EnvAt(index)
	env.Poll.Reset()
	env.Data = r.effective(index)
	v, err := compiled.Look(env)
	if err != nil {
		return nil
	}
	return v
}

// effective returns the effective input of the visit at an event.
func (r *valueReader) effective(index int) value.Value {
	for i := index; i >= max(int(r.visit.Entered)-1, r.log.First()); i-- {
		event := r.log.At(i)
		if event.Visit == r.visit && (event.Stage == engine.StageInputPath || event.Type == engine.StateEntered) && event.After != nil {
			return event.After
		}
	}
	return nil
}

// credentials adds the values of Credentials as the newest request of the task has them.
func (r *valueReader) credentials() {
	node := r.state.Node.Get("Credentials")
	if node == nil {
		return
	}
	for i := r.at; i >= max(int(r.visit.Entered)-1, r.log.First()); i-- {
		if request, ok := r.log.At(i).Detail.(*engine.TaskRequest); ok && r.log.At(i).Visit == r.visit {
			r.template("Credentials", node, request.Credentials, i, "")
			return
		}
	}
}

// wait adds the value of a Wait's field and the time that it waits until.
func (r *valueReader) wait(place asl.Place, text string, detail *engine.WaitDetail, index int) {
	until := words("until " + wording.Instant(detail.Until))
	v := r.evaluate(text, index)
	if v == nil {
		r.note(place, TonePlain, SignLeads, until)
		return
	}
	r.add(place, v, index, "")
	at := &r.list[len(r.list)-1]
	at.Spans = slices.Concat(at.Spans, []Span{words(", "), until})
}

// LastIn returns the index of the newest event of a state up to event i of a log, counted from 0, or -1.
func LastIn(log *runlog.Log, state *asl.State, i int) int {
	for ; i >= log.First(); i-- {
		if visit := log.At(i).Visit; visit != nil && visit.State == state {
			return i
		}
	}
	return -1
}

// evaluated reports whether a text of a JSONata state's field is an expression.
func evaluated(state *asl.State, text string) bool {
	return state.QueryLanguage == asl.JSONata && template.IsExpression(text)
}
