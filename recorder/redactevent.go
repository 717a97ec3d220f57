package recorder

import (
	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/path"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
)

// header returns a header without secrets. Those of the input and the context are known in the definition, too,
// and so are the values at paths that begin with ".." in the definition itself.
func (r *redactor) header(h Header) Header {
	r.learn(h.Input)
	r.learn(h.Context)
	if h.Definition != nil {
		h.Digest = h.Definition.Digest()
		if root, problem := source.Read(h.Definition, nil); problem == nil {
			var anywhere []place
			for _, p := range r.roots {
				if p.path.Len() > 0 && p.path.Segment(0).Kind == path.DescentSegment {
					anywhere = append(anywhere, p)
				}
			}
			r.follow(root.Value, anywhere)
		}
		h.Definition = &source.File{Name: h.Definition.Name, Data: []byte(r.text(string(h.Definition.Data)))}
	}
	h.Input, h.InputText, h.Context = r.clean(h.Input), "", r.clean(h.Context) // no path leads into a text
	if h.Abort != nil {
		h.Abort = &debug.Abort{At: h.Abort.At, Error: r.text(h.Abort.Error), Cause: r.text(h.Abort.Cause)}
	}
	for _, p := range r.roots {
		h.Redactions = append(h.Redactions, p.path.String())
	}
	return h
}

// event returns an event without secrets. It shares the other parts with e.
func (r *redactor) event(e *engine.Event) engine.Event {
	out := *e
	r.learn(e.Before)
	r.learn(e.After)
	switch d := e.Detail.(type) {
	case *engine.Failure:
		out.Detail = r.failure(d)
	case *engine.TaskRequest:
		request := *d
		request.Parameters, request.Credentials = r.value(d.Parameters), r.value(d.Credentials)
		out.Detail = &request
	case *engine.ObjectRequest:
		request := *d
		request.Parameters = r.value(d.Parameters)
		request.Object.Bucket, request.Object.Key = r.text(d.Object.Bucket), r.text(d.Object.Key)
		out.Detail = &request
	case *engine.AssignDetail:
		if d.Assigned != nil {
			assigned, _ := r.value(d.Assigned).(*value.Object)
			out.Detail = &engine.AssignDetail{Assigned: assigned}
		}
	case *engine.RetryDetail:
		detail := *d
		detail.Failure = r.failure(d.Failure)
		out.Detail = &detail
	case *engine.CatchDetail:
		detail := *d
		detail.Failure = r.failure(d.Failure)
		out.Detail = &detail
	}
	out.Before, out.After = r.clean(e.Before), r.clean(e.After)
	return out
}

func (r *redactor) failure(f *engine.Failure) *engine.Failure {
	if f == nil {
		return nil
	}
	return f.WithTexts(r.text(f.Name), r.text(f.Cause))
}

// input returns an input without secrets. The content of an object that is not JSON is kept out as a whole:
// no path leads into it.
func (r *redactor) input(a runlog.Input) runlog.Input {
	r.learn(a.Outcome.Output)
	r.learn(a.Outcome.Submitted)
	a.Outcome.Output, a.Outcome.Submitted = r.clean(a.Outcome.Output), r.clean(a.Outcome.Submitted)
	a.Outcome.Error, a.Outcome.Cause = r.text(a.Outcome.Error), r.text(a.Outcome.Cause)
	a.Error, a.Cause = r.text(a.Error), r.text(a.Cause)
	if a.Body != nil {
		if parsed, err := value.Parse(a.Body, value.Limits{}); err == nil {
			a.Body = value.Append(nil, r.value(parsed))
		} else {
			a.Body = []byte(Redacted)
		}
	}
	if a.Refused != nil {
		a.Refused = &engine.ObjectError{Cause: r.text(a.Refused.Cause)}
	}
	if a.Edit != nil {
		a.Edit = &engine.Edit{Thread: a.Edit.Thread, Value: r.value(a.Edit.Value)}
	}
	return a
}
