package debug

import (
	"errors"
	"fmt"

	"asldb/engine"
)

// Objects is what a [Source] implements besides when it has the objects that ItemReaders read.
type Objects interface {
	// Object returns the content of an object, or, of a request for a list, the list as JSON
	// ({"Contents": [{"Key": …}, …]}). ok is false when the source has nothing for it: that ends the run
	// with a *[MissingObjectError], and so does any error, except that an *[engine.ObjectError] is one
	// of the object store: the Map Run fails with it.
	Object(request *engine.ObjectRequest) (body []byte, ok bool, err error)
}

// MissingObjectError says that an ItemReader reads an object that nobody has.
type MissingObjectError struct{ Request *engine.ObjectRequest }

// Error implements error.
func (e *MissingObjectError) Error() string {
	object := e.Request.Object
	return fmt.Sprintf("the ItemReader of %q reads s3://%s/%s (%s), for which there is no object", e.Request.Visit.Path(),
		object.Bucket, object.Key, object.Action)
}

// askObjects lets the source answer the requests for objects that have come up.
func (s *Session) askObjects() error {
	for {
		request := s.execution.UnansweredObject()
		if request == nil {
			return nil
		}
		var body []byte
		var ok bool
		var err error
		if source, has := s.options.Source.(Objects); has {
			body, ok, err = source.Object(request)
		}
		var refused *engine.ObjectError
		switch {
		case errors.As(err, &refused):
		case err != nil:
			return err
		case !ok:
			return &MissingObjectError{Request: request}
		}
		given := Answer{Kind: AnswerObject, Request: request.ID, Body: body, Refused: refused, Origin: s.sourceOrigin()}
		if err := s.answer(given); err != nil {
			return err
		}
	}
}

// ObjectRequests returns the requests for objects that nobody has answered yet.
func (s *Session) ObjectRequests() []*engine.ObjectRequest {
	if s.logOnly {
		return nil
	}
	return s.at().ObjectRequests()
}
