package checks

import (
	"errors"
	"fmt"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/recorder/history"
	"asldb/recorder/rerun"
)

// notReproduced lists the recorded histories that a run with their own answers does not repeat: case, aspect,
// reason.
const notReproduced = "testdata/notreproduced.tsv"

const (
	reexecution = "re-execution"
	ordered     = "its order"
)

// Every recorded history that is read in and run again, with nothing but its own answers, agrees with itself,
// except those listed with a reason; a listed one that agrees must be taken off the list.
func TestHistoriesRunAgain(t *testing.T) {
	cases := runs.LoadAWS(t)
	known := readDisagreements(t, notReproduced)
	agreeing := readDisagreements(t, disagreements)
	counts := newTally()
	passed, total := 0, 0
	for _, c := range cases {
		if c.Kind != "execution" || c.Document() == nil {
			continue
		}
		difference, inOrder := runAgain(c)
		counts.add(c, verdict{reexecution, difference})
		if difference == "" {
			counts.add(c, verdict{ordered, inOrder})
		}
		if _, disagrees := agreeing[c.Name+"\t"+recording]; !disagrees {
			total++
			if difference == "" {
				passed++
			}
		}
		key := c.Name + "\t" + reexecution
		_, listed := known[key]
		delete(known, key)
		switch {
		case difference != "" && !listed:
			t.Errorf("%s: %s", c.Name, difference)
		case difference == "" && listed:
			t.Errorf("%s agrees now: take it off the list", c.Name)
		}
	}
	for key := range known {
		t.Errorf("the list has %q, which is not a case", key)
	}
	counts.log(t)
	t.Logf("of the %d histories whose execution agrees, %d are reproduced", total, passed)
	if passed*100 < total*95 {
		t.Errorf("only %d of %d", passed, total)
	}
}

// objectsOf has the objects that a case uploaded, which no history has.
type objectsOf struct{ tasks *runs.TaskResults }

func (o objectsOf) Ask(ask outcome.Ask) outcome.Reply {
	if _, object := ask.(outcome.Object); object {
		return o.tasks.Ask(ask)
	}
	return outcome.None(nil)
}

func (o objectsOf) Seek(asked []outcome.Ask) []outcome.Ask { return outcome.Again(o, asked) }

// runAgain says how a run with the recording's answers differs from it; inOrder says how where only the order
// does.
func runAgain(c *runs.Case) (difference, inOrder string) {
	executions, err := history.Read(history.File{Name: c.Name, Data: value.Append(nil, c.Document())})
	if err != nil {
		return err.Error(), ""
	}
	definition, diagnostics := asl.Parse(&source.File{Name: c.Name, Data: c.Definition})
	if definition == nil {
		return "refused: " + diagnostics[0].Message, ""
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		return err.Error(), ""
	}
	recording := rerun.Of(executions[0])
	recording.Same = sameAs(c, executions[0].Events)
	options, source := recording.Options()
	options.Context = c.Context
	options.Source = outcome.First(source, objectsOf{c.Tasks()})
	session := debug.New(machine, options)
	source.Follow(session.Now)
	check, err := recording.Check(session, source)
	var missing *outcome.MissingObjectError
	switch {
	case errors.As(err, &missing):
		return missing.Error(), ""
	case err != nil:
		return err.Error(), ""
	case !check.Agrees():
		return fmt.Sprintf("%s %s", check, check.Waits), ""
	case check.Waits != "":
		return check.Waits, ""
	case !check.Ordered:
		return "", "another order"
	}
	return "", ""
}
