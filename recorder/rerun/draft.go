package rerun

import (
	"fmt"
	"strings"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/wording"
	"asldb/recorder/history"
)

// Draft makes a fixtures file of a recording alone, without the definition: tasks take as long as they took.
// With a definition fixtures.DraftOf makes one of the session that ran again, which gives the very same run.
func (r *Recording) Draft() *fixtures.Draft {
	start := r.Start()
	d := &fixtures.Draft{StartTime: &start, Context: r.context()}
	if options, _ := r.Options(); options.Abort != nil {
		d.Stop = &fixtures.Stop{After: options.Abort.At.Sub(start), Error: options.Abort.Error, Cause: options.Abort.Cause}
	}
	d.Input, _, _ = r.Input()
	at := make(map[string]int)
	// Of every attempt the event that scheduled it says when it was asked for.
	for i := range r.Threads.Events {
		visit := r.Threads.Of[i].Visit
		if visit == nil || r.Threads.Of[i].Dropped {
			continue
		}
		for n, attempt := range visit.Attempts {
			if first(attempt) != i {
				continue
			}
			key := draftKey(visit)
			if _, known := at[key]; !known {
				at[key] = len(d.Tasks)
				d.Tasks = append(d.Tasks, fixtures.DraftList{Key: key})
			}
			list := &d.Tasks[at[key]]
			result, comment := r.result(visit, attempt)
			if comment == "" && n > 0 {
				comment = fmt.Sprintf("attempt %d", n+1)
			}
			if result == nil {
				list.Comments = append(list.Comments, comment)
				continue
			}
			list.Results = append(list.Results, fixtures.DraftResult{Outcome: *result, Comment: comment})
		}
	}
	return d
}

func first(a *history.Attempt) int {
	for _, at := range []int{a.Scheduled, a.Started, a.Submitted, a.Ended} {
		if at >= 0 {
			return at
		}
	}
	return -1
}

// draftKey is the key of a visit's task. Which branch a branch is, the events do not say.
func draftKey(v *history.Visit) string {
	key, inMap := v.Name, false
	for t := v.Thread; t.Container != nil; t = t.Container.Thread {
		if t.Container.Type == "Map" {
			key = fmt.Sprintf("%s/Iterations[%d]/%s", t.Container.Name, t.Index, key)
			inMap = true
		} else {
			key = t.Container.Name + "/Branches[*]/" + key
		}
	}
	if !inMap {
		return v.Name
	}
	return key
}

// result is the result of an attempt; nil, with why, where the recording does not have it.
func (r *Recording) result(visit *history.Visit, attempt *history.Attempt) (*engine.Outcome, string) {
	source := NewSource(r.Threads)
	request := &engine.TaskRequest{}
	bounds := source.bounds(attempt)
	request.Timeout, request.Heartbeat = bounds.timeout, bounds.heartbeat
	outcome, missing := source.outcome(request, visit, attempt)
	if missing != "" {
		return nil, "no result: " + missing
	}
	comment := ""
	switch {
	case attempt.Ended < 0:
		comment = "it did not end in the recorded execution"
	case r.Threads.Events[attempt.Ended].Kind().Phase == history.TimedOut:
		comment = "it timed out"
	}
	return &outcome, comment
}

// About describes a recording in lines, for the head of a file made of it.
func (r *Recording) About() []string {
	status, output, failure, cause := r.Result()
	x := r.Execution
	line := fmt.Sprintf("recorded: an execution that began %s, %s, %s", engine.FormatInstant(r.Start()), wording.Count(len(x.Events), "event"), status)
	if end := x.End(); end != nil {
		line += fmt.Sprintf(" after %s", at(end).Sub(r.Start()))
	}
	if failure != "" {
		line += ": " + failure
	}
	lines := append([]string{line}, r.AboutAttempts()...)
	if x.ARN != "" {
		lines = append(lines, x.ARN)
	}
	if cause != "" {
		lines = append(lines, "cause: "+strings.TrimSpace(value.Preview(value.String(cause), 300)))
	}
	if output != nil {
		lines = append(lines, "output: "+value.Preview(output, 100))
	}
	return lines
}
