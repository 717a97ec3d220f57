package provenance

import (
	"container/heap"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/value"
)

// suspect is a place in which a lost value is looked for.
type suspect struct {
	place place
	from  int // the suspect at whose event it would be lost; -1 of the first
	// kind, field and byDefault are how it would be lost there; a kind of NeverThere stands for a place that is the same
	// value's, so that it cannot be lost on the way.
	kind      LossKind
	field     string
	byDefault bool
}

// search looks for the newest event that had a value which is missing later.
type search struct {
	*tracer
	suspects []suspect
	queue    []int // a heap of places in suspects, the newest event first
	seen     map[nodePlace]bool
	spare    []suspect // to look at where nothing else had the value
	rest     func(i int) bool
}

// Len implements [heap.Interface].
func (s *search) Len() int { return len(s.queue) }

// Less implements [heap.Interface].
func (s *search) Less(i, j int) bool {
	a, b := s.queue[i], s.queue[j]
	if s.suspects[a].place.event != s.suspects[b].place.event {
		return s.suspects[a].place.event > s.suspects[b].place.event
	}
	return a < b
}

// Swap implements [heap.Interface].
func (s *search) Swap(i, j int) { s.queue[i], s.queue[j] = s.queue[j], s.queue[i] }

// Push implements [heap.Interface].
func (s *search) Push(x any) { s.queue = append(s.queue, x.(int)) }

// Pop implements [heap.Interface].
func (s *search) Pop() any {
	last := len(s.queue) - 1
	x := s.queue[last]
	s.queue = s.queue[:last]
	return x
}

// look adds a place to look in.
func (s *search) look(c suspect) {
	if c.place.event < 0 {
		return
	}
	key := nodePlace{c.place.event, pathText(c.place.segments)}
	if s.seen[key] {
		return
	}
	s.seen[key] = true
	s.suspects = append(s.suspects, c)
	heap.Push(s, len(s.suspects)-1)
}

// run returns the suspect that had the value, -1 where none did.
func (s *search) run() int {
	for looked := 0; looked < maxLooked; looked++ {
		if s.Len() == 0 {
			break
		}
		at := heap.Pop(s).(int)
		if !s.rest(s.suspects[at].place.event) {
			return -1
		}
		if c := &s.suspects[at]; c.kind != NeverThere && s.value(c.place) != nil {
			return at
		}
		s.before(at)
	}
	for _, c := range s.spare {
		if s.value(c.place) != nil {
			s.suspects = append(s.suspects, c)
			return len(s.suspects) - 1
		}
	}
	return -1
}

// chain returns the places from the first suspect to the one at whose event another was lost.
func (s *search) chain(lost int) []place {
	var places []place
	for at := s.suspects[lost].from; at >= 0; at = s.suspects[at].from {
		places = append(places, s.suspects[at].place)
	}
	for i, j := 0, len(places)-1; i < j; i, j = i+1, j-1 {
		places[i], places[j] = places[j], places[i]
	}
	return places
}

// before looks in all data that those at a place were made of.
func (s *search) before(at int) {
	p := s.suspects[at].place
	event := s.at(p.event)
	same := func(event int) { s.look(suspect{place: place{event: event, segments: p.segments}, from: at}) }
	switch event.Type {
	case engine.ExecutionStarted, engine.TaskSucceeded, engine.TaskSubmitted, engine.ErrorCaught:
	case engine.StateEntered:
		same(s.intoState(p.event))
	case engine.StateExited:
		gave := s.gave(p.event, event.After)
		same(gave)
		s.defaultOutput(at, gave)
	case engine.IterationStarted:
		s.beforeIteration(at)
	case engine.ParallelSucceeded, engine.MapSucceeded:
		ends := s.ends(p.event)
		if len(p.segments) > 0 && p.segments[0].Kind == path.IndexSegment && p.segments[0].Index < len(ends) {
			s.look(suspect{place: place{event: ends[p.segments[0].Index], segments: p.segments[1:]}, from: at})
		}
	case engine.BranchSucceeded, engine.IterationSucceeded:
		same(s.last(p.event, func(e *engine.Event) bool { return e.Type == engine.StateExited && e.Thread == event.Thread }))
	case engine.ExecutionSucceeded:
		same(s.last(p.event, func(e *engine.Event) bool { return e.Type == engine.StateExited && e.Thread == 0 }))
	case engine.DataEdited:
		s.look(suspect{place: place{event: s.gave(p.event, event.Before), segments: p.segments}, from: at, kind: EditedAway})
	case engine.StageCompleted:
		s.beforeStage(at)
	default:
		same(s.gave(p.event, event.After))
	}
}

