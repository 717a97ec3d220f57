package history

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// File is a text to read histories from.
type File struct {
	Name string // for messages
	Data []byte
}

// ReadError says where a text is not a history, and why.
type ReadError struct {
	Name      string
	Line, Col int // from 1, Col in characters; 0 where the fault has no place
	Msg       string
}

// Error implements error: "file:line:col: …".
func (e *ReadError) Error() string {
	if e.Line == 0 {
		return wording.Line(e.Name) + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", wording.Line(e.Name), e.Line, e.Col, e.Msg)
}

// Read reads the histories in files. Each file has one JSON document or several, one after the other: pages
// of GetExecutionHistory in any order, as the AWS command line prints them; the events alone; log events of
// Express executions, one a line, or their form in CloudWatch Logs (events with a message each, results
// of Logs Insights). A document of DescribeExecution among them gives the execution its name. The text is UTF-8, or
// UTF-16 with a byte order mark.
//
// It returns the executions in the order in which the files have them: GetExecutionHistory's pages are all
// of one. The error is a *[ReadError].
func Read(files ...File) ([]*Execution, error) {
	r := &reader{byARN: map[string]*Execution{}}
	for _, file := range files {
		r.file = file
		if err := r.readFile(); err != nil {
			return nil, err
		}
	}
	return r.finish()
}

// reader gathers the events of the files.
type reader struct {
	file File
	// base is where the document that is read begins in the file.
	base int

	executions []*Execution
	byARN      map[string]*Execution // "": the pages of GetExecutionHistory
	described  string                // the ARN that DescribeExecution says
}

func (r *reader) readFile() error {
	data := bytes.TrimPrefix(value.UTF8(r.file.Data), []byte("\xef\xbb\xbf"))
	r.file.Data, r.base = data, 0
	whole, err := value.Parse(data, value.Limits{})
	if err == nil {
		return r.document(whole, "")
	}
	documents, rest := split(data)
	if len(documents) == 0 {
		return r.syntax(err, 0)
	}
	for _, d := range documents {
		r.base = d.at
		v, err := value.Parse(d.text, value.Limits{})
		if err != nil {
			return r.syntax(err, d.at)
		}
		if err := r.document(v, ""); err != nil {
			return err
		}
	}
	if rest >= 0 {
		_, err := value.Parse(data[rest:], value.Limits{})
		return r.syntax(err, rest)
	}
	return nil
}

type span struct {
	at   int
	text []byte
}

// split finds the JSON documents one after the other; rest is where something else begins, or -1.
func split(data []byte) (documents []span, rest int) {
	tokens := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		before := int(tokens.InputOffset())
		text, err := tokens.ReadValue()
		if err != nil {
			if len(bytes.TrimSpace(data[before:])) == 0 {
				return documents, -1
			}
			return documents, before + len(data[before:]) - len(bytes.TrimLeft(data[before:], " \t\r\n"))
		}
		at := int(tokens.InputOffset()) - len(text)
		documents = append(documents, span{at, data[at : at+len(text)]})
	}
}

// syntax turns the fault of a document that begins at base into one of the file.
func (r *reader) syntax(err error, base int) error {
	var wrong *value.SyntaxError
	if !errors.As(err, &wrong) {
		msg := "not JSON"
		if err != nil {
			msg = err.Error()
		}
		line, col := value.LineCol(r.file.Data, int64(base))
		return &ReadError{Name: r.file.Name, Line: line, Col: col, Msg: msg}
	}
	line, col := value.LineCol(r.file.Data, min(int64(base)+wrong.Offset, int64(len(r.file.Data))))
	return &ReadError{Name: r.file.Name, Line: line, Col: col, Msg: "not JSON: " + wrong.Msg}
}

// fault is an error at a place in the document, a JSON Pointer.
func (r *reader) fault(pointer, format string, args ...any) error {
	wrong := &ReadError{Name: r.file.Name, Msg: fmt.Sprintf(format, args...)}
	if pointer != "" {
		wrong.Msg = pointer + ": " + wrong.Msg
	}
	at := r.base
	// Values have no positions: only callers that need one pay for a tree with them.
	if documents, _ := split(r.file.Data[r.base:]); len(documents) > 0 {
		if root, bad := source.ReadJSON(documents[0].text); bad == nil {
			at = r.base + documents[0].at + start(root, pointer)
		}
	}
	wrong.Line, wrong.Col = value.LineCol(r.file.Data, int64(min(at, len(r.file.Data))))
	return wrong
}

// start returns where the value at a pointer begins, or the nearest one above it.
func start(root *source.Node, pointer string) int {
	for {
		if _, found := root.Find(pointer); found != nil {
			return found.Span.Start.Offset
		}
		above := strings.LastIndexByte(pointer, '/')
		if above < 0 {
			return root.Span.Start.Offset
		}
		pointer = pointer[:above]
	}
}

const wanted = `expected the output of "aws stepfunctions get-execution-history" ({"events": [...]}), or log events of an Express execution`

