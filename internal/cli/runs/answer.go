package runs

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/outcome"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/live"
	"asldb/internal/wording"
)

// answerReader reads the results of tasks from standard input, a line each. It reads in a separate goroutine, so that
// the user can interrupt the wait for a line.
type answerReader struct {
	lines chan string
	err   error // why there are no more lines; to be read after lines is closed
}

// maxAnswer is the greatest length of a line with a result, in bytes.
const maxAnswer = 16 << 20

func newAnswerReader(in io.Reader) *answerReader {
	a := &answerReader{lines: make(chan string)}
	go func() {
		defer close(a.lines)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, maxAnswer)
		for scanner.Scan() {
			a.lines <- scanner.Text()
		}
		a.err = scanner.Err()
	}()
	return a
}

// answer asks for the result of the first unanswered task of a session, until a line can be read as one. chain are the
// executions that lead to it, from the one that a task of the run itself has started.
func (r *runner) answer(ctx context.Context, session *debug.Session, chain []*live.Child) error {
	requests := session.Requests()
	if objects := session.ObjectRequests(); len(requests) == 0 && len(objects) > 0 {
		return r.answerObject(ctx, session, chain, objects[0])
	}
	if len(requests) == 0 {
		return errors.New("the execution waits for an answer, but asks for none")
	}
	request := requests[0]
	why := ""
	if reason := fixtures.WhyAsked(session.Reason(request.ID)); reason != "" {
		why = "\n" + reason
	}
	fmt.Fprintln(r.Err, wording.Text(fmt.Sprintf("%s%s (%s), invocation %d, got %s%s\nits result, as JSON or !Error.Name cause:",
		executionsTo(chain), request.Visit.Path(), request.Resource, request.Invocation,
		value.Preview(request.Parameters, 400), why)))
	return r.readAnswer(ctx, fixtures.NewMissingError(request, session.Reason(request.ID)),
		func(line string) (give func() error, err error) {
			outcome, err := parseAnswer(line)
			return func() error { return session.Interventions().Answer(request.ID, outcome) }, err
		})
}

// answerObject asks for an object that an ItemReader reads, as answer does for the result of a task.
func (r *runner) answerObject(ctx context.Context, session *debug.Session, chain []*live.Child,
	request *engine.ObjectRequest) error {
	fmt.Fprintln(r.Err, wording.Text(fmt.Sprintf("%s%s\nthe items, as a JSON list, @FILE with the object's content, or !cause:", executionsTo(chain), explain.Object(request))))
	return r.readAnswer(ctx, &outcome.MissingObjectError{Request: request},
		func(line string) (give func() error, err error) {
			body, refused, err := fixtures.ReadObject(request, line)
			return func() error { return session.Interventions().AnswerObject(request.ID, body, refused) }, err
		})
}

// executionsTo writes the executions that lead to one.
func executionsTo(chain []*live.Child) string {
	place := ""
	for _, child := range chain {
		place += child.Request.Visit.Path() + " → " + child.Title + " › "
	}
	return place
}

// readAnswer reads lines until one can be read as an answer, which it gives. missing is the error where the lines have ended.
func (r *runner) readAnswer(ctx context.Context, missing error,
	read func(line string) (give func() error, err error)) error {
	if r.answers == nil {
		r.answers = newAnswerReader(r.In)
	}
	for {
		select {
		case <-ctx.Done():
			return r.interrupted(ctx)
		case line, ok := <-r.answers.lines:
			switch {
			case !ok && r.answers.err != nil:
				return fmt.Errorf("cannot read the answer: %w", r.answers.err)
			case !ok:
				return fmt.Errorf("standard input has ended: %w", missing)
			}
			give, err := read(line)
			if err == nil {
				return give()
			}
			fmt.Fprintf(r.Err, "%s\n", wording.Text(err.Error()))
		}
	}
}

// parseAnswer reads a line: JSON, or "!", an Error Name or null, and the cause after a blank.
func parseAnswer(line string) (engine.Outcome, error) {
	line = strings.TrimSpace(line)
	if failure, ok := strings.CutPrefix(line, "!"); ok {
		name, cause, _ := strings.Cut(strings.TrimSpace(failure), " ")
		if name == "" {
			return engine.Outcome{}, errors.New("after ! comes an Error Name, or " + fixtures.NoName +
				" for an error without one")
		}
		return fixtures.Failure(name, strings.TrimSpace(cause)), nil
	}
	output, err := value.ParseString(line)
	if err != nil {
		return engine.Outcome{}, fmt.Errorf("this is not JSON: %w", err)
	}
	return engine.Outcome{Output: output}, nil
}
