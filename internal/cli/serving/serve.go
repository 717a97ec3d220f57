// Package serving has the command that answers the API of Step Functions.
package serving

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"asldb/engine/debug"
	"asldb/fixtures"
	"asldb/fixtures/live"
	"asldb/internal/cli/attaching"
	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/project"
	"asldb/internal/serve"
	"asldb/internal/serve/cases"
	"asldb/internal/store"
	"asldb/internal/suite"
	"asldb/internal/wording"
	"asldb/recorder"
)

// The defaults of Step Functions Local.
const (
	usualPort    = 8083
	usualAccount = "123456789012"
	usualRegion  = "us-east-1"
	usualKeep    = 10_000
	maxPort      = 65_535
)

// serveFlags are the flags of the command serve.
type serveFlags struct {
	sessions.Flags
	port                    int
	listen, account, region string
	traceDir                string
	junit, coverage, events string
	lambda                  string
	suites, hosts           []string
	endpoints               []string
	keep                    int
	remote, verbose         bool
	probe, ui               bool
	log                     log
}

// NewServe returns the command serve.
func NewServe(s *command.Streams) *cobra.Command {
	f := &serveFlags{}
	cmd := &cobra.Command{
		Use:   "serve [DEFINITION|FOLDER...]",
		Short: "Answer the API of Step Functions on this machine",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args)
		},
		ValidArgsFunction: command.CompleteDefinition,
	}
	rows := f.Rows(cmd)
	flags := cmd.Flags()
	flags.IntVar(&f.port, "port", usualPort, "the `PORT`; 0 for a free one")
	flags.Var(command.NewFilled(&f.listen, "127.0.0.1"), "listen",
		"listen on an `ADDRESS` of this machine; another needs --allow-remote")
	flags.BoolVar(&f.remote, "allow-remote", false,
		"answer other machines, too: all that reach the port can start executions")
	flags.StringArrayVar(&f.hosts, "host", nil, "also accept requests to this host `NAME`; repeatable")
	flags.Var(command.NewFilled(&f.account, ""), "account",
		"the account `ID` in ARNs (default: AWS_ACCOUNT_ID, else "+usualAccount+")")
	flags.Var(command.NewFilled(&f.region, ""), "region",
		"the AWS `REGION`, in ARNs (default: AWS_DEFAULT_REGION or AWS_REGION, else "+usualRegion+")")
	rows.Row("mock-config", ", by ARN#CASE\n(default: SFN_MOCK_CONFIG)").Row("fixtures")
	flags.StringArrayVar(&f.suites, "suite", nil, "a `FILE` of cases, *.test.yaml, for ARN#CASE; repeatable")
	rows.Row("on-missing", "; ask waits\nfor an answer by /_asldb").Row("allow-live").Row("no-live").Row("clock")
	rows.Row("start-time").Row("seed").Row("dialect").Row("no-limits")
	flags.IntVar(&f.keep, "keep", usualKeep, "keep `N` ended executions; 0 for all")
	flags.Var(command.NewFilled(&f.traceDir, ""), "trace-dir", "record each execution in a trace in the folder `DIR`")
	rows.Row("redact")
	flags.Var(command.NewFilled(&f.lambda, ""), "lambda",
		"invoke functions without a result at the endpoint `URL`, such as sam local start-lambda\n"+
			"(default: LAMBDA_ENDPOINT)")
	flags.StringArrayVar(&f.endpoints, "endpoint", nil,
		"send tasks of a service without a result to a URL, as `SERVICE=URL`: dynamodb=http://127.0.0.1:8000;\n"+
			"repeatable (default: DYNAMODB_ENDPOINT, SQS_ENDPOINT, ECS_ENDPOINT, GLUE_ENDPOINT, SAGE_MAKER_ENDPOINT)")
	flags.Var(command.NewFilled(&f.events, ""), "log",
		"append the events of executions that end to `FILE`, in the form of CloudWatch's messages")
	flags.Var(command.NewFilled(&f.coverage, ""), "coverage-out",
		"write the coverage to the profile `FILE`, at the end and of all executions, added to what it has")
	flags.BoolVar(&f.verbose, "verbose", false, "write a line for each request on standard error")
	flags.BoolVar(&f.probe, "probe", false, "ask whether a server on the port answers, and end with status 0 or 1")
	flags.BoolVar(&f.ui, "ui", false,
		"show the executions in the debugger, as asldb attach does; leaving it ends the server")
	rows.Row("break")
	flags.Var(command.NewFilled(&f.junit, ""), "junit",
		"write a JUnit report about the cases of suites to `FILE`, at the end")
	rows.Add(launch.Named)
	missing := flags.Lookup("on-missing")
	_ = missing.Value.Set("fail") // it is one of the words
	missing.DefValue = "fail"
	return cmd
}

