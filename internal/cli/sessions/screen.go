package sessions

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/muesli/termenv"
	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/interrupt"
	"asldb/engine/lint"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/fixtures/starter"
	"asldb/internal/cli/command"
	"asldb/internal/cli/settings"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/store"
	"asldb/internal/tty"
	"asldb/internal/wording"
	"asldb/tui"
	"asldb/tui/program"
	"asldb/tui/screen"
)

// Debug opens a definition in the debugger. It may be empty where the flags name a recorded execution.
func Debug(cmd *cobra.Command, s *command.Streams, options *Flags, definition string) error {
	options.Spec.Definition.File = definition
	return OpenScreen(cmd, s, options)
}

func init() {
	command.ChooseLine = func(ended *command.Ending, s *command.Streams, title string, lines []string) (int, error) {
		desk, leave, err := deskOf(ended, s, PlainLook())
		if err != nil {
			return 0, err
		}
		leave()
		list := desk.Choice(title, lines)
		err = showFirst(ended, s, list, PlainLook())
		return list.Chosen, err
	}
}

// PlainLook is the look of lists of names: without colours, whatever the configuration says.
func PlainLook() *tui.Options {
	return &tui.Options{Options: screen.Options{ASCII: !tty.Unicode()}, NoColor: true, Theme: "auto"}
}

// OpenScreen makes the session and gives the terminal to the debugger until the user quits. Where the user has chosen
// the definition from a list the session goes back to that.
func OpenScreen(cmd *cobra.Command, s *command.Streams, options *Flags) error {
	for back := false; ; back = true {
		one := *options
		s.Shows = !one.picture().asked() && !one.plain(s)
		err := openScreen(cmd, s, &one)
		switch {
		case back && errors.Is(err, program.ErrNone):
			return nil
		case !errors.Is(err, tui.ErrBack) || !one.chosen || options.Back != "":
			return err
		}
	}
}

func openScreen(cmd *cobra.Command, s *command.Streams, options *Flags) error {
	look, err := ScreenOptions(cmd, s, options)
	if err != nil {
		return err
	}
	if !options.picture().asked() && !options.plain(s) && !command.OnTerminal(s.Out) {
		options.Trace = launch.TraceWords{} // nothing will run: problems of the rest come first
	}
	if err := options.Fill(s); err != nil {
		return err
	}
	if err := options.readCorrected(cmd.Context(), s, look); err != nil {
		return err
	}
	if err := options.chooseAttempt(s); err != nil {
		return err
	}
	ended := command.Listen(cmd.Context())
	defer ended.Stop()
	look.Interrupt = &interrupt.Flag{}
	options.Spec.Interrupt, options.Spec.BreakUncaught = ended.Or(look.Interrupt), true
	b, err := options.Launch(s)
	defer b.End(s)
	if err != nil {
		return err
	}
	if options.Begin != nil {
		options.Begin(b.Session)
	}
	if options.Spec.State != "" {
		look.Nested = nestedSetup
	}
	if err := options.fillLook(ended, b, look); err != nil {
		return err
	}
	return SaveFault(s, options.Trace.Redact, options.ShowScreen(ended, s, b.Session, look))
}