// document reads one document, or a part of one that can be used for it.
func (r *reader) document(v value.Value, pointer string) error {
	switch v := v.(type) {
	case *value.Array:
		for i, item := range v.All() {
			if err := r.document(item, pointer+"/"+strconv.Itoa(i)); err != nil {
				return err
			}
		}
		return nil
	case *value.Object:
		return r.object(v, pointer)
	}
	return r.fault(pointer, "%s, and found %s", wanted, article(v))
}

func (r *reader) object(o *value.Object, pointer string) error {
	if held := o.Get("events"); held != nil {
		if arn, ok := o.Get("executionArn").(value.String); ok {
			r.described = string(arn) // asldb fetch writes it
		}
		return r.page(o, held, pointer+"/events")
	}
	switch {
	case o.Get("results") != nil:
		return r.insights(o.Get("results"), pointer+"/results")
	case o.Get("message") != nil:
		return r.message(o.Get("message"), pointer+"/message")
	case o.Get("@message") != nil:
		return r.message(o.Get("@message"), pointer+"/@message")
	case o.Get("type") != nil && (o.Get("details") != nil || o.Get("execution_arn") != nil || o.Get("event_timestamp") != nil):
		return r.logEvent(o, pointer)
	case o.Get("type") != nil && (o.Get("timestamp") != nil || o.Get("previousEventId") != nil):
		return r.historyEvent(r.group(""), o, pointer)
	case o.Get("executionArn") != nil:
		if arn, ok := o.Get("executionArn").(value.String); ok {
			r.described = string(arn)
			return nil
		}
	}
	keys := make([]string, 0, 6)
	for key := range o.All() {
		if len(keys) == 5 {
			keys = append(keys, "…")
			break
		}
		keys = append(keys, strconv.Quote(key))
	}
	if len(keys) == 0 {
		return r.fault(pointer, "%s, and found an empty object", wanted)
	}
	return r.fault(pointer, "%s, and found an object with %s", wanted, strings.Join(keys, ", "))
}

// page reads a page of GetExecutionHistory, or of log events.
func (r *reader) page(o *value.Object, held value.Value, pointer string) error {
	events, ok := held.(*value.Array)
	if !ok {
		return r.fault(pointer, "events is an array, not %s", article(held))
	}
	for i, item := range events.All() {
		place := pointer + "/" + strconv.Itoa(i)
		event, ok := item.(*value.Object)
		if !ok {
			return r.fault(place, "an event is an object, not %s", article(item))
		}
		var err error
		switch {
		case event.Get("message") != nil, event.Get("@message") != nil, event.Get("event_timestamp") != nil, event.Get("execution_arn") != nil:
			err = r.object(event, place)
		default:
			err = r.historyEvent(r.group(""), event, place)
		}
		if err != nil {
			return err
		}
	}
	for _, key := range []string{"nextToken", "NextToken"} {
		if token, ok := o.Get(key).(value.String); ok && token != "" {
			r.group("").pagesLeft = true
		}
	}
	return nil
}

func (r *reader) group(arn string) *Execution {
	known := r.byARN[arn]
	if known == nil {
		known = &Execution{ARN: arn}
		r.byARN[arn] = known
		r.executions = append(r.executions, known)
	}
	return known
}

// insights reads the rows of a Logs Insights query: lists of {field, value}.
func (r *reader) insights(held value.Value, pointer string) error {
	rows, ok := held.(*value.Array)
	if !ok {
		return r.fault(pointer, "results is an array, not %s", article(held))
	}
	for i, row := range rows.All() {
		place := pointer + "/" + strconv.Itoa(i)
		cells, ok := row.(*value.Array)
		if !ok {
			if err := r.document(row, place); err != nil {
				return err
			}
			continue
		}
		found := false
		for j, cell := range cells.All() {
			o, _ := cell.(*value.Object)
			if o == nil || o.Get("field") != value.String("@message") {
				continue
			}
			found = true
			if err := r.message(o.Get("value"), place+"/"+strconv.Itoa(j)+"/value"); err != nil {
				return err
			}
		}
		if !found {
			return r.fault(place, "the row has no field @message, which holds the log event")
		}
	}
	return nil
}

// message reads a log event in a message, as text or as the object itself.
func (r *reader) message(held value.Value, pointer string) error {
	if text, ok := held.(value.String); ok {
		v, err := value.ParseString(string(text))
		if err != nil {
			return r.fault(pointer, "the message of a log event is JSON text: %v", err)
		}
		held = v
	}
	o, ok := held.(*value.Object)
	if !ok || o.Get("type") == nil {
		return r.fault(pointer, "the message is not an event of an execution: it has no type")
	}
	return r.logEvent(o, pointer)
}

func article(v value.Value) string {
	switch v.(type) {
	case nil:
		return "nothing"
	case value.Null:
		return "null"
	case *value.Array, *value.Object:
		return "an " + value.KindOf(v)
	}
	return "a " + value.KindOf(v) + " (" + value.Preview(v, 40) + ")"
}
