package explain

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/path"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// FieldValue is the value that an expression of a state's definition has in a visit, or a note about a part of it: the
// retries that a retrier has used, the rule that holds.
type FieldValue struct {
	// Place is where the expression is.
	Place asl.Place
	Tone  Tone
	Sign  Sign
	Spans []Span
	// Value is the value, nil for a note.
	Value value.Value
	// Event is the index in the log of the event in which it was evaluated, from 0, and Path the path of the value in
	// the data of that event; Path is "" where the data do not have it.
	Event int
	Path  string
}

// Values returns the values of the expressions in the state of event i of a session's log, counted from 0, as they are
// after that event, in the order of the text. Each field has the value of its newest evaluation in the visit; fields
// that were not evaluated yet have none. stages are the stages of the visit at event i: see [runlog.Log.StagesAt].
func Values(s *debug.Session, i int, stages *runlog.VisitStages) []FieldValue {
	if stages.Visit == nil || stages.Visit.State.Node == nil || i < 0 || i >= s.Log().Len() {
		return nil
	}
	r := &valueReader{session: s, log: s.Log(), at: i, visit: stages.Visit, state: stages.Visit.State, rule: -1, caught: -1}
	r.scan()
	for k := range stages.Stages {
		r.stage(&stages.Stages[k])
	}
	r.handlers()
	slices.SortStableFunc(r.list, func(a, b FieldValue) int { return a.Place.Span.Start.Offset - b.Place.Span.Start.Offset })
	return r.list
}

// valueReader gathers the values of a visit.
type valueReader struct {
	session *debug.Session
	log     *runlog.Log
	at      int
	visit   *engine.Visit
	state   *asl.State
	list    []FieldValue

	rule int // that holds, -1 for none
	// caught is the index of the event in which a catcher took an error, -1 for none; result and failed are the indexes
	// of the newest result of the work and of the newest failure, or -1.
	caught, result, failed int
	retries                map[int]int64 // of each retrier
}

// scan looks for the events of the visit that are not in its stages.
func (r *valueReader) scan() {
	r.result, r.failed, r.retries = -1, -1, make(map[int]int64)
	again := false
	for i := r.at; i >= max(int(r.visit.Entered)-1, r.log.First()); i-- {
		event := r.log.At(i)
		if event.Visit != r.visit {
			continue
		}
		switch detail := event.Detail.(type) {
		case *engine.RetryDetail:
			if _, known := r.retries[detail.Retrier]; !known {
				r.retries[detail.Retrier] = detail.Attempt
			}
		case *engine.CatchDetail:
			r.caught = max(r.caught, i)
		}
		switch event.Type {
		case engine.RetryStarted:
			again = true
		case engine.TaskSucceeded, engine.ParallelSucceeded, engine.MapSucceeded:
			if !again {
				r.result = max(r.result, i)
			}
		case engine.StageFailed:
			if !again {
				r.failed = max(r.failed, i)
			}
		default:
		}
	}
}

// add adds the value at a node of the definition.
func (r *valueReader) add(at asl.Place, v value.Value, event int, path string) {
	r.list = append(r.list, FieldValue{Place: at, Sign: SignLeads, Spans: []Span{val(v)}, Value: v, Event: event, Path: path})
}

// note adds a note about a part of the definition.
func (r *valueReader) note(at asl.Place, tone Tone, sign Sign, spans ...Span) {
	r.list = append(r.list, FieldValue{Place: at, Tone: tone, Sign: sign, Spans: spans, Event: r.at})
}

// stage adds the values of the fields of a stage.
func (r *valueReader) stage(m *runlog.StageMark) {
	if r.failed >= 0 && r.log.At(r.failed).Stage == m.Info.Stage && m.State == runlog.StageFailed && !r.failState() {
		r.fault()
		return
	}
	if m.Info.Stage == engine.StageResult {
		r.credentials()
		r.work()
		return
	}
	event := r.newest(m)
	if event < 0 {
		return
	}
	if m.Info.Stage == engine.StageChoices {
		r.choice(event)
		return
	}
	for _, f := range asl.FieldsAt(r.state.Type, r.state.QueryLanguage, m.Info.Stage) {
		prefix := r.prefix(f, event)
		if _, node := r.state.Node.Find("/" + prefix + f.Name); node != nil {
			r.field(f, prefix+f.Name, node, event)
		}
	}
}

