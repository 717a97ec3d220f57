package suiterun

import (
	"errors"
	"fmt"
	"strings"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// RecordedExecution names a recorded execution: the pages of its history, with its ARN in a log of several, or a trace.
type RecordedExecution struct {
	Files []string
	ARN   string
	Trace string
}

// FromRecorded writes a suite called name, which need not be there yet, with a case for each way that recorded
// executions took through a definition: the first execution that took it, with the number of all. One that does not run
// again as it was recorded is among Unreached, with the reason.
func FromRecorded(name, definition string, m *Machine, list []RecordedExecution) (*Suite, error) {
	head := headOf(name, definition, m, "Ways that recorded executions took, with a recording of each.")
	result := &Suite{}
	var ways []*recordedWay
	known := map[string]*recordedWay{}
	for i := range list {
		way, reason, err := list[i].way(name, head, m)
		switch {
		case err != nil:
			return nil, err
		case reason != "":
			result.Unreached = append(result.Unreached, list[i].String()+": "+reason)
		case known[way.key] != nil:
			known[way.key].count++
		default:
			known[way.key] = way
			ways = append(ways, way)
		}
	}
	if len(ways) == 0 {
		return nil, errors.New("no recorded execution runs again with this definition: " +
			strings.Join(result.Unreached, "; "))
	}
	var b strings.Builder
	b.WriteString(head + "cases:\n")
	names := map[string]int{}
	for _, way := range ways {
		title := way.title
		if names[title]++; names[title] > 1 {
			title += fmt.Sprintf(" (%d)", names[title])
		}
		fmt.Fprintf(&b, "  # %s took this way.\n  %s:\n%s%s",
			wording.Count(way.count, "execution"), value.Quote(title), way.body, way.expect)
	}
	result.Text, result.Cases = []byte(b.String()), len(ways)
	return result, nil
}

// headOf is the beginning of a suite about a definition.
func headOf(name, definition string, m *Machine, about string) string {
	text := "# " + about + "\nversion: 1\ndefinition: " + value.Quote(relativeName(name, definition)) + "\n"
	if m.Definition.Resource != "" {
		text += "resource: " + value.Quote(m.Definition.Resource) + "\n"
	}
	return text
}

// recordedWay is a way through the definition.
type recordedWay struct {
	key, title, body, expect string
	count                    int
}

// String names the execution by its files.
func (r *RecordedExecution) String() string {
	if r.Trace != "" {
		return wording.Line(r.Trace)
	}
	return wording.Line(strings.TrimSpace(strings.Join(r.Files, ", ") + " " + r.ARN))
}

// way runs an execution again. reason says why that cannot be a case.
func (r *RecordedExecution) way(name, head string, m *Machine) (way *recordedWay, reason string, err error) {
	way = &recordedWay{count: 1}
	if r.Trace != "" {
		way.body = "    trace: " + value.Quote(relativeName(name, r.Trace)) + "\n"
	} else {
		way.body = "    history: [" + strings.Join(value.Each(r.Files, func(file string) string {
			return value.Quote(relativeName(name, file))
		}), ", ") + "]\n"
		if r.ARN != "" {
			way.body += "    execution: " + value.Quote(r.ARN) + "\n"
		}
	}
	s, err := suite.Load(name, []byte(head+"cases:\n  recorded:\n"+way.body))
	if err != nil {
		return nil, "", err
	}
	outcome, run := RunCase(s.Cases[0], m, CaseOptions{Brief: true})
	switch {
	case outcome.Kind == suite.Wrong:
		return nil, wording.Line(outcome.Reason), nil
	case run == nil || !run.Log().Ended():
		return nil, "its run does not end", nil
	case outcome.Kind != suite.Passed:
		return nil, "it runs otherwise with this definition: asldb run --history shows where", nil
	}
	end := endOf(run.Log())
	way.title = wayTitle(end)
	way.key = end.status.String() + " " + end.name + " " + strings.Join(everyPath(run.Log()), "\n")
	way.expect = "    expect:\n" + Expected(end.status, end.name, end.path)
	return way, "", nil
}

// everyPath has the path of each visit, those inside of branches and iterations, too.
func everyPath(log *runlog.Log) (list []string) {
	for event := range log.All() {
		if event.Type == engine.StateEntered {
			list = append(list, event.Visit.Path())
		}
	}
	return list
}

// maxTitle is the greatest number of states that the name of a way has.
const maxTitle = 4

// wayTitle names a way by its states, and its end.
func wayTitle(end ending) string {
	names := end.path
	if len(names) > maxTitle {
		names = append([]string{names[0], "..."}, names[len(names)-maxTitle+1:]...)
	}
	title := strings.Join(names, ", ")
	if failed := EndOf(end.status, end.name); failed != "" {
		title += ", " + failed
	}
	return title
}
