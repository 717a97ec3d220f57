package cli

import (
	"bytes"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"asldb/internal/cli/command"
	"asldb/internal/testkit"
)

// goWords are words of Go's libraries and of the system's calls, which say nothing to a user of asldb.
var goWords = regexp.MustCompile(`(^|\s)((f?l?stat|open(at)?|read|readlink|mkdir(at)?|unlink(at)?|rename(at)?|readdirent|fork/exec|exec|(listen|dial) tcp) ("[^"]*"|\S+): |(listen|dial) tcp: |` +
	`(strconv|json|yaml|time|regexp|gzip|zstd)(\.\w+)?: )|invalid character|end of JSON input|cannot unmarshal|Go (struct|value)|%!|invalid argument "|unknown command "|` +
	`parsing regexp|unexpected EOF|<nil>|invalid syntax|context (deadline|canceled)`)

// wordsArguments are arguments of commands that take no definition, by the beginnings of their names.
var wordsArguments = map[string][]string{
	"compare": {"machine.asl.json", "machine.asl.json"}, "coverage": {"cover.json"}, "merge": {"cover.json"}, "history import": {"history.json"}, "history stats": {"history.json"},
	"history export": {"run.trace"}, "trace": {"run.trace"}, "replay": {"run.trace"}, "why": {"run.trace"}, "test": {"suite.test.yaml"}, "test init": {"machine.asl.json"},
	"fixtures check": {"fixtures.yaml"}, "fixtures convert": {"fixtures.yaml"}, "fixtures from-trace": {"run.trace"}, "fixtures from-history": {"history.json"}, "allow": {"fixtures.yaml"},
	"waiter": {"model.json"}, "fetch": {"nonsense"}, "eval": {}, "rules": {}, "keys": {}, "config": {}, "dap": {}, "lsp": {},
	"serve": {"--probe"}, "attach": {"http://127.0.0.1:8083"}, "mcp": {}, "project schema": {}, "fixtures schema": {},
}

// argumentsFor returns the arguments of a command: the arguments of the longest name that it begins with.
func argumentsFor(command string) []string {
	for name := command; name != ""; name = name[:max(strings.LastIndexByte(name, ' '), 0)] {
		if args, known := wordsArguments[name]; known {
			return args
		}
	}
	return []string{"machine.asl.json"}
}

// Every command says what is wrong in its own words, whichever argument or flag is wrong.
func TestWordsOfErrors(t *testing.T) {
	const machine = `{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}`
	files := map[string]string{
		"machine.asl.json": machine, "fixtures.yaml": "version: 1\ntasks: {}\n", "suite.test.yaml": "version: 1\ndefinition: machine.asl.json\ncases: {a: {expect: {status: SUCCEEDED}}}\n",
		"broken.json": `{"a": `, "number.json": `{"version": "x", "events": 3, "StateMachines": 4, "definitions": 5, "keys": 6}`, "binary": "\x1f\x8b\x00\xff", "model.json": `{"smithy": "2.0", "shapes": {}}`,
	}
	dir := testkit.New(t, files)
	t.Chdir(dir)
	t.Setenv("ASLDB_STATE", filepath.Join(dir, "state"))
	t.Setenv("XDG_CONFIG_HOME", dir)
	var config net.ListenConfig
	if taken, err := config.Listen(t.Context(), "tcp", "127.0.0.1:8083"); err == nil { // so that no server begins
		defer taken.Close()
		go func() {
			for c, err := taken.Accept(); err == nil; c, err = taken.Accept() {
				_ = c.Close()
			}
		}()
	}
	run := func(args ...string) (out, errs string) {
		var stdout, stderr bytes.Buffer
		Main(args, strings.NewReader(""), &stdout, &stderr)
		return stdout.String(), stderr.String()
	}
	run("run", "machine.asl.json", "--trace", "run.trace", "--coverage-out", "cover.json", "--start-time", "2026-01-01T00:00:00Z")
	recorded, _ := run("run", "machine.asl.json", "--format", "history", "--start-time", "2026-01-01T00:00:00Z")
	for _, name := range []string{"run.trace", "cover.json"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(data)
	}
	files["history.json"] = recorded
	if err := os.WriteFile("history.json", []byte(recorded), 0o600); err != nil {
		t.Fatal(err)
	}
	bad := []string{"missing/below.json", "missing.json", ".", "machine.asl.json/below", "broken.json", "number.json", "binary", "nonsense", "-1", "5", "127.0.0.1:99999", "99999999999999999999", "[", ""}
	tried, seen := 0, make(map[string]bool)
	try := func(args ...string) {
		tried++
		_, errs := run(args...)
		if found := goWords.FindString(strings.NewReplacer("cannot read ", "", "cannot open ", "").Replace(errs)); found != "" {
			t.Errorf("asldb %q: %q in\n%s", args, found, errs)
		}
	}
	all := allCommands(newRoot(&command.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if all[name] == nil || name == "demo" { // it is for shells; it writes a folder
			continue
		}
		path, good := strings.Fields(name), argumentsFor(name)
		for i := range max(len(good), 1) {
			for _, word := range bad {
				args := slices.Clone(good)
				if i < len(args) {
					args[i] = word
				} else {
					args = []string{word}
				}
				try(append(slices.Clone(path), args...)...)
			}
		}
		all[name].Flags().VisitAll(func(f *pflag.Flag) {
			if key := f.Name + f.Usage; seen[key] || f.Name == "help" {
				return
			} else {
				seen[key] = true
			}
			for _, word := range bad[1:] {
				if f.Value.Type() == "bool" && word != "nonsense" {
					continue
				}
				try(append(append(slices.Clone(path), good...), "--"+f.Name+"="+word)...)
			}
			for file, text := range files { // those that are written to
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, word := range bad {
				if files[word] == "" && word != "." {
					_ = os.RemoveAll(word)
				}
			}
		})
	}
	if tried < 2000 {
		t.Errorf("only %d command lines were tried", tried)
	}
}
