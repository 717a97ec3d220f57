package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	markdown "github.com/yuin/goldmark/renderer/html"

	"asldb/internal/cli/command"
	"asldb/internal/testkit"
	"asldb/internal/wording"
)

// hostileCase is one folder of hostile files.
type hostileCase struct {
	data string // any text
	name string // of a state: without controls, which no name may have
	file string // a part of a file's name
}

func hostileCases() []hostileCase {
	data := "d" + strings.Join(testkit.Hostile, "d") + "d"
	const name = "d\u202e\u2066x\u2069\u200b\u200d\ufe0f\ufeff\u2028FAKE\U000e0041\u061c\u00ad\ue000" // it has at most 80 characters
	file := strings.ToValidUTF8(strings.NewReplacer("/", "", "\x00", "").Replace(data)[:200], "")     // with more no system takes it
	const page = "[a](https://evil.example)<img src=x>`|<a href=x>*b*"
	return []hostileCase{
		{data: data, name: name, file: file}, {data: "\nFAKE\x1b[31;77;88m", name: "N\u202e\u200d", file: "\nFAKE\u009b"},
		{data: page, name: page, file: strings.ReplaceAll(page, "/", "")},
	}
}

// quoted is a text as JSON.
func (c *hostileCase) quoted(text string) string {
	encoded, _ := json.Marshal(text)
	return string(encoded)
}

// fill puts the hostile texts into a template: DATA, NAME and FILE in quotes are JSON strings of them.
func (c *hostileCase) fill(template string) string {
	inner := func(text string) string { return strings.Trim(c.quoted(text), `"`) }
	return strings.NewReplacer("DATA", inner(c.data), "NAME", inner(c.name), "FILE", inner(c.file)).Replace(template)
}

