package checks

import (
	"fmt"
	"slices"

	"asldb/engine/lint"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/project"
	"asldb/internal/testkit/runs"
)

// examineValidation compares the reply of ValidateStateMachineDefinition with the measured one: its result, and what is
// known of its diagnostics.
func examineValidation(c *runs.Case) []verdict {
	file := &source.File{Name: c.Name, Data: c.Definition}
	machine := project.Checked{Given: file, Source: file}
	root, problem := source.Read(file, nil)
	if problem != nil {
		machine.Problems = []source.Diagnostic{*problem}
	} else {
		express := c.Object.Get("type") == value.String("EXPRESS")
		machine.Root, machine.Problems = root, lint.All(file, root, lint.Options{Express: express})
	}
	reply := project.Reply(&machine, project.Options{}).(*value.Object)
	outcome, verdicts := "", []verdict(nil)
	if got, want := reply.Get("result"), c.Expect.Get("status"); got != want {
		outcome = fmt.Sprintf("%s, recorded %s", value.Compact(reply), value.Compact(c.Expect))
	}
	if outcome == "" {
		outcome = markDifference(machine.Problems)
	}
	verdicts = append(verdicts, verdict{result, outcome})
	if c.Expect.Len() > 1 {
		verdicts = append(verdicts, verdict{diagnosis, diagnosisDifference(c, reply.Get("diagnostics").(*value.Array))})
	}
	return verdicts
}

func diagnosisDifference(c *runs.Case, got *value.Array) string {
	difference := fmt.Sprintf("%s\n\trecorded %s", value.Compact(got), value.Compact(c.Expect))
	if codes, ok := c.Expect.Get("codes").(*value.Array); ok && !subset(texts(codes, ""), texts(got, "code")) {
		return difference
	}
	if messages, ok := c.Expect.Get("messages").(*value.Array); ok &&
		!slices.Equal(texts(messages, ""), texts(got, "message")) {
		return difference
	}
	if list, ok := c.Expect.Get("diagnostics").(*value.Array); ok {
		for i, want := range list.All() {
			for key, v := range want.(*value.Object).All() {
				if i >= got.Len() || !value.Equal(v, got.At(i).(*value.Object).Get(key)) {
					return difference
				}
			}
		}
		if got.Len() != list.Len() {
			return difference
		}
	}
	return ""
}

// markDifference holds the mark of the rule that alone refuses a definition which the service was recorded or measured
// refusing.
func markDifference(problems []source.Diagnostic) string {
	var refusing []*source.Diagnostic
	for i := range problems {
		if problems[i].Refused() {
			refusing = append(refusing, &problems[i])
		}
	}
	if len(refusing) != 1 {
		return ""
	}
	rule, _ := rules.Find(refusing[0].Rule)
	if mark, ok := rule.Sureness(); !ok || !mark.Settled() {
		return fmt.Sprintf("the rule %s refuses a definition as recorded, and is marked %s", rule.Name, rule.Evidence())
	}
	return ""
}

// texts returns the strings of an array, or the members called key of its objects, sorted.
func texts(list *value.Array, key string) []string {
	var all []string
	for _, v := range list.All() {
		if key != "" {
			v = v.(*value.Object).Get(key)
		}
		text, _ := v.(value.String)
		all = append(all, string(text))
	}
	slices.Sort(all)
	return all
}

func subset(some, all []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}