// fillLook gives the screen the parts of a run beside its session: the saved setup, profiles, the recording, the case,
// calls and problems.
func (f *Flags) fillLook(ended *command.Ending, b *Run, look *tui.Options) (err error) {
	if b.Setup != nil {
		look.Setups, look.History = setupStore{b.Setup}, b.Setup.History
		look.Bookmarks = b.Setup.Bookmarks
	}
	machine, resource := b.Session.Machine().Definition(), f.Spec.Definition.Resource
	look.Profile = screen.Profile{File: machine.Source.Name, Resource: resource, Names: strings.Join(f.Profiles, ", ")}
	if len(f.Profiles) > 0 {
		if look.Profile.Earlier, err = command.CoverageOf(f.Profiles, machine, resource); err != nil {
			return err
		}
	}
	look.Explore, look.OpenExplored = explorer(b), f.Explore
	look.Title, look.About = f.Spec.Title(), b.About
	project, _ := f.Spec.Definition.Projects.For(f.Spec.Definition.File) // which has been read
	look.Unnoticed = !project.Noticed()
	if recorded := b.Recorded; recorded != nil {
		look.Recorded = &screen.Recorded{Log: recorded.Log, Ahead: recorded.Ahead, Open: !recorded.Agrees,
			Compare: recorded.Compare}
		if recorded.Agrees {
			toEnd(b.Session, recorded.Log)
		}
	}
	if look.Back = f.Back; f.chosen {
		look.Back = cmp.Or(f.Back, "the list of definitions")
	}
	look.Notice = b.Tracing.fault
	if found := b.Spec.Fixtures.Found; found != "" {
		look.Notes = append(look.Notes, found)
	}
	look.Notes = append(look.Notes, b.Messages...)
	f.ofSuite.show(ended, b, look)
	look.Calls, look.Results.Next = b.Calls, b.ResultFor
	if b.Source != nil {
		look.Results.Unused = b.Source.UnusedLines
	}
	look.Reload = reloadOf(b, look.Reload != nil && look.Reload.Auto)
	if b.History == nil && b.Replay == nil {
		look.Results.Known = b.HasResults
	}
	if !b.Session.ReadOnly() && b.Session.Executable() {
		grown := starter.Grow(b.Session.Machine, growingFor)
		if look.Results.Grown = grown.Result; b.Spec.Input.Text == "" && b.Spec.Input.Value == nil {
			look.Grown = grown.Input
		}
	}
	if text := f.Spec.Definition.Text; text != nil {
		look.Check = func() []source.Diagnostic { return text.Problems(lint.Options{}) }
	}
	return nil
}

// growingFor bounds the time in which an input and the results of tasks are made up.
const growingFor = 300 * time.Millisecond

// reloadOf lets the screen read the files of a run again; nil where there are none, and where the run is a case's,
// which is read again to be judged.
func reloadOf(b *Run, auto bool) *screen.Reload {
	if b.Spec.Definition.File == "" || b.Spec.Definition.File == files.Stdin || !b.Session.Executable() {
		return nil
	}
	return &screen.Reload{
		Read:     func() (screen.Reread, error) { return b.Reread() },
		Changed:  b.Changed,
		Auto:     auto,
		Edited:   b.Edited,
		Write:    b.Write,
		Problems: func(err error) []source.Diagnostic { problems, _ := launch.ProblemsOf(err); return problems },
	}
}

// toEnd executes a recorded run that failed again to its end, past its uncaught error, unless it is to stop at other
// breakpoints.
func toEnd(s *debug.Session, recorded *runlog.Log) {
	points, last := s.Breakpoints().All(), recorded.Last()
	own := slices.ContainsFunc(points, func(b *breakpoint.Breakpoint) bool { return !b.Standing })
	if own || last == nil || !last.Type.EndsExecution() || last.Type == engine.ExecutionSucceeded {
		return
	}
	for _, b := range points {
		enabled := b.Enabled
		b.Enabled = false
		defer func() { b.Enabled = enabled }()
	}
	for !s.Status().Done() {
		if stop, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil || stop.Reason != debug.StoppedByLimit {
			return // the screen says why it has stopped
		}
	}
}

// ErrNoTerminal says that standard output isn't a terminal.
var ErrNoTerminal = errors.New("the debugger needs a terminal to draw on; without one use asldb run")

// HasTerminal reports whether ShowScreen shows the screen on a terminal, and neither writes pictures nor fails.
func (f *Flags) HasTerminal(s *command.Streams) bool {
	return (command.OnTerminal(s.Out) || f.plain(s)) && !f.picture().asked()
}

