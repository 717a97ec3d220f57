package lint

import (
	"strings"
	"testing"

	"asldb/engine/rules"
)

// The executions of a Map Run that are Express lack what Express executions lack, in states of any depth (developer
// guide, "Distributed mode" and "Choosing workflow type"); those that are Standard do not.
func TestExpressChildren(t *testing.T) {
	const inner = `"StartAt":"I","States":{"I":`
	task := func(resource string) string {
		return `{"Type":"Task","Resource":"` + resource + `","TimeoutSeconds":9,"Parameters":{"t.$":"$$.Task.Token"},"End":true}`
	}
	for _, state := range []string{
		task("arn:aws:states:::glue:startJobRun.sync"),
		task("arn:aws:states:::sqs:sendMessage.waitForTaskToken"),
		task("arn:aws:states:us-east-1:123456789012:activity:a"),
		`{"Type":"Map","MaxConcurrency":1,"End":true,"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"N","States":{"N":{"Type":"Pass","End":true}}}}`,
		`{"Type":"Parallel","End":true,"Branches":[{"StartAt":"B","States":{"B":` + task("arn:aws:states:::glue:startJobRun.sync") + `}}]}`,
	} {
		for kind, want := range map[string]int{"EXPRESS": 1, "STANDARD": 0} {
			text := `{"StartAt":"M","States":{"M":{"Type":"Map","MaxConcurrency":1,"End":true,"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"` +
				kind + `"},` + inner + state + `}}}}}`
			_, problems := find(text, Options{})
			n := 0
			for i := range problems {
				if problems[i].Rule == rules.ExpressPattern && strings.HasPrefix(problems[i].Message, "an Express execution of a distributed Map does not support") {
					n++
				}
			}
			if n != want {
				t.Errorf("%s: %d problems, want %d: %s", kind, n, want, text)
			}
		}
	}
}
