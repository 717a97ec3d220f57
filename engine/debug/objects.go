package debug

import (
	"fmt"

	"asldb/engine"
)

// MissingObjectError says that an ItemReader reads an object that the source does not have.
type MissingObjectError struct{ Request *engine.ObjectRequest }

// Error implements error.
func (e *MissingObjectError) Error() string {
	object := e.Request.Object
	return fmt.Sprintf("the ItemReader of %q reads s3://%s/%s (%s), for which there is no object", e.Request.Visit.Path(),
		object.Bucket, object.Key, object.Action)
}

// ObjectRequests returns the requests for objects that have no answer yet.
func (s *Session) ObjectRequests() []*engine.ObjectRequest {
	if s.logOnly {
		return nil
	}
	return s.at().ObjectRequests()
}
