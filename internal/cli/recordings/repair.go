package recordings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/why"
	"asldb/internal/wording"
	"asldb/recorder"
)

// backupSuffix follows the name of a trace that was repaired in place.
const backupSuffix = ".bak"

func newTraceRepair(s *command.Streams) *cobra.Command {
	output, inPlace := "", false
	cmd := &cobra.Command{
		Use:   "repair TRACE",
		Short: "Write what is left of a damaged trace to a new one",
		Args:  traceArgument,
		RunE: func(_ *cobra.Command, args []string) error {
			if (output != "") == inPlace {
				return errors.New("where is the repaired trace to be written? give --output FILE, or --in-place")
			}
			if inPlace {
				return repairInPlace(s, args[0])
			}
			_, err := repair(s, args[0], func() (*files.Pending, error) { return files.BeginNew(output, 0o600) }, func() error { return nil })
			return err
		},
	}
	command.AddOutputTo(cmd, &output, "; it must not exist")
	cmd.Flags().BoolVar(&inPlace, "in-place", false, "replace the trace; the damaged one is kept as FILE.bak")
	return cmd
}

// repair writes the repaired trace to a file that begin begins, and prints what is lost. keep is called before it gets its name. It
// reports whether anything was lost: else nothing is written.
func repair(s *command.Streams, name string, begin func() (*files.Pending, error), keep func() error) (damaged bool, err error) {
	trace, err := launch.OpenTrace(name, func(files.Warning) {}) // they are among the losses
	if err != nil {
		return false, err
	}
	defer trace.Close()
	if found := trace.Examine(); found.Whole() {
		return false, s.Print(wording.Line(name) + " is whole: there is nothing to repair\n")
	}
	out, err := begin()
	if err != nil {
		return false, err
	}
	defer out.Drop()
	shown := out.Name()
	found, err := trace.WriteRepaired(shown, out, recorder.TraceOptions{Compress: trace.Compressed() || strings.HasSuffix(shown, ".zst")})
	if failed := out.Seal(); failed != nil { // the reason for err, too
		return true, failed
	}
	if err != nil {
		return true, err
	}
	text := fmt.Sprintf("%s: %s and %s kept\n", wording.Line(shown), wording.Count(int(found.Events), "event"), wording.Count(int(found.Inputs), "answer"))
	for _, loss := range found.Losses {
		text += "  lost: " + wording.Line(loss) + "\n"
	}
	if temp := out.Temp(); temp != "" { // else a pipe or a device has it
		again, err := verifyRepaired(temp)
		if err != nil {
			return true, err
		}
		text += wording.Text(strings.ReplaceAll(again, filepath.Base(temp), wording.Line(filepath.Base(shown))))
	}
	if err := keep(); err != nil {
		return true, err
	}
	if err := out.Commit(); err != nil {
		return true, err
	}
	return true, s.Print(text)
}

// verifyRepaired executes a repaired trace again, and returns the result or the reason why it cannot be executed. The
// error is about a trace with warnings, which a repair does not write.
func verifyRepaired(name string) (string, error) {
	warned := ""
	run, err := launch.New(launch.Spec{
		Replay: launch.Replay{File: name, Verify: true, Briefly: true},
		Warn:   func(w files.Warning) { warned = w.Text },
	})
	defer func() { _ = run.Close() }() // an incomplete one, too; the trace was only read
	switch {
	case warned != "":
		return "", fmt.Errorf("%s: the repaired trace has a warning: %s", wording.Line(name), wording.Line(warned))
	case err != nil:
		return wording.Line(err.Error()) + "\n", nil
	}
	return "executed again: " + why.Verification(run.Replay), nil
}

// repairInPlace replaces a trace by the repaired one and keeps it under another name.
func repairInPlace(s *command.Streams, name string) error {
	info, err := os.Lstat(name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a link: name the file itself, or write another one with --output", wording.Line(name))
	}
	if recorder.Busy(name) {
		return fmt.Errorf("%s: another process is recording in it", wording.Line(name))
	}
	backup := name + backupSuffix
	begin := func() (*files.Pending, error) {
		if _, err := os.Lstat(backup); err == nil {
			return nil, fmt.Errorf("%s is there already, and is not written over", wording.Line(backup))
		}
		return files.Begin(name, 0o600)
	}
	damaged, err := repair(s, name, begin, func() error {
		if err := os.Link(name, backup); err != nil {
			return fmt.Errorf("cannot keep the damaged trace: %w", err)
		}
		return nil
	})
	if err != nil || !damaged {
		return err
	}
	return s.Print("the damaged trace is kept as " + wording.Line(backup) + "\n")
}
