package engine

import "slices"

// requests are the requests of an execution that have no answer yet, with their numbers.
type requests struct {
	lastTask    int64
	asked       []*TaskRequest
	lastObject  int64
	wanted      []*ObjectRequest
	lastMapRun  int64
	invocations []int32 // by the number of the state
	// spareOutcome is an outcome that was due, and will be used again for another. No snapshot has it.
	spareOutcome *Outcome
}

// askTask completes the request of a thread for an outcome with its numbers, and lets the thread wait for the answer.
func (r *requests) askTask(t *thread, request *TaskRequest) {
	r.lastTask++
	r.invocations[t.state.number]++
	request.ID, request.Thread, request.Visit = r.lastTask, t.id, t.visit
	request.Attempt, request.Invocation = t.retried+1, int(r.invocations[t.state.number])
	t.request, t.block = request, onAnswer
	r.asked = append(r.asked, request)
}

// askObject completes the request of a thread for an object with its number, and lets the thread wait for the answer.
func (r *requests) askObject(t *thread, request *ObjectRequest) {
	r.lastObject++
	request.ID, request.Thread, request.Visit = r.lastObject, t.id, t.visit
	t.work.wanted, t.block = request, onAnswer
	r.wanted = append(r.wanted, request)
}

// Asks reports whether there is a request, for an outcome or an object, without an answer.
func (r *requests) Asks() bool { return len(r.asked)+len(r.wanted) > 0 }

// Requests returns the requests without an answer, in the order in which they were made.
func (r *requests) Requests() []*TaskRequest { return slices.Clone(r.asked) }

// Unanswered returns the oldest request without an answer, or nil.
func (r *requests) Unanswered() *TaskRequest {
	if len(r.asked) == 0 {
		return nil
	}
	return r.asked[0]
}

// UnansweredAfter returns the oldest request without an answer that has a greater number than id, or nil.
func (r *requests) UnansweredAfter(id int64) *TaskRequest {
	for _, request := range r.asked {
		if request.ID > id {
			return request
		}
	}
	return nil
}

func (r *requests) forgetTask(t *thread) {
	if t.request == nil || len(r.asked) == 0 {
		return
	}
	r.asked = slices.DeleteFunc(r.asked, func(r *TaskRequest) bool { return r == t.request })
}

// ObjectRequests returns the requests for objects without an answer, in the order in which they were made.
func (r *requests) ObjectRequests() []*ObjectRequest { return slices.Clone(r.wanted) }

// UnansweredObject returns the oldest request for an object without an answer, or nil.
func (r *requests) UnansweredObject() *ObjectRequest {
	if len(r.wanted) == 0 {
		return nil
	}
	return r.wanted[0]
}

// UnansweredObjectAfter returns the oldest request for an object without an answer that has a greater number than id, or nil.
func (r *requests) UnansweredObjectAfter(id int64) *ObjectRequest {
	for _, request := range r.wanted {
		if request.ID > id {
			return request
		}
	}
	return nil
}

// forgetObject takes back the request of a thread that is over.
func (r *requests) forgetObject(t *thread) {
	if t.work == nil || t.work.wanted == nil || len(r.wanted) == 0 {
		return
	}
	r.wanted = slices.DeleteFunc(r.wanted, func(r *ObjectRequest) bool { return r == t.work.wanted })
}

// Reader returns the thread whose ItemReader waits for the object of a request; ok is false where none does.
func (r *requests) Reader(request int64) (thread ThreadID, ok bool) {
	for _, r := range r.wanted {
		if r.ID == request {
			return r.Thread, true
		}
	}
	return 0, false
}
