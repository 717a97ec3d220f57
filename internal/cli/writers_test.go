package cli_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"asldb/internal/cli"
	"asldb/internal/definitions"
	"asldb/internal/testkit"
)

// output is the name of the file that is written: a suite's, as --save wants it.
const output = "new.test.yaml"

// writers are the flags by which commands write, with the words that name the file that is written, OUT.
var writers = map[string]string{
	"output": "-o OUT", "report": "--report text=OUT", "svg": "--keys i --svg OUT", "cast": "--keys i --cast OUT",
	"coverage-out": "--coverage-out OUT", "save": "--save OUT", "in-place": "--in-place",
	"write-baseline": "--write-baseline --baseline OUT", "fix": "--fix", "update": "--update",
}

// readers are the flags with a file that is read.
var readers = strings.Fields(`
	baseline bindings cases-of config context coverage coverage-in definition explore faults fixtures from histories
	history input mock mock-config prices project recording redrive redrive-input root state-configuration
	substitutions suite template test variables`)

// appended is the flag of traces, which are appended to during a run: TestFaultsWhileRecording of recorder is
// about them.
const appended = "trace"

// elsewhere are the flags of single commands that are no writers here, and why.
var elsewhere = map[string]string{
	"asldb demo save":            "a new folder is copied, and removed as a whole after an error",
	"asldb fetch output":         "TestFolderOnAFullDisk of internal/executions has it, with a stub of the service",
	"asldb why into":             "it is the folder of asldb fetch",
	"asldb serve trace-dir":      "traces are appended to during a run, as --trace's are",
	"asldb serve log":            "events are appended to it while the server answers",
	"asldb serve coverage-out":   "it is written at the end of the server, as asldb run writes it",
	"asldb serve junit":          "it is written at the end of the server, by files.Begin as other reports",
	"asldb validate record-case": "it calls the service first; the file is written as the one of record-case",
	"asldb record-case output":   "it calls the service first; the file is written as fixtures init writes it",
}

// The definition of the demo and a waiter with their results.
const (
	ofDemo   = "order.asl.json -f order.fixtures.yaml"
	ofWaiter = "waiter jobs.smithy --max-wait 60s --fixtures responses.yaml"
)

// commands are command lines that write with a flag of writers added. The exit status tells something else, too, where
// it is not 0.
var commands = map[string][]struct {
	line   string
	status int
	flags  string // that the line is for; empty: all that no other line of the command is for
}{
	"asldb":       {{line: ofDemo + " --no-state"}},
	"asldb debug": {{line: "debug " + ofDemo + " --no-state"}},
	"asldb demo":  {{line: "demo --no-state"}},
	"asldb run":   {{line: "run " + ofDemo}},
	"asldb test": {
		{line: "test order.test.yaml --no-state"},
		{line: "test order.test.yaml --no-state --report json", flags: "report"},
		{line: "test order.test.yaml --mutate --mutants 2", flags: "report"},
		{line: "test snap.test.yaml --no-state", flags: "update"},
	},
	"asldb test init":             {{line: "test init order.asl.json"}},
	"asldb fixtures init":         {{line: "fixtures init order.asl.json"}},
	"asldb fixtures convert":      {{line: "fixtures convert order.fixtures.yaml --to mock-config"}},
	"asldb fixtures from-history": {{line: "fixtures from-history history.json"}},
	"asldb fixtures from-trace":   {{line: "fixtures from-trace run.trace"}},
	"asldb fixtures record": {
		{line: "fixtures record " + ofDemo, flags: "output"},
		{line: "fixtures record " + ofDemo + " --force", flags: "output"},
	},
	"asldb explore":         {{line: "explore " + ofDemo + " --runs 20"}},
	"asldb compare":         {{line: "compare order.asl.json order-v2.asl.json --histories ./recorded", status: 3}},
	"asldb coverage merge":  {{line: "coverage merge cov.json"}},
	"asldb merge":           {{line: "merge cov.json"}},
	"asldb coverage report": {{line: "coverage report cov.json"}},
	"asldb graph":           {{line: "graph order.asl.json"}},
	"asldb history export":  {{line: "history export run.trace"}},
	"asldb history import":  {{line: "history import history.json"}},
	"asldb history stats":   {{line: "history stats history.json"}},
	"asldb keys":            {{line: "keys"}},
	"asldb replay":          {{line: "replay run.trace"}, {line: "replay run.trace --verify", flags: "output report"}},
	"asldb trace info":      {{line: "trace info run.trace"}},
	"asldb trace origin":    {{line: "trace origin run.trace --path $"}},
	"asldb trace repair":    {{line: "trace repair cut.trace"}},
	"asldb trace stats":     {{line: "trace stats run.trace"}},
	"asldb validate": {
		{line: "validate bad.asl.json", status: 1}, {line: "validate bad.asl.json", flags: "write-baseline"},
		{line: "validate misspelt.asl.json", flags: "fix"},
	},
	"asldb waiter":       {{line: ofWaiter + " --no-state"}},
	"asldb waiter check": {{line: "waiter check stuck.smithy", status: 1}},
	"asldb waiter run":   {{line: "waiter run" + strings.TrimPrefix(ofWaiter, "waiter")}},
	"asldb why":          {{line: "why failed.json"}},
}

