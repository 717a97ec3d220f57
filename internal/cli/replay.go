package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/compare"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/visible"
	"asldb/recorder"
	"asldb/recorder/rerun"
	"asldb/tui"
)

const replayLong = `Opens a recorded run in the debugger: every view, step and breakpoint, forwards and backwards. Nothing
is asked and nothing is called; the definition, the input and the results of tasks are in the trace.
With --definition, --input or --fixtures the run is executed again with them, and the screen opens at the
first event that differs: the recording next to the new run (D shows the two again).

With --verify it opens nothing. It executes the run again, with the recorded results of tasks, times and
choices, and compares event by event: either all events agree, or it reports the first one that does not
and the exit status is 3. With --definition or --input that shows the effect of a change on the run.
Tasks get the result that was recorded for the same state, visit and attempt; for others --fixtures can
have one.`

const replayStatuses = `Exit status:
  0    all events agree, or you quit the screen
  2    the command line, the trace, the definition, the input or the fixtures are wrong
  3    the run differs from the recording`

const replayExample = `  asldb replay order.trace
  asldb replay order.trace --break ChargeCard
  asldb replay order.trace --definition fixed.asl.json      both runs, side by side from where they part
  asldb replay --verify order.trace
  asldb replay --verify order.trace --definition fixed.asl.json --fixtures more.yaml`

// replayFlags are the flags of the replay command.
type replayFlags struct {
	session    sessionFlags
	definition string
	verify     bool
	branch     branchFlag
}

func newReplay(s *streams) *cobra.Command {
	f := &replayFlags{}
	cmd := &cobra.Command{
		Use:     "replay TRACE",
		Short:   "Open a recorded run in the debugger, or check that it still runs so",
		Long:    replayLong + "\n\n" + replayStatuses,
		Example: replayExample,
		Args:    traceArgument,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&f.verify, "verify", false, "execute the run again and compare, instead of opening it")
	flags.Var(newFilled(&f.definition, ""), "definition", "run another definition: a `FILE`")
	f.session.addDefinitionTo(cmd)
	flags.VarP(newFilled(&f.session.input, ""), "input", "i", "run with another input: a `FILE`, JSON text, or - for standard input")
	flags.VarP(newFilled(&f.session.fixtures, ""), "fixtures", "f", "a `FILE` with results for tasks of which none was recorded (YAML or JSON)")
	f.branch.addTo(cmd)
	f.session.addScreenTo(cmd)
	return cmd
}

// replaying is a recorded run with what it is to be run with.
type replaying struct {
	trace     *recorder.Trace
	run       *recorder.Run
	machine   *engine.Machine
	options   debug.Options
	recording debug.Recording // once it is read
	unread    int             // the events behind those of recording, which cannot be read
	// changed is set where the definition, the input or the results of tasks may not be what was recorded.
	changed bool
}

func (f *replayFlags) run(cmd *cobra.Command, s *streams, name string) error {
	trace, err := openRecorded(s, name)
	if err != nil {
		return err
	}
	defer trace.Close()
	r, err := f.open(s, trace)
	if err != nil {
		return err
	}
	if f.verify {
		if _, err := r.run.Inputs(); err != nil {
			return fmt.Errorf("%s: %w: it cannot be executed again; asldb replay shows the recording", trace.Name(), err)
		}
		r.read(s)
		return r.verify(s)
	}
	return f.show(cmd, s, r)
}

// read reads the whole run.
func (r *replaying) read(s *streams) {
	recording, warning := r.run.Recording()
	if warning != nil {
		fmt.Fprintf(s.err, "%s: warning: %s\n", visible.Text(r.trace.Name()), visible.Text(warning.Error()))
	}
	r.recording, r.unread = recording, int(r.run.Len())-len(recording.Events)
}

// open finds the run and makes the machine.
func (f *replayFlags) open(s *streams, trace *recorder.Trace) (*replaying, error) {
	header := trace.Header()
	run, err := f.branch.run(trace)
	if err != nil {
		return nil, err
	}
	if f.verify && isSkeleton(trace) {
		return nil, errNoRun(trace)
	}
	r := &replaying{trace: trace, run: run, options: header.Options(), changed: f.definition != "" || f.session.input != "" || f.session.fixtures != ""}
	if r.changed && isSkeleton(trace) {
		return nil, errNoRun(trace)
	}
	if r.machine, err = f.machine(s, trace); err != nil {
		return nil, err
	}
	if f.session.input != "" {
		if r.options.Input, err = readValue(s, "input", f.session.input); err != nil {
			return nil, err
		}
	}
	if f.session.fixtures != "" || f.session.mockConfig != "" {
		bound, err := f.source(s, r.machine)
		if err != nil {
			return nil, err
		}
		bound.Begin(r.options.Start, r.options.Seed)
		bound.SetInterrupt(r.options.Interrupt)
		r.options.Source = bound
	}
	return r, nil
}

// isSkeleton reports whether a trace has no definition but one that was made up of a history.
func isSkeleton(trace *recorder.Trace) bool {
	header := trace.Header()
	return header.Origin == skeletonOrigin || header.Made != nil && header.Made.Format == rerun.SkeletonFormat
}

