package recordings

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
)

const originLong = `Prints the origin of a value: each event that moved or computed it, with the field of the definition, back
to the input, a task's result or a literal. A computed value is followed to all its operands.
--forward prints the later uses of the value instead, with its path in each.

The path is a Reference Path into the data of the event ($.payment.id), a variable ($total), or in JSONata
$states.input.order. If there is no value, the command prints the state and field that lost it, and a line
that keeps it.`

const originExample = `  asldb trace origin order.trace --path '$.paid'
  asldb trace origin order.trace --event 12 --path '$.order.id' --forward
  asldb trace origin order.trace --path '$.customer.email' --format json | jq .lostBy`

// originFlags are the flags of the command trace origin.
type originFlags struct {
	spec    launch.Spec
	lens    LensFlags
	forward bool
	all     bool
	format  string
}

func newTraceOrigin(s *command.Streams) *cobra.Command {
	f := &originFlags{}
	cmd := &cobra.Command{
		Use:     "origin TRACE --path PATH",
		Short:   "Print the origin, the later uses or the loss of a value",
		Long:    originLong,
		Example: originExample,
		Args:    traceArgument,
		RunE:    func(_ *cobra.Command, args []string) error { return f.run(s, args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.lens.Path, "path", "", "the `PATH` of the value in the data of the event (required)")
	flags.StringVar(&f.lens.Event, "event", "", "the `EVENT`: its number from 1, or its id in Step Functions' history as '#9'\n(default: the last)")
	flags.BoolVar(&f.forward, "forward", false, "print the later uses of the value")
	flags.BoolVar(&f.all, "all", false, fmt.Sprintf("print all steps, not just the first %d", provenance.DefaultLimit))
	flags.Var(command.NewForm(&f.format, command.FormatText, "text|json"), "format", "the output's format")
	addForkFlag(cmd, &f.spec.Replay)
	return cmd
}

func (f *originFlags) run(s *command.Streams, name string) error {
	if f.lens.Path == "" {
		return errors.New("which value? --path is a path in the data of the event, such as '$.order.id'")
	}
	f.spec.Replay.File = name
	run, session, err := OpenLens(s, f.spec)
	if err != nil {
		return err
	}
	defer run.Close()
	lens := LensOf(session)
	if f.all {
		lens.Limit = -1
	}
	way, loss, err := f.lens.Find(lens, f.forward)
	switch {
	case err != nil:
		return err
	case f.format == command.FormatJSON && loss != nil:
		return command.PrintValue(s, explain.LossValue(loss, lens.Log))
	case f.format == command.FormatJSON:
		return command.PrintValue(s, explain.WayValue(way, lens.Log))
	case loss != nil:
		return s.Print(explain.LossText(loss, lens.Log))
	}
	return s.Print(explain.WayText(way, lens.Log))
}

// OpenLens opens the recorded run of a Spec with all its events. The run is to be closed.
func OpenLens(s *command.Streams, spec launch.Spec) (*launch.Run, *debug.Session, error) {
	spec.Stdin, spec.Warn = s.In, s.Warn
	if err := spec.Read(); err != nil {
		return nil, nil, command.Flagged(err)
	}
	run, err := launch.New(spec)
	if err != nil {
		run.Close()
		return nil, nil, command.Flagged(err)
	}
	if run.Session.Log().Len() == 0 {
		run.Close()
		return nil, nil, fmt.Errorf("%s has no events", spec.Replay.File)
	}
	return run, run.Session, nil
}

// LensOf returns the lens over the run of a session.
func LensOf(session *debug.Session) *provenance.Lens {
	return &provenance.Lens{Log: session.Log(), Explainer: session.Explainer()}
}

// LensFlags say which value a lens follows.
type LensFlags struct {
	Path  string // to the value, from the event's data
	Event string // its number from 1, or #id; empty: the last
}

// Find follows the value, or finds where it was lost.
func (f *LensFlags) Find(lens *provenance.Lens, forward bool) (*provenance.Way, *provenance.Loss, error) {
	count := lens.Log.Len()
	event := count - 1
	if f.Event != "" {
		var err error
		if event, err = lens.Log.Named(f.Event, 0); err != nil {
			return nil, nil, err
		}
	}
	if forward {
		way, err := lens.Forward(event, f.Path)
		var miss *path.MissError
		if err == nil || !errors.As(err, &miss) {
			return way, nil, f.about(err)
		}
	}
	way, loss, err := lens.Find(event, f.Path)
	return way, loss, f.about(err)
}

// about says which path an error is about.
func (f *LensFlags) about(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the path %q: %w", command.Clip(f.Path, command.MaxQuoted), err)
}
