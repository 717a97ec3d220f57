package executions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sfn"

	"asldb/engine/value"
	"asldb/recorder/history"
)

// pageSize is the number of events in a page: the most that the service gives.
const historyPageSize = 1000

// The bounds of a history: Step Functions ends an execution at 25,000 events, other programs with its API may not.
const (
	maxEvents  = 100_000
	maxHistory = 512 << 20 // bytes
	maxEmpty   = 100       // pages without anything, one after the other
)

// Execution is a recorded execution.
type Execution struct {
	ARN ARN
	// Definition is the one that ran; nil where the service does not have it any more or does not give it, for Reason.
	Definition *Definition
	Withheld   error
	// Events are the events of the history as the service gave them, in the order of their ids.
	Events []*value.Object
	// Redrives is the number of redrives that the history has.
	Redrives int
	// Ended is whether the execution has ended.
	Ended bool
}

// Definition is a revision of a state machine.
type Definition struct {
	Name, StateMachine, Revision, MapRun string
	Text                                 string
}

// Execution fetches an execution: the definition that ran, then the history. progress is called with the number of events after each
// page; it may be nil. The error is an *[Error], or the context's.
func (c *Client) Execution(ctx context.Context, arn ARN, progress func(events int)) (*Execution, error) {
	if arn.Resource == ExpressExecution {
		return nil, &Error{Reason: Express, About: arn.Text}
	}
	x := &Execution{ARN: arn}
	var err error
	if x.Definition, err = c.definition(ctx, arn); err != nil {
		if !withheld(err) {
			return nil, err
		}
		x.Withheld = err
	}
	return x, c.history(ctx, x, progress)
}

// withheld reports whether an error is about the definition alone, without which the history is of use, too.
func withheld(err error) bool {
	var wrong *Error
	return errors.As(err, &wrong) && (wrong.Reason == Denied || wrong.Reason == NoMachine || wrong.Reason == Encrypted)
}

func (c *Client) definition(ctx context.Context, arn ARN) (*Definition, error) {
	const call = "DescribeStateMachineForExecution"
	out, err := c.machine(ctx, &sfn.DescribeStateMachineForExecutionInput{ExecutionArn: &arn.Text}, inRegion(arn))
	if err != nil {
		return nil, explained(ctx, call, arn.Text, err)
	}
	return &Definition{
		Name: aws.ToString(out.Name), StateMachine: aws.ToString(out.StateMachineArn), Revision: aws.ToString(out.RevisionId),
		MapRun: aws.ToString(out.MapRunArn), Text: aws.ToString(out.Definition),
	}, nil
}

// history fetches all pages of a history.
func (c *Client) history(ctx context.Context, x *Execution, progress func(events int)) error {
	const call = "GetExecutionHistory"
	input := &sfn.GetExecutionHistoryInput{ExecutionArn: &x.ARN.Text, MaxResults: historyPageSize}
	seen, size, empty := make(map[string]bool), 0, 0
	for {
		var body []byte
		out, err := c.events(withBody(ctx, &body), input, inRegion(x.ARN))
		if err != nil {
			err = explained(ctx, call, x.ARN.Text, err)
			var wrong *Error
			if errors.As(err, &wrong) && wrong.Reason == Other && input.NextToken != nil {
				wrong.Reason, wrong.detail = Incomplete, fmt.Sprintf("the page after event %d was refused (%s)", len(x.Events), wrong.Message())
			}
			return err
		}
		before := len(x.Events)
		if err := x.add(body); err != nil {
			return err
		}
		size += len(body)
		if empty++; len(x.Events) > before {
			empty = 0
		}
		if len(x.Events) > maxEvents || size > maxHistory || empty > maxEmpty {
			detail := fmt.Sprintf("the history has more than %d events or %d MiB, or no end", maxEvents, maxHistory>>20)
			return &Error{Reason: Excessive, Call: call, About: x.ARN.Text, detail: detail}
		}
		if progress != nil {
			progress(len(x.Events))
		}
		token := aws.ToString(out.NextToken)
		if token == "" {
			return x.finish()
		}
		if seen[token] {
			return x.incomplete("the service gave the same page twice")
		}
		seen[token], input.NextToken = true, &token
	}
}

