package recordings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"asldb/internal/arguments"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/visible"
	"asldb/recorder"
)

const repairLong = `Writes what is left of a damaged trace to a new one, which opens without warnings: a last line that is cut,
damaged lines, and events whose visit has lost its beginning are left out. The other events are numbered anew.
A lost value is replaced by "[lost]". What is left out is listed.

If only the end is lost, the rest is executed again and compared. If something before the end is lost, the
rest is shown as it was recorded and cannot be executed.

The trace itself is not changed, unless --in-place is given: then it is kept beside the new one, as FILE.bak.`

const repairExample = `  asldb trace repair order.trace --output repaired.trace
  asldb trace repair order.trace --in-place`

// backupSuffix follows the name of a trace that was repaired in place.
const backupSuffix = ".bak"

func newTraceRepair(s *command.Streams) *cobra.Command {
	output, inPlace := "", false
	cmd := &cobra.Command{
		Use:     "repair TRACE",
		Short:   "Write what is left of a damaged trace to a new one",
		Long:    repairLong,
		Example: repairExample,
		Args:    traceArgument,
		RunE: func(_ *cobra.Command, args []string) error {
			if (output != "") == inPlace {
				return errors.New("where is the repaired trace to be written? give --output FILE, or --in-place")
			}
			if inPlace {
				return repairInPlace(s, args[0])
			}
			return repair(s, args[0], output, output, func() error { return nil })
		},
	}
	cmd.Flags().VarP(command.NewFilled(&output, ""), "output", "o", "the `FILE` to write; it must not exist")
	cmd.Flags().BoolVar(&inPlace, "in-place", false, "replace the trace; the damaged one is kept as FILE.bak")
	return cmd
}

// repair writes the repaired trace to a file, which messages call shown, and prints what is lost. begin is called before, where
// something is.
func repair(s *command.Streams, name, output, shown string, begin func() error) error {
	trace, err := launch.OpenTrace(name, func(arguments.Warning) {}) // they are among the losses
	if err != nil {
		return err
	}
	defer trace.Close()
	if found := trace.Examine(); found.Whole() {
		return s.Print(visible.Line(name) + " is whole: there is nothing to repair\n")
	}
	if err := begin(); err != nil {
		return err
	}
	found, err := trace.WriteRepaired(output, recorder.TraceOptions{Compress: trace.Compressed() || strings.HasSuffix(output, ".zst")})
	if err != nil {
		if found == nil {
			return err
		}
		return errors.Join(err, os.Remove(output)) // it is not whole
	}
	text := fmt.Sprintf("%s: %s and %s kept\n", visible.Line(shown), command.Counted(int(found.Events), "event"), command.Counted(int(found.Inputs), "answer"))
	for _, loss := range found.Losses {
		text += "  lost: " + visible.Line(loss) + "\n"
	}
	again, err := verifyRepaired(output)
	if err != nil {
		return err
	}
	return s.Print(text + visible.Text(strings.ReplaceAll(again, output, shown)))
}

// verifyRepaired executes a repaired trace again, and returns the result or the reason why it cannot be executed. The error is that of a
// trace with warnings, which a repair does not write.
func verifyRepaired(name string) (string, error) {
	warned := ""
	run, err := launch.New(launch.Spec{
		Replay: launch.Replay{File: name, Verify: true, Briefly: true},
		Warn:   func(w arguments.Warning) { warned = w.Text },
	})
	defer func() { _ = run.Close() }() // an incomplete one, too; the trace was only read
	switch {
	case warned != "":
		return "", fmt.Errorf("%s: the repaired trace has a warning: %s", visible.Line(name), visible.Line(warned))
	case err != nil:
		return visible.Line(err.Error()) + "\n", nil
	}
	return "executed again: " + report.Verification(run.Replay), nil
}

// repairInPlace replaces a trace by the repaired one and keeps it under another name.
func repairInPlace(s *command.Streams, name string) error {
	info, err := os.Lstat(name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a link: name the file itself, or write another one with --output", visible.Line(name))
	}
	if recorder.Busy(name) {
		return fmt.Errorf("%s: another process is recording in it", visible.Line(name))
	}
	backup := name + backupSuffix
	keepable := func() error {
		if _, err := os.Lstat(backup); err == nil {
			return fmt.Errorf("%s is there already, and is not written over", visible.Line(backup))
		}
		return nil
	}
	temp, err := os.MkdirTemp(filepath.Dir(name), ".repair-*")
	if err != nil {
		return fmt.Errorf("cannot write beside the trace: %w", err)
	}
	defer os.RemoveAll(temp)
	fresh := filepath.Join(temp, filepath.Base(name))
	if err := repair(s, name, fresh, name, keepable); err != nil {
		return err
	}
	if _, err := os.Stat(fresh); errors.Is(err, fs.ErrNotExist) {
		return nil // it is whole
	}
	if err := os.Link(name, backup); err != nil {
		return fmt.Errorf("cannot keep the damaged trace: %w", err)
	}
	if err := os.Rename(fresh, name); err != nil {
		return fmt.Errorf("cannot replace the trace: %w", err)
	}
	return s.Print("the damaged trace is kept as " + visible.Line(backup) + "\n")
}
