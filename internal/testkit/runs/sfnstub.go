package runs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Prefix begins the ARNs of the stub's resources, before their kind.
const Prefix = "arn:aws:states:eu-west-1:123456789012:"

// Execution is an execution that the stub knows.
type Execution struct {
	ARN, Status string
	// Start is the time of its start. The stub lists the newest first.
	Start time.Time
	// Redrives is the number of its redrives.
	Redrives int
	// MapRun is the ARN of the Map Run that started it; empty: none did.
	MapRun string
	// Definition and Revision belong to the state machine when it ran.
	Definition, Revision string
	// History is the output of aws stepfunctions get-execution-history.
	History []byte
}

// Refusal is an error of the service.
type Refusal struct {
	Code, Message string
	Status        int // of HTTP; 0 means 400
}

// Server is the stub.
type Server struct {
	URL string
	// PageSize bounds the events in a page; 0: what the call asks for.
	PageSize int
	// Refuse returns the error of a call, nil for none. n counts the calls from 1, token is the page's.
	Refuse func(call string, n int, token string) *Refusal
	// Change may change the events of a page; nil: none does.
	Change func(token string, events []any) []any

	t          testing.TB
	mutex      sync.Mutex
	executions []Execution
	calls      []string
}

// Start starts a stub that knows executions. It ends with the test.
func Start(t testing.TB, executions ...Execution) *Server {
	s := &Server{t: t, executions: slices.Clone(executions)}
	slices.SortStableFunc(s.executions, func(a, b Execution) int { return b.Start.Compare(a.Start) })
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Set replaces the executions that the stub knows.
func (s *Server) Set(executions ...Execution) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.executions = executions
}

// Configure lets change set the fields of the stub between two calls: a call from another program may be under way.
func (s *Server) Configure(change func(*Server)) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	change(s)
}

// Calls returns the calls since it was called last: the operation with the ARN that it was about, without the Prefix.
func (s *Server) Calls() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	calls := s.calls
	s.calls = nil
	return calls
}

// request has the members of all requests.
type request struct {
	ExecutionArn, StateMachineArn, MapRunArn, NextToken, StatusFilter string
	MaxResults                                                        int
}

// ServeHTTP answers a call.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in request
	call, known := strings.CutPrefix(r.Header.Get("X-Amz-Target"), "AWSStepFunctions.")
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || !known || r.Header.Get("Content-Type") != "application/x-amz-json-1.0" || !strings.Contains(r.Header.Get("Authorization"), "/eu-west-1/states/aws4_request") {
		s.t.Errorf("%q is not a signed call in AWS JSON 1.0: %v", r.Header, err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.calls = append(s.calls, strings.TrimSpace(call+" "+strings.TrimPrefix(in.ExecutionArn+in.StateMachineArn+in.MapRunArn, Prefix)))
	if s.Refuse != nil {
		if refusal := s.Refuse(call, len(s.calls), in.NextToken); refusal != nil {
			refuse(w, refusal)
			return
		}
	}
	switch call {
	case "ListExecutions":
		s.list(w, &in)
	case "GetExecutionHistory":
		s.withExecution(w, &in, s.history)
	case "DescribeStateMachineForExecution":
		s.withExecution(w, &in, describeExecution)
	default:
		s.t.Errorf("the stub does not expect the call %s", call)
		refuse(w, &Refusal{Code: "UnknownOperationException", Message: call})
	}
}

func refuse(w http.ResponseWriter, r *Refusal) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	status := cmp.Or(r.Status, http.StatusBadRequest)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"__type": "com.amazonaws.swf.service.v2.model#" + r.Code, "message": r.Message})
}

func answer(w http.ResponseWriter, out map[string]any) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	_ = json.NewEncoder(w).Encode(out)
}

func (s *Server) withExecution(w http.ResponseWriter, in *request, do func(http.ResponseWriter, *request, *Execution)) {
	for i := range s.executions {
		if s.executions[i].ARN == in.ExecutionArn {
			do(w, in, &s.executions[i])
			return
		}
	}
	refuse(w, &Refusal{Code: "ExecutionDoesNotExist", Message: "Execution Does Not Exist: '" + in.ExecutionArn + "'"})
}

func describeExecution(w http.ResponseWriter, _ *request, x *Execution) {
	machine := strings.Split(strings.TrimPrefix(x.ARN, Prefix), ":")[1]
	out := map[string]any{
		"definition": x.Definition, "name": machine, "roleArn": "arn:aws:iam::123456789012:role/Order", "stateMachineArn": Prefix + "stateMachine:" + machine, "updateDate": 1.7e9,
	}
	if x.Revision != "" {
		out["revisionId"] = x.Revision
	}
	if x.MapRun != "" {
		out["mapRunArn"] = x.MapRun
	}
	answer(w, out)
}

// page returns the part of n items that a token and a size select, and the token of the next; empty where there is
// none.
func page(token string, size, n int) (from, to int, next string) {
	from, _ = strconv.Atoi(strings.TrimPrefix(token, "page-"))
	if to = from + size; to >= n {
		return from, n, ""
	}
	return from, to, fmt.Sprintf("page-%d", to)
}

func (s *Server) history(w http.ResponseWriter, in *request, x *Execution) {
	var document struct{ Events []any }
	if err := json.Unmarshal(x.History, &document); err != nil {
		s.t.Error(err)
	}
	size := in.MaxResults
	if s.PageSize > 0 {
		size = s.PageSize
	}
	from, to, next := page(in.NextToken, size, len(document.Events))
	events := document.Events[from:to]
	for _, event := range events {
		object := event.(map[string]any)
		if text, ok := object["timestamp"].(string); ok { // the wire has seconds since 1970
			at, err := time.Parse(time.RFC3339Nano, text)
			if err != nil {
				s.t.Error(err)
			}
			object["timestamp"] = float64(at.UnixMilli()) / 1000
		}
	}
	if s.Change != nil {
		events = s.Change(in.NextToken, events)
	}
	out := map[string]any{"events": events}
	if next != "" {
		out["nextToken"] = next
	}
	answer(w, out)
}

func (s *Server) list(w http.ResponseWriter, in *request) {
	var items []any
	for i := range s.executions {
		x := &s.executions[i]
		_, rest, _ := strings.Cut(strings.TrimPrefix(x.ARN, Prefix), ":")
		machine, name, _ := strings.Cut(rest, ":")
		if x.MapRun != in.MapRunArn || in.MapRunArn == "" && !strings.HasSuffix(in.StateMachineArn, ":"+machine) || in.StatusFilter != "" && in.StatusFilter != x.Status {
			continue
		}
		item := map[string]any{
			"executionArn": x.ARN, "name": name, "stateMachineArn": Prefix + "stateMachine:" + machine, "status": x.Status,
			"startDate": float64(x.Start.UnixMilli()) / 1000, "redriveCount": x.Redrives,
		}
		if x.Status != "RUNNING" {
			item["stopDate"] = float64(x.Start.UnixMilli())/1000 + 2
		}
		items = append(items, item)
	}
	from, to, next := page(in.NextToken, in.MaxResults, len(items))
	out := map[string]any{"executions": items[from:to]}
	if items == nil {
		out["executions"] = []any{}
	}
	if next != "" {
		out["nextToken"] = next
	}
	answer(w, out)
}