// add adds the events of a page.
func (x *Execution) add(body []byte) error {
	page, err := value.Parse(body, value.Limits{})
	if err != nil {
		return x.incomplete(fmt.Sprintf("a page is not JSON (%v)", err))
	}
	object, _ := page.(*value.Object)
	events, _ := object.Get("events").(*value.Array)
	for _, item := range events.All() {
		event, ok := item.(*value.Object)
		if !ok {
			return x.incomplete("an event is not an object")
		}
		x.Events = append(x.Events, event)
	}
	return nil
}

func (x *Execution) incomplete(detail string) error {
	return &Error{Reason: Incomplete, Call: "GetExecutionHistory", About: x.ARN.Text, detail: detail}
}

// finish checks that no event is missing: their ids count from 1.
func (x *Execution) finish() error {
	if len(x.Events) == 0 {
		return x.incomplete("it has no events")
	}
	slices.SortStableFunc(x.Events, func(a, b *value.Object) int { return int(idOf(a) - idOf(b)) })
	for i, event := range x.Events {
		if want, id := int64(i+1), idOf(event); id != want {
			return x.incomplete(fmt.Sprintf("event %d is missing", min(want, id)))
		}
		kind := history.KindOf(typeOf(event))
		if kind.Family != history.OfExecution {
			continue
		}
		x.Ended = kind.Phase >= history.Succeeded
		if kind.Phase == history.Redriven {
			x.Redrives++
		}
	}
	return nil
}

func idOf(event *value.Object) int64 {
	number, _ := event.Get("id").(value.Number)
	id, _ := number.Int64()
	return id
}

func typeOf(event *value.Object) string {
	text, _ := event.Get("type").(value.String)
	return string(text)
}

// Document is the history as GetExecutionHistory returns it, in one page, with the ARN.
func (x *Execution) Document() []byte {
	events := value.Each(x.Events, func(event *value.Object) value.Value { return event })
	return value.Append(nil, value.ObjectOf(value.Member{Key: "executionArn", Value: value.String(x.ARN.Text)}, value.Member{Key: "events", Value: value.NewArray(events)}))
}

// Status is the status of the execution as the service names it.
func (x *Execution) Status() string {
	for i := len(x.Events) - 1; i >= 0 && x.Ended; i-- {
		switch history.KindOf(typeOf(x.Events[i])).Phase {
		case history.Succeeded:
			return "SUCCEEDED"
		case history.Failed:
			return "FAILED"
		case history.TimedOut:
			return "TIMED_OUT"
		case history.Aborted:
			return "ABORTED"
		default:
		}
	}
	return "RUNNING"
}

// details returns the details of an event, with their key; nil where it has none.
func details(event *value.Object) (string, *value.Object) {
	for key, member := range event.All() {
		if object, ok := member.(*value.Object); ok && strings.HasSuffix(key, "EventDetails") {
			return key, object
		}
	}
	return "", nil
}

// MapRuns returns the ARNs of the Map Runs that the execution started.
func (x *Execution) MapRuns() []string {
	var arns []string
	for _, event := range x.Events {
		if kind := history.KindOf(typeOf(event)); kind.Family != history.OfMapRun || kind.Phase != history.Started {
			continue
		}
		if _, d := details(event); d != nil && d.Text("mapRunArn") != "" {
			arns = append(arns, d.Text("mapRunArn"))
		}
	}
	return arns
}

// Nested returns the ARNs of the executions that tasks started.
func (x *Execution) Nested() []string {
	var arns []string
	for _, event := range x.Events {
		kind := history.KindOf(typeOf(event))
		if kind.Family != history.OfTask || kind.Phase != history.Submitted && kind.Phase != history.Succeeded {
			continue
		}
		_, d := details(event)
		if d == nil || !startsExecution(d.Text("resourceType"), d.Text("resource")) {
			continue
		}
		output, err := value.ParseString(d.Text("output"))
		if err != nil {
			continue // it was truncated
		}
		object, _ := output.(*value.Object)
		if arn := object.Text("ExecutionArn"); arn != "" && !slices.Contains(arns, arn) {
			arns = append(arns, arn)
		}
	}
	return arns
}

func startsExecution(kind, resource string) bool {
	action, _, _ := strings.Cut(resource, ".")
	return (kind == "states" || kind == "aws-sdk:sfn") && (action == "startExecution" || action == "startSyncExecution")
}
