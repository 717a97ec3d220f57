package checks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/muesli/termenv"
	"github.com/spf13/cobra"

	"asldb/engine/asl"
	"asldb/internal/cli/command"
	"asldb/internal/definitions"
	"asldb/internal/explore"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/tty"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/view/findings"
)

// The forms of the graph command besides text.
const (
	formatMermaid = "mermaid"
	formatDot     = "dot"
)

// defaultGraphWidth is the width of a page rather than of a terminal: the output is put into files and mails.
const defaultGraphWidth = 100

// graphFlags are the flags of the graph command.
type graphFlags struct {
	launch.Given // the trace of a lens among it

	reports command.Reports
	density string
	width   int
	fold    bool
	lens    string
	faults  string                                    // a report of explore in JSON
	look    func(canvas.Style) (before, after string) // nil: without colours
}

// NewGraph returns the command "graph".
func NewGraph(s *command.Streams) *cobra.Command {
	f := &graphFlags{}
	cmd := &cobra.Command{
		Use:   "graph DEFINITION",
		Short: "Print the state graph as text, Mermaid or Graphviz",
		Args:  command.ExactlyOneDefinition,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.look = f.terminalLook(cmd.Context(), s)
			return f.run(cmd.Context(), s, args[0])
		},
		ValidArgsFunction: command.CompleteDefinition,
	}
	flags := cmd.Flags()
	rows := command.RowsOf(cmd, &f.Given)
	flags.Var(command.NewForm(&f.density, "auto", "auto|boxes|chips|rail"), "density", "how states are drawn in the text")
	flags.IntVar(&f.width, "width", defaultGraphWidth, "the `COLUMNS` of the text")
	rows.Row("ascii")
	flags.BoolVar(&f.fold, "fold", false, "draw each Parallel and Map as one state")
	f.addLensTo(cmd)
	rows.Row("coverage-in", ": visits, and the parts that no run covered")
	flags.Var(command.NewFilled(&f.faults, ""), "faults", "mark where failures lead, from the report `FILE` of asldb explore --json")
	rows.Row("no-color")
	f.reports.AddTo(cmd, []string{report.TextForm, formatMermaid, formatDot})
	rows.Add(launch.Named)
	command.Alias(cmd, "coverage", "coverage-in")
	command.Alias(cmd, "explore", "faults")
	return cmd
}

// run prints the graph.
func (f *graphFlags) run(ctx context.Context, s *command.Streams, name string) error {
	if f.width < 1 {
		return fmt.Errorf("--width is a number from 1, not %d", f.width)
	}
	definition, wrong, err := f.machine(ctx, s, name)
	if err != nil {
		return err
	}
	model := graph.Build(definition)
	over, all, err := f.marks(s, definition)
	if err != nil {
		return err
	}
	if wrong != nil {
		over = model.Wrong(wrong.Problems)
	}
	drawn := func(draw func() (string, error)) func(io.Writer, report.Look) error {
		return func(w io.Writer, _ report.Look) error {
			text, err := draw()
			if err == nil {
				_, err = io.WriteString(w, text)
			}
			return err
		}
	}
	return f.reports.Answered(s, &report.Answer{Own: map[string]func(io.Writer, report.Look) error{
		report.TextForm: drawn(func() (string, error) { return f.text(model, over, all) }),
		formatMermaid:   drawn(func() (string, error) { return model.Mermaid(over), nil }),
		formatDot:       drawn(func() (string, error) { return model.Dot(over), nil }),
	}})
}

// machine reads the definition, and where nothing of a run is to be marked also one with errors, which it writes as a warning.
func (f *graphFlags) machine(ctx context.Context, s *command.Streams, name string) (machine *asl.StateMachine, wrong *definitions.InvalidError, err error) {
	if f.lens != "" || f.Spec.Replay.File != "" || len(f.Profiles) > 0 || f.faults != "" {
		machine, err = command.ChosenMachine(ctx, s, &f.Spec.Definition, name)
		return machine, nil, err
	}
	var text *definitions.Text
	f.Spec.Definition.File = name
	if err := command.Choose(ctx, s, &f.Spec.Definition, func() (err error) {
		text, err = command.OpenText(s, f.Spec.Definition, f.Spec.Definition.File)
		return err
	}); err != nil {
		return nil, nil, err
	}
	machine, err = text.Examine()
	if machine == nil || !errors.As(err, &wrong) {
		return machine, nil, command.DefinitionError(s, err)
	}
	command.WriteProblems(s, wrong.Problems)
	fmt.Fprintf(s.Err, "asldb: warning: %s; the graph shows the states and transitions that could be read\n", wrong)
	return machine, wrong, nil
}