// ShowScreen gives the terminal to the debugger until the user quits, or writes the pictures that are asked for
// instead. The error may be a *[tui.PanicError].
func (f *Flags) ShowScreen(ended *command.Ending, s *command.Streams, session *debug.Session, look *tui.Options) error {
	if f.picture().asked() {
		session.SetInterrupt(ended.Or(&interrupt.Flag{}))
		return f.picture().write(ended, session, look)
	}
	if !look.Plain && s.Screen == nil {
		if _, err := terminalOf(s); err != nil {
			return err
		}
	}
	if look.Interrupt == nil {
		look.Interrupt = &interrupt.Flag{}
		session.SetInterrupt(ended.Or(look.Interrupt))
	}
	if look.Opening != nil {
		look.Opening.Prepare = func(later *debug.Session) { later.SetInterrupt(ended.Or(look.Interrupt)) }
	}
	look.Save = func(name string, text []byte) error { return files.Create(name, 0o666, text) }
	if s.Notice != nil {
		look.Notice = func() string { return s.Notice(session) }
	}
	if look.Plain {
		lines, leave := lineFace(ended, s, look)
		defer leave()
		return EndOfPage(tui.RunPlain(ended, session, *look, lines))
	}
	desk, leave, err := deskOf(ended, s, look)
	if err != nil {
		return err
	}
	defer leave()
	look.Back = cmp.Or(look.Back, desk.Back)
	return EndOfPage(tui.Show(desk, session, *look))
}

// terminalOf returns the terminal of a command.
func terminalOf(s *command.Streams) (*tty.Terminal, error) {
	out, ok := s.Out.(*os.File)
	if !ok || !term.IsTerminal(out.Fd()) {
		return nil, ErrNoTerminal
	}
	in, err := keyboard(s)
	if err != nil {
		return nil, err
	}
	return tty.Open(in, out), nil
}

// deskOf returns the program on the terminal of a command, and begins it where there is none yet; it ends with the
// command. leave is to be called after the screen.
func deskOf(
	ended *command.Ending,
	s *command.Streams,
	look *tui.Options,
) (desk *program.Desk, leave func(), err error) {
	desk, isOpen := s.Screen.(*program.Desk)
	if !isOpen {
		if desk, err = openDesk(ended, s, look); err != nil {
			return nil, nil, err
		}
		s.Screen = desk
	}
	if look.Theme == "auto" {
		look.Theme = map[bool]string{true: "light", false: "dark"}[desk.Light]
	}
	terminal := desk.Terminal()
	before := terminal.Lending
	terminal.Lending = func() (back func()) {
		outer, inner := before(), ended.Lend()
		return func() {
			inner()
			outer()
		}
	}
	return desk, func() { terminal.Lending = before }, nil
}

// openDesk begins the program of a command, and finds out the theme where that is "auto".
func openDesk(ctx context.Context, s *command.Streams, look *tui.Options) (*program.Desk, error) {
	terminal, err := terminalOf(s)
	if err != nil {
		return nil, err
	}
	ended := command.Listen(context.WithoutCancel(ctx))
	terminal.Lending = ended.Lend
	ended.SetScreen(terminal)
	light := look.Theme == "light"
	if look.Theme == "auto" && (s.Shows || !look.NoColor) && terminal.Profile() != termenv.Ascii {
		light, _ = terminal.Light(ended, os.Getenv("COLORFGBG"), tty.Wait)
	}
	release := s.Hold()
	desk := program.NewDesk(
		ended,
		program.Options{Terminal: terminal, NoMouse: true},
		interruptSelf,
		func() { ended.SetScreen(nil) },
		func() {
			ended.Stop()
			s.Screen = nil
			_, _ = io.WriteString(s.Err, release())
		},
	)
	desk.Light = light
	return desk, nil
}

// interruptSelf ends the command as the key Ctrl+C does where no screen has the terminal.
func interruptSelf() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Signal(os.Interrupt)
	}
}

// ShowPage gives the terminal to a page until that ends, and returns its error. A page that has ended without one
// stays, and is shown again as it was.
func ShowPage(ended *command.Ending, s *command.Streams, page program.Page, look *tui.Options) error {
	if look.Plain {
		lines, leave := lineFace(ended, s, look)
		defer leave()
		return EndOfPage(program.RunPlain(ended, lines, page, program.Options{ASCII: true, NoColor: true}))
	}
	desk, leave, err := deskOf(ended, s, look)
	if err != nil {
		return err
	}
	defer leave()
	return EndOfPage(desk.Page(program.Options{
		ASCII: look.ASCII, NoColor: look.NoColor, Light: look.Theme == "light", Colors: look.Colors,
		NoMouse: look.NoMouse,
	}, page))
}