const (
	hostileMachine = `{"Comment":"DATA","StartAt":"1NAME","States":{
		"1NAME":{"Type":"Pass","Result":{"DATA":"DATA"},"ResultPath":"$.r","Next":"2NAME"},
		"2NAME":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Retry":[{"ErrorEquals":["DATA"],"MaxAttempts":1}],
			"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Next":"3NAME"}],"Next":"5NAME"},
		"3NAME":{"Type":"Choice","Choices":[{"Variable":"$['DATA']","StringEquals":"DATA","Next":"4NAME"}],"Default":"4NAME"},
		"4NAME":{"Type":"Fail","Error":"DATA","Cause":"DATA"},
		"5NAME":{"Type":"Succeed"}}}`
	hostileTask     = `{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Comment":"DATA","End":true}`
	hostileWrong    = `{"StartAt":"DATA","DATA":1,"States":{"DATA":{"Type":"DATA","Next":"DATA"},"A":{"Type":"Pass","DATA":"DATA","Parameters":{"DATA.$":"$.DATA["},"Next":"DATA"}}}`
	hostileFixtures = `{"version":1,"input":{"DATA":"DATA"},"tasks":{"2NAME":[{"output":{"DATA":"DATA"}}]}}`
	hostileFailing  = `{"version":1,"input":{"DATA":"DATA"},"tasks":{"2NAME":[{"error":"DATA","cause":"DATA"},{"error":"DATA","cause":"DATA"}]}}`
	hostileSuite    = `{"version":1,"definition":"FILEmachine.asl.json","input":{"DATA":"DATA"},"tasks":{"2NAME":[{"output":{"DATA":"DATA"}}]},"cases":{"a DATA":{"expect":{"output":{"DATA":"other"},"never":["1NAME"]}},"b":{"skip":"DATA","expect":{}},"c":{"expect":{}}}}`
	hostileCalls    = `{"version":1,"tasks":{"2NAME":[{"exec":["echo","DATA"]}]}}`
	hostileBad      = `{"version":1,"DATA":1,"startTime":"DATA","tasks":{"DATA":[{"DATA":1,"error":7}],"2NAME":"DATA"},"cases":{"DATA":{"DATA":1}}}`
	hostileMocks    = `{"StateMachines":{"MDATA":{"TestCases":{"TDATA":{"2NAME":"RDATA","DATA":"RDATA"}}}},"MockedResponses":{"RDATA":{"0":{"Return":{"DATA":"DATA"}},"1-2":{"Throw":{"Error":"DATA","Cause":"DATA"}}},"DATA":{"0":{"Return":1}}}}`
	hostileBadMocks = `{"StateMachines":{"MDATA":{"TestCases":{"TDATA":{"2NAME":"DATA"}}}},"MockedResponses":{"RDATA":{"DATA":{"Return":1}}},"DATA":1}`
	hostileModel    = `{"smithy":"2.0","shapes":{
		"x#GetNAME":{"type":"operation","output":{"target":"x#Out"},"traits":{"smithy.waiters#waitable":{
			"ThingExists":{"DATA":"DATA","documentation":"DATA","acceptors":[{"state":"success","matcher":{"output":{"path":"Name","comparator":"stringEquals","expected":"DATA"}}}]}}}},
		"x#Out":{"type":"structure","members":{"Name":{"target":"smithy.api#String"}}}}}`
	hostileBadModel   = `{"smithy":"2.0","shapes":{"x#GetDATA":{"type":"operation","traits":{"smithy.waiters#waitable":{"DATA":{"DATA":1,"acceptors":[{"state":"DATA","matcher":{"DATA":"DATA"}}]}}}}}}`
	hostileResponses  = `{"version":1,"tasks":{"GetNAME":[{"output":{"Name":"DATA"}}]}}`
	hostileProject    = `{"fixtures":"DATA","substitutions":{"DATA":"DATA"},"ignore":[{"rule":"discarded-data","state":"DATA","reason":"DATA"}]}`
	hostileBadProject = `{"DATA":1,"rules":{"DATA":"DATA"},"ignore":[{"rule":"DATA","path":"DATA","reason":"DATA"}]}`
	hostileLost       = `{"format":"asldb-trace","version":2,"dialect":"aws","DATA":1,"input":{"DATA":"DATA"}}` + "\n" + `{"seq":1,"time":"2026-01-01T00:00:00Z","type":"ExecutionStarted","thread":0,"after":{"DATA":"DATA"}}` + "\n" + `{"DATA":"DATA"}` + "\n" + `{"seq":2,"DATA":"DATA"}` + "\n"
	hostileShard      = `{"event":"begin","suites":1,"cases":1,"shard":"1/1","inputs":"DATA"}
		{"event":"suite","file":"DATA","definition":"DATA"}
		{"event":"case","file":"DATA","name":"DATA","line":1,"column":1,"outcome":"failed","reason":"DATA",
		"path":["DATA"],"states":1,"virtualSeconds":1,"wallSeconds":1,"findings":[{"file":"DATA","rule":"DATA",
		"severity":"DATA","text":"DATA","expectation":"DATA","place":"DATA","definition":{"file":"DATA"},
		"differences":[{"path":"DATA","wanted":"DATA","reason":"DATA"}],"because":["DATA"]}],"noticed":["DATA"],
		"debug":"DATA","tags":["DATA"],"properties":{"DATA":"DATA"}}
		{"event":"end","passed":0,"failed":1,"errors":0,"skipped":0,"new":0,"unchecked":0,"virtualSeconds":1,
		"wallSeconds":1}`
	hostileConfig = `{"theme":"DATA","keys":{"DATA":"DATA"},"DATA":1}`
)

// oneLineEach puts each event of a template on a line.
func oneLineEach(template string) string {
	return strings.ReplaceAll(strings.ReplaceAll(template, "\n\t\t", ""), `}{"event"`, "}\n"+`{"event"`)
}

