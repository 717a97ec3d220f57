package outcome

import (
	"fmt"
	"time"

	"asldb/engine"
)

// Kind is the kind of a [Reply].
type Kind uint8

// The kinds of replies.
const (
	// KindNone: the source has nothing for the ask. Err returns the reason; nil where the source names none.
	KindNone Kind = iota
	// KindGiven: the outcome of a task or of a Map Run.
	KindGiven
	// KindContent: the content of an object or, for a request for a list, the list as JSON: {"Contents": [{"Key": …}, …]}.
	KindContent
	// KindRefusal: the object store refuses a request. The Map Run fails with the error of the refusal.
	KindRefusal
	// KindLater: something outside has to be called for the outcome of a task. The session begins the call and
	// continues with the other threads.
	KindLater
	// KindFault: something is wrong with the source. It ends the command of the session, except where the evaluation was
	// interrupted (see [asldb/engine/interrupt.Is]): then the source is asked again.
	KindFault
)

var kindNames = [...]string{
	KindNone: "None", KindGiven: "Given", KindContent: "Content", KindRefusal: "Refusal", KindLater: "Later", KindFault: "Fault",
}

// String returns the kind's name, "Given" for example.
func (k Kind) String() string { return kindNames[k] }

// Reply is the answer of a source to an [Ask]. It is made by [None], [Given], [Content], [Refusal], [Later], [Fault] or
// [FaultBecause]. The zero Reply is None without a reason.
type Reply struct {
	kind    Kind
	outcome engine.Outcome
	origin  string
	body    []byte
	refused *engine.ObjectError
	begin   func(now time.Time, bound time.Duration)
	err     error
	because func(reason error) error // of a fault
}

// None returns the reply of a source that has nothing for an ask, for a reason that may be nil.
func None(reason error) Reply { return Reply{err: reason} }

// Given returns a reply with the outcome of a task or of a Map Run. origin names the source, "fixtures" for example.
func Given(outcome engine.Outcome, origin string) Reply {
	return Reply{kind: KindGiven, outcome: outcome, origin: origin}
}

// Content returns a reply with the content of an object, which must not be changed afterwards.
func Content(body []byte, origin string) Reply {
	return Reply{kind: KindContent, body: body, origin: origin}
}

// Refusal returns the reply of an object store that refuses a request.
func Refusal(refused *engine.ObjectError, origin string) Reply {
	return Reply{kind: KindRefusal, refused: refused, origin: origin}
}

// Later returns a reply for a task whose outcome has to be called for. begin begins the call and returns at once: see
// [Reply.Begin].
func Later(begin func(now time.Time, bound time.Duration)) Reply {
	return Reply{kind: KindLater, begin: begin}
}

// Fault returns a reply with the error of a source that does not work.
func Fault(err error) Reply { return Reply{kind: KindFault, err: err} }

// FaultBecause returns a fault for want of an outcome. because makes its error from the reasons of the sources that were
// asked before (see [First]), which are nil where no source named one.
func FaultBecause(because func(reason error) error) Reply {
	return Reply{kind: KindFault, err: because(nil), because: because}
}

// Kind returns the kind of the reply.
func (r *Reply) Kind() Kind { return r.kind }

// Outcome returns the outcome of a Given; the zero Outcome otherwise.
func (r *Reply) Outcome() engine.Outcome { return r.outcome }

// Origin returns the name of the source of a Given, a Content or a Refusal.
func (r *Reply) Origin() string { return r.origin }

// Body returns the content of a Content. It must not be changed.
func (r *Reply) Body() []byte { return r.body }

// Refused returns the error of a Refusal; nil otherwise.
func (r *Reply) Refused() *engine.ObjectError { return r.refused }

// Begin begins the call of a Later and returns at once. now is the virtual time. bound is the time after which the outcome
// does not matter any more, because a TimeoutSeconds or HeartbeatSeconds of the task or of its state machine has
// passed; 0 means no bound.
func (r *Reply) Begin(now time.Time, bound time.Duration) { r.begin(now, bound) }

// Err returns the error of a Fault, and the reason of a None; nil otherwise.
func (r *Reply) Err() error { return r.err }

// Complete reports whether the reply has all that belongs to its kind: an outcome that has no error beside an output, the
// name of its source, the error of a refusal or a fault, a call to begin.
func (r *Reply) Complete() bool {
	switch r.kind {
	case KindGiven:
		return r.origin != "" && (r.outcome.Output == nil || r.outcome.Error == "" && r.outcome.Cause == "")
	case KindContent:
		return r.origin != ""
	case KindRefusal:
		return r.origin != "" && r.refused != nil
	case KindLater:
		return r.begin != nil
	case KindFault:
		return r.err != nil
	case KindNone:
	}
	return true
}

// ReplyError is a reply of a kind that does not fit its ask: see [Ask].
type ReplyError struct {
	Ask   Ask
	Reply Reply
}

// Error implements error.
func (e *ReplyError) Error() string {
	return fmt.Sprintf("the source replied with outcome.%s, which is not a reply to %T", e.Reply.Kind(), e.Ask)
}

// MissingObjectError is the error of an ItemReader that reads an object which no source has.
type MissingObjectError struct{ Request *engine.ObjectRequest }

// Error implements error.
func (e *MissingObjectError) Error() string {
	object := e.Request.Object
	return fmt.Sprintf("the ItemReader of %q reads s3://%s/%s (%s), for which there is no object", e.Request.Visit.Path(),
		object.Bucket, object.Key, object.Action)
}
