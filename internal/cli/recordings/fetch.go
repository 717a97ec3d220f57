package recordings

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/executions"
	"asldb/internal/launch"
	"asldb/internal/wording"
	"asldb/recorder"
)

// fetchFlags are the flags of the command "fetch".
type fetchFlags struct {
	connection executions.Connection
	folder     executions.Folder
	machine    string
	statuses   []string
	since      string
	limit      int
	launch.Given
	noNested bool
}

// NewFetch returns the command "fetch".
func NewFetch(s *command.Streams) *cobra.Command {
	f := &fetchFlags{}
	cmd := &cobra.Command{
		Use:   "fetch EXECUTION...",
		Short: "Fetch recorded executions from AWS Step Functions",
		Args: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 0) == (f.machine == "") {
				return fmt.Errorf("which execution? give its ARN or URL, or --state-machine; usage: %s", cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			ended := command.Listen(cmd.Context())
			defer ended.Stop()
			p := newProgress(s)
			err := p.end(f.run(ended, p, args))
			if ended.Err() != nil {
				return command.EndedOf(ended, "")
			}
			return err
		},
		ValidArgsFunction: cobra.NoFileCompletions, // ARNs and URLs
	}
	flags := cmd.Flags()
	rows := command.RowsOf(cmd, &f.Given)
	f.addSearchTo(cmd, "fetch its executions, the newest first")
	flags.StringSliceVar(&f.statuses, "status", nil, "only executions with this `STATUS`, such as FAILED; repeatable")
	command.CompleteWords(cmd, "status", executions.Statuses()...)
	flags.VarP(command.NewFilled(&f.folder.Dir, "histories"), "output", "o", "the `FOLDER` to write")
	flags.BoolVar(&f.folder.MapRuns, "map-runs", false, "also fetch the executions of Map Runs")
	flags.BoolVar(&f.noNested, "no-nested", false, "do not fetch the executions that tasks started")
	rows.Row("redact", " in the files; repeatable")
	return cmd
}

// addSearchTo adds the flags of a search for executions of a state machine, and how AWS is called for it.
func (f *fetchFlags) addSearchTo(cmd *cobra.Command, machine string) {
	flags := cmd.Flags()
	flags.Var(command.NewFilled(&f.machine, ""), "state-machine", "the `ARN` of a state machine in AWS: "+machine)
	flags.Var(command.NewFilled(&f.since, ""), "since",
		"only executions that started in this `DURATION` (24h, 7d) or since this time\n(2026-01-01T00:00:00Z)")
	flags.IntVar(&f.limit, "limit", 100, "fetch at most `N` executions; 0 for all")
	addConnectionTo(cmd, &f.connection)
	flags.Float64Var(&f.connection.Rate, "rate", executions.DefaultRate, "make at most `N` calls a second")
}

// addConnectionTo adds the flags that say how AWS is called.
func addConnectionTo(cmd *cobra.Command, c *executions.Connection) {
	flags := cmd.Flags()
	flags.Var(command.NewFilled(&c.Profile, ""), "profile", "the `NAME` of a profile of the AWS configuration")
	flags.Var(command.NewFilled(&c.Endpoint, ""), "endpoint-url", "call the API at this `URL` instead of AWS")
}

// run fetches executions into the folder.
func (f *fetchFlags) run(ctx context.Context, p *progress, args []string) error {
	query, arns, err := f.parse(p.s, args)
	if err != nil {
		return err
	}
	first := query.Of
	if len(arns) > 0 {
		first = arns[0]
	}
	f.connection.Retrying = func(e *executions.Error) { p.warn(fmt.Errorf("a call failed, and is made again: %s", e.Message())) }
	client, err := executions.Connect(ctx, f.connection, first)
	if err != nil {
		return err
	}
	f.folder.Nested, f.folder.Warn = !f.noNested, p.warn
	f.folder.Progress, f.folder.Saved = p.events, p.saved
	if len(arns) > 0 {
		p.total = len(arns)
		for _, arn := range arns {
			if err = f.folder.Add(ctx, client, arn); err != nil {
				break
			}
		}
	} else {
		query.LeftOut = func(err error) { p.warn(fmt.Errorf("an execution is left out: %w", err)) }
		var items []executions.Item
		if items, err = client.Search(ctx, query, p.found); err == nil {
			p.total = len(items)
			err = f.folder.AddAll(ctx, client, items)
		}
	}
	p.line.Clear()
	for _, path := range f.folder.Unfound() {
		fmt.Fprintf(p.s.Err, "warning: --redact %s led to nothing: it may be misspelt\n", wording.Line(path))
	}
	return err
}

