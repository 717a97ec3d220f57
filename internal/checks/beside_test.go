package checks

import (
	"fmt"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/recorder/history"
	"asldb/recorder/rerun"
)

// What is shown beside a run agrees with it exactly where the check of the recorded history does.
func TestRecordedBesideARun(t *testing.T) {
	same, different := 0, 0
	for _, c := range runs.LoadAWS(t) {
		if c.Kind != "execution" || c.Document() == nil {
			continue
		}
		for _, change := range []string{"", `"TimeoutSeconds":`, `"Result":`, `"Comment":`} {
			agrees, rows, ok := beside(c, change)
			switch {
			case !ok:
			case agrees && len(rows) > 0:
				t.Errorf("%s %s: the check agrees, and beside the run %d lines differ: %s", c.Name, change, len(rows),
					rows[0])
			case !agrees && len(rows) == 0:
				t.Errorf("%s %s: the check does not agree, and beside the run nothing differs", c.Name, change)
			case agrees:
				same++
			default:
				different++
			}
		}
	}
	t.Logf("%d agree, %d do not", same, different)
}

// beside runs a case again and returns whether the check agrees, and the lines that differ beside the run. change is a
// key in the definition that is renamed.
func beside(c *runs.Case, change string) (agrees bool, rows []string, ok bool) {
	executions, err := history.Read(history.File{Name: c.Name, Data: value.Append(nil, c.Document())})
	if err != nil {
		return false, nil, false
	}
	text := string(c.Definition)
	if change != "" {
		if !strings.Contains(text, change) {
			return false, nil, false
		}
		text = strings.ReplaceAll(text, change, `"X`+change[1:])
	}
	definition, _ := asl.Parse(&source.File{Name: c.Name, Data: []byte(text)})
	if definition == nil {
		return false, nil, false
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		return false, nil, false
	}
	recording := rerun.Of(executions[0])
	options, source := recording.Options()
	options.Context = c.Context
	options.Source = outcome.First(source, objectsOf{c.Tasks()})
	session := debug.New(machine, options)
	source.Follow(session.Now)
	check, err := recording.Check(session, source)
	if err != nil {
		return false, nil, false
	}
	recorded := runlog.Of(recording.Events(definition))
	comparison := recording.Align(definition, session.Log())
	for _, row := range comparison.Rows {
		if row.Same() {
			continue
		}
		var a, b *engine.Event
		text := ""
		if row.A >= 0 {
			a = recorded.At(row.A)
			text += "recorded " + a.Type.String()
		}
		if row.B >= 0 {
			b = session.Log().At(row.B)
			text += " found " + b.Type.String()
		}
		for _, e := range []*engine.Event{a, b} {
			if e != nil && e.Visit != nil {
				text += " " + e.Visit.Path()
				break
			}
		}
		for _, name := range row.Differs {
			text += fmt.Sprintf(" %s: %.60s, %.60s;", name, show(a, name), show(b, name))
		}
		rows = append(rows, text)
	}
	return check.Agrees(), rows, true
}

func show(e *engine.Event, name string) string {
	if v := runlog.Member(e, name); v != nil {
		return value.Compact(v)
	}
	return "nothing"
}