// defaultOutput looks in the raw input of a state in JSONata, or of a Pass state with a Result, whose result is its output.
func (s *search) defaultOutput(at, gave int) {
	if gave < 0 {
		return
	}
	p := s.suspects[at].place
	event, result := s.at(p.event), s.at(gave)
	def := event.Visit.State
	field := ""
	switch result.Type {
	case engine.TaskSucceeded, engine.ParallelSucceeded, engine.MapSucceeded, engine.ErrorCaught:
		if def.QueryLanguage != asl.JSONata {
			return
		}
		field = s.catcherAt(p.event) + "Output"
	case engine.StageCompleted:
		if def.Type != asl.Pass || result.Stage != engine.StageResult {
			return
		}
		field = "ResultPath"
	default:
		return
	}
	raw := s.rawInput(event.Visit, p.event)
	s.look(suspect{place: place{event: raw, segments: p.segments}, from: at, kind: Replaced, field: field, byDefault: true})
}

// beforeIteration looks in the item of an iteration, and in the data that its Map state has.
func (s *search) beforeIteration(at int) {
	p := s.suspects[at].place
	event := s.at(p.event)
	detail, _ := event.Detail.(*engine.ThreadDetail)
	for i := p.event - 1; i >= int(event.Visit.Entered); i-- {
		earlier := s.at(i)
		if earlier.Visit != event.Visit || earlier.After == nil {
			continue
		}
		if earlier.Type == engine.StageCompleted && earlier.Stage == engine.StageParameters && s.log.Same(earlier.After, event.After) {
			s.look(suspect{place: place{event: i, segments: p.segments}, from: at})
			return
		}
		list, ok := earlier.After.(*value.Array)
		if ok && detail != nil && detail.Index < list.Len() && s.log.Same(list.At(detail.Index), event.After) {
			from := []path.Segment{{Kind: path.IndexSegment, Index: detail.Index}}
			s.look(suspect{place: place{event: i, segments: append(from, p.segments...)}, from: at})
			break
		}
	}
	s.look(suspect{
		place: place{event: s.effectiveOf(event.Visit, p.event), segments: p.segments}, from: at, kind: NotInItem, field: "ItemSelector", byDefault: true,
	})
}

// beforeStage looks in the data that a stage read.
func (s *search) beforeStage(at int) {
	p := s.suspects[at].place
	event := s.at(p.event)
	before := s.gave(p.event, event.Before)
	if event.Stage == engine.StageResultPath {
		s.beforeResultPath(at, before)
		return
	}
	if event.Stage == engine.StageAssign {
		s.beforeAssign(at)
		return
	}
	if field := s.pathAt(p.event); field != nil {
		kind := suspect{
			place: place{event: before, segments: p.segments}, from: at, kind: NotSelected, field: event.Stage.String(),
		}
		if !field.Null && field.Path.Root() == path.DataRoot && field.Path.Plain() {
			whole := append(segmentsOf(field.Path), p.segments...)
			s.look(suspect{place: place{event: before, segments: whole}, from: at})
		}
		if event.Stage != engine.StageItemsPath {
			s.look(kind)
		}
		return
	}
	if field := s.templateAt(p.event); field != nil && event.Stage != engine.StageItemsPath {
		s.beforeTemplate(at, field)
		return
	}
	switch {
	case event.Stage == engine.StageResult && len(p.segments) > 0 && event.Visit.State.ResultPath == nil:
		s.look(suspect{
			place: place{event: s.rawInput(event.Visit, p.event), segments: p.segments}, from: at, kind: Replaced, field: "ResultPath", byDefault: true,
		})
	case event.Stage != engine.StageResult && event.Stage != engine.StageItemReader:
		s.look(suspect{place: place{event: before, segments: p.segments}, from: at})
	}
}

