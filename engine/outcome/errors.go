package outcome

import (
	"fmt"

	"asldb/engine"
)

// ReplyError is a reply of a kind that does not fit its ask: see [Ask].
type ReplyError struct {
	Ask   Ask
	Reply Reply
}

// Error implements error.
func (e *ReplyError) Error() string {
	return fmt.Sprintf("the source replied with outcome.%s, which is no reply to %T", e.Reply.Kind(), e.Ask)
}

// MissingObjectError is the error of an ItemReader that reads an object which no source has.
type MissingObjectError struct{ Request *engine.ObjectRequest }

// Error implements error.
func (e *MissingObjectError) Error() string {
	object := e.Request.Object
	return fmt.Sprintf("the ItemReader of %q reads s3://%s/%s (%s), for which there is no object", e.Request.Visit.Path(),
		object.Bucket, object.Key, object.Action)
}
