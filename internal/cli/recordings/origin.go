package recordings

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"asldb/engine/provenance"
	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/why"
)

// originFlags are the flags of the command trace origin.
type originFlags struct {
	launch.Given
	lens    sessions.LensFlags
	forward bool
	all     bool
	reports command.Reports
}

func newTraceOrigin(s *command.Streams) *cobra.Command {
	f := &originFlags{}
	cmd := &cobra.Command{
		Use:   "origin TRACE [--path PATH]",
		Short: "Print the origin, the later uses or the loss of a value",
		Args:  traceArgument,
		RunE:  func(_ *cobra.Command, args []string) error { return f.run(s, args[0]) },
	}
	flags := cmd.Flags()
	rows := command.RowsOf(cmd, &f.Given)
	flags.StringVarP(&f.lens.Path, "path", "p", "",
		"a `PATH`: of the value in the data of the event\n"+
			"(default: the path for which the execution, or the event, failed)")
	flags.StringVar(&f.lens.Event, "event", "", "the `EVENT`: its number from 1, or its id in Step Functions' history as '#9'\n(default: the last)")
	flags.BoolVar(&f.forward, "forward", false, "print the later uses of the value")
	flags.BoolVar(&f.all, "all", false, fmt.Sprintf("print all, not just the first %d steps", provenance.DefaultLimit))
	f.reports.AddTo(cmd, report.FormsOf(report.OfDoc|report.OfData))
	rows.Row("fork")
	return cmd
}

func (f *originFlags) run(s *command.Streams, name string) error {
	f.Spec.Replay.File = name
	run, session, err := sessions.OpenLens(s, f.Spec)
	if err != nil {
		return err
	}
	defer run.Close()
	event, err := f.lens.EventOf(session.Log())
	if err != nil {
		return err
	}
	answer, err := why.OriginOf(session, why.Origin{Event: event, Path: f.lens.Path, Forward: f.forward, All: f.all})
	if errors.Is(err, why.ErrNoPath) {
		return errors.New("which value? --path is a path in the data of the event, such as '$.order.id'")
	}
	if err != nil {
		return err
	}
	answer.Own = jsonLine(answer.Data())
	return f.reports.Answered(s, answer)
}