// write makes the files of a case in the working directory and returns their names.
func (c *hostileCase) write(t *testing.T) map[string]string {
	t.Helper()
	names := make(map[string]string)
	for name, template := range map[string]string{
		"machine.asl.json": hostileMachine, "task.asl.json": hostileTask, "other.asl.json": strings.Replace(hostileMachine, `"Error":"DATA"`, `"Error":"other DATA"`, 1), "wrong.asl.json": hostileWrong, "none.asl.json": "DATA", "fixtures.yaml": hostileFixtures, "suite.test.yaml": hostileSuite, "failing.yaml": hostileFailing,
		"calls.yaml": hostileCalls, "bad.yaml": hostileBad, "mocks.json": hostileMocks, "badmocks.json": hostileBadMocks, "model.json": hostileModel, "badmodel.json": hostileBadModel,
		"responses.yaml": hostileResponses, "config.yaml": hostileConfig, "project.yaml": hostileProject, "badproject.yaml": hostileBadProject, "broken.trace": `{"asldb":"DATA"}`, "lost.trace": hostileLost, "empty.trace": "", "input.json": `{"DATA":"DATA"}`,
		"badhistory.json": `{"events":[{"id":1,"type":"DATA","timestamp":"DATA"}]}`, "mocks.yaml": `{"DATA":1}`,
		"shard.json":    oneLineEach(hostileShard),
		"badshard.json": oneLineEach(strings.Replace(hostileShard, "1/1", "DATA", 1)),
	} {
		names[name] = c.file + name
		if err := os.WriteFile(names[name], []byte(c.fill(template)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"run.trace", "failed.trace", "repaired.trace", "recorded.yaml", "history.json", "imported.trace", "cover.json", "compared.json", "missing"} {
		names[name] = c.file + name
	}
	return names
}

// hostileCommands are the command lines to try, by the command. A word @NAME means a file, DATA the hostile text, NAME
// a state's. A - before a file's name names a file to write.
var hostileCommands = map[string][]string{
	"": {"DATA", "DATA DATA", "--DATA", "@machine.asl.json --break DATA"},
	"run": {
		"@machine.asl.json --fixtures @fixtures.yaml --trace @run.trace --redact $..secret --start-time 2026-01-01T00:00:00Z --no-state",
		"@machine.asl.json --fixtures @failing.yaml --trace @failed.trace", "@machine.asl.json --fixtures @failing.yaml --events",
		"@machine.asl.json --fixtures @failing.yaml --format history", "@machine.asl.json --fixtures @bad.yaml", "@machine.asl.json",
		"@machine.asl.json --on-missing echo --input @input.json --warnings", "@machine.asl.json --fixtures @fixtures.yaml --unused", "@machine.asl.json --on-missing ask --input @input.json",
		"@machine.asl.json --mock-config @mocks.json --case DATA", "@machine.asl.json --mock-config @mocks.json --case TDATA", "@machine.asl.json --fixtures @fixtures.yaml --case DATA",
		"@machine.asl.json --fixtures @mocks.yaml", "@machine.asl.json --fixtures @calls.yaml", "@machine.asl.json --fixtures @calls.yaml --allow-live",
		"@wrong.asl.json", "@none.asl.json", "@missing", "DATA", "@machine.asl.json --clock DATA", "@machine.asl.json --seed DATA", "@machine.asl.json --input DATA", "@machine.asl.json --input @missing",
		"@machine.asl.json --dialect DATA", "@machine.asl.json --start-time DATA", "@machine.asl.json --substitute DATA", "@machine.asl.json --resource DATA", "@machine.asl.json --fixtures @missing",
		"@machine.asl.json --on-missing DATA", "@machine.asl.json --format DATA", "@machine.asl.json --DATA",
		"@machine.asl.json --fixtures @fixtures.yaml --coverage-out @cover.json --coverage-conditions", "@machine.asl.json --coverage-out @none.asl.json", "@machine.asl.json --trace @run.trace --redact DATA",
	},
	"validate": {
		"@machine.asl.json @task.asl.json", "@wrong.asl.json", "@wrong.asl.json --strict", "@wrong.asl.json --format json", "@wrong.asl.json --format sarif", "@wrong.asl.json --format aws", "@none.asl.json", "@none.asl.json --format aws",
		"@machine.asl.json --format json --strict", "@machine.asl.json --format sarif --strict", "--explain DATA", "--explain", "@missing", "@wrong.asl.json --max 1",
		"@machine.asl.json --project @project.yaml --strict", "@machine.asl.json --project @badproject.yaml",
	},
	"rules": {"", "--explain DATA", "DATA", "@machine.asl.json --project @project.yaml", "--project @badproject.yaml"},
	"record-case": {
		"DATA", "@missing", "@wrong.asl.json --state DATA", "@machine.asl.json --state DATA", "@machine.asl.json --state 1NAME --input @input.json",
		"@machine.asl.json --state 2NAME --mock DATA", "@machine.asl.json --state 1NAME --level DATA",
	},
	"services":       {"", "DATA", "sqs --format DATA"},
	"project":        {"", "DATA", "@machine.asl.json --project @project.yaml", "--project @badproject.yaml", "--project @missing"},
	"project schema": {"", "DATA"},
	"state": {
		"@machine.asl.json --state 1NAME --input @input.json --level TRACE", "@machine.asl.json --state 1NAME --input @input.json --values", "@machine.asl.json --state DATA", "@wrong.asl.json --state DATA",
		"@machine.asl.json --state 2NAME --mock {\"errorOutput\":{\"error\":\"E\",\"cause\":\"C\"}} --input @input.json", "@machine.asl.json --state 2NAME --mock DATA", "@task.asl.json --level DATA", "@machine.asl.json --state 4NAME",
	},
	"eval": {
		"--path DATA", "--path $['JSON'] --input @input.json", "--path $ --input @input.json", "--reference-path $.DATA", "--template @input.json", "--template DATA", "--intrinsic States.Format(DATA)", "--intrinsic DATA",
		"--jsonata DATA", "--jsonata $states.input --input @input.json --parts", "--jsonata $states.input.* --input @input.json", "--jsonata \"DATA\" --parts", "--path $ --input DATA", "--dialect DATA",
	},
	"graph": {
		"@machine.asl.json", "@machine.asl.json --ascii", "@machine.asl.json --density rail", "@machine.asl.json --density boxes", "@machine.asl.json --density chips --width 60", "@machine.asl.json --format mermaid",
		"@machine.asl.json --format dot", "@wrong.asl.json", "@machine.asl.json --recording @run.trace --lens $", "@machine.asl.json --recording @run.trace --lens $ --format dot", "@machine.asl.json --recording @run.trace --lens $ --format mermaid",
		"@machine.asl.json --recording @run.trace --lens DATA", "@task.asl.json --recording @run.trace --lens $", "@machine.asl.json --recording @missing --lens $", "@machine.asl.json --lens $", "@machine.asl.json --coverage @cover.json", "@machine.asl.json --coverage DATA", "@machine.asl.json --format DATA", "@machine.asl.json --density DATA", "DATA",
	},
	"coverage":        {"", "DATA"},
	"coverage merge":  {"@cover.json", "@cover.json @cover.json", "@missing", "@none.asl.json", "DATA"},
	"coverage report": {"@cover.json", "@cover.json --format lcov", "@cover.json --format cobertura", "@cover.json --format json", "@cover.json --format markdown", "@cover.json --format DATA", "@cover.json --min DATA"},
	"merge": {
		"@cover.json @cover.json", "@cover.json --format DATA", "@shard.json", "@shard.json --format junit",
		"@compared.json", "@compared.json --format text", "@shard.json --format text", "@badshard.json",
		"@shard.json @badshard.json", "@cover.json @shard.json",
		"@history.json", "@none.asl.json", "@missing", "DATA",
	},
	"init":      {"@wrong.asl.json", "@none.asl.json", "@missing", "DATA", "@machine.asl.json"},
	"test init": {"@machine.asl.json", "@wrong.asl.json", "@missing", "DATA"},
	"test": {
		"@suite.test.yaml", "@suite.test.yaml --json", "@suite.test.yaml --report junit", "@suite.test.yaml --report tap", "@suite.test.yaml --report github", "@suite.test.yaml --report html", "@suite.test.yaml --report markdown", "@suite.test.yaml --run ^c$ --mutate --report markdown",
		"@suite.test.yaml --run DATA", "@suite.test.yaml:DATA", "@bad.yaml", "@missing", "DATA", "@suite.test.yaml --definition @missing", "@suite.test.yaml --report DATA", "@suite.test.yaml --coverage --min 99", "--failed",
	},
	"explore": {
		"@machine.asl.json", "@machine.asl.json --fixtures @fixtures.yaml", "@machine.asl.json --json", "@machine.asl.json --format markdown", "@machine.asl.json --format html", "@machine.asl.json --save @+explored.test.yaml",
		"@suite.test.yaml", "@suite.test.yaml:DATA", "@wrong.asl.json", "@missing", "@machine.asl.json --fixtures @bad.yaml", "@machine.asl.json --fixtures @fixtures.yaml --case DATA", "@machine.asl.json --format DATA", "@machine.asl.json --save DATA",
	},
	"dap": {"DATA", "--listen DATA"},
	"lsp": {"", "DATA", "--DATA"},
	"serve": {
		"DATA", "@missing", "@wrong.asl.json", "--suite DATA", "--mock-config DATA", "--listen DATA", "--endpoint DATA",
		"@machine.asl.json --listen 0.0.0.0", "--endpoint dynamodb=DATA", "--endpoint DATA=http://127.0.0.1:1",
	},
	"attach": {"DATA", "http://DATA", ":DATA", "http://127.0.0.1:1 DATA", "--theme DATA"},
	"mcp":    {"DATA", "--root DATA"},
	"demo":   {"DATA", "--break DATA"},
	"debug":  {"@missing", "@wrong.asl.json", "@machine.asl.json --fixtures @bad.yaml"},
	"keys":   {"", "--format markdown", "--format DATA", "--config @config.yaml", "--config @missing"},
	"config": {"", "--config @config.yaml", "--config @missing", "--check --config @config.yaml"},
	"fetch": {
		"DATA", "https://DATA", "arn:aws:states:eu-west-1:1:DATA:Order:1", "arn:aws:states:eu-west-1:1:execution:DATA", "arn:aws:states:eu-west-1:1:express:DATA:DATA", "arn:aws:states:eu-west-1:1:stateMachine:DATA", "--DATA",
		"--state-machine DATA", "--state-machine arn:aws:states:eu-west-1:1:execution:DATA:1", "--state-machine arn:aws:states:eu-west-1:1:stateMachine:Order --status DATA",
		"--state-machine arn:aws:states:eu-west-1:1:stateMachine:Order --since DATA", "arn:aws:states:eu-west-1:1:execution:Order:1 --redact DATA", "arn:aws:states:eu-west-1:1:execution:Order:1 --endpoint-url DATA",
		"arn:aws:states:eu-west-1:1:execution:Order:1 --profile DATA",
	},
	"history":        {"", "DATA"},
	"history export": {"@run.trace", "@failed.trace", "@run.trace -o @history.json", "@broken.trace", "@missing"},
	"history stats": {
		"@history.json", "@history.json --definition @machine.asl.json", "@history.json @run.trace @failed.trace --format json", "@run.trace --definition @wrong.asl.json", "@badhistory.json", "@broken.trace", "@missing",
		"@history.json --format md", "@failed.trace --format csv", "@history.json --format DATA", "@history.json --prices @bad.yaml", "@history.json --prices DATA", "@none.asl.json", "DATA",
	},
	"history import": {
		"@history.json", "@history.json --definition @machine.asl.json", "@history.json --definition @machine.asl.json -o @imported.trace", "@history.json --definition @wrong.asl.json", "@badhistory.json", "@missing", "@none.asl.json",
		"@history.json --execution DATA", "@history.json --definition @machine.asl.json --fixtures @bad.yaml",
	},
	"fixtures":      {"", "DATA"},
	"fixtures init": {"@machine.asl.json", "@machine.asl.json -o @+init.yaml", "@wrong.asl.json", "@missing"},
	"fixtures check": {
		"@fixtures.yaml", "@fixtures.yaml --definition @machine.asl.json", "@bad.yaml --definition @machine.asl.json", "@mocks.json --definition @machine.asl.json", "@mocks.json", "@badmocks.json", "@missing", "@mocks.yaml", "@calls.yaml", "@none.asl.json",
	},
	"fixtures convert": {
		"@fixtures.yaml --to mock-config --machine DATA", "@failing.yaml --to mock-config", "@mocks.json", "@badmocks.json", "@mocks.json -o @+converted.yaml", "@bad.yaml", "@fixtures.yaml --to DATA", "@calls.yaml --to mock-config", "@missing",
	},
	"fixtures from-history": {"@history.json", "@history.json --definition @machine.asl.json", "@history.json -o @+fromhistory.yaml", "@badhistory.json"},
	"fixtures from-trace":   {"@run.trace", "@run.trace -o @+fromtrace.yaml", "@failed.trace", "@run.trace --definition @wrong.asl.json", "@broken.trace", "@empty.trace"},
	"fixtures schema":       {"", "DATA"},
	"allow":                 {"@calls.yaml", "--list", "--revoke @calls.yaml", "@bad.yaml", "@missing", "@fixtures.yaml"},
	"trace":                 {"", "DATA"},
	"fixtures record": {
		"@machine.asl.json --fixtures @fixtures.yaml", "@machine.asl.json --fixtures @failing.yaml -o @recorded.yaml", "@machine.asl.json --fixtures @failing.yaml -o @recorded.yaml", "@machine.asl.json --fixtures @calls.yaml",
		"@machine.asl.json --fixtures @calls.yaml --allow-live --redact $..DATA", "@machine.asl.json --fixtures @calls.yaml --allow-live --redact DATA", "@machine.asl.json --fixtures @fixtures.yaml -o @fixtures.yaml", "@machine.asl.json", "@wrong.asl.json", "DATA",
	},
	"trace info": {"@run.trace", "@failed.trace --json", "@broken.trace", "@empty.trace", "@missing", "@input.json"},
	"trace origin": {
		"@run.trace --path $", "@failed.trace --path $ --format json", "@run.trace --path $['DATA']", "@run.trace --path DATA", "@run.trace --event 1 --path $ --forward --all", "@run.trace", "@run.trace --path $ --format DATA",
		"@broken.trace --path $", "@missing --path $",
	},
	"trace query": {"@run.trace", "@failed.trace", "@failed.trace --count", "@run.trace DATA", "@run.trace $.DATA==1", "@broken.trace", "@run.trace @failed.trace", "@run.trace @missing --where seq==1", "@failed.trace --format tsv --columns seq,error,cause,$", "@failed.trace --format tsv --columns DATA", "@run.trace --format DATA", "@failed.trace --follow", "@missing --follow", "@run.trace DATA DATA"},
	"trace repair": {
		"@run.trace -o @repaired.trace", "@lost.trace -o @repaired.trace", "@repaired.trace -o DATA", "@broken.trace -o @missing", "@empty.trace -o @missing", "@missing --in-place", "@run.trace --in-place", "@run.trace",
	},
	"trace stats": {"@run.trace", "@failed.trace --json", "@broken.trace"},
	"replay": {
		"--verify @run.trace", "--verify @failed.trace --definition @task.asl.json", "--verify @run.trace --input DATA", "--verify @run.trace --input @input.json", "--verify @run.trace --definition @wrong.asl.json", "@broken.trace", "@missing",
		"--verify @failed.trace --fixtures @bad.yaml --definition @machine.asl.json", "--verify @run.trace --fork DATA", "--verify @run.trace @failed.trace @broken.trace @empty.trace", "--verify @run.trace @failed.trace --definition @task.asl.json", "--verify @failed.trace @missing",
		"--verify @failed.trace @broken.trace --definition @task.asl.json --format junit",
	},
	"compare": {
		"@machine.asl.json @machine.asl.json --histories @history.json", "@machine.asl.json @other.asl.json --histories @failed.trace --format md", "@task.asl.json @machine.asl.json --histories @run.trace --format json",
		"@machine.asl.json @task.asl.json --histories @failed.trace --format junit", "@machine.asl.json @wrong.asl.json --histories @history.json", "@machine.asl.json @machine.asl.json --histories @suite.test.yaml",
		"@machine.asl.json @machine.asl.json --histories @badhistory.json", "@machine.asl.json @missing --histories DATA", "@machine.asl.json @machine.asl.json --histories DATA", "@machine.asl.json @machine.asl.json --histories @run.trace --ignore DATA",
		"@machine.asl.json @task.asl.json --histories @history.json --redact DATA", "DATA",
		"@machine.asl.json @other.asl.json --histories @failed.trace --shard 1/1 --json -o @compared.json",
	},
	"why": {
		"@failed.trace", "@failed.trace --format json", "@failed.trace --format md", "@failed.trace --redact $..secret", "@run.trace", "@history.json", "@history.json --definition @machine.asl.json", "@history.json --definition @wrong.asl.json",
		"@badhistory.json", "@broken.trace", "@missing", "@none.asl.json", "@failed.trace --redact DATA", "@failed.trace --format DATA", "@history.json --execution DATA", "DATA",
		"--state-machine DATA", "--state-machine arn:aws:states:eu-west-1:1:stateMachine:DATA --endpoint-url DATA",
		"@history.json --since DATA",
	},
	"waiter":      {"@model.json --max-wait 5s", "@badmodel.json", "@missing"},
	"waiter list": {"@model.json", "@badmodel.json", "@none.asl.json", "@missing"},
	"waiter run": {
		"@model.json --max-wait 10s --fixtures @responses.yaml", "@model.json --max-wait 10s --fixtures @responses.yaml --events", "@model.json --max-wait 10s --fixtures @bad.yaml", "@model.json --waiter DATA --max-wait 5s", "@badmodel.json --max-wait 5s",
		"@model.json --max-wait 10s --fixtures @fixtures.yaml", "@model.json --max-wait 10s", "@model.json --max-wait DATA",
	},
	"waiter check": {
		"@model.json", "@badmodel.json", "@missing", "@badmodel.json --format github", "@badmodel.json --format junit", "@model.json --strict --format github",
	},
	"waiter simulate": {"@model.json --max-wait 60s --change-at 9s --runs 5", "@badmodel.json --max-wait 5s", "@model.json --max-wait 60s --change-at DATA"},
	"help":            {"DATA", "run"},
	"completion":      {"DATA"},
	"completion bash": {""}, "completion zsh": {""}, "completion fish": {""}, "completion powershell": {""},
	cobra.ShellCompRequestCmd: {"debug @machine.asl.json --break=", "waiter @model.json --waiter=", "waiter @badmodel.json --waiter="},
}

// arguments makes the words of a command line.
func (c *hostileCase) arguments(names map[string]string, name, line string) []string {
	args := strings.Fields(name)
	for _, word := range strings.Fields(line) {
		if file, is := strings.CutPrefix(word, "@"); is {
			if made, is := strings.CutPrefix(file, "+"); is {
				names[made] = c.file + made
				file = made
			}
			args = append(args, names[file])
			continue
		}
		args = append(args, strings.NewReplacer("DATA", c.data, "NAME", c.name).Replace(word))
	}
	return args
}

// reported are command lines of the commands that report, which are tried in each of their forms.
var reported = map[string]string{
	"validate": "@wrong.asl.json --strict", "compare": "@machine.asl.json @other.asl.json --histories @failed.trace", "why": "@failed.trace",
	"explore": "@machine.asl.json --fixtures @fixtures.yaml", "test": "@suite.test.yaml", "coverage report": "@cover.json",
	"merge": "@cover.json", "coverage merge": "@cover.json",
	"history stats": "@history.json --definition @machine.asl.json", "trace info": "@failed.trace", "trace stats": "@failed.trace", "trace origin": "@failed.trace --path $",
	"replay": "--verify @run.trace @failed.trace @broken.trace", "waiter check": "@badmodel.json", "graph": "@machine.asl.json", "keys": "",
}

// linesOf returns the lines of a command to try, with each form of its report.
func linesOf(t *testing.T, name string, cmd *cobra.Command) []string {
	t.Helper()
	lines := hostileCommands[name]
	if cmd == nil || cmd.Flags().Lookup("report") == nil {
		return lines
	}
	line, known := reported[name]
	if !known {
		t.Errorf("the reports of the command %q are not tried", name)
	}
	lines = slices.Clone(lines)
	for form := range strings.SplitSeq(cmd.Flags().Lookup("format").Value.Type(), "|") {
		if form == "stryker" {
			line = map[string]string{"test": "@suite.test.yaml --run ^c$ --mutate", "explore": "@suite.test.yaml:c --mutate"}[name]
		}
		lines = append(lines, line+" --format "+form)
	}
	return lines
}

// TestHostileTexts runs every command over names, data, causes and file names that would act on a terminal, or look like
// something else: nothing of them leaves the program but in a visible form. A command that is new must be added above.
func TestHostileTexts(t *testing.T) {
	commands := allCommands(newRoot(&command.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}))
	for name := range commands {
		if len(hostileCommands[name]) == 0 {
			t.Errorf("the command %q is not tried", name)
		}
	}
	order := slices.Sorted(maps.Keys(hostileCommands))
	slices.SortStableFunc(order, func(a, b string) int { return made(a) - made(b) })
	for i, c := range hostileCases() {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), c.file+"dir")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			t.Setenv("ASLDB_STATE", filepath.Join(dir, "state"))
			t.Setenv("XDG_CONFIG_HOME", dir)
			names := c.write(t)
			shown, pages := 0, 0
			for _, name := range order {
				for _, line := range linesOf(t, name, commands[name]) {
					args := c.arguments(names, name, line)
					var out, errs bytes.Buffer
					Main(args, strings.NewReader(c.data+"\n"), &out, &errs)
					what := "asldb " + name + " " + line
					checkVisible(t, what+": standard output", out.String())
					checkVisible(t, what+": standard error", errs.String())
					switch form := line[strings.LastIndexByte(line, ' ')+1:]; form {
					case "md", "markdown":
						pages++
						checkPage(t, what, out.Bytes(), errs.String())
					case "html":
						pages++
						checkHTML(t, what, out.String())
					}
					if all := strings.ToLower(out.String() + errs.String()); strings.Contains(all, "fake") || strings.Contains(all, "202e") || strings.Contains(all, "evil") {
						shown++
					}
				}
			}
			if shown < 100 {
				t.Errorf("only %d commands show what they were given", shown)
			}
			if pages < 27 {
				t.Errorf("only %d pages were read", pages)
			}
			checkWritten(t, dir, names)
			for _, file := range []string{"@fixtures.yaml", "@fromtrace.yaml", "@fromhistory.yaml"} {
				var out, errs bytes.Buffer
				Main(c.arguments(names, "run", "@machine.asl.json --fixtures "+file), strings.NewReader(""), &out, &errs)
				want := map[string]string{c.data: c.data}
				var got map[string]string
				if err := json.Unmarshal(out.Bytes(), &got); err != nil || !maps.Equal(got, want) {
					t.Errorf("with %s the output reads as %+q, want %+q: %v %s", file, got, want, err, errs.String())
				}
			}
		})
	}
}

