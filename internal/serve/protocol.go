// Package serve answers the API of Step Functions on this machine: state machines, executions, activities and single
// states,
// for any client whose endpoint is set to it. An execution is a session as every other face has it.
package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/google/uuid"

	"asldb/engine/value"
	"asldb/internal/serve/verdict"
	"asldb/internal/wording"
	"asldb/internal/work"
)

// The names of errors that several operations have.
const (
	validation     = "ValidationException"
	serialization  = "SerializationException"
	unknown        = "UnknownOperationException"
	invalidArn     = "InvalidArn"
	invalidToken   = "InvalidToken"
	invalidName    = "InvalidName"
	internal       = "InternalFailure"
	contentType    = "application/x-amz-json-1.0"
	targetPrefix   = "AWSStepFunctions."
	maxBody        = 2 << 20
	headerPatience = 10 * time.Second
	bodyPatience   = 30 * time.Second
)

// Fault is an error of the API.
type Fault struct {
	Name, Message string
	// Status is the HTTP status; 0 is 400.
	Status int
	// Members are those beside the message: reason, resourceName.
	Members []value.Member
}

// Error implements error.
func (f *Fault) Error() string { return f.Name + ": " + f.Message }

func faultf(name, format string, args ...any) *Fault {
	return &Fault{Name: name, Message: fmt.Sprintf(format, args...)}
}

// because returns the fault with a reason, as ValidationException has it.
func (f *Fault) because(reason string) *Fault {
	f.Members = append(f.Members, value.Text("reason", reason))
	return f
}

// spaces are the namespaces of the errors that are not the model's own.
var spaces = map[string]string{
	validation: "com.amazon.coral.validate#", serialization: "com.amazon.coral.service#",
	unknown:  "com.amazon.coral.service#",
	internal: "com.amazon.coral.service#",
}

// call is one request.
type call struct {
	*http.Request
	body []byte
	// operation is the part of the target behind the service's name.
	operation string
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if broken := work.Catch(func() { s.serve(w, r) }); broken != nil {
		s.log("asldb failed: " + broken.Error() + "\n" + string(broken.Stack))
		answerFault(w, &Fault{Name: internal, Status: http.StatusInternalServerError})
	}
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if why := s.refuses(r); why != "" {
		http.Error(w, why, http.StatusForbidden)
		return
	}
	if path := strings.TrimPrefix(r.URL.EscapedPath(), "/_asldb/"); path != r.URL.EscapedPath() ||
		r.URL.Path == "/health" && r.Method == http.MethodGet {
		s.serveOwn(w, r, strings.TrimPrefix(path, "/"))
		return
	}
	w.Header().Set("x-amzn-RequestId", uuid.NewString())
	target := r.Header.Get("X-Amz-Target")
	operation, ours := strings.CutPrefix(target, targetPrefix)
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	switch {
	case r.Method != http.MethodPost || target != "" && !ours && strings.Contains(target, "."):
		http.Error(w, "asldb serve answers Step Functions only", http.StatusNotImplemented)
		return
	case kind != contentType && kind != "application/json":
		http.Error(w, "the Content-Type is "+contentType, http.StatusUnsupportedMediaType)
		return
	}
	body, ok := s.body(w, r)
	if !ok {
		return
	}
	began := time.Now()
	reply, err := s.answer(&call{Request: r, body: body, operation: operation})
	outcome := "ok"
	if err != nil {
		outcome = wording.Line(err.Error())
	}
	if s.options.Verbose {
		s.log(fmt.Sprintf("%s: %s (%s)", wording.Line(operation), outcome, time.Since(began).Round(time.Microsecond)))
	}
	if err != nil {
		answerFault(w, asFault(err))
		return
	}
	w.Header().Set("Content-Type", contentType)
	_, _ = w.Write(value.Append(nil, reply)) // the client may be gone
}