// showFirst is ShowPage for what a command asks first: the terminal is left where no session follows.
func showFirst(ended *command.Ending, s *command.Streams, page program.Page, look *tui.Options) error {
	err := ShowPage(ended, s, page, look)
	if s.Screen != nil && !s.Shows {
		s.Screen.Close()
	}
	return err
}

// Pages returns the function by which a command without sessions shows a page, in the look of the configuration file
// and the flags: afterwards the terminal is left to the command's lines.
func (f *Flags) Pages(cmd *cobra.Command, s *command.Streams) (func(*command.Ending, program.Page) error, error) {
	look, err := ScreenOptions(cmd, s, f)
	return func(ended *command.Ending, page program.Page) error { return showFirst(ended, s, page, look) }, err
}

// ShowList shows a list and, over it, each choice that the user makes, until the user leaves the list, with the error
// left, or what was opened.
func ShowList(
	ctx context.Context,
	s *command.Streams,
	list program.Page,
	look *tui.Options,
	left error,
	open func() error,
) error {
	for {
		ended := command.Listen(ctx)
		err := ShowPage(ended, s, list, look)
		ended.Stop()
		switch {
		case errors.Is(err, left):
			return nil
		case err != nil:
			return err
		}
		err = open()
		var over *command.ExitError
		warned, warns := list.(interface{ Warn(text string) })
		switch {
		case errors.Is(err, tui.ErrBack):
		case err == nil, errors.As(err, &over), !warns:
			return err
		default:
			warned.Warn("It cannot be opened: " + wording.Line(command.OneLine(err).Error()))
		}
	}
}

// EndOfPage returns the error of the command for one that ended a screen.
func EndOfPage(err error) error {
	if errors.Is(err, program.ErrInterrupted) {
		return command.Interrupted("")
	}
	return err
}

// ScreenOptions returns the options of the screen, and sets the options of the clock and the theme, by the
// configuration file and the flags; a flag that is given overrides the file.
func ScreenOptions(cmd *cobra.Command, s *command.Streams, options *Flags) (*tui.Options, error) {
	c, _, err := settings.LoadConfig(options.Look.Config)
	if err != nil {
		return nil, err
	}
	given := cmd.Flags().Changed
	if !given("theme") {
		options.Look.Theme = c.Theme
	}
	if !given("clock") {
		if options.Spec.Clock, err = debug.ParseClock(c.Clock); err != nil {
			return nil, err
		}
	}
	if err := options.picture().check(cmd); err != nil {
		return nil, err
	}
	pick := func(flag string, fromFlag, fromFile bool) bool {
		if given(flag) {
			return fromFlag
		}
		return fromFile
	}
	return &tui.Options{
		Options: screen.Options{ASCII: pick("ascii", options.Look.ASCII, c.ASCII || !tty.Unicode()), Table: c.Table,
			Arrangement: screen.Arrangement(c.Layout), Reload: &screen.Reload{Auto: c.Reload == "auto"}},
		Plain: options.plain(s), NoColor: options.Look.NoColor || os.Getenv("NO_COLOR") != "",
		Theme: options.Look.Theme, Colors: c.Colors,
		NoMouse: pick("no-mouse", options.Look.NoMouse, !c.Mouse),
	}, nil
}

// keyboard is standard input, or the terminal itself when standard input is a file or is used up.
func keyboard(s *command.Streams) (*os.File, error) {
	if in, ok := s.In.(*os.File); ok && term.IsTerminal(in.Fd()) {
		return in, nil
	}
	terminal, err := tty.OpenKeyboard()
	if err != nil {
		return nil, errors.New("the debugger needs a terminal to read keys from; without one use asldb run")
	}
	return terminal, nil
}

// setupStore saves the setup of a definition for the screen.
type setupStore struct{ *launch.Setup }

// Save implements [screen.SetupStore].
func (k setupStore) Save(saved screen.SavedSetup) error {
	return k.Setup.Save(saved.Setup, saved.History)
}

// nestedSetup restores the saved setup of the definition of a nested execution.
func nestedSetup(file string, session *debug.Session) screen.SetupStore {
	if setup := launch.NestedSetup(store.Dir(os.Getenv), file, session); setup != nil {
		return setupStore{setup}
	}
	return nil
}