// parse checks the arguments and flags before any call.
func (f *fetchFlags) parse(s *command.Streams, args []string) (query executions.Query, arns []executions.ARN, err error) {
	for _, text := range f.Trace.Redact {
		redaction, err := recorder.ParseRedaction(text)
		if err != nil {
			return query, nil, fmt.Errorf("--redact: %w", err)
		}
		f.folder.Redactions = append(f.folder.Redactions, redaction)
	}
	if f.connection.Rate <= 0 {
		return query, nil, fmt.Errorf("--rate is a number above 0, not %g", f.connection.Rate)
	}
	for _, text := range args {
		arn, err := parseExecution(text)
		if err != nil {
			return query, nil, err
		}
		arns = append(arns, arn)
	}
	if len(arns) > 0 {
		if f.since != "" || len(f.statuses) > 0 {
			return query, nil, errors.New("--since and --status are for a search with --state-machine")
		}
		return query, arns, nil
	}
	query, err = parseQuery(s, f.machine, f.statuses, f.since, f.limit)
	return query, nil, err
}

// parseExecution reads the ARN or URL of an execution that has a history.
func parseExecution(text string) (executions.ARN, error) {
	arn, err := executions.ParseARN(text)
	switch {
	case err != nil:
		return arn, command.OneLine(err)
	case arn.Resource == executions.ExpressExecution:
		return arn, &executions.Error{Reason: executions.Express, About: arn.Text}
	case arn.Resource != executions.StandardExecution:
		return arn, fmt.Errorf("%s is not an execution: to fetch the executions of a state machine, use --state-machine", wording.Line(arn.Text))
	}
	return arn, nil
}

// parseQuery reads the flags of a search.
func parseQuery(s *command.Streams, machine string, statuses []string, since string, limit int) (executions.Query, error) {
	q := executions.Query{Limit: limit}
	var err error
	if q.Of, err = executions.ParseARN(machine); err != nil {
		return q, fmt.Errorf("--state-machine: %w", command.OneLine(err))
	}
	if q.Of.Resource != executions.StateMachine && q.Of.Resource != executions.MapRun {
		return q, fmt.Errorf("--state-machine is the ARN of a state machine, not %s", wording.Line(q.Of.Text))
	}
	if limit < 0 {
		return q, fmt.Errorf("--limit is a number from 0, not %d", limit)
	}
	for _, status := range statuses {
		status = strings.ToUpper(status)
		if !slices.Contains(executions.Statuses(), status) {
			return q, fmt.Errorf("--status is one of %s, not %q", strings.Join(executions.Statuses(), ", "), status)
		}
		q.Statuses = append(q.Statuses, status)
	}
	q.Since, err = parseSince(s, since)
	return q, err
}

// parseSince reads --since: a duration before now, or a time.
func parseSince(s *command.Streams, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return at, nil
	}
	duration, days := text, 0
	if number, rest, ok := strings.Cut(text, "d"); ok {
		if _, err := fmt.Sscanf(number, "%d", &days); err == nil && fmt.Sprint(days) == number {
			if duration = rest; duration == "" {
				duration = "0s"
			}
		}
	}
	before, err := time.ParseDuration(duration)
	if before += time.Duration(days) * 24 * time.Hour; err != nil || before <= 0 {
		return time.Time{}, fmt.Errorf("--since is a duration such as 24h or 7d, or a time such as 2026-01-01T00:00:00Z, not %q", text)
	}
	return s.Now().Add(-before), nil
}
