package launch

import (
	"cmp"
	"fmt"
	"strings"

	"asldb/engine"
	"asldb/internal/files"
	"asldb/recorder/history"
	"asldb/recorder/rerun"
)

// History names a recorded execution of Step Functions; the zero History is none.
type History struct {
	// Files are the names of the files with the pages of a history, or with logs.
	Files []string
	// Execution is the ARN of the execution, or the end of it: it chooses one of a log, and is the id of a history, which
	// does not have it.
	Execution string
	// Attempt is the number of the attempt of an execution that was redriven; 0 is the last.
	Attempt int
	// Recording is the execution itself, in place of Files.
	Recording *rerun.Recording
}

// isGiven reports whether there is a history.
func (h *History) isGiven() bool { return h.Recording != nil || len(h.Files) > 0 }

func (h *History) read(reader files.Files) (err error) {
	if h.Recording == nil && len(h.Files) > 0 {
		h.Recording, err = h.Open(reader)
	}
	return err
}

// Open reads Files and returns the execution.
func (h *History) Open(reader files.Files) (*rerun.Recording, error) {
	whole, err := h.execution(reader)
	if err != nil {
		return nil, err
	}
	return h.attempt(whole)
}

// Use makes Recording of an execution that was read already.
func (h *History) Use(x *history.Execution) (err error) {
	h.Recording, err = h.attempt(rerun.Of(x))
	return err
}

// attempt returns the attempt of a recording that is wanted.
func (h *History) attempt(whole *rerun.Recording) (*rerun.Recording, error) {
	if h.Attempt == 0 {
		return whole, nil
	}
	attempts := whole.Attempts()
	if h.Attempt < 0 || h.Attempt > len(attempts) {
		return nil, files.ErrorAbout(files.PartAttempt, "%[1]s is a number from 1 to %[2]d, not %[3]d", len(attempts), h.Attempt)
	}
	return attempts[h.Attempt-1], nil
}

// execution returns the execution with all its attempts.
func (h *History) execution(reader files.Files) (*rerun.Recording, error) {
	texts := make([]history.File, 0, len(h.Files))
	for _, file := range h.Files {
		name, data, err := reader.Read(file)
		if err != nil {
			return nil, fmt.Errorf("the history: %w", err)
		}
		texts = append(texts, history.File{Name: name, Data: data})
	}
	executions, err := history.Read(texts...)
	if err != nil {
		return nil, err
	}
	if len(executions) == 1 && (executions[0].ARN == "" || h.Execution == "") {
		if h.Execution != "" {
			executions[0].ARN = h.Execution // GetExecutionHistory does not have it
		}
		return rerun.Of(executions[0]), nil
	}
	var found []*history.Execution
	for _, x := range executions {
		if h.Execution != "" && (x.ARN == h.Execution || strings.HasSuffix(x.ARN, ":"+h.Execution)) {
			found = append(found, x)
		}
	}
	if len(found) == 1 {
		return rerun.Of(found[0]), nil
	}
	if h.Execution == "" {
		return nil, files.ErrorAbout(files.PartExecution, "the log has %[2]d executions; choose one with %[1]s:%[3]s", len(executions), listed(executions))
	}
	return nil, files.ErrorAbout(files.PartExecution, "%[1]s %[2]s is not one of them:%[3]s", h.Execution, listed(executions))
}

// maxListed bounds the executions in a message.
const maxListed = 20

// listed returns a line for each execution, after a line feed.
func listed(executions []*history.Execution) string {
	var text strings.Builder
	for i, x := range executions {
		if i == maxListed {
			fmt.Fprintf(&text, "\n  and %d more", len(executions)-maxListed)
			break
		}
		name := cmp.Or(x.ARN, "(without a name)")
		r := rerun.Of(x)
		status, _, failure, _ := r.Result()
		events := fmt.Sprintf("%d events", len(x.Events))
		if len(x.Events) == 1 {
			events = "1 event"
		}
		fmt.Fprintf(&text, "\n  %s  %s, %s, %s", name, engine.FormatInstant(r.Start()), events, strings.TrimSpace(status+" "+failure))
	}
	return text.String()
}
