package engine

import (
	"errors"
	"slices"

	"asldb/engine/asl"
	"asldb/engine/items"
	"asldb/engine/value"
)

// ObjectRequest is the request of an ItemReader for the content of an object, or for a list of objects. It is written once.
type ObjectRequest struct {
	// ID numbers the requests for objects of an execution from 1.
	ID     int64
	Thread ThreadID
	Visit  *Visit
	// Object is the object or the list that is asked for.
	Object items.Object
	// Parameters are the ItemReader's, evaluated: they may have more, a VersionId for example.
	Parameters value.Value
}

// ObjectError says that an object cannot be had. The Map Run then fails with States.ItemReaderFailed.
type ObjectError struct{ Cause string }

// Error implements error.
func (e *ObjectError) Error() string { return e.Cause }

// readerWork is the state of an ItemReader.
type readerWork struct {
	first   items.Object
	request value.Value    // the evaluated Parameters
	reading *items.Reading // until every item is there
	wanted  *ObjectRequest // that was asked for last
	body    []byte         // the answer to it
	refused *ObjectError
	sources items.Sources
}

// notAnObject is the fault of a JSONata field that gives something else than an object.
func notAnObject(t *thread, field string, v value.Value) *Failure {
	return &Failure{
		Name: ErrorQueryEvaluation, Origin: t.visit, Field: field,
		Cause: "The field '" + field + "' must give an object, but gave " + describe(v),
	}
}

// prepareReader evaluates the Parameters of an ItemReader. It reports false when that failed.
func (d distributed) prepareReader() bool {
	reader := d.state.def.ItemReader
	if reader == nil {
		return true
	}
	w := d.work
	w.request = emptyObject
	if field := reader.Parameters; field != nil {
		filled, failure := d.e.fillPart(d.thread, StageItemReader, "ItemReader/Parameters", field)
		if failure != nil {
			d.e.stageFailed(d.thread, StageItemReader, d.effective, failure)
			return false
		}
		w.request = filled
	}
	action, _ := items.ActionOf(reader.Resource) // it was looked at by Compile
	w.first = items.Object{Action: action}
	parameters, ok := w.request.(*value.Object)
	if !ok {
		d.e.stageFailed(d.thread, StageItemReader, d.effective, notAnObject(d.thread, "ItemReader/Arguments", w.request))
		return false
	}
	bucket, _ := parameters.Get("Bucket").(value.String)
	name := "Key"
	if action == items.ListObjectsV2 {
		name = "Prefix"
	}
	key, _ := parameters.Get(name).(value.String)
	w.first.Bucket, w.first.Key = string(bucket), string(key)
	return true
}

// readerFailed ends a Map Run whose items cannot be read.
func (d distributed) readerFailed(err error) {
	failure := &Failure{Name: ErrorItemReaderFailed, Cause: err.Error(), Err: err, Origin: d.visit, Field: "ItemReader"}
	d.fail(StageItemReader, d.work.request, failure)
}

// readItems asks for the next object of the dataset, or continues with the items.
func (d distributed) readItems() {
	w := d.work
	if w.reading == nil {
		fault := incomplete(w.first)
		parameters, _ := w.request.(*value.Object)
		parquet := d.state.def.ItemReader.Config.InputType == asl.InputParquet
		if parquet && parameters != nil && parameters.Get("VersionId") != nil {
			fault = &items.Error{Msg: "S3 Version ID selection is not currently supported for PARQUET files"}
		}
		if fault == nil {
			w.reading, fault = items.Start(d.state.def.ItemReader.Config, w.first, d.limits.distributed.items)
		}
		if fault != nil {
			d.readerFailed(fault)
			return
		}
	}
	object, more := w.reading.Next()
	if !more {
		d.itemsRead()
		return
	}
	d.e.askObject(d.thread, &ObjectRequest{Object: object, Parameters: w.request})
	d.e.emit(d.thread, &Event{Type: ObjectRequested, Stage: StageItemReader, Before: w.request, Detail: w.wanted})
}

// incomplete returns the error of an ItemReader whose Parameters lack a member.
func incomplete(object items.Object) error {
	switch {
	case object.Bucket == "":
		return &items.Error{Msg: "The ItemReader's Parameters have no Bucket"}
	case object.Key == "" && object.Action == items.GetObject:
		return &items.Error{Msg: "The ItemReader's Parameters have no Key"}
	}
	return nil
}

func (d distributed) itemsRead() {
	w := d.work
	w.items, w.sources = w.reading.Items(), w.reading.Sources()
	w.length, w.total = w.items.Len(), w.items.Len()
	w.results = newResults(w.length)
	w.reading, w.wanted = nil, nil
	d.payload = w.items
	d.phase = d.afterItems()
	d.e.emit(d.thread, &Event{Type: StageCompleted, Stage: StageItemReader, Before: w.request, After: w.items})
}

// objectCame takes in the object that was asked for.
func (d distributed) objectCame() {
	w := d.work
	body, refused := w.body, w.refused
	w.body, w.refused = nil, nil
	if refused != nil {
		d.readerFailed(refused)
		return
	}
	if err := w.reading.Add(body); err != nil {
		d.readerFailed(err)
		return
	}
	d.readItems()
}

// ErrNoObjectRequest says that no request for an object of that number waits for an answer.
var ErrNoObjectRequest = errors.New("no ItemReader waits for this object")

// AnswerObject answers a request for an object with the object's content, or, for a list, with the
// service's answer as JSON ({"Contents": [{"Key": …}, …]}). refused says that it cannot be had; it is nil
// otherwise. The body must not be changed afterwards. The error is [ErrNoObjectRequest].
func (e *Execution) AnswerObject(id int64, body []byte, refused *ObjectError) error {
	at := slices.IndexFunc(e.wanted, func(r *ObjectRequest) bool { return r.ID == id })
	if at < 0 {
		return ErrNoObjectRequest
	}
	t := e.thread(e.wanted[at].Thread)
	e.wanted = slices.Delete(e.wanted, at, at+1)
	t.work.body, t.work.refused = body, refused
	e.resume(t, phaseObjectCame)
	return nil
}
