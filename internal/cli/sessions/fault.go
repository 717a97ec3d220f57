package sessions

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"asldb/engine/debug"
	"asldb/internal/cli/command"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/store"
	"asldb/internal/wording"
	"asldb/internal/work"
	"asldb/recorder"
	"asldb/tui"
	"asldb/tui/screen"
)

// SaveFault returns err; a fault of asldb itself becomes a report, once the sessions of the screen are saved without the values at the paths
// of redact.
func SaveFault(s *command.Streams, redact []string, err error) error {
	var inScreen *tui.PanicError
	var elsewhere *work.Fault
	switch {
	case errors.As(err, &inScreen):
		return faultError(s, redact, "ended the screen", inScreen)
	case errors.As(err, &elsewhere):
		return faultError(s, redact, "ended the command", &tui.PanicError{Fault: elsewhere})
	}
	return err
}

// CatchFault is for a run without a screen, to be deferred: a fault becomes the error, once the session is saved. session
// is asked for only then, since it may not be there.
func CatchFault(s *command.Streams, redact []string, session **debug.Session, err *error) {
	broken := work.Of(recover())
	if broken == nil {
		return
	}
	report := &tui.PanicError{Fault: broken}
	if *session != nil {
		report.Sessions = []screen.TitledSession{{Session: *session}}
	}
	*err = faultError(s, redact, "ended the run", report)
}

// faultError saves the sessions after a fault, and returns an error with all that the user needs to continue and to
// report it.
func faultError(s *command.Streams, redact []string, did string, broken *tui.PanicError) error {
	var text strings.Builder
	fmt.Fprintf(&text, "a fault in asldb itself %s: %s\n", did, wording.Line(broken.Error()))
	if whole := saveAfter(s, redact, &text, broken); !whole {
		for _, lost := range broken.Lost {
			fmt.Fprintf(&text, "It was saved nowhere: %s\n", lost)
		}
	}
	fmt.Fprintf(&text, "Please report it with the text below, the definition if you can share it, and the steps that led to it.\n"+
		"asldb %s, Go %s, %s/%s, TERM=%s\n\n%s", command.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, os.Getenv("TERM"), broken.Stack)
	return command.Exit(command.StatusUsage, errors.New(text.String()))
}

// saveAfter saves the sessions and the texts that had been typed, and writes how to continue with them. It reports
// whether all of it is saved. Another fault on the way is written as well: the broken part may be needed to save.
func saveAfter(s *command.Streams, redact []string, text *strings.Builder, broken *tui.PanicError) (whole bool) {
	failed := func(thing string, err error) {
		fmt.Fprintf(text, "%s could not be saved: %s\n", thing, wording.Line(err.Error()))
		whole = false
	}
	var base string
	var redactions []*recorder.Redaction
	if err := guarded(func() (err error) {
		if base, err = store.NewFault(store.Dir(os.Getenv), s.Now()); base == "" {
			return err
		}
		if err != nil { // not a reason not to save
			fmt.Fprintf(text, "Files of earlier faults could not be removed: %s\n", wording.Line(err.Error()))
		}
		redactions, err = launch.Redactions(redact)
		return err
	}); err != nil {
		failed("The run", err)
		return false
	}
	whole = true
	for i, saved := range broken.Sessions {
		thing, name := "The run", base+".trace"
		if i > 0 {
			thing, name = "The execution "+wording.Line(saved.Title), fmt.Sprintf("%s.%d.trace", base, i+1)
		}
		nothing := false
		err := guarded(func() error {
			if nothing = saved.Session.Log().Len() == 0 || !saved.Session.Executable(); nothing {
				return nil // there is nothing to lose
			}
			return recorder.SaveSession(name, command.Version(), saved.Session, recorder.TraceOptions{Redactions: redactions})
		})
		switch {
		case err != nil:
			failed(thing, err)
			continue
		case nothing:
			continue
		}
		fmt.Fprintf(text, "%s is saved up to there. To look at it and continue: asldb replay %s\n", thing, wording.ShellFile(name))
	}
	for i, typed := range broken.Typed {
		name := fmt.Sprintf("%s.typed%d.txt", base, i+1)
		if len(redactions) > 0 {
			fmt.Fprintf(text, "A text that was typed and not taken yet is not saved, since --redact could not be applied to it.\n")
			continue
		}
		if err := guarded(func() error { return files.Create(name, 0o600, []byte(typed)) }); err != nil {
			failed("A text that was typed and not taken yet", err)
			continue
		}
		fmt.Fprintf(text, "A text that was typed and not taken yet is in %s\n", wording.Line(name))
	}
	return whole
}

// guarded calls f; a fault in it is its error.
func guarded(f func() error) (err error) {
	if broken := work.Catch(func() { err = f() }); broken != nil {
		return fmt.Errorf("another fault in asldb itself: %w", broken)
	}
	return err
}
