package why

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/engine/value"
)

// object makes an object of members, without those that are empty.
type object struct{ value.ObjectBuilder }

func (o *object) text(key, text string) {
	if text != "" {
		o.Set(key, value.String(text))
	}
}

func (o *object) count(key string, n int64) {
	if n != 0 {
		o.Set(key, value.Int(n))
	}
}

func (o *object) seconds(key string, d time.Duration) { o.Set(key, value.Float(d.Seconds())) }

func (o *object) value(key string, v value.Value) {
	if v != nil {
		o.Set(key, v)
	}
}

// document is the explanation as a JSON document: how the execution ended, the chain from there back to the cause, the errors that were being
// handled, the values that the cause had to do with, the errors that were survived, and the next steps. Numbers of events, attempts, retriers,
// catchers and rules count from 1; "id" is the one of an event in the history of Step Functions.
func (a *Answer) document() value.Value {
	e := a.Ending
	var o object
	o.Set("explained", value.Bool(e.Chain.Root() != nil))
	o.text("status", e.Status.String())
	if f := e.Failure; f != nil {
		o.text("error", f.Name)
		o.text("cause", f.Cause)
		if f.Origin != nil {
			o.text("state", f.Origin.State.Name)
		}
	}
	if a.Recording != nil {
		o.text("execution", a.Recording.Execution.ARN)
	}
	if last := e.Run.Log.Last(); last != nil {
		o.text("started", engine.FormatInstant(e.Run.Start))
		o.seconds("seconds", last.At().Sub(e.Run.Start))
	}
	o.Set("chain", value.NewArray(a.chain(e.Run, e.Chain, false)))
	if mark, ok := e.Sureness(); ok {
		o.text("sureness", mark.String())
	}
	if root := e.Chain.Root(); root != nil {
		o.Set("handled", value.NewArray(a.links(e.Run, e.Chain.Handled, false)))
		o.Set("values", a.values(e.Run, root))
	}
	o.Set("survived", a.survivors(e.Run, e.Chain))
	if e.Chain.Partial {
		o.Set("partial", value.Bool(true))
	}
	o.Set("noticed", explain.NoticedValue(e.Run))
	o.Set("notes", value.Texts(a.Notes))
	steps := make([]value.Value, 0, len(a.Next))
	for _, step := range a.Next {
		var s object
		s.text("purpose", step.Purpose)
		s.text("command", step.Command)
		steps = append(steps, s.Object())
	}
	o.Set("next", value.NewArray(steps))
	return o.Object()
}

// chain writes the links of a run, and behind the last one those of the executions that its task had started. The events of
// such a nested run have no ids of this history.
func (a *Answer) chain(r *provenance.RunAgain, c *provenance.Chain, nested bool) []value.Value {
	list := a.links(r, c.Links, nested)
	root := c.Root()
	if root == nil {
		return list
	}
	for child := r.Child(root); child != nil; child = child.Child {
		var o object
		o.text("kind", "execution")
		o.text("execution", child.Arn)
		o.text("status", child.Status)
		o.text("error", child.Error)
		o.text("cause", child.Cause)
		if child.Run != nil {
			o.Set("chain", value.NewArray(a.chain(child.Run, child.Chain, true)))
		}
		list = append(list, o.Object())
	}
	return list
}

func (a *Answer) links(r *provenance.RunAgain, links []provenance.Link, nested bool) []value.Value {
	list := make([]value.Value, 0, len(links))
	for i := range links {
		list = append(list, a.link(r, &links[i], nested))
	}
	return list
}

func (a *Answer) link(r *provenance.RunAgain, l *provenance.Link, nested bool) value.Value {
	var o object
	o.text("kind", l.Kind.String())
	stateOf(&o, l.Visit)
	if l.Failure != nil {
		o.text("error", l.Failure.Name)
		o.text("cause", l.Failure.Cause)
		o.text("reason", cmp.Or(l.Failure.Explanation(), unpacked(l.Failure)))
		o.text("field", l.Failure.Field)
	}
	a.when(&o, r, l.Event, l.At, nested)
	if l.Kind == provenance.Failed {
		o.count("attempt", int64(l.Attempt))
		o.count("failedInside", int64(l.Inside))
		o.text("mapRun", r.MapRun(l))
	}
	if l.Kind == provenance.Decided {
		if l.Rule >= 0 {
			o.count("rule", int64(l.Rule)+1)
		} else {
			o.Set("rule", value.String("default"))
		}
		o.Set("compared", value.Texts(l.Compared))
	}
	o.value("place", placeOf(l.Place))
	if retries := r.Retries(l); len(retries) > 0 {
		list := make([]value.Value, 0, len(retries))
		for _, retry := range retries {
			var item object
			item.count("attempt", int64(retry.Attempt))
			item.text("error", retry.Failure.Name)
			item.text("cause", retry.Failure.Cause)
			a.when(&item, r, retry.Event, retry.At, nested)
			item.count("retrier", int64(retry.Retrier)+1)
			item.seconds("delaySeconds", retry.Delay)
			list = append(list, item.Object())
		}
		o.Set("retries", value.NewArray(list))
	}
	if len(l.Handlers) > 0 {
		o.Set("handlers", handlersOf(l, r.Made))
	}
	o.value("bound", boundOf(r, l))
	if l.Kind == provenance.Failed {
		if loss, hints := r.Missing(l.Event); loss != nil || len(hints) > 0 {
			o.Set("missing", a.missing(r, loss, hints, nested))
		}
	}
	return o.Object()
}