// made orders the commands: those that write files for others come first.
func made(name string) int {
	switch name {
	case "run":
		return 0
	case "history export":
		return 1
	}
	return 2
}

// allCommands are the commands of a tree, by their paths without the program's name, and the one that shells call to
// complete words.
func allCommands(root *cobra.Command) map[string]*cobra.Command {
	found := map[string]*cobra.Command{cobra.ShellCompRequestCmd: nil}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		path := strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), root.Name()), " ")
		found[path] = cmd
		for _, child := range cmd.Commands() {
			walk(child)
		}
	}
	walk(root)
	return found
}

// checkVisible checks a text that has left the program.
func checkVisible(t *testing.T, what, text string) {
	t.Helper()
	fault := ""
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			fault = "a byte that is not UTF-8"
		} else if r != '\n' && r != '\t' && wording.Hidden(r) {
			fault = fmt.Sprintf("%U", r)
		}
		if fault != "" {
			fault += fmt.Sprintf(" in %+q", text[max(0, i-60):min(len(text), i+40)])
			break
		}
	}
	if at := strings.Index("\n"+text, "\nFAKE"); fault == "" && at >= 0 {
		fault = fmt.Sprintf("a separate line in %+q", text[max(0, at-60):min(len(text), at+40)])
	}
	if fault != "" {
		t.Errorf("%+q has %s", what, fault)
	}
}