// errNoRun says why nothing of such a trace can be executed.
func errNoRun(trace *recorder.Trace) error {
	return fmt.Errorf("%s has no definition: it was made of a history, which has neither the stages of states nor the results of tasks as answers. "+
		"asldb history import HISTORY --definition FILE compares the two, and asldb replay shows the recording", trace.Name())
}

// machine is that of the flag's definition, else of the recorded one.
func (f *replayFlags) machine(s *streams, trace *recorder.Trace) (*engine.Machine, error) {
	dialect := trace.Header().Dialect
	if f.definition != "" {
		text, err := f.session.openDefinition(s, f.definition)
		if err != nil {
			return nil, err
		}
		return compile(s, text, dialect)
	}
	definition := trace.Definition()
	switch {
	case trace.Header().Definition == nil:
		return nil, fmt.Errorf("%s has no definition: give it with --definition", trace.Name())
	case definition == nil:
		return nil, fmt.Errorf("the definition in %s cannot be read: give it with --definition", trace.Name())
	}
	machine, err := engine.Compile(definition, dialect)
	if err != nil {
		return nil, fmt.Errorf("the definition in %s: %w", trace.Name(), err)
	}
	return machine, nil
}

func (f *replayFlags) source(s *streams, machine *engine.Machine) (*fixtures.Source, error) {
	file, err := f.session.openFixtures(s)
	if err != nil {
		return nil, err
	}
	source, err := file.Source(machine.Definition())
	if err != nil {
		return nil, fmt.Errorf("the fixtures do not fit the definition:\n%w", err)
	}
	return source, nil
}

// eventsAllowed is how many times as many events as were recorded a changed run may have: it may run for ever.
const eventsAllowed = 100

func (r *replaying) check() *debug.Verification {
	return debug.Verify(r.machine, r.options, r.recording, eventsAllowed*(len(r.recording.Events)+1000))
}

// verify prints whether the run is as recorded.
func (r *replaying) verify(s *streams) error {
	v := r.check()
	if v.Bound > 0 {
		return fmt.Errorf("the comparison ended at its bound of %d events: the first %d of %d recorded events agree, and the others were not compared",
			v.Found.Len(), v.Bound, v.Recorded.Len())
	}
	if v.Divergence == nil {
		_, err := fmt.Fprintln(s.out, visible.Text("all "+counted(v.Recorded.Len(), "event")+" agree"+r.remark(v)))
		return wrapWrite(err)
	}
	if _, err := fmt.Fprint(s.out, visible.Text(r.report(v))); err != nil {
		return wrapWrite(err)
	}
	return &exitError{statusDiffers, nil}
}

// remark says what makes an agreement less than it seems.
func (r *replaying) remark(v *debug.Verification) string {
	text := ""
	switch last := v.Recorded.Last(); {
	case r.unread > 0:
		text += fmt.Sprintf(": the %s that follow cannot be read, and were not compared", counted(r.unread, "event"))
	case last != nil && !last.Type.EndsExecution():
		text += ": the recording ends before the run does"
	}
	if r.trace.Redacted() {
		text += " (as far as a redacted trace can tell)"
	}
	return text
}

// report tells the first difference, and what became of the run.
func (r *replaying) report(v *debug.Verification) string {
	d := v.Divergence
	var out strings.Builder
	fmt.Fprintf(&out, "the run differs from the recording at event %d of %d", d.Index+1, v.Recorded.Len())
	if state := d.State(); state != "" {
		fmt.Fprintf(&out, ", in the state %q", state)
	}
	if stage := d.Stage(); stage != "" {
		fmt.Fprintf(&out, ", stage %s", stage)
	}
	out.WriteByte('\n')
	if d.Err != nil {
		fmt.Fprintf(&out, "a recorded answer does not fit: %v\n", d.Err)
	}
	fmt.Fprintf(&out, "expected: %s\nfound:    %s\n", sketch(d.Expected), sketch(d.Found))
	for _, what := range d.Differs {
		was, is := compare.Member(d.Expected, what), compare.Member(d.Found, what)
		place, was, is := firstDifference("$", was, is)
		if place == "$" {
			place = ""
		} else {
			place = " at " + place
		}
		fmt.Fprintf(&out, "  %s%s: expected %s, found %s\n", what, place, shortly(was), shortly(is))
	}
	if r.trace.Redacted() {
		out.WriteString("the trace is redacted: where a redacted value mattered the run cannot be executed as it was\n")
	}
	out.WriteString(r.fate(v))
	return out.String()
}

