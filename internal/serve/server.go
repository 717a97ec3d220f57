package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sfn"

	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/launch"
	"asldb/internal/serve/cases"
	"asldb/internal/serve/verdict"
	"asldb/recorder"
)

// OnMissing is the treatment of a task without a result.
type OnMissing uint8

// The treatments.
const (
	// MissingFails ends the task with States.TaskFailed.
	MissingFails OnMissing = iota
	// MissingEchoes takes the payload for the result.
	MissingEchoes
	// MissingHolds waits for an answer by /_asldb.
	MissingHolds
)

// Options are the options of a server.
type Options struct {
	Home
	// Version is the program's.
	Version string
	// Spec has the parts of all executions: dialect, limits, seed, clock, start time, permission for live calls.
	Spec  launch.Spec
	Clock debug.Clock
	// Results are where the results of tasks come from, and Missing how a task without one continues.
	Results cases.Results
	Missing OnMissing
	// Breakpoints hold any execution that reaches them: STATE, or MACHINE#STATE for one machine.
	Breakpoints []string
	// Keep is the number of ended executions that are kept; 0: all.
	Keep int
	// TraceDir is where each execution is recorded, and Trace says how; empty: nowhere.
	TraceDir string
	Trace    recorder.TraceOptions
	// Covers counts the coverage of the executions that end.
	Covers bool
	// Events receives the events of each execution that ends, as CloudWatch logs have them; nil: nothing does.
	Events func(line []byte)
	// Remote accepts names of other machines of a network; Hosts are further names of this one.
	Remote bool
	Hosts  []string
	// Log receives lines; nil: nothing does. Verbose has one for each request.
	Log     func(line string)
	Verbose bool
	// Now is the wall clock; nil: time.Now.
	Now func() time.Time
	// Poll is how long GetActivityTask waits; 0: a minute.
	Poll time.Duration
	// HeaderPatience and BodyPatience are how long the headers and the body of a request may take; 0: 10 and 30
	// seconds.
	HeaderPatience, BodyPatience time.Duration
	// Connections bounds those that are open at once; 0: 1,000.
	Connections int
}

// Server answers the API. It is an [http.Handler].
type Server struct {
	options Options
	ctx     context.Context // of everything that runs
	cancel  context.CancelFunc
	running sync.WaitGroup
	secret  string
	// Cases has the results of tasks, and the outcomes of suites' cases.
	Cases *cases.Chooser

	mu         sync.Mutex
	serial     int64 // numbers all that is listed
	machines   map[string]*machine
	activities map[string]*activity
	executions map[string]*execution
	order      []*execution // the oldest first
	tokens     map[string]*task
	ended      int
	evicted    bool
	starts     uint64
}

// New returns a server without a machine.
func New(o Options) *Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = func(string) {}
	}
	o.Poll, o.Connections = cmp.Or(o.Poll, time.Minute), cmp.Or(o.Connections, maxConnections)
	o.HeaderPatience = cmp.Or(o.HeaderPatience, headerPatience)
	o.BodyPatience = cmp.Or(o.BodyPatience, bodyPatience)
	s := &Server{options: o, secret: rand.Text(), Cases: cases.New(o.Results)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.reset()
	return s
}

func (s *Server) reset() {
	s.machines, s.activities = map[string]*machine{}, map[string]*activity{}
	s.executions, s.tokens, s.order, s.ended = map[string]*execution{}, map[string]*task{}, nil, 0
}

func (s *Server) log(line string) { s.options.Log(line) }

// now is the wall clock, as exactly as the service shows it.
func (s *Server) now() time.Time { return s.options.Now().UTC().Truncate(time.Millisecond) }

// next numbers what is listed; the server is locked.
func (s *Server) next() int64 {
	s.serial++
	return s.serial
}

// Close ends everything that runs, and completes the traces.
func (s *Server) Close() {
	s.cancel()
	s.mu.Lock()
	all := slices.Clone(s.order)
	s.mu.Unlock()
	for _, x := range all {
		x.close()
	}
	s.running.Wait()
}

// date is a time as the API has it: seconds since the epoch, with milliseconds.
func date(t time.Time) value.Value {
	n, _ := value.ParseNumber(strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', 3, 64))
	return n
}

const usualPage = 100

// paging is the part of a request for a page of a list.
type paging struct {
	size  int32
	token *string
	// about are the arguments that the token is bound to.
	about []any
}

// page returns a page of a list, whose keys grow or fall, and the token for the next; empty: there is none.
func page[T any](s *Server, p paging, list []T, key func(T) int64, falling bool) (part []T, token string, err error) {
	about, _ := json.Marshal(p.about)
	sum := fnv.New64a()
	_, _ = sum.Write(append(about, s.secret...)) // it never fails
	bound := strconv.FormatUint(sum.Sum64(), 36)
	from := 0
	if p.token != nil {
		text, err := base64.RawURLEncoding.DecodeString(*p.token)
		last, failed := strconv.ParseInt(string(text[:max(len(text)-len(bound), 0)]), 10, 64)
		if err != nil || failed != nil || len(text) < len(bound) || string(text[len(text)-len(bound):]) != bound {
			return nil, "", faultf(invalidToken, "Invalid Token: 'Invalid token'")
		}
		from = slices.IndexFunc(list, func(item T) bool {
			return falling && key(item) < last || !falling && key(item) > last
		})
		if from < 0 {
			return nil, "", nil
		}
	}
	size := int(p.size)
	size = cmp.Or(size, usualPage)
	part = list[from:]
	if len(part) > size {
		part = part[:size]
		token = base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(key(part[size-1]), 10) + bound))
	}
	return part, token, nil
}