// unpacked returns the reason of an error in its Cause, where that has more around it.
func unpacked(f *engine.Failure) string {
	if reason := explain.Reason(f); reason != f.Cause {
		return reason
	}
	return ""
}

// when adds the number of an event, its id and its time.
func (a *Answer) when(o *object, r *provenance.RunAgain, i int, at time.Time, nested bool) {
	o.count("event", r.Log.At(i).Seq)
	if !nested && a.Recording != nil {
		o.count("id", a.id(i))
	}
	o.text("time", engine.FormatInstant(at))
	o.seconds("seconds", at.Sub(r.Start))
}

func stateOf(o *object, visit *engine.Visit) {
	if visit != nil {
		o.text("state", visit.State.Name)
		o.text("path", visit.Path())
		o.text("type", visit.State.Type.String())
	}
}

func placeOf(place *asl.Place) value.Value {
	if place == nil || place.Source == nil {
		return nil
	}
	var o object
	o.text("file", place.Source.Name)
	o.count("line", int64(place.Span.Start.Line))
	o.count("column", int64(place.Span.Start.Col))
	o.Set("pointer", value.String(place.Pointer))
	return o.Object()
}

func handlersOf(l *provenance.Link, made bool) value.Value {
	list := make([]value.Value, 0, len(l.Handlers))
	for _, h := range l.Handlers {
		var o object
		kind, field := "retrier", "Retry"
		if h.Catcher {
			kind, field = "catcher", "Catch"
		}
		o.text("kind", kind)
		if !made {
			o.count("number", int64(h.Index)+1)
			o.Set("errorEquals", value.Texts(h.Names))
		}
		o.text("verdict", h.Verdict.String())
		o.text("near", h.Near)
		o.text("next", h.Next)
		if !h.Catcher {
			o.Set("attempts", value.Int(h.Attempts))
			o.Set("maxAttempts", value.Int(h.MaxAttempts))
		}
		if !made {
			place := l.Visit.State.Place(field + "[" + strconv.Itoa(h.Index) + "]")
			o.value("place", placeOf(&place))
		}
		list = append(list, o.Object())
	}
	return value.NewArray(list)
}

func boundOf(r *provenance.RunAgain, l *provenance.Link) value.Value {
	b := r.Bound(l.Event)
	if b == nil {
		return nil
	}
	var o object
	o.text("field", b.Field)
	if b.Limit > 0 {
		o.seconds("limitSeconds", b.Limit)
	}
	o.seconds("waitedSeconds", b.Waited)
	if !b.Heartbeat.IsZero() {
		o.text("lastHeartbeat", engine.FormatInstant(b.Heartbeat))
	}
	return o.Object()
}

// missing writes how far a path got, and where its value was lost.
func (a *Answer) missing(
	r *provenance.RunAgain, loss *provenance.Loss, hints []provenance.Hint, nested bool,
) value.Value {
	var o object
	if loss != nil && loss.Miss != nil {
		o.missed(loss.Miss)
		hints = loss.Hints
	}
	o.value("hints", explain.HintsValue(hints))
	if loss != nil && loss.Kind != provenance.NeverThere {
		var lost object
		lost.text("kind", loss.Kind.String())
		stateOf(&lost, loss.Visit)
		lost.text("field", loss.Field)
		a.when(&lost, r, loss.At, r.Log.At(loss.At).At(), nested)
		lost.value("place", placeOf(loss.Place))
		lost.text("hadPath", loss.HadPath)
		lost.value("value", loss.Value)
		if loss.Remedy != nil {
			lost.text("remedy", loss.Remedy.Line)
			lost.text("without", loss.Remedy.Without)
		}
		o.Set("lost", lost.Object())
	}
	return o.Object()
}

// missed says how far a path got.
func (o *object) missed(miss *path.MissError) {
	if miss.Path != nil {
		o.text("path", miss.Path.String())
	}
	o.text("found", miss.Found)
	o.text("missing", miss.Missing)
	o.text("suggestion", miss.Suggestion)
	o.value("at", miss.At)
}

func (a *Answer) values(r *provenance.RunAgain, l *provenance.Link) value.Value {
	values := r.Values(l)
	list := make([]value.Value, 0, len(values))
	for _, v := range values {
		var o object
		o.text("path", v.Path)
		o.value("value", v.Value)
		o.text("from", v.From)
		o.text("expression", strings.TrimSpace(v.Expression))
		if v.Visit == nil {
			o.text("origin", "input")
		} else {
			var origin object
			stateOf(&origin, v.Visit)
			a.when(&origin, r, v.Event, r.Log.At(v.Event).At(), false)
			o.Set("origin", origin.Object())
		}
		list = append(list, o.Object())
	}
	return value.NewArray(list)
}

func (a *Answer) survivors(r *provenance.RunAgain, c *provenance.Chain) value.Value {
	list := make([]value.Value, 0, len(c.Survived))
	for i := range c.Survived {
		s := &c.Survived[i]
		var o object
		stateOf(&o, s.Visit)
		o.text("error", s.Failure.Name)
		o.text("cause", s.Failure.Cause)
		o.text("fate", s.Fate.String())
		if s.By != nil {
			o.text("by", s.By.Path())
		}
		o.count("count", int64(s.Count))
		if s.Places > 1 {
			o.count("places", int64(s.Places))
		}
		a.when(&o, r, s.Event, s.At, false)
		o.value("place", placeOf(s.Place))
		list = append(list, o.Object())
	}
	return value.NewArray(list)
}
