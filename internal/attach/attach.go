// Package attach follows the executions of asldb serve from another program on this machine: it lists them, and makes a
// session of one, whose commands and inputs the server carries out.
package attach

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"asldb/internal/executions"
	"asldb/internal/wording"
)

// Usual is the address of a server that was given none.
const Usual = "http://127.0.0.1:8083"

// Server is a server on this machine.
type Server struct {
	url    string
	client http.Client
}

// patience is how long an answer may take; most come at once.
const patience = 30 * time.Second

// Connect returns the server at an address, such as http://127.0.0.1:8083 or :8083, where it answers.
func Connect(ctx context.Context, address string) (*Server, error) {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || u.Port() == "" {
		return nil, fmt.Errorf("the address of a server is http://HOST:PORT, such as %s, not %q", Usual, address)
	}
	host := u.Hostname()
	host = cmp.Or(host, "127.0.0.1")
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("%q is not an address of this machine: a debugger attaches to no other", host)
	}
	s := &Server{url: "http://" + net.JoinHostPort(host, u.Port()), client: http.Client{Timeout: patience}}
	if _, err := s.ask(ctx, http.MethodGet, "/_asldb/health", nil); err != nil {
		return nil, err
	}
	return s, nil
}

// String is the address.
func (s *Server) String() string { return s.url }

// maxReply bounds an answer, in bytes.
const maxReply = 1 << 30

// ask sends a request.
func (s *Server) ask(ctx context.Context, method, path string, in any) ([]byte, error) {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, s.url+path, body)
	if err != nil {
		return nil, err
	}
	reply, err := s.client.Do(request)
	if err != nil {
		var system *net.OpError
		if errors.As(err, &system) {
			err = system.Err
		}
		return nil, fmt.Errorf("no asldb serve answers at %s: %w", s.url, err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(io.LimitReader(reply.Body, maxReply))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the answer of %s ended early: %w", s.url, err)
	case reply.StatusCode != http.StatusOK:
		return nil, errors.New(wording.Line(strings.TrimSpace(string(text))))
	}
	return text, nil
}

// holdPoint is where an execution is held.
type holdPoint struct{ State, Stage, Reason string }

// summary is what the server says of an execution.
type summary struct {
	ExecutionArn, Status, Name, Machine, Case, Judgement, State, Error, Cause string
	StartDate, StopDate                                                       float64
	Held                                                                      *holdPoint
	Running                                                                   bool
}

// list returns the executions, the newest last.
func (s *Server) list(ctx context.Context) (list []summary, err error) {
	var reply struct{ Executions []summary }
	text, err := s.ask(ctx, http.MethodGet, "/_asldb/executions", nil)
	if err == nil {
		err = json.Unmarshal(text, &reply)
	}
	return reply.Executions, err
}

// Break holds every execution that reaches one of the places from now on.
func (s *Server) Break(ctx context.Context, specs []string) error {
	_, err := s.ask(ctx, http.MethodPost, "/_asldb/breakpoints", map[string]any{"specs": specs})
	return err
}

// Held returns the ARN of the oldest execution that is held; "" where none is.
func (s *Server) Held(ctx context.Context) (arn string, err error) {
	list, err := s.list(ctx)
	for i := range list {
		if list[i].Held != nil {
			return list[i].ExecutionArn, nil
		}
	}
	return "", err
}

// Find returns the ARN of an execution by its ARN or name, the newest of that name.
func (s *Server) Find(ctx context.Context, name string) (arn string, err error) {
	list, err := s.list(ctx)
	if err != nil {
		return "", err
	}
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].ExecutionArn == name || list[i].Name == name {
			return list[i].ExecutionArn, nil
		}
	}
	return "", fmt.Errorf("the server has no execution %q: without a name, asldb attach lists them", name)
}

// List is the list of the executions of a server.
type List struct{ *Server }

// refresh is the time between two looks at a server.
const refresh = 300 * time.Millisecond

// Title implements [executions.Source].
func (l List) Title() string { return "Executions of " + l.url }

// Local implements [executions.Source].
func (List) Local() bool { return true }

// LeftOut implements [executions.Source].
func (List) LeftOut() int { return 0 }

// Again implements [executions.Source].
func (List) Again() {}

// Every implements [executions.Changing].
func (List) Every() time.Duration { return refresh }

// Next implements [executions.Source]: there is one page.
func (l List) Next(ctx context.Context) (rows []executions.Row, more bool, err error) {
	list, err := l.list(ctx)
	if err != nil {
		return nil, true, err
	}
	for i := range list {
		rows = append(rows, list[i].row())
	}
	return rows, false, nil
}

// Read implements [executions.Source]: the server has the history.
func (List) Read(_ context.Context, row *executions.Row, _ func(int)) (*executions.Recorded, error) {
	return &executions.Recorded{Row: *row}, nil
}

// row is the execution in a list.
func (x *summary) row() executions.Row {
	row := executions.Row{ID: x.ExecutionArn, Name: x.Machine + ":" + x.Name, Status: x.Status, About: x.ExecutionArn,
		Start: instant(x.StartDate), Stop: instant(x.StopDate)}
	if x.Case != "" {
		row.About = "case " + x.Case + ", " + row.About
	}
	if x.Judgement != "" {
		row.About = x.Judgement + ": " + row.About
	}
	switch {
	case row.Failed():
		row.Failure = &executions.Failure{State: x.State, Error: x.Error, Cause: x.Cause}
	case x.Held != nil && x.Held.State != "":
		row.At = "held at " + x.Held.State
	case x.Held != nil:
		row.At = "held"
	case x.Status == "RUNNING" && x.State != "":
		row.At = "in " + x.State
	}
	return row
}

func instant(seconds float64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(seconds * 1000))
}

// path returns the path of an execution.
func path(arn, verb string) string { return "/_asldb/executions/" + url.PathEscape(arn) + "/" + verb }

// traceQuery is the query for a trace from an offset on.
func traceQuery(offset int64) string { return "trace?from=" + strconv.FormatInt(offset, 10) }
