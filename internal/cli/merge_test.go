package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"asldb/internal/definitions"
	"asldb/internal/testkit"
)

// mergedSuite has cases that pass, fail in each way, cannot be checked, are skipped, new and made by a table.
const mergedSuite = `version: 1
definition: pay.asl.json
ignore: [{state: Late, reason: never}]
cases:
  pays: {input: {n: 1}, tasks: {Pay: [{output: {paid: true, at: 1.50}}]}, expect: {status: SUCCEEDED}, tags: [smoke]}
  wrong output:
    {input: {n: 1}, tasks: {Pay: [{output: {paid: true, at: 1.50}}]}, expect: {output: {paid: false, to: null}}}
  wrong status:
    {input: {n: 1}, tasks: {Pay: [{error: Card.Declined, cause: "\tnone"}]}, expect: {status: SUCCEEDED, path: [Pay]}}
  no result: {input: {n: 1}, expect: {status: SUCCEEDED}}
  skipped: {skip: not today, expect: {}}
  new: {input: {n: 9}, tasks: {Pay: [{output: {}}]}, snapshot: true}
  waits: {input: {n: 20}, expect: {status: SUCCEEDED}}
  "n is {{n}}":
    table: [{n: 1, error: X}, {n: 2, error: Y}, {n: 3, error: X}]
    input: {n: "{{n}}"}
    tasks: {Pay: [{error: "{{error}}"}]}
    expect: {status: FAILED, error: X}
`

const mergedMachine = `{"StartAt": "Sum", "States": {
  "Sum": {"Type": "Choice", "Default": "Pay",
    "Choices": [{"Variable": "$.n", "NumericGreaterThan": 10, "Next": "Later"}]},
  "Later": {"Type": "Wait", "Seconds": 86400, "Next": "Late"},
  "Late": {"Type": "Succeed"},
  "Pay": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:pay", "End": true,
    "Retry": [{"ErrorEquals": ["Y"], "MaxAttempts": 1, "IntervalSeconds": 3}]}}}`

// wallTimes are the times that a report has of the wall clock.
var wallTimes = regexp.MustCompile(
	`"wallSeconds":[^,}]*|time="[^"]*"( timestamp="[^"]*")?|` +
		`  [\d.]+[mµn]?s(\n|<|$)| · [\d.]+[mµn]?s |\d+\.?\d*[µm]?s`,
)

// mergedCommands are command lines whose shards are merged, by the names of their files.
var mergedCommands = []struct{ name, line, forms string }{
	{"cases", "test a.test.yaml b.test.yaml examples --no-state",
		"text tap junit github sarif codequality csv markdown"},
	{"coverage", "test a.test.yaml b.test.yaml examples --no-state --coverage", "text"},
	{"bars", "test examples --no-state --min 100,errors=50", "text"},
	{"compared", "compare order.asl.json order-v2.asl.json --histories histories --histories order.test.yaml " +
		"--fail-on payload,unjudged=5%", "text markdown html junit github sarif codequality csv"},
	{"itself", "compare order.asl.json renamed.asl.json --histories histories --redact $..card " +
		"--renamed ChargeCard=PayCard", "text"},
	{"figures", "history stats histories --definition order.asl.json --prices prices.yaml",
		"text markdown html csv tsv"},
	{"plain", "history stats histories recorded --memory 64", "text"},
	{"passed", "test examples --no-state --notices --repeat 2 --shuffle=7", "text"},
}

// The shards of a run are the run: whatever their number, merge prints the JSON of the whole, byte for byte, ends with
// its status and makes the same reports of it.
func TestShardsAreTheWhole(t *testing.T) {
	dir := testkit.New(t, map[string]string{
		"pay.asl.json": mergedMachine, "a.test.yaml": mergedSuite, "b.test.yaml": mergedSuite,
	})
	testkit.NoError(t, os.CopyFS(filepath.Join(dir, "examples"), os.DirFS("../../testdata/examples")))
	testkit.NoError(t, os.CopyFS(dir, definitions.Files()))
	t.Chdir(dir)
	renamed := strings.ReplaceAll(string(testkit.Read(t, "order.asl.json")), `"ChargeCard"`, `"PayCard"`)
	testkit.Write(t, "renamed.asl.json", renamed)
	testkit.Write(t, "prices.yaml", "version: 1\ncurrency: USD\ndefault: eu-west-1\nregions:\n"+
		"  eu-west-1: {per1000Transitions: 0.1, perMillionRequests: 2, perGBHour: 0.3}\n")
	recordedMany(t, dir)
	random := testkit.Random(t)
	for _, c := range mergedCommands {
		t.Run(c.name, func(t *testing.T) {
			status, whole := mergedRun(t, c.line+" --json")
			for _, n := range []int{2 + random.IntN(3), 5 + random.IntN(8)} {
				files := shardsOf(t, random, c.line, n)
				got, merged := mergedRun(t, "merge "+files)
				if merged != whole || got != status {
					t.Fatalf("%d shards: status %d, wanted %d%s", n, got, status, firstLines(whole, merged))
				}
				if n > 4 {
					continue
				}
				for form := range strings.FieldsSeq(c.forms) {
					_, want := mergedRun(t, c.line+" --format "+form)
					if _, merged := mergedRun(t, "merge "+files+" --format "+form); merged != want {
						t.Errorf("%d shards, form %s:%s", n, form, firstLines(want, merged))
					}
				}
			}
		})
	}
}