// failState reports whether the failure is the one that a Fail state makes.
func (r *valueReader) failState() bool {
	failure := r.log.At(r.failed).Failure()
	return r.state.Type == asl.Fail && failure != nil && failure.Field == ""
}

// newest returns the index of the event of a stage's newest evaluation, or -1.
func (r *valueReader) newest(m *runlog.StageMark) int {
	if m.Last != nil {
		return int(m.Last.Seq) - 1
	}
	if m.State == runlog.StagePending || m.State == runlog.StageAbsent {
		return -1
	}
	for i := r.at; i >= max(int(r.visit.Entered)-1, r.log.First()); i-- { // a Wait or a Choice
		if event := r.log.At(i); event.Visit == r.visit && event.Stage == m.Info.Stage && event.Before != nil {
			return i
		}
	}
	return -1
}

// prefix returns the JSON Pointer, without its first slash, of the object that holds a field in force: the state, the
// catcher that took the error, or the rule that holds.
func (r *valueReader) prefix(f *asl.Field, event int) string {
	if f.Stage != engine.StageAssign && f.Stage != engine.StageOutputPath && f.Stage != engine.StageResultPath {
		return ""
	}
	if r.caught >= 0 && event > r.caught {
		if detail, ok := r.log.At(r.caught).Detail.(*engine.CatchDetail); ok && (f.Name != "OutputPath") {
			return "Catch/" + strconv.Itoa(detail.Catcher) + "/"
		}
	}
	if r.rule >= 0 && f.Name != "OutputPath" {
		return "Choices/" + strconv.Itoa(r.rule) + "/"
	}
	return ""
}

// field adds the values of a field that was evaluated in an event.
func (r *valueReader) field(f *asl.Field, pointer string, node *source.Node, index int) {
	event := r.log.At(index)
	place := r.state.Place(pointer)
	switch f.Content {
	case asl.ContentPath, asl.ContentItemsPath:
		if event.After != nil {
			r.add(place, event.After, index, "$")
		}
	case asl.ContentResultPath:
		r.resultPath(place, node, index)
	case asl.ContentTemplate, asl.ContentPayload, asl.ContentItems, asl.ContentAssign:
		r.template(pointer, node, event.After, index, "$")
	case asl.ContentCount, asl.ContentTimestamp, asl.ContentQuantityPath, asl.ContentPercentage:
		r.quantity(place, node, index)
	case asl.ContentText, asl.ContentTextPath:
		r.text(f, place, node, event)
	case asl.ContentReader, asl.ContentBatcher, asl.ContentWriter:
		r.parts(f.Parts, pointer, node, index)
	default:
	}
}

// resultPath adds the value that ResultPath has put into the input.
func (r *valueReader) resultPath(place asl.Place, node *source.Node, index int) {
	if node.Kind == value.KindNull {
		r.note(place, ToneQuiet, SignLeads, words("the result is discarded"))
		return
	}
	text, _ := node.Value.(value.String)
	p, err := path.ParseReference(string(text))
	if err != nil {
		return
	}
	if v := p.Find(&path.Roots{Data: r.log.At(index).After}); v != nil {
		r.add(place, v, index, string(text))
	}
}

// memberPath returns the path of a part of the value at a path, "" where the data do not have that.
func memberPath(at, segment string) string {
	if at == "" {
		return ""
	}
	return at + segment
}

// template adds the values of the expressions in a payload template or in JSON with JSONata, which made v. at is the
// path of v in the data of the event, "" where they do not have it.
func (r *valueReader) template(pointer string, node *source.Node, v value.Value, index int, at string) {
	if v == nil {
		return
	}
	switch node.Kind {
	case value.KindString:
		text, _ := node.Value.(value.String)
		if r.state.QueryLanguage == asl.JSONata && template.IsExpression(string(text)) {
			r.add(r.state.Place(pointer), v, index, at)
		}
	case value.KindArray:
		array, ok := v.(*value.Array)
		for i, item := range node.Items {
			if ok && i < array.Len() {
				n := strconv.Itoa(i)
				r.template(pointer+"/"+n, item, array.At(i), index, memberPath(at, "["+n+"]"))
			}
		}
	case value.KindObject:
		object, ok := v.(*value.Object)
		if !ok {
			return
		}
		for i := range node.Members {
			m := &node.Members[i]
			name, evaluated := strings.CutSuffix(m.Key, template.Suffix)
			evaluated = evaluated && r.state.QueryLanguage == asl.JSONPath
			if !evaluated {
				name = m.Key
			}
			member := object.Get(name)
			below := pointer + "/" + value.EscapePointer(m.Key)
			switch {
			case member == nil:
			case evaluated:
				r.add(r.state.Place(below), member, index, memberPath(at, path.Member(name)))
			default:
				r.template(below, m.Node, member, index, memberPath(at, path.Member(name)))
			}
		}
	default:
	}
}

