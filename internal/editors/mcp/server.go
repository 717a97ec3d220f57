package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"asldb/engine/value"
	"asldb/internal/report"
	"asldb/internal/wording"
	"asldb/internal/work"
)

// Ran is a command that was run.
type Ran struct {
	// Answer is what it reports; nil: it printed Out alone.
	Answer *report.Answer
	Out    string
	// Err are its lines on standard error, Status its exit status.
	Err    string
	Status int
}

// Options are the parts of the program around a server.
type Options struct {
	// Version is the version of asldb.
	Version string
	// Now returns the start time of executions that have no other.
	Now func() time.Time
	// Command runs a command of asldb until the context ends.
	Command func(ctx context.Context, args []string) Ran
	// Write lets tools write files: suites and corrections.
	Write bool
}

// callTime bounds a call of a tool.
const callTime = 20 * time.Second

// Serve answers one client until its input ends. The working folder is the root.
func Serve(ctx context.Context, in io.Reader, out io.Writer, options Options) error {
	s := newServer(options)
	defer s.runs.close()
	server := mcp.NewServer(
		&mcp.Implementation{Name: "asldb", Title: "asldb", Version: options.Version},
		&mcp.ServerOptions{Instructions: instructions, Capabilities: &mcp.ServerCapabilities{}},
	)
	for i := range s.tools {
		s.add(server, &s.tools[i])
	}
	s.addResources(server)
	err := server.Run(ctx, newLines(in, out))
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

const instructions = `asldb runs, debugs, explains and tests state machines in the Amazon States Language (AWS Step
Functions) on this machine.
Nothing is called and time is virtual: results of tasks come from a fixtures file, from mocks, or from you
(step with kind answer).
Start with validate, then run. A run has a handle for debug, step, inspect, explain and origin. Paths are
relative to the root.`

// server is the state of one client.
type server struct {
	options Options
	tools   []tool
	mu      sync.Mutex // one call at a time
	runs    runs
}

func newServer(options Options) *server {
	s := &server{options: options}
	s.tools = s.table()
	return s
}

// tool is a tool of the protocol.
type tool struct {
	name, about string
	// writes: it can write files, where the server may.
	writes bool
	in     *jsonschema.Schema
	out    *jsonschema.Schema
	call   func(ctx context.Context, arguments []byte) (*answer, error)
}

// define makes a tool of a function whose arguments are the members of In. Out is the type of its document, from which
// its schema is made.
func define[In, Out any](name, about string, do func(context.Context, *In) (*answer, error)) tool {
	options := &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[anyJSON](): {}, reflect.TypeFor[value.Value](): {},
	}}
	in, err := jsonschema.For[In](options)
	out, wrong := jsonschema.For[Out](options)
	if err = errors.Join(err, wrong); err != nil {
		panic(err) // the types are ours
	}
	for name, schema := range out.Properties { // without types: large values are cut
		out.Properties[name] = &jsonschema.Schema{Description: cmp.Or(schema.Description, "JSON")}
	}
	out.Required, out.AdditionalProperties = nil, nil
	return tool{
		name:  name,
		about: about,
		in:    in,
		out:   out,
		call: func(ctx context.Context, arguments []byte) (*answer, error) {
			given := new(In)
			if err := decode(arguments, given); err != nil {
				return nil, err
			}
			return do(ctx, given)
		},
	}
}

// add adds a tool to the server of the protocol.
func (s *server) add(server *mcp.Server, t *tool) {
	harmless, closed := false, false
	server.AddTool(&mcp.Tool{
		Name: t.name, Description: t.about, InputSchema: t.in, OutputSchema: t.out,
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: !t.writes || !s.options.Write, DestructiveHint: &harmless, OpenWorldHint: &closed,
		},
	}, func(ctx context.Context, r *mcp.CallToolRequest) (result *mcp.CallToolResult, _ error) {
		defer progress(ctx, r)()
		return s.answer(ctx, t, r.Params.Arguments), nil
	})
}

// progressTime is the time between two notifications about a call.
const progressTime = 250 * time.Millisecond

// progress tells a client that has asked for it how much of a call's time is over, until stop is called.
func progress(ctx context.Context, r *mcp.CallToolRequest) (stop func()) {
	token := r.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var ticking sync.WaitGroup
	ticking.Go(func() {
		tick := time.NewTicker(progressTime)
		defer tick.Stop()
		for over := progressTime; ; over += progressTime {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ // the client may be gone
				ProgressToken: token, Progress: over.Seconds(), Total: callTime.Seconds(),
				Message: fmt.Sprintf("%s: %g of %g seconds", r.Params.Name, over.Seconds(), callTime.Seconds()),
			})
		}
	})
	return func() {
		cancel()
		ticking.Wait()
	}
}

// answer calls a tool, one at a time. A fault of asldb itself is an error of the call.
func (s *server) answer(ctx context.Context, t *tool, arguments []byte) (result *mcp.CallToolResult) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	if fault := work.Catch(func() {
		a, err := t.call(ctx, arguments)
		if err == nil {
			result, err = a.result()
		}
		if err != nil {
			result = failed(fmt.Errorf("%s: %w", t.name, err))
		}
	}); fault != nil {
		return failed(fmt.Errorf("%s: a fault of asldb: %w", t.name, fault))
	}
	return result
}

// anyJSON is a member that takes any JSON.
type anyJSON = value.Decoded

// decode reads the arguments of a tool. An unknown one is an error, with the nearest that there is.
func decode(arguments []byte, into any) error {
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = []byte("{}")
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &given); err != nil {
		return fmt.Errorf("the arguments are an object: %w", err)
	}
	known, required := members(reflect.TypeOf(into).Elem())
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(known, name) {
			return noSuch("argument", name, known)
		}
	}
	for _, name := range required {
		if _, ok := given[name]; !ok {
			return fmt.Errorf("the argument %q is missing", name)
		}
	}
	err := json.Unmarshal(arguments, into)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Errorf("the argument %q is %s, not %s", wrong.Field, kindOf(wrong.Type), wrong.Value)
	}
	return err
}

// noSuch says that there is nothing of a name, and which was probably meant, or else what there is.
func noSuch(noun, name string, known []string) error {
	rest := cmp.Or(wording.Meant(name, slices.Values(known)), "there are "+strings.Join(known, ", "))
	return fmt.Errorf("there is no %s %q: %s", noun, name, rest)
}

// kindOf is the name in JSON of a type of an argument.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Slice:
		return "a list of texts"
	case reflect.Map, reflect.Struct:
		return "an object"
	default:
		return "a text"
	}
}

// members returns the names of the arguments of a type, and those that have to be given.
func members(t reflect.Type) (known, required []string) {
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			within, needed := members(field.Type)
			known, required = append(known, within...), append(required, needed...)
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if known = append(known, name); options == "" {
			required = append(required, name)
		}
	}
	return known, required
}
