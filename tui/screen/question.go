package screen

import (
	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/internal/wording"
	"asldb/tui/part/prose"
	"asldb/tui/view/dialog"
)

// askIfNeeded opens the question where the run waits for an unanswered task that was
// not asked about before.
func (iv *interventions) askIfNeeded() {
	if iv.Session().Stop().Reason != debug.StoppedForAnswer {
		return
	}
	for _, r := range iv.Session().Requests() {
		if r.ID > iv.asked {
			iv.Answer(r)
			return
		}
	}
	if r := iv.Session().Stop().Object; r != nil && r.ID > iv.askedObject {
		iv.askItems(r)
	}
}

// askNext opens the question about the oldest request: of a task, else of an ItemReader.
func (iv *interventions) askNext() {
	if requests := iv.Session().Requests(); len(requests) > 0 {
		iv.Answer(requests[0])
	} else if objects := iv.Session().ObjectRequests(); len(objects) > 0 {
		iv.askItems(objects[0])
	}
}

// unanswered reports whether a task waits for its outcome, or an ItemReader for an object.
func unanswered(s *debug.Session) bool { return len(s.Requests()) > 0 || len(s.ObjectRequests()) > 0 }

// askItems opens the question about an object that an ItemReader reads.
func (iv *interventions) askItems(r *engine.ObjectRequest) {
	iv.askedObject = max(iv.askedObject, r.ID)
	iv.Open(&dialog.Items{Screen: iv, Request: r, Take: func(body []byte, refused *engine.ObjectError) error {
		return iv.answered(iv.Session().Interventions().AnswerObject(r.ID, body, refused))
	}})
}

// ask opens the question about a request.
func (iv *interventions) ask(r *engine.TaskRequest) {
	iv.asked = max(iv.asked, r.ID)
	facts := iv.questionFacts(r)
	facts.Why = iv.calls.whyAsked(r)
	if iv.calls.calls != nil && iv.calls.calls.Cancelled(r.ID) != "" {
		facts.CallAgain = func() error { return iv.calls.again(r.ID) }
	}
	iv.Open(dialog.NewQuestion(iv, facts))
}

// questionFacts are the facts of the run for the question about a request.
func (iv *interventions) questionFacts(r *engine.TaskRequest) dialog.Facts {
	facts := dialog.Facts{Request: r, Limit: iv.Session().Options().Limits.Payload, Take: func(o engine.Outcome) error {
		return iv.answered(iv.Session().Interventions().Answer(r.ID, o))
	}}
	facts.Last = iv.lastOf(r)
	if iv.results.Next != nil {
		facts.Prepared = iv.results.Next(r.Visit.State)
	}
	if iv.results.Grown != nil {
		facts.Grown = iv.results.Grown(r.Visit.State)
	}
	if way := iv.nest.trail(); way != "" {
		facts.Way = way + iv.nest.title
	}
	return facts
}

// answerWith continues after the task was given its outcome, unless that was not possible.
func (iv *interventions) answered(err error) error {
	if err != nil {
		return err
	}
	iv.Open(nil)
	iv.resume()
	return nil
}

// answeredRequest returns the request of the visit that is looked at which was answered: the newest one up to the
// event, or else the first after it; nil where there is none.
func (iv *interventions) answeredRequest() *engine.TaskRequest {
	visit := iv.Selection().Visit
	if visit == nil {
		return nil
	}
	given := make(map[int64]bool)
	for i := range iv.Session().Inputs().Len() {
		if a := iv.Session().Inputs().At(i); a.Kind == runlog.InputOutcome {
			given[a.Request] = true
		}
	}
	var found *engine.TaskRequest
	for i := int(visit.Entered); i < iv.Session().Log().Len(); i++ {
		request, ok := iv.Session().Log().At(i).Detail.(*engine.TaskRequest)
		if !ok || request.Visit != visit || !given[request.ID] {
			continue
		}
		if i > iv.Selection().Index && found != nil {
			break
		}
		found = request
	}
	return found
}

