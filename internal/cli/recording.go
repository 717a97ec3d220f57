package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/recorder/history"
	"asldb/recorder/rerun"
)

// historyFlags say which recorded execution is meant.
type historyFlags struct {
	files     []string
	execution string
	attempt   int
}

// addTo adds the flags of the commands that run a definition.
func (f *historyFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.files, "history", nil, "run a recorded execution again: a `FILE` that aws stepfunctions\nget-execution-history printed, or the log of an Express execution; repeat for more pages")
	f.addExecutionTo(cmd)
}

func (f *historyFlags) addExecutionTo(cmd *cobra.Command) {
	cmd.Flags().Var(newFilled(&f.execution, ""), "execution", "the `ARN` of the execution: the one to take from a log, and its id in the context object")
	cmd.Flags().IntVar(&f.attempt, "attempt", 0, "the `NUMBER` of the attempt of an execution that was redriven (default: the last)")
	cmd.Flags().Lookup("attempt").DefValue = "0" // the default is told in words
}

// maxListed bounds how many executions a message lists.
const maxListed = 20

// open reads the histories and returns the execution that is meant.
func (f *historyFlags) open(s *streams) (*rerun.Recording, error) {
	whole, err := f.openExecution(s)
	if err != nil || f.attempt == 0 {
		return whole, err
	}
	attempts := whole.Attempts()
	if f.attempt < 0 || f.attempt > len(attempts) {
		return nil, fmt.Errorf("--attempt is a number from 1 to %d, and this is %d", len(attempts), f.attempt)
	}
	return attempts[f.attempt-1], nil
}

// openExecution reads the histories and returns the execution with all its attempts.
func (f *historyFlags) openExecution(s *streams) (*rerun.Recording, error) {
	texts := make([]history.File, 0, len(f.files))
	for _, file := range f.files {
		name, data, err := readFile(s, file)
		if err != nil {
			return nil, fmt.Errorf("the history: %w", err)
		}
		texts = append(texts, history.File{Name: name, Data: data})
	}
	executions, err := history.Read(texts...)
	if err != nil {
		return nil, err
	}
	if len(executions) == 1 && (executions[0].ARN == "" || f.execution == "") {
		if f.execution != "" {
			executions[0].ARN = f.execution // GetExecutionHistory does not say it
		}
		return rerun.Of(executions[0]), nil
	}
	var found []*history.Execution
	for _, x := range executions {
		if f.execution != "" && (x.ARN == f.execution || strings.HasSuffix(x.ARN, ":"+f.execution)) {
			found = append(found, x)
		}
	}
	if len(found) == 1 {
		return rerun.Of(found[0]), nil
	}
	return nil, errors.New(whichExecution(executions, f.execution))
}

func whichExecution(executions []*history.Execution, asked string) string {
	var text strings.Builder
	if asked == "" {
		fmt.Fprintf(&text, "the log has %d executions; choose one with --execution:", len(executions))
	} else {
		fmt.Fprintf(&text, "--execution %s is not one of them:", asked)
	}
	for i, x := range executions {
		if i == maxListed {
			fmt.Fprintf(&text, "\n  and %d more", len(executions)-maxListed)
			break
		}
		name := x.ARN
		if name == "" {
			name = "(without a name)"
		}
		r := rerun.Of(x)
		status, _, failure, _ := r.Result()
		fmt.Fprintf(&text, "\n  %s  %s, %s, %s", name, engine.FormatInstant(r.Start()), counted(len(x.Events), "event"), strings.TrimSpace(status+" "+failure))
	}
	return text.String()
}

// openRun reads the definition and the history. An empty definition stands for none: then there is a history.
func (f *sessionFlags) openRun(s *streams, definition string) (*files, error) {
	opened := &files{}
	var err error
	if definition != "" {
		if opened.definition, err = f.openDefinition(s, definition); err != nil {
			return nil, err
		}
		if definition != stdinArgument {
			opened.path = definition
			if f.resource != "" {
				opened.path += "#" + f.resource // a template may have several
			}
		}
	}
	if len(f.history.files) > 0 {
		opened.recording, err = f.history.open(s)
	}
	return opened, err
}

// breakAtFailure sets a breakpoint where a recorded execution went wrong, for who has none: neither named
// nor kept from the last time.
func (o *files) breakAtFailure(session *debug.Session, f *sessionFlags) error {
	if o.recording == nil || len(f.breaks) > 0 || len(session.Breakpoints().All()) > 0 {
		return nil
	}
	if status, _, _, _ := o.recording.Result(); status != "FAILED" {
		return nil
	}
	_, err := session.Breakpoints().Add("uncaught error")
	return err
}

// definitionOrHistory allows to leave the definition out where a history is given.
func definitionOrHistory(cmd *cobra.Command, args []string) error {
	if len(args) == 0 && cmd.Flags().Changed("history") {
		return nil
	}
	return exactlyOneDefinition(cmd, args)
}

// firstOf returns the definition that is named, or "".
func firstOf(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// title names what is debugged.
func (o *files) title(f *sessionFlags) string {
	if o.definition == nil {
		return filepath.Base(f.history.files[0])
	}
	return filepath.Base(o.definition.source.Name)
}