// checkPage checks a page in Markdown, as GitHub reads it: it has no link, no image, and no HTML but asldb's own.
func checkPage(t *testing.T, what string, page []byte, errs string) {
	t.Helper()
	if len(page) == 0 {
		t.Errorf("%+q writes no page: %s", what, errs)
	}
	var out bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(markdown.WithUnsafe())).Convert(page, &out); err != nil {
		t.Fatal(err)
	}
	checkHTML(t, what, out.String())
}

// checkHTML checks a page in HTML.
func checkHTML(t *testing.T, what, page string) {
	t.Helper()
	if tag := foreign.FindString(filterOfCases.ReplaceAllString(page, "")); tag != "" {
		t.Errorf("%+q has %s in %s", what, tag, page)
	}
}

// filterOfCases matches the elements of the filter on the page of a test run, and the links to lines on that page.
var filterOfCases = regexp.MustCompile(`<input type="radio" name="of" value="(all" checked|failed")>|` +
	`<input type="search" name="text" placeholder="text in a case" aria-label="text in a case">|` +
	`<a href="#f[0-9]+-[0-9]+">|` +
	`<script>\nconst form = document\.querySelector\("\.filter"\);[^<]*filter\(\);\n</script>`)

// foreign matches elements that no report has.
var foreign = regexp.MustCompile(`(?i)<(a|img|script|del|em|input)[ >]`)