// quantity adds the number or the time that a path or an expression gives.
func (r *valueReader) quantity(place asl.Place, node *source.Node, index int) {
	text, _ := node.Value.(value.String)
	event := r.log.At(index)
	if r.state.QueryLanguage == asl.JSONata {
		if !evaluated(r.state, string(text)) {
			return
		}
		if detail, ok := event.Detail.(*engine.WaitDetail); ok {
			r.wait(place, string(text), detail, index)
		} else if v := r.evaluate(string(text), index); v != nil {
			r.add(place, v, index, "")
		}
		return
	}
	p, err := path.Parse(string(text))
	if err != nil {
		return
	}
	context, variables := r.session.RootsAt(index)
	if v := p.Find(&path.Roots{Data: r.effective(index), Context: context, Variables: variables}); v != nil {
		r.add(place, v, index, "")
	}
}

// text adds the error that a Fail state's Error or Cause gives.
func (r *valueReader) text(f *asl.Field, place asl.Place, node *source.Node, event *engine.Event) {
	failure := event.Failure()
	text, _ := node.Value.(value.String)
	if failure == nil || f.Content == asl.ContentText && !template.IsExpression(string(text)) {
		return
	}
	name := failure.Name
	if strings.HasPrefix(f.Name, "Cause") {
		name = failure.Cause
	}
	r.add(place, value.String(name), int(event.Seq)-1, "")
}

// work adds the result of a task, of branches or of iterations.
func (r *valueReader) work() {
	if r.result < 0 {
		return
	}
	for _, name := range []string{"Resource", "Branches", "ItemProcessor", "Iterator"} {
		if r.state.Node.Get(name) != nil {
			place := r.state.Place(name)
			if name != "Resource" {
				place.Span = place.Key // the line on which it begins
			}
			r.add(place, r.log.At(r.result).After, r.result, "$")
			return
		}
	}
}

// fault adds the error of an expression that failed.
func (r *valueReader) fault() {
	event := r.log.At(r.failed)
	failure := event.Failure()
	if failure == nil || failure.Origin == nil || failure.Origin.State != r.state {
		return
	}
	at := FieldValue{Place: r.state.Place(failure.Field), Tone: ToneBad, Sign: SignError, Event: r.failed}
	var miss *path.MissError
	var query *template.QueryError
	switch {
	case errors.As(failure.Err, &miss) && miss.At != nil:
		at.Spans, at.Path = []Span{words("missing: "), pathSpan(miss.Missing)}, miss.Path.String()
	case errors.As(failure.Err, &query) && query.Reason != "":
		at.Spans = []Span{causeSpan(wording.Clip(strings.TrimSuffix(query.Reason, "."), maxBrief))}
	default:
		at.Spans = []Span{errorName(failure.Name)}
	}
	r.list = append(r.list, at)
}

// handlers adds the retries that were used, and the error that a catcher took.
func (r *valueReader) handlers() {
	for k, retrier := range r.state.Retry {
		if used, ok := r.retries[k]; ok {
			text := strconv.FormatInt(used, 10) + " of " + strconv.FormatInt(retrier.MaxAttempts, 10) + " retries used"
			r.note(r.part("Retry/"+strconv.Itoa(k), "MaxAttempts"), ToneCaution, SignRetry, words(text))
		}
	}
	if r.caught < 0 {
		return
	}
	if detail, ok := r.log.At(r.caught).Detail.(*engine.CatchDetail); ok && detail.Failure != nil {
		r.note(r.part("Catch/"+strconv.Itoa(detail.Catcher), "ErrorEquals"), ToneCaution, SignCatch, words("took "), errorName(detail.Failure.Name))
	}
}

// part returns the place of a member of an object, or of its ErrorEquals where it does not have the member.
func (r *valueReader) part(pointer, name string) asl.Place {
	if _, node := r.state.Node.Find("/" + pointer + "/" + name); node == nil {
		name = "ErrorEquals"
	}
	return r.state.Place(pointer + "/" + name)
}