// recordedMany makes the folder histories: many executions, some in pages, one page alone, and a file without one.
func recordedMany(t *testing.T, dir string) {
	t.Helper()
	write := func(name, text string) {
		testkit.Write(t, filepath.Join(dir, "histories", name), text)
	}
	testkit.NoError(t, os.Mkdir(filepath.Join(dir, "histories"), 0o700))
	for i := range 12 {
		name := []string{"declined", "paid", "timeout"}[i%3]
		text := string(testkit.Read(t, dir, "recorded", name+".json"))
		write(fmt.Sprintf("h-%d.json", i), text)
		var history struct {
			Events    []json.RawMessage `json:"events"`
			NextToken string            `json:"nextToken,omitempty"`
		}
		testkit.NoError(t, json.Unmarshal([]byte(text), &history))
		if i < 3 {
			continue
		}
		events := history.Events
		for page := range 3 {
			history.NextToken = []string{"more", "more", ""}[page]
			history.Events = events[page*len(events)/3 : (page+1)*len(events)/3]
			data, err := json.Marshal(history)
			testkit.NoError(t, err)
			write(fmt.Sprintf("pages%c-%d.json", 'a'+i, 9+page), string(data))
		}
	}
	write("h-70.json", `{"events": [{"id": 7, "type": "TaskStateExited", "timestamp": 1}]}`)
	write("h-71.json", "{}")
	corpus, _ := filepath.Glob(filepath.Join(os.Getenv("ASLDB_CORPUS"), "histories", "real-*.json"))
	for _, file := range corpus {
		write(filepath.Base(file), string(testkit.Read(t, file)))
	}
}

// mergedRun runs a command line and returns its status and output without the times of the wall clock.
func mergedRun(t *testing.T, line string) (status int, out string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = Main(strings.Fields(line), strings.NewReader(""), &stdout, &stderr)
	if status == 2 {
		t.Fatalf("%s: %s", line, stderr.String())
	}
	return status, wallTimes.ReplaceAllString(stdout.String(), "-")
}

// Whatever is put in the place of a value in a shard, merge refuses it or makes a report, without a fault.
func TestDamagedShards(t *testing.T) {
	dir := testkit.New(t, map[string]string{"pay.asl.json": mergedMachine, "a.test.yaml": mergedSuite})
	testkit.NoError(t, os.CopyFS(dir, definitions.Files()))
	t.Chdir(dir)
	recordedMany(t, dir)
	random := testkit.Random(t)
	for _, line := range []string{
		"test a.test.yaml --no-state --coverage --min 10", "history stats recorded --definition order.asl.json",
		"compare order.asl.json order-v2.asl.json --histories recorded",
	} {
		shardsOf(t, random, line, 1)
		var lines []any
		whole := json.NewDecoder(bytes.NewReader(testkit.Read(t, "shard-0.out")))
		for v := any(nil); whole.Decode(&v) == nil; v = nil {
			lines = append(lines, v)
		}
		all := nodesOf(lines, nil)
		for range 60 {
			node := all[random.IntN(len(all)-1)+1]
			others := []any{nil, -1, 1e300, "", "x", []any{}, []any{nil}, map[string]any{}, map[string]any{"x": nil}}
			node.set(others[random.IntN(len(others))])
			var text bytes.Buffer
			for _, v := range lines {
				testkit.NoError(t, json.NewEncoder(&text).Encode(v))
			}
			node.set(node.was)
			testkit.Write(t, "bad.out", text.String())
			for _, form := range []string{"json", "text"} {
				var stdout, stderr bytes.Buffer
				Main([]string{"merge", "bad.out", "--format", form}, strings.NewReader(""), &stdout, &stderr)
				if strings.Contains(stderr.String(), "fault") {
					t.Fatalf("%s\n%s", text.String(), stderr.String())
				}
			}
		}
	}
}

// node is a value in others.
type node struct {
	was any
	set func(any)
}

// nodesOf returns a value and all that are in it.
func nodesOf(v any, set func(any)) []node {
	all := []node{{v, set}}
	switch of := v.(type) {
	case []any:
		for i := range of {
			all = append(all, nodesOf(of[i], func(other any) { of[i] = other })...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(of)) {
			all = append(all, nodesOf(of[key], func(other any) { of[key] = other })...)
		}
	}
	return all
}

// firstLines returns the first lines that differ.
func firstLines(want, got string) string {
	wanted, found := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(wanted), len(found)) {
		if wanted[i] != found[i] {
			return fmt.Sprintf("\nline %d\n- %s\n+ %s", i+1, wanted[i], found[i])
		}
	}
	return fmt.Sprintf(": %d lines, wanted %d", len(found), len(wanted))
}

// shardsOf writes the JSON of all shards of a command line in a random order, and returns the names of the files.
func shardsOf(t *testing.T, random *rand.Rand, line string, n int) string {
	t.Helper()
	var files []string
	for _, k := range random.Perm(n) {
		file := fmt.Sprintf("shard-%d.out", k)
		mergedRun(t, fmt.Sprintf("%s --shard %d/%d --report json=%s", line, k+1, n, file))
		files = append(files, file)
	}
	return strings.Join(files, " ")
}