// written returns the files that the writers read, and their own output as it is before.
func written(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{
		"bad.asl.json":      `{"StartAt":"A","States":{"A":{"Type":"Pass","End":true},"B":{"Type":"Pass","End":true}}}`,
		"misspelt.asl.json": `{"StartAt":"A","States":{"A":{"Type":"Pass","Nxt":"B"},"B":{"Type":"Succeed"}}}`,
		"snap.test.yaml":    "version: 1\ndefinition: order.asl.json\ncases:\n  a: {snapshot: true}\n",
	}
	for _, name := range []string{"jobs.smithy", "responses.yaml"} {
		texts[name] = string(testkit.Read(t, filepath.Join("..", "..", "testdata", "waiter", name)))
	}
	texts["stuck.smithy"] = strings.Replace(texts["jobs.smithy"], `"success"`, `"retry"`, 1)
	err := fs.WalkDir(definitions.Files(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(definitions.Files(), name)
		texts[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := testkit.New(t, texts)
	for _, line := range []string{
		"run " + ofDemo + " --format history", "run " + ofDemo + " --trace OUT.trace --coverage-out OUT.json",
	} {
		history, _ := execute(t, dir, line, "run", 0)
		texts["history.json"] = cmp.Or(texts["history.json"], history)
	}
	made := testkit.Texts(t, dir)
	texts["run.trace"], texts["cov.json"] = made["run.trace"], made["run.json"]
	texts["cut.trace"] = texts["run.trace"][:len(texts["run.trace"])-5]
	return texts
}

// execute runs a command line with the files of a folder.
func execute(t *testing.T, dir, line, out string, want int) (printed string, failed error) {
	t.Helper()
	words := strings.Fields(line)
	for i, word := range words {
		form, name, ok := strings.Cut(word, "=")
		if !ok {
			form, name = "", word
		} else {
			form += "="
		}
		if rest, ok := strings.CutPrefix(name, "OUT"); ok {
			words[i] = form + filepath.Join(dir, out+rest)
		} else if strings.Contains(name, ".") {
			words[i] = form + filepath.Join(dir, name)
		}
	}
	var stdout, stderr bytes.Buffer
	status := cli.Main(words, strings.NewReader(""), &stdout, &stderr)
	switch {
	case strings.Contains(stderr.String(), testkit.ErrFull.Error()) && status == 2:
		return "", fmt.Errorf("%w: %s", testkit.ErrFull, stderr.String())
	case status != want:
		t.Errorf("%s: status %d, %s", line, status, stderr.String())
	}
	return stdout.String(), nil
}

// Every flag with a file is a reader or a writer, and every writer of a command has a line.
func TestWritersAreKnown(t *testing.T) {
	eachFlag(cli.Commands(), func(cmd *cobra.Command, f *pflag.Flag) {
		at := cmd.CommandPath() + " " + f.Name
		value, _ := pflag.UnquoteUsage(f)
		switch named := strings.Contains(value, "FILE") || value == "DIR" || value == "FOLDER"; {
		case elsewhere[at] != "", f.Name == appended:
		case writers[f.Name] == "" && (!named || slices.Contains(readers, f.Name)):
		case writers[f.Name] == "":
			t.Errorf("--%s is neither a reader nor a writer", f.Name)
		case len(linesOf(cmd.CommandPath(), f.Name)) == 0:
			t.Errorf("%s writes, and has no line", at)
		}
	})
}

// eachFlag calls do with the flags of a command and of those below it.
func eachFlag(cmd *cobra.Command, do func(*cobra.Command, *pflag.Flag)) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { do(cmd, f) })
	for _, below := range cmd.Commands() {
		eachFlag(below, do)
	}
}

// linesOf returns the places of the lines for a flag of a command.
func linesOf(command, flag string) (at []int) {
	rest := -1
	for i, c := range commands[command] {
		switch {
		case c.flags == "":
			rest = i
		case slices.Contains(strings.Fields(c.flags), flag):
			at = append(at, i)
		}
	}
	if len(at) == 0 && rest >= 0 {
		at = append(at, rest)
	}
	return at
}

// eachLine calls do with every command line that writes, as a subtest.
func eachLine(t *testing.T, do func(t *testing.T, line string, status int)) {
	eachFlag(cli.Commands(), func(cmd *cobra.Command, f *pflag.Flag) {
		words := writers[f.Name]
		if words == "" || elsewhere[cmd.CommandPath()+" "+f.Name] != "" {
			return
		}
		for _, i := range linesOf(cmd.CommandPath(), f.Name) {
			c := commands[cmd.CommandPath()][i]
			t.Run(c.line+" "+words, func(t *testing.T) { do(t, c.line+" "+words, c.status) })
		}
	})
}

// Every command that writes a file leaves the old one or the new one, whichever of its calls fails, and its status says
// so.
func TestWritersOnAFullDisk(t *testing.T) {
	texts := written(t)
	eachLine(t, func(t *testing.T, line string, status int) {
		testkit.EachFailure(t, texts, func(dir string) error {
			_, err := execute(t, dir, line, output, status)
			return err
		})
	})
}

// Allowing and revoking leave the old consent or the new one, whichever call fails.
func TestConsentsOnAFullDisk(t *testing.T) {
	fixed := testkit.New(t, map[string]string{
		"pay.yaml": "version: 1\nallowLive: true\ntasks: {Pay: [{exec: {command: [\"true\"]}}]}\n",
	})
	said := func(line string) func(dir string) error {
		return func(dir string) error {
			t.Setenv("ASLDB_STATE", dir)
			_, err := execute(t, fixed, line, "", 0)
			return err
		}
	}
	testkit.EachFailure(t, nil, said("allow pay.yaml"))
	state := testkit.New(t, nil)
	if err := said("allow pay.yaml")(state); err != nil {
		t.Fatal(err)
	}
	testkit.EachFailure(t, testkit.Texts(t, state), said("allow --revoke pay.yaml"))
}