// fate says how the run that was executed now ended.
func (r *replaying) fate(v *debug.Verification) string {
	session := v.Session
	session.GoTo(v.Found.Len())
	text := ""
	switch status := session.Status(); {
	case status == engine.Succeeded:
		text = "the run now ends as SUCCEEDED, with the output " + shortly(session.Output()) + "\n"
	case status.Done():
		text = "now " + executionError(session).Error() + "\n"
	case v.Stop.Reason == debug.StoppedForAnswer:
		text = "the run now waits for a task of which no result was recorded"
		if requests := session.Requests(); len(requests) > 0 {
			text += fmt.Sprintf(": %s, attempt %d", requests[0].Visit.Path(), requests[0].Attempt)
		}
		text += "; --fixtures can give one\n"
	case v.Stop.Err != nil:
		text = "the run now stops: " + v.Stop.Err.Error() + "\n"
	case v.Stop.Reason == debug.StoppedByLimit:
		text = fmt.Sprintf("the run had not ended after %d events\n", v.Found.Len())
	}
	if len(v.Unused) > 0 {
		text += counted(len(v.Unused), "recorded answer") + " found no use\n"
	}
	return text
}

// sketch is an event in short.
func sketch(e *engine.Event) string {
	if e == nil {
		return "nothing: the run is over or waits"
	}
	text := e.Type.String()
	if e.Visit != nil {
		text += fmt.Sprintf(" in %q (visit %d)", e.Visit.Path(), e.Visit.Number)
	}
	if e.Stage != engine.NoStage {
		text += ", stage " + e.StageName()
	}
	text += ", at " + engine.FormatInstant(e.At())
	if name := compare.Member(e, "error"); name != nil {
		text += ", error " + shortly(name)
	}
	return text
}

func shortly(v value.Value) string {
	if v == nil {
		return "nothing"
	}
	return value.Preview(v, maxQuoted)
}

// firstDifference leads to the first place at which two values differ, and returns both there.
func firstDifference(place string, a, b value.Value) (string, value.Value, value.Value) {
	switch was := a.(type) {
	case *value.Object:
		is, ok := b.(*value.Object)
		if !ok {
			break
		}
		for key, member := range was.All() {
			if other := is.Get(key); other == nil || value.Compact(member) != value.Compact(other) {
				return firstDifference(place+"["+value.Compact(value.String(key))+"]", member, other)
			}
		}
		for key, member := range is.All() {
			if was.Get(key) == nil {
				return place + "[" + value.Compact(value.String(key)) + "]", nil, member
			}
		}
	case *value.Array:
		is, ok := b.(*value.Array)
		if !ok {
			break
		}
		for i := range min(was.Len(), is.Len()) {
			if value.Compact(was.At(i)) != value.Compact(is.At(i)) {
				return firstDifference(fmt.Sprintf("%s[%d]", place, i), was.At(i), is.At(i))
			}
		}
		if was.Len() < is.Len() {
			return fmt.Sprintf("%s[%d]", place, was.Len()), nil, is.At(was.Len())
		}
		if is.Len() < was.Len() {
			return fmt.Sprintf("%s[%d]", place, is.Len()), was.At(is.Len()), nil
		}
	}
	return place, a, b
}

// replay makes the session of a run that is shown as it was. The answers alone execute it again; all the events are
// read only where that does not give what was recorded.
func (r *replaying) replay(s *streams) (*debug.Session, *compare.Divergence) {
	if isSkeleton(r.trace) {
		r.read(s)
		return debug.ReplayLog(r.machine, r.options, r.recording), nil
	}
	if recording, err := r.run.LazyRecording(); err == nil {
		if session, divergence := debug.Replay(r.machine, r.options, recording); divergence == nil {
			return session, nil
		}
	}
	r.read(s)
	return debug.Replay(r.machine, r.options, r.recording)
}

// show opens the run in the debugger.
func (f *replayFlags) show(cmd *cobra.Command, s *streams, r *replaying) error {
	var session *debug.Session
	title := filepath.Base(r.trace.Name())
	notice := ""
	var recorded *tui.Recorded
	if r.changed {
		r.read(s)
		v := r.check()
		session = v.Session
		title += " (changed)"
		notice = "All " + counted(v.Recorded.Len(), "event") + " are as recorded."
		recorded = &tui.Recorded{Log: v.Recorded, Open: v.Divergence != nil}
		if v.Divergence != nil {
			notice = strings.SplitN(r.report(v), "\n", 2)[0] + ", which comes next."
			session.GoTo(v.Divergence.Index)
		} else {
			session.GoTo(0)
		}
	} else {
		var divergence *compare.Divergence
		session, divergence = r.replay(s)
		if divergence != nil {
			notice = fmt.Sprintf("Executed again the run differs at event %d: it is shown as it was recorded.", divergence.Index+1)
			if r.trace.Redacted() {
				notice += " The trace is redacted."
			}
		}
	}
	for _, spec := range f.session.breaks {
		if _, err := session.Breakpoints().Add(spec); err != nil {
			return fmt.Errorf("--break: %w", err)
		}
	}
	look, err := configured(cmd, &f.session)
	if err != nil {
		return err
	}
	look.Title, look.Recorded = title, recorded
	look.Notice = func() string {
		text := notice
		notice = ""
		return text
	}
	ended := endBySignal(cmd.Context())
	defer ended.stop()
	return f.session.trace.savingFault(s, showScreen(ended, s, session, look))
}