// listing is the answer with a page of a list.
func listing[T any](name string, part []T, token string, of func(T) value.Value) *value.Object {
	a := answer{value.M(name, value.NewArray(value.Each(part, of)))}
	a.text("nextToken", token)
	return a.object()
}

// Probe asks a server on this machine whether it answers.
func Probe(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, endPatience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/health", nil)
	if err != nil {
		return err
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return fmt.Errorf("%s/health answers %s", url, reply.Status)
	}
	return nil
}

// operations are the operations of the API, with their required members. The types of the SDK say the others.
var operations map[string]operation

func init() {
	operations = map[string]operation{
		"CreateActivity":                   op("name", (*Server).createActivity),
		"CreateStateMachine":               op("definition name roleArn", (*Server).createStateMachine),
		"CreateStateMachineAlias":          op("name routingConfiguration", (*Server).createStateMachineAlias),
		"DeleteActivity":                   op("activityArn", (*Server).deleteActivity),
		"DeleteStateMachine":               op("stateMachineArn", (*Server).deleteStateMachine),
		"DeleteStateMachineAlias":          op("stateMachineAliasArn", (*Server).deleteStateMachineAlias),
		"DeleteStateMachineVersion":        op("stateMachineVersionArn", (*Server).deleteStateMachineVersion),
		"DescribeActivity":                 op("activityArn", (*Server).describeActivity),
		"DescribeExecution":                op("executionArn", (*Server).describeExecution),
		"DescribeMapRun":                   op("mapRunArn", (*Server).describeMapRun),
		"DescribeStateMachine":             op("stateMachineArn", (*Server).describeStateMachine),
		"DescribeStateMachineAlias":        op("stateMachineAliasArn", (*Server).describeStateMachineAlias),
		"DescribeStateMachineForExecution": op("executionArn", (*Server).describeStateMachineForExecution),
		"GetActivityTask":                  op("activityArn", (*Server).getActivityTask),
		"GetExecutionHistory":              op("executionArn", (*Server).getExecutionHistory),
		"ListActivities":                   op("", (*Server).listActivities),
		"ListExecutions":                   op("", (*Server).listExecutions),
		"ListMapRuns":                      op("executionArn", (*Server).listMapRuns),
		"ListStateMachineAliases":          op("stateMachineArn", (*Server).listStateMachineAliases),
		"ListStateMachineVersions":         op("stateMachineArn", (*Server).listStateMachineVersions),
		"ListStateMachines":                op("", (*Server).listStateMachines),
		"ListTagsForResource":              op("resourceArn", (*Server).listTagsForResource),
		"PublishStateMachineVersion":       op("stateMachineArn", (*Server).publishStateMachineVersion),
		"RedriveExecution":                 op("executionArn", (*Server).redriveExecution),
		"SendTaskFailure":                  op("taskToken", (*Server).sendTaskFailure),
		"SendTaskHeartbeat":                op("taskToken", (*Server).sendTaskHeartbeat),
		"SendTaskSuccess":                  op("output taskToken", (*Server).sendTaskSuccess),
		"StartExecution":                   op("stateMachineArn", (*Server).startExecution),
		"StartSyncExecution":               op("stateMachineArn", (*Server).startSyncExecution),
		"StopExecution":                    op("executionArn", (*Server).stopExecution),
		"TagResource":                      op("resourceArn tags", (*Server).tagResource),
		"TestState":                        op("definition", (*Server).testState),
		"UntagResource":                    op("resourceArn tagKeys", (*Server).untagResource),
		"UpdateMapRun":                     op("mapRunArn", (*Server).updateMapRun),
		"UpdateStateMachine":               op("stateMachineArn", (*Server).updateStateMachine),
		"UpdateStateMachineAlias":          op("stateMachineAliasArn", (*Server).updateStateMachineAlias),
		"ValidateStateMachineDefinition":   op("definition", (*Server).validateStateMachineDefinition),
	}
}

func (s *Server) validateStateMachineDefinition(_ *call, in *sfn.ValidateStateMachineDefinitionInput) (*value.Object,
	error) {
	return verdict.Validate(in, s.options.Spec.Dialect)
}

func (s *Server) testState(c *call, in *sfn.TestStateInput) (*value.Object, error) {
	raw, _ := c.configured()
	return verdict.State(in, raw, s.now(), s.seed())
}