// checkWritten checks the files that commands have written for people: all but traces, which are data.
func checkWritten(t *testing.T, dir string, given map[string]string) {
	t.Helper()
	inputs := make(map[string]bool)
	for name, file := range given {
		switch name {
		case "history.json", "init.yaml", "converted.yaml", "fromhistory.yaml", "fromtrace.yaml":
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s was not written", name)
			}
		default:
			inputs[file] = true
		}
	}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || inputs[entry.Name()] {
			return err
		}
		data, err := os.ReadFile(path)
		checkVisible(t, "the file "+entry.Name(), string(data))
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// sequences are commands to a terminal: CSI, OSC with its text, and single characters.
var sequences = regexp.MustCompile(`\x1b\[[0-?]*[ -/]*[@-~]|\x1b\]([0-9]+);([^\x07\x1b]*)(?:\x07|\x1b\\)|\x1b[=>78()][B0]?`)

// checkTerminal checks all that was written to a terminal.
func checkTerminal(t *testing.T, raw string) {
	t.Helper()
	for _, sequence := range sequences.FindAllStringSubmatch(raw, -1) {
		switch {
		case sequence[1] == "":
		case sequence[1] != "0" && sequence[1] != "2" && sequence[1] != "10" && sequence[1] != "11":
			t.Errorf("the terminal is told %q", sequence[0])
		default:
			checkVisible(t, "the title", sequence[2])
		}
	}
	if strings.Contains(raw, "\x1b[31;77;88m") {
		t.Error("a sequence from the data reaches the terminal")
	}
	text := strings.NewReplacer("\r", "", "\b", "").Replace(sequences.ReplaceAllString(raw, ""))
	checkVisible(t, "the screen", text)
}
