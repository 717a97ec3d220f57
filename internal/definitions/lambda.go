package definitions

import (
	"fmt"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// shortTimeouts returns the problems of tasks that end before the Lambda function that they call has to.
func (t *Text) shortTimeouts() (problems []source.Diagnostic) {
	if len(t.functions) == 0 {
		return nil
	}
	machine, err := t.Parse()
	if err != nil {
		return nil // its errors come first
	}
	for s := range machine.All() {
		if s.TimeoutSeconds == nil || s.TimeoutSeconds.Literal == nil {
			continue
		}
		called, known := t.functions[functionOf(s)]
		seconds, err := strconv.ParseInt(value.Plain(s.TimeoutSeconds.Literal), 10, 64)
		if !known || err != nil || called.Timeout <= seconds {
			continue
		}
		problems = append(problems, source.Diagnostic{
			File: t.Source, Severity: source.Warning, Rule: rules.ShortTimeout, Span: s.TimeoutSeconds.Span,
			Message: fmt.Sprintf(
				"the task ends with States.Timeout after %s, while its function %s may still run: it has %s",
				wording.Count(seconds, "second"), called.Name, wording.Count(called.Timeout, "second"),
			),
			Reasons: []source.Reason{{Text: "the Timeout of " + called.Name, Span: called.Span, File: called.File}},
		})
	}
	return problems
}

// functionOf returns the text that names the Lambda function whose answer a task waits for, without a version.
func functionOf(s *asl.State) string {
	name := s.Resource
	if _, action, integrated := strings.Cut(name, ":states:::"); integrated {
		if action != "lambda:invoke" {
			return ""
		}
		if name = s.Node.Get("Parameters").Get("FunctionName").Text(); name == "" {
			name = s.Node.Get("Arguments").Get("FunctionName").Text()
		}
	}
	return strings.TrimSuffix(name, ":$LATEST")
}