// beforeResultPath looks in the raw input and in the result.
func (s *search) beforeResultPath(at, raw int) {
	p := s.suspects[at].place
	field, result := s.resultPathAt(p.event), s.result(p.event)
	name := s.catcherAt(p.event) + "ResultPath"
	whole := func(kind LossKind, event int) {
		s.look(suspect{place: place{event: event, segments: p.segments}, from: at, kind: kind, field: name, byDefault: field == nil})
	}
	if field != nil && field.Null {
		whole(NeverThere, raw)
		whole(Discarded, result)
		return
	}
	var target []path.Segment
	if field != nil {
		target = segmentsOf(field.Path)
	}
	common := 0
	for common < min(len(target), len(p.segments)) && target[common] == p.segments[common] {
		common++
	}
	switch {
	case len(target) == 0:
		whole(Replaced, raw)
		whole(NeverThere, result)
	case common == len(target):
		s.look(suspect{place: place{event: result, segments: p.segments[common:]}, from: at})
		whole(Overwritten, raw)
	default:
		whole(NeverThere, raw)
		if result >= 0 {
			s.spare = append(s.spare, suspect{place: place{event: result, segments: p.segments}, from: at, kind: Elsewhere, field: name})
		}
	}
}

// beforeTemplate looks at the path that the member of a payload template names, and at the same path in the data that the
// template reads.
func (s *search) beforeTemplate(at int, field *asl.TemplateField) {
	p := s.suspects[at].place
	visit := s.at(p.event).Visit
	query := field.Query != nil
	name := s.templateName(p.event)
	documents := []int{s.documentOf(p.event)}
	if query {
		documents = []int{s.rawResult(visit, p.event), s.rawInput(visit, p.event)}
	}
	if from, ok := s.madeOf(p, field); ok {
		s.look(suspect{place: from, from: at})
	}
	for _, document := range documents {
		s.look(suspect{place: place{event: document, segments: p.segments}, from: at, kind: LeftOut, field: name})
	}
}

// madeOf returns the place that the expression at a place of a template names, where it names one.
func (t *tracer) madeOf(p place, field *asl.TemplateField) (place, bool) {
	query := field.Query != nil
	said, rest := inTemplate(field.Value, p.segments, query)
	text, ok := said.(value.String)
	if !ok || (!query && !dynamic(field.Value, p.segments, len(p.segments)-len(rest))) {
		return place{}, false
	}
	from, ok := t.namedBy(p.event, string(text), query)
	return below(from, rest), ok
}

// namedBy returns the place that an expression of a template names, where it names one.
func (t *tracer) namedBy(i int, text string, query bool) (place, bool) {
	if !query {
		at, err := path.Parse(text)
		if err != nil || !at.Plain() || at.Root() == path.ContextRoot {
			return place{}, false
		}
		if at.Root() == path.VariableRoot {
			set := t.variableOf(t.at(i).Visit, at.Variable())
			return place{event: set, segments: append([]path.Segment{{Kind: path.NameSegment, Name: at.Variable()}}, segmentsOf(at)...)}, set >= 0
		}
		document := t.documentOf(i)
		return place{event: document, segments: segmentsOf(at)}, document >= 0
	}
	found := simpleQuery.FindStringSubmatch(trimExpression(text))
	if found == nil {
		return place{}, false
	}
	at, err := path.Parse("$" + found[2])
	if err != nil {
		return place{}, false
	}
	names, document := segmentsOf(at), -1
	switch {
	case found[1] != "states":
		set := t.variableOf(t.at(i).Visit, found[1])
		return place{event: set, segments: append([]path.Segment{{Kind: path.NameSegment, Name: found[1]}}, names...)}, set >= 0
	case hasPrefix(names, "input"):
		document = t.rawInput(t.at(i).Visit, i)
	case hasPrefix(names, "result") || hasPrefix(names, "errorOutput"):
		document = t.rawResult(t.at(i).Visit, i)
	default:
		return place{}, false
	}
	return place{event: document, segments: names[1:]}, document >= 0
}

// beforeAssign looks at the path that an Assign names for a variable, and in the value that the variable had before.
func (s *search) beforeAssign(at int) {
	p := s.suspects[at].place
	event := s.at(p.event)
	if len(p.segments) == 0 || p.segments[0].Kind != path.NameSegment {
		return
	}
	name := p.segments[0].Name
	field := s.templateAt(p.event)
	if assigns(event, name) && field != nil {
		if from, ok := s.madeOf(p, field); ok {
			s.look(suspect{place: from, from: at})
		}
	}
	kind := NeverThere
	if assigns(event, name) {
		kind = Overwritten
	}
	s.look(suspect{
		place: place{event: s.variableOf(event.Visit, name), segments: p.segments}, from: at, kind: kind,
		field: s.templateName(p.event) + memberAt(field, p.segments[:1], field != nil && field.Query != nil),
	})
}