// marks are marks that have texts at the transitions, and their own lines in each drawing.
type marks interface {
	LayOut(*graph.Sheet)
	In(*graph.Drawing) *graph.Overlay
}

// failures returns the marks of an exploration's report.
func (f *graphFlags) failures(s *command.Streams, definition *asl.StateMachine) (*graph.Overlay, marks, error) {
	_, data, err := s.Files().Read(f.faults)
	if err != nil {
		return nil, nil, err
	}
	failures, err := explore.ReadFailures(data, definition)
	if err != nil {
		return nil, nil, fmt.Errorf("--faults %s: %w", wording.Line(f.faults), err)
	}
	m := findings.MarksOf(failures, f.glyphs())
	return &m.Overlay, m, nil
}

// marks returns the marks of a value's way, of coverage or of an exploration; both results are nil for none.
func (f *graphFlags) marks(s *command.Streams, definition *asl.StateMachine) (*graph.Overlay, marks, error) {
	way, err := f.way(s, definition, f.glyphs())
	switch {
	case err != nil:
		return nil, nil, err
	case way != nil && len(f.Profiles) > 0:
		return nil, nil, errors.New("--coverage-in and --lens mark the same states: choose one")
	case f.faults != "" && (way != nil || len(f.Profiles) > 0):
		return nil, nil, errors.New("--faults, --coverage-in and --lens mark the same states: choose one")
	case f.faults != "":
		return f.failures(s, definition)
	case way != nil:
		return &way.Overlay, way, nil
	case len(f.Profiles) == 0:
		return nil, nil, nil
	}
	profile, err := command.CoverageOf(f.Profiles, definition, f.Spec.Definition.Resource)
	if err != nil {
		return nil, nil, err
	}
	m := graph.MarksOf(definition, profile, f.glyphs())
	return &m.Overlay, m, nil
}

// terminalLook returns the look of styles on a terminal; nil where the output is none, or is to have no colours.
func (f *graphFlags) terminalLook(ctx context.Context, s *command.Streams) func(canvas.Style) (before, after string) {
	out, ok := s.Out.(*os.File)
	if f.lens == "" && len(f.Profiles) == 0 && f.faults == "" || f.Look.NoColor || os.Getenv("NO_COLOR") != "" || !ok || !term.IsTerminal(out.Fd()) {
		return nil
	}
	options := canvas.Options{Profile: tty.Open(out, out).Profile()}
	if in, ok := s.In.(*os.File); ok && term.IsTerminal(in.Fd()) && options.Profile != termenv.Ascii {
		light, known := tty.Open(in, out).Light(ctx, os.Getenv("COLORFGBG"), tty.Wait)
		options.Light = light && known
	}
	return canvas.NewTheme(options).Sequences
}

func (f *graphFlags) glyphs() *canvas.Glyphs {
	if f.Look.ASCII {
		return canvas.ASCII()
	}
	return canvas.Unicode()
}

// text draws the graph.
func (f *graphFlags) text(model *graph.Model, over *graph.Overlay, all marks) (string, error) {
	glyphs := f.glyphs()
	sheet := graph.NewSheet(model)
	switch {
	case all != nil:
		all.LayOut(sheet)
	case over != nil:
		sheet.SetNotes(func(state *asl.State) string { return over.Mark(state).Note })
	}
	for _, density := range []graph.Density{graph.Boxes, graph.Chips, graph.Rail} {
		if f.density == density.String() {
			sheet.Auto, sheet.Density = false, density
		}
	}
	if f.fold {
		for _, state := range model.States() {
			sheet.Fold(state)
		}
	}
	const page = 1 << 16 // rows: the output has as many as it needs
	if d := sheet.Fit(f.width, page); d != nil {
		if w, _ := d.Size(); w <= f.width || !sheet.Auto {
			if all != nil {
				over = all.In(d)
			} else if over != nil && over.Taken != nil {
				over.Trail = d.Trail(over.Taken)
			}
			if all != nil && f.look != nil {
				return d.Styled(glyphs, over, f.look), nil
			}
			return d.Text(glyphs, over), nil
		}
	}
	return sheet.Rail().Text(f.width, glyphs, over), nil
}