func (f *serveFlags) run(cmd *cobra.Command, s *command.Streams, args []string) error {
	if f.port < 0 || f.port > maxPort {
		return fmt.Errorf("--port is a number from 0 to %d, not %d", maxPort, f.port)
	}
	if f.ui && !(&sessions.Flags{}).HasTerminal(s) {
		return sessions.ErrNoTerminal
	}
	o, err := f.options(cmd, s)
	if err != nil {
		return err
	}
	if f.probe {
		if serve.Probe(cmd.Context(), fmt.Sprintf("http://127.0.0.1:%d", f.port)) != nil {
			return command.Exit(command.StatusFailed, fmt.Errorf("no server answers on port %d", f.port))
		}
		return nil
	}
	if f.events != "" {
		file, err := files.Append(f.events, 0o666)
		if err != nil {
			return err
		}
		defer file.Close()
		o.Events = func(line []byte) {
			if _, err := file.Write(line); err != nil {
				f.log.line(err.Error())
			}
		}
	}
	server := serve.New(*o)
	if err := f.add(s, server, args); err != nil {
		return err
	}
	ended := command.Listen(cmd.Context())
	defer ended.Stop()
	listener, err := f.open(ended)
	if err != nil {
		return err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	ready := fmt.Sprintf("Starting server on port %d with account %s, region %s\nready: http://%s\n", port, o.Account,
		o.Region,
		net.JoinHostPort(shown(f.listen), strconv.Itoa(port)))
	if err = s.Print(ready); err != nil {
		return err
	}
	answer := func(ctx context.Context) error { return server.Serve(ctx, listener) }
	if f.ui {
		err = f.show(cmd, s, "http://"+net.JoinHostPort(shown(f.listen), strconv.Itoa(port)), answer)
	} else {
		err = answer(ended)
	}
	if err != nil {
		return err
	}
	return f.report(s, server)
}

// shown is the address that clients on this machine use.
func shown(listen string) string {
	if ip := net.ParseIP(listen); ip != nil && ip.IsUnspecified() {
		return "127.0.0.1"
	}
	return listen
}

// options makes the options of the server.
func (f *serveFlags) options(cmd *cobra.Command, s *command.Streams) (*serve.Options, error) {
	if f.AllowLive && f.NoLive {
		return nil, errors.New("--allow-live and --no-live exclude each other: give one of them")
	}
	fixturesFile := f.Spec.Fixtures.Name
	f.Spec.Fixtures = launch.Fixtures{}
	if err := f.Complete(command.Version()); err != nil {
		return nil, err
	}
	mockConfig := f.Spec.Fixtures.Name // there are no others
	f.Spec.Fixtures = launch.Fixtures{}
	clock := f.Spec.Clock
	if scale := os.Getenv("WAIT_TIME_SCALE"); scale != "" && !cmd.Flags().Changed("clock") {
		factor, err := strconv.ParseFloat(scale, 64)
		if err != nil || factor < 0 {
			return nil, fmt.Errorf("WAIT_TIME_SCALE is a number from 0, not %q", scale)
		}
		if factor > 0 {
			clock = debug.Clock{Mode: debug.ClockPaced, Factor: 1 / factor}
		}
	}
	redactions, err := launch.Redactions(f.Trace.Redact)
	if err != nil {
		return nil, err
	}
	spec := launch.Spec{Dialect: f.Spec.Dialect, Limits: f.Spec.Limits, Seed: f.Spec.Seed, Start: f.Spec.Start,
		Permit: f.permit}
	o := &serve.Options{
		Home: serve.Home{Account: cmp.Or(f.account, os.Getenv("AWS_ACCOUNT_ID"), usualAccount),
			Region: cmp.Or(f.region, os.Getenv("AWS_DEFAULT_REGION"), os.Getenv("AWS_REGION"), usualRegion)},
		Version: command.Version(), Spec: spec, Clock: clock, Keep: f.keep, TraceDir: f.traceDir,
		Trace: recorder.TraceOptions{Redactions: redactions}, Remote: f.remote, Hosts: f.hosts,
		Breakpoints: f.Spec.Breakpoints, Verbose: f.verbose, Now: s.Now,
		Results: cases.Results{MockConfig: cmp.Or(mockConfig, os.Getenv("SFN_MOCK_CONFIG"),
			os.Getenv("LOCALSTACK_SFN_MOCK_CONFIG")),
			Fixtures: fixturesFile, Suites: f.suites, Lambda: cmp.Or(f.lambda, os.Getenv("LAMBDA_ENDPOINT"))},
		Covers: f.coverage != "",
	}
	switch {
	case f.Spec.Missing == fixtures.Ask:
		o.Missing = serve.MissingHolds
	case f.Spec.Missing == fixtures.Echo:
		o.Missing = serve.MissingEchoes
	}
	if o.Results.Services, err = f.services(o.Home.Region); err != nil {
		return nil, err
	}
	if err := o.Results.Check(); err != nil {
		return nil, err
	}
	if f.traceDir != "" {
		if err := os.MkdirAll(f.traceDir, 0o777); err != nil {
			return nil, files.ReadError(f.traceDir, err)
		}
	}
	f.log.to = s.Err
	o.Log = f.log.line
	return o, nil
}

// endpointVariables are the variables of Step Functions Local that name endpoints, with the services' names.
func endpointVariables() [][2]string {
	return [][2]string{{"DYNAMODB_ENDPOINT", "dynamodb"}, {"SQS_ENDPOINT", "sqs"}, {"ECS_ENDPOINT", "ecs"},
		{"GLUE_ENDPOINT", "glue"}, {"SAGE_MAKER_ENDPOINT", "sagemaker"}}
}

// services returns the endpoints of --endpoint and of the variables; the first of a service counts.
func (f *serveFlags) services(region string) (list []live.Service, err error) {
	add := func(source, name, address string) error {
		parsed, err := url.Parse(address)
		if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
			return fmt.Errorf("%s takes the URL of an endpoint, http://HOST:PORT, not %q", source, address)
		}
		one := live.Service{Name: name, Endpoint: address, Region: region}
		if err := one.Check(); err != nil {
			return fmt.Errorf("%s: %w", source, err)
		}
		list = append(list, one)
		return nil
	}
	for _, text := range f.endpoints {
		name, address, _ := strings.Cut(text, "=")
		if err := add("--endpoint SERVICE=URL", name, address); err != nil {
			return nil, err
		}
	}
	for _, row := range endpointVariables() {
		if address := os.Getenv(row[0]); address != "" {
			if err := add(row[0], row[1], address); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// permit returns the permission for the live calls of fixtures, given by --allow-live or by asldb allow.
func (f *serveFlags) permit(file *fixtures.File, bound *fixtures.Source) (fixtures.Permission, error) {
	switch {
	case f.AllowLive:
		return fixtures.AnyCall(), nil
	case f.NoLive || !bound.WouldCall():
		return fixtures.Permission{}, nil
	}
	reach := file.Reach()
	if gate := (&store.Gate{Store: store.In(store.Dir(os.Getenv))}); gate.Remembered(launch.Subject(file, reach)) {
		return reach.Permission(), nil
	}
	return fixtures.Permission{}, nil
}

// add serves the definitions in files, templates and folders.
func (f *serveFlags) add(s *command.Streams, server *serve.Server, names []string) error {
	if f.Spec.Definition.Projects == nil {
		f.Spec.Definition.Projects = &project.Finder{}
	}
	for _, name := range names {
		if suite.IsSuite(name) {
			return fmt.Errorf("%s is a suite: give it with --suite", wording.Line(name))
		}
		d := f.Spec.Definition
		d.File = name
		list, skipped, err := d.Search(s.Files())
		if err == nil && len(list) == 0 {
			err = &definitions.EmptyError{Folder: name, Resource: d.Resource, Skipped: skipped}
		}
		if err != nil {
			return command.Flagged(err)
		}
		for _, one := range skipped {
			fmt.Fprintln(s.Err, "not served: "+one.String())
		}
		for _, one := range list {
			arn, err := server.Add(one)
			if err != nil {
				return command.DefinitionError(s, err)
			}
			fmt.Fprintln(s.Err, "serves "+wording.Line(arn))
		}
	}
	return nil
}

// open opens the port.
func (f *serveFlags) open(ctx context.Context) (net.Listener, error) {
	if ip := net.ParseIP(f.listen); !f.remote && f.listen != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("--listen %s opens the port to other machines: that needs --allow-remote",
			wording.Line(f.listen))
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", net.JoinHostPort(f.listen, strconv.Itoa(f.port)))
	if err != nil {
		return nil, fmt.Errorf("cannot listen on port %d: %w; --port 0 takes a free one", f.port, reasonOf(err))
	}
	return listener, nil
}

// reasonOf is the error of the system behind one of package net.
func reasonOf(err error) error {
	var system *net.OpError
	if errors.As(err, &system) {
		return system.Err
	}
	return err
}

// report writes the report about suites' cases.
func (f *serveFlags) report(s *command.Streams, server *serve.Server) error {
	if f.junit != "" {
		if err := server.Cases.WriteJUnit(f.junit, s.Now()); err != nil {
			return err
		}
	}
	if f.coverage != "" {
		if err := command.UpdateProfile(s, f.coverage, server.Cases.Profile.Definitions...); err != nil {
			return err
		}
	}
	if server.Cases.Bad() > 0 {
		return command.Exit(command.StatusFailed, nil)
	}
	return nil
}

// show shows the executions on the screen of this terminal while the server answers, until the user leaves them. The
// log comes after the screen.
func (f *serveFlags) show(
	cmd *cobra.Command,
	s *command.Streams,
	url string,
	answer func(context.Context) error,
) error {
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- answer(ctx) }()
	f.log.hold()
	err := attaching.Show(cmd, s, &sessions.Flags{}, url)
	f.log.release()
	cancel()
	return cmp.Or(<-ended, err)
}

// log writes lines, after the screen where there is one.
type log struct {
	mu   sync.Mutex
	to   io.Writer
	held bool
	kept []string
}

// mostKept bounds the lines that wait for the end of the screen.
const mostKept = 1000

func (l *log) line(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if text = wording.Line(text); !l.held {
		fmt.Fprintln(l.to, text)
	} else if l.kept = append(l.kept, text); len(l.kept) > mostKept {
		l.kept = l.kept[1:]
	}
}

func (l *log) hold() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held = true
}

func (l *log) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, text := range l.kept {
		fmt.Fprintln(l.to, text)
	}
	l.held, l.kept = false, nil
}