// lastAnswer returns the number of the request of the run that was answered last, 0 where none was.
func (iv *interventions) lastAnswer() int64 {
	inputs := iv.Session().Inputs()
	for i := inputs.Len() - 1; i >= 0; i-- {
		if in := inputs.At(i); in.Kind == runlog.InputOutcome {
			return in.Request
		}
	}
	return 0
}

// openResults lists the results of the tasks of the run, with the cursor on the last one; where there is one alone it
// is asked for.
func (iv *interventions) openResults() {
	requests, inputs := iv.Log().Requests(), iv.Session().Inputs()
	var list []dialog.Result
	var last *engine.TaskRequest
	for i := range inputs.Len() {
		in := inputs.At(i)
		request := requests[in.Request]
		if in.Kind != runlog.InputOutcome || request == nil || request.Visit == nil {
			continue
		}
		r := dialog.Result{
			State: explain.PlaceName(request.Visit), Attempt: request.Attempt, Event: int64(in.After),
			Failed:  in.Outcome.Error != "",
			Outcome: prose.Preview(in.Outcome.Output, iv.Glyphs()), Change: func() { iv.askAgain(request) },
		}
		if r.Failed {
			r.Outcome = iv.Glyphs().Failed + " " + wording.Line(in.Outcome.Error+"  "+in.Outcome.Cause)
		}
		list, last = append(list, r), request
	}
	if len(list) == 1 {
		iv.askAgain(last)
		return
	}
	iv.Open(dialog.NewResults(iv, list, len(list)-1))
}

// compareWhatIf opens the comparison of a what-if that was made at the end of a run, once it has come to its end: at
// the first difference.
func (iv *interventions) compareWhatIf() {
	from, now := iv.changedFrom, iv.Session().Forks().Current()
	switch {
	case from == 0 || iv.Running():
	case now != iv.changedTo:
		iv.changedFrom = 0
	case iv.Session().Status().Done():
		iv.changedFrom = 0
		iv.compare(from, now)
	}
}

// lastOf returns the newest outcome of a state's task before a request, nil where it had none.
func (iv *interventions) lastOf(r *engine.TaskRequest) *engine.Outcome {
	inputs := iv.Session().Inputs()
	for i := inputs.Len() - 1; i >= 0; i-- {
		in := inputs.At(i)
		if in.Kind != runlog.InputOutcome || in.Request >= r.ID || in.Outcome.Error != "" {
			continue
		}
		if earlier := iv.requestOf(in.Request); earlier != nil && earlier.Visit.State == r.Visit.State {
			return &in.Outcome
		}
	}
	return nil
}

// requestOf returns the request of a number, nil where there is none.
func (iv *interventions) requestOf(id int64) *engine.TaskRequest {
	log := iv.Session().Log()
	at := log.Scheduled(id)
	if at < 0 {
		return nil
	}
	request, _ := log.At(at).Detail.(*engine.TaskRequest)
	return request
}

// askAgain asks for another outcome of a task that was answered already.
func (iv *interventions) askAgain(r *engine.TaskRequest) {
	facts := iv.questionFacts(r)
	inputs := iv.Session().Inputs()
	for i := inputs.Len() - 1; i >= 0 && facts.Given == nil; i-- {
		if in := inputs.At(i); in.Kind == runlog.InputOutcome && in.Request == r.ID {
			facts.Given = &in.Outcome
		}
	}
	ended := iv.Newest() && iv.Session().Status().Done()
	facts.Take = func(o engine.Outcome) error {
		from := iv.Session().Forks().Current()
		if err := iv.Session().Interventions().AnswerOtherwise(r.ID, o); err != nil || !ended {
			return iv.answered(err)
		}
		iv.changedFrom, iv.changedTo = from, iv.Session().Forks().Current()
		iv.Open(nil)
		iv.Begin(debug.Command{Kind: debug.Continue})
		return nil
	}
	iv.Open(dialog.NewQuestion(iv, facts))
}
