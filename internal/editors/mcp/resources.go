package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"asldb/internal/files"
)

// table are the tools, in the order in which a client lists them.
func (s *server) table() []tool {
	return slices.Concat([]tool{
		define[validateIn, validated](
			"validate",
			"Checks a definition without running it: errors that Step Functions rejects, and warnings of probable "+
				"mistakes, each with file:line:col, a suggestion and a fix.",
			s.validate,
		).writing(),
		define[graphIn, graphed]("graph",
			"The states with their type, transitions and catchers, and the graph as Mermaid.", s.graph),
	}, s.runTools(), []tool{
		define[testIn, tested](
			"test",
			"Runs suites (*.test.yaml): the cases that fail with expected and found, and the coverage; init makes a "+
				"first suite.",
			s.test,
		).writing(),
		define[exploreIn, explored](
			"explore",
			"Runs a definition with every fault that its tasks can have, and lists what becomes of each: bugs, errors "+
				"that nothing handles, runs without end.",
			s.explore,
		),
		define[compareIn, compared]("compare",
			"Runs recorded executions with two versions of a definition, and groups the differences.", s.compare),
	})
}

// runTools are the tools about a run.
func (s *server) runTools() []tool {
	return []tool{
		define[begun, ended](
			"run",
			"Runs a definition to its end. Results of tasks come from fixtures or mocks; where one is missing the run "+
				"stops and says its shape: answer it with step. Returns a handle for debug, step, inspect, explain, "+
				"origin and why.",
			s.execute,
		),
		define[debugIn, positionDoc](
			"debug",
			"Begins a run, or goes back to the start of one, and stops at a breakpoint, a question or an error; "+
				"without breakpoints before the first state.",
			s.debug,
		),
		define[stepIn, positionDoc](
			"step",
			"Moves a run: stage, state, over, out, continue; back; answer (the result of a task); set "+
				"(change the data that the next stage reads).",
			s.step,
		),
		define[inspectIn, inspected](
			"inspect",
			"Looks at a run: the stages of a state with their data, variables, the context object, tasks, the "+
				"timeline, or the value of a path or an expression.",
			s.inspect,
		),
		define[explainIn, toldDoc](
			"explain",
			"Why a state did what it did: the rule of a Choice with its operands, retriers and catchers, the value of "+
				"each expression.",
			s.explain,
		),
		define[whyIn, explained](
			"why",
			"Why a recorded execution (a history of Step Functions or a trace) or a run failed: the chain of "+
				"causes, the line, the fix.",
			s.why,
		),
		define[originIn, origins]("origin",
			"Where a value of a run comes from, hop by hop; where it was lost; or, forward, its later uses.", s.origin),
		define[evalIn, evaluated](
			"eval",
			"The value of a path, a payload template, an intrinsic function or a JSONata expression, on an input or "+
				"in a run.",
			s.eval,
		),
	}
}

// writing returns a tool that can write files.
func (t tool) writing() tool {
	t.writes = true
	return t
}

// files reads the files that the client names.
func (s *server) files() files.Files { return files.Files{Stdin: strings.NewReader("")} }

// addResources adds the resources and the prompt.
func (s *server) addResources(server *mcp.Server) {
	for _, r := range []struct {
		template, name, about string
		read                  func(ctx context.Context, rest string) (string, error)
	}{
		{"asldb://rules/{id}", "rule", "A rule of validate, with an example", s.printed("validate", "--explain")},
		{"asldb://docs/{page}", "help", "The help of a command", s.printed("help")},
		{"asldb://definition/{+path}", "definition", "A definition with the numbers of its lines", s.numbered},
		{"asldb://run/{handle}/events{?from}", "events", "The events of a run, 60 at a time", s.events},
	} {
		prefix, _, _ := strings.Cut(r.template, "{")
		server.AddResourceTemplate(
			&mcp.ResourceTemplate{URITemplate: r.template, Name: r.name, Description: r.about, MIMEType: "text/plain"},
			func(ctx context.Context, request *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				s.mu.Lock()
				defer s.mu.Unlock()
				rest, err := url.PathUnescape(strings.TrimPrefix(request.Params.URI, prefix))
				if err != nil {
					return nil, err
				}
				text, err := r.read(ctx, rest)
				if err != nil {
					return nil, err
				}
				return &mcp.ReadResourceResult{
					Contents: []*mcp.ResourceContents{{URI: request.Params.URI, MIMEType: "text/plain", Text: text}},
				}, nil
			},
		)
	}
	server.AddPrompt(&mcp.Prompt{
		Name:        "debug-failed-execution",
		Description: "Find the cause of a failed execution, and the change that mends it",
		Arguments: []*mcp.PromptArgument{
			{Name: "history", Description: "a file with the history of the execution", Required: true},
			{Name: "definition", Description: "the definition that ran", Required: true},
		},
	}, prompt)
}

// prompt is the prompt debug-failed-execution.
func prompt(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	return &mcp.GetPromptResult{
		Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: fmt.Sprintf(
			"The execution recorded in %q of the definition %q failed. Call why with both. Read the line that it "+
				"names, propose the smallest change, and validate it. Then run the definition with the recorded input "+
				"and results as mocks to see that it succeeds. Ask before you change a file.",
			r.Params.Arguments["history"],
			r.Params.Arguments["definition"],
		)}}},
	}, nil
}

// printed returns the output of a command that prints text alone, about a name.
func (s *server) printed(args ...string) func(ctx context.Context, name string) (string, error) {
	return func(ctx context.Context, name string) (string, error) {
		ran := s.options.Command(ctx, append(slices.Clone(args), name))
		if ran.Status != 0 {
			return "", errors.New(strings.TrimSpace(ran.Err))
		}
		return ran.Out, nil
	}
}

// numbered is the text of a file with the numbers of its lines.
func (s *server) numbered(_ context.Context, name string) (string, error) {
	if err := inside(name); err != nil {
		return "", err
	}
	_, data, err := s.files().Read(name)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for i, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		fmt.Fprintf(&text, "%5d  %s\n", i+1, line)
	}
	return text.String(), nil
}

// events are rows of the timeline of a run. rest is HANDLE/events?from=N.
func (s *server) events(_ context.Context, rest string) (string, error) {
	handle, query, _ := strings.Cut(rest, "/")
	r, err := s.runs.find(handle)
	if err != nil {
		return "", err
	}
	_, given, _ := strings.Cut(query, "from=")
	from, _ := strconv.Atoi(given) // without one all
	return r.timeline(&inspected{}, from), nil
}