// body reads the body of a request, or refuses it.
func (s *Server) body(w http.ResponseWriter, r *http.Request) (body []byte, ok bool) {
	patience := http.NewResponseController(w)
	_ = patience.SetReadDeadline(time.Now().Add(s.options.BodyPatience)) // tests have no connection
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err == nil {
		_ = patience.SetReadDeadline(time.Time{})
		return body, true
	}
	var tooLarge *http.MaxBytesError
	w.Header().Set("Connection", "close") // the deadline stays, so that the rest is not waited for
	if errors.As(err, &tooLarge) {
		http.Error(w, "a request has at most 2 MiB", http.StatusRequestEntityTooLarge)
	} else {
		http.Error(w, "the body came too slowly, or ended early", http.StatusRequestTimeout)
	}
	return nil, false
}

// answer carries out the operation of a request.
func (s *Server) answer(c *call) (*value.Object, error) {
	do, known := operations[c.operation]
	if !known {
		return nil, &Fault{Name: unknown}
	}
	return do(s, c)
}

func asFault(err error) *Fault {
	var fault *Fault
	var refusal *verdict.Refusal
	if errors.As(err, &refusal) {
		fault = &Fault{Name: refusal.Name, Message: refusal.Message}
	} else if !errors.As(err, &fault) {
		fault = &Fault{Name: internal, Status: http.StatusInternalServerError, Message: err.Error()}
	}
	return fault
}

func answerFault(w http.ResponseWriter, f *Fault) {
	space, other := spaces[f.Name]
	if !other {
		space = "com.amazonaws.swf.service.v2.model#"
	}
	members := []value.Member{value.Text("__type", space+f.Name)}
	if f.Message != "" {
		members = append(members, value.Text("message", f.Message))
	}
	w.Header().Set("Content-Type", contentType)
	status := f.Status
	if status == 0 {
		status = http.StatusBadRequest
	}
	w.WriteHeader(status)
	_, _ = w.Write(value.Append(nil, value.NewObject(append(members, f.Members...)))) // the client may be gone
}

// operation carries out one operation.
type operation func(*Server, *call) (*value.Object, error)

// op returns the operation that a method carries out, whose input is a type of the SDK. It is decoded and held
// against the
// constraints of the model first; required are the members that must be there.
func op[In any](required string, do func(*Server, *call, *In) (*value.Object, error)) operation {
	must := strings.Fields(required)
	return func(s *Server, c *call) (*value.Object, error) {
		in := new(In)
		body := c.body
		if len(bytes.TrimSpace(body)) == 0 {
			body = []byte("{}")
		}
		if err := json.Unmarshal(body, in); err != nil {
			return nil, &Fault{Name: serialization}
		}
		if bytes.TrimSpace(body)[0] != '{' {
			return nil, &Fault{Name: serialization}
		}
		if fault := constrain(reflect.ValueOf(in).Elem(), must); fault != nil {
			return nil, fault
		}
		return do(s, c, in)
	}
}

// refuses returns why a request is refused that a page in a browser, or a name of another machine, has sent; "" where
// it is not.
func (s *Server) refuses(r *http.Request) string {
	if r.Header.Get("Origin") != "" || strings.EqualFold(r.Header.Get("Sec-Fetch-Site"), "cross-site") {
		return "requests of web pages are refused"
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimPrefix(strings.ToLower(strings.Trim(host, "[]")), "sync-")
	ip := net.ParseIP(host)
	switch {
	case host == "", host == "localhost", strings.HasSuffix(host, ".localhost"), ip != nil && ip.IsLoopback():
		return ""
	case s.options.Remote && (ip != nil || !strings.Contains(host, ".") || host == "host.docker.internal"):
		return ""
	}
	for _, name := range s.options.Hosts {
		if strings.EqualFold(name, host) {
			return ""
		}
	}
	return "requests to the host " + wording.Line(host) + " are refused: --host NAME allows it"
}
