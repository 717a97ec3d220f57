//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"asldb/internal/testkit"
)

const (
	plainMachine = `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","End":true}}}`
	plainSuite   = "version: 1\ndefinition: a.asl.json\ntasks: {A: [{output: 1}]}\ncases: {one: {snapshot: true}}\n"
	plainHistory = `{"events":[{"id":1,"type":"ExecutionStarted","timestamp":"2026-01-01T00:00:00Z","previousEventId":0,"executionStartedEventDetails":{"input":"{}","roleArn":"r"}},` +
		`{"id":2,"type":"ExecutionFailed","timestamp":"2026-01-01T00:00:01Z","previousEventId":1,"executionFailedEventDetails":{"error":"E"}}]}`
	secret = "S3CR3T-0123456789"
)

// special are the kinds of files that a clone can bring, or that are in the way of one.
var special = map[string]func(name string) error{
	"pipe":   func(name string) error { return syscall.Mkfifo(name, 0o600) },
	"device": func(name string) error { return os.Symlink("/dev/zero", name) },
	"link": func(name string) error {
		up := strings.Repeat("../", strings.Count(name, "/")+1)
		return os.Symlink(up+"outside", name)
	},
	"sparse": func(name string) error {
		if err := os.WriteFile(name, []byte("{"), 0o600); err != nil {
			return err
		}
		return os.Truncate(name, 3<<30)
	},
}

// scene is a repository with a special file, which asldb reads by itself or because another file names it.
type scene struct {
	special  string
	files    map[string]string
	commands []string
	// passed over: no command fails for the file. told: it is named all the same.
	passed, told bool
}

var scenes = map[string]scene{
	"project file": {special: ".asldb.yaml", commands: []string{
		"validate a.asl.json", "validate .", "run a.asl.json", "graph a.asl.json", "rules a.asl.json", "project", "project a.asl.json", "test s.test.yaml", "test init a.asl.json", "explore a.asl.json",
		"state a.asl.json --state A", "fixtures init a.asl.json", "fixtures check f.yaml --definition a.asl.json", "compare a.asl.json a.asl.json --histories h.json", "why h.json --definition a.asl.json",
		"history stats h.json --definition a.asl.json", "history import h.json --definition a.asl.json", "fixtures record a.asl.json -f f.yaml", "fixtures from-history h.json --definition a.asl.json",
	}},
	"gitignore": {special: ".gitignore", commands: []string{"validate ."}, passed: true},
	"exclude":   {special: ".git/info/exclude", commands: []string{"validate ."}, passed: true},
	"DefinitionUri": {special: "x.json", files: map[string]string{
		"t.yaml": "Resources:\n  M: {Type: AWS::Serverless::StateMachine, Properties: {DefinitionUri: x.json}}\n",
	}, commands: []string{"validate t.yaml", "validate t.yaml --format github", "run t.yaml", "graph t.yaml", "test init t.yaml", "compare t.yaml a.asl.json --histories h.json"}},
	"AWS::Include": {special: "x.json", files: map[string]string{
		"t.yaml": "Resources:\n  M: {Type: AWS::Serverless::StateMachine, Properties: {Definition: {Fn::Transform: {Name: AWS::Include, Parameters: {Location: x.json}}}}}\n",
	}, commands: []string{"validate t.yaml", "run t.yaml"}},
	"assets": {special: "App.assets.json", files: map[string]string{
		"App.template.json": `{"Resources":{"M":{"Type":"AWS::StepFunctions::StateMachine","Properties":{"DefinitionS3Location":{"Bucket":"b","Key":"k.json"}}}}}`,
	}, commands: []string{"validate App.template.json"}, passed: true},
	"manifest": {special: "manifest.json", files: map[string]string{
		"App.template.json": `{"Resources":{"M":{"Type":"AWS::StepFunctions::StateMachine","Properties":{"Definition":` + plainMachine + `}}}}`,
	}, commands: []string{"validate ."}, passed: true},
	"templatefile": {special: "x.json", files: map[string]string{
		"main.tf": "resource \"aws_sfn_state_machine\" \"m\" {\n  definition = templatefile(\"${path.module}/x.json\", {})\n}\n",
	}, commands: []string{"validate main.tf", "run main.tf"}},
	"terraform beside": {special: "x.tf", files: map[string]string{
		"main.tf": "resource \"aws_sfn_state_machine\" \"m\" {\n  definition = file(\"a.asl.json\")\n}\n",
	}, commands: []string{"validate main.tf", "validate ."}, passed: true},
	"serverless": {special: "x.json", files: map[string]string{
		"serverless.yml": "service: s\nprovider: {name: aws}\nstepFunctions:\n  stateMachines:\n    m:\n      definition: ${file(x.json)}\n",
	}, commands: []string{"validate serverless.yml", "run serverless.yml"}},
	"suite":     {special: "sub/x.test.yaml", commands: []string{"test", "test .", "test sub", "test --list"}},
	"snapshots": {special: "s.test.snap.yaml", commands: []string{"test s.test.yaml", "test s.test.yaml --update"}},
	"suite's definition": {special: "x.json", files: map[string]string{
		"s.test.yaml": "version: 1\ndefinition: x.json\ncases: {one: {expect: {status: FAILED}}}\n",
	}, commands: []string{"test s.test.yaml", "validate s.test.yaml", "run --test s.test.yaml:one", "explore s.test.yaml"}},
	"suite's files": {special: "x.json", files: map[string]string{
		"s.test.yaml": "version: 1\ndefinition: a.asl.json\ninclude: x.json\nsubstitutions: x.json\ncases: {one: {history: x.json}, two: {trace: x.json}}\n",
	}, commands: []string{"test s.test.yaml", "validate s.test.yaml", "fixtures check s.test.yaml"}},
	"project's files": {special: "x.json", files: map[string]string{
		".asldb.yaml": "baseline: x.json\nfixtures: x.json\nsubstitutions: x.json\n",
	}, commands: []string{"validate a.asl.json", "run a.asl.json", "validate .", "test s.test.yaml", "graph a.asl.json"}},
	"fixtures' files": {special: "x.json", files: map[string]string{
		"f.yaml": "version: 1\ninclude: x.json\ntasks: {A: [{file: x.json}, {asldb: {definition: x.json, fixtures: x.json}}]}\nobjects: {\"s3://b/k\": {file: x.json}}\n",
	}, commands: []string{"run a.asl.json -f f.yaml", "fixtures check f.yaml", "fixtures check f.yaml --definition a.asl.json", "fixtures convert f.yaml --to mock-config", "allow f.yaml", "fixtures record a.asl.json -f f.yaml", "validate a.asl.json --fixtures f.yaml"}},
	"history in a folder": {special: "recorded/x.json", commands: []string{"history stats recorded", "compare a.asl.json a.asl.json --histories recorded"}, passed: true},
	"trace in a folder":   {special: "recorded/x.trace", commands: []string{"history stats recorded", "compare a.asl.json a.asl.json --histories recorded", "trace query recorded", "replay --verify recorded"}, passed: true},
	"history's definition": {special: "x.json", files: map[string]string{
		"h.json": strings.Replace(plainHistory, `{"events"`, "{\"executionArn\": \"arn:aws:states:us-east-1:123456789012:execution:O:1\",\n\"status\": \"FAILED\",\n\"definition\": \"x.json\",\n\"events\"", 1),
	}, commands: []string{"why h.json", "history stats h.json"}, passed: true},
	"fixtures beside": {special: "a.fixtures.yaml", commands: []string{"run a.asl.json", "explore a.asl.json", "fixtures record a.asl.json"}, passed: true, told: true},
	"completion":      {special: "x.test.yaml", commands: []string{"__complete test x.test.yaml:"}, passed: true},
}

// mostAllocated bounds the memory that a command takes for a file that it does not read.
const mostAllocated = 128 << 20

// runBounded runs asldb; it fails where the command does not end, or takes memory as if it had read the file.
func runBounded(t *testing.T, args []string, input string) (status int, text string) {
	t.Helper()
	var out, errs bytes.Buffer
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	ended := make(chan int, 1)
	go func() { ended <- Main(args, strings.NewReader(input), &out, &errs) }()
	select {
	case status = <-ended:
	case <-time.After(30 * time.Second):
		t.Fatalf("asldb %s hangs", strings.Join(args, " "))
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > mostAllocated {
		t.Errorf("asldb %s takes %d MiB", strings.Join(args, " "), grown>>20)
	}
	if strings.Contains(out.String()+errs.String(), secret) {
		t.Errorf("asldb %s prints the file outside:\n%s%s", strings.Join(args, " "), out.String(), errs.String())
	}
	return status, out.String() + errs.String()
}

// repository makes the repository of a scene, with the file outside of it, and changes to it.
func (c *scene) repository(t *testing.T, kind string) {
	t.Helper()
	files := map[string]string{
		"outside": "TOKEN: " + secret + "\nroot:x:[" + secret + "\n", "repo/.git/HEAD": "", "repo/.git/info/none": "", "repo/recorded/h.json": plainHistory, "repo/sub/none": "",
		"repo/a.asl.json": plainMachine, "repo/s.test.yaml": plainSuite, "repo/f.yaml": "version: 1\ntasks: {A: [{output: 1}]}\n", "repo/h.json": plainHistory,
	}
	for name, text := range c.files {
		files["repo/"+name] = text
	}
	dir := testkit.New(t, files)
	t.Chdir(filepath.Join(dir, "repo"))
	t.Setenv("ASLDB_STATE", filepath.Join(dir, "state"))
	t.Setenv("XDG_CONFIG_HOME", dir)
	if err := special[kind](c.special); err != nil {
		t.Skip(err)
	}
}

// A clone can bring devices, pipes, files without an end and links to files outside behind every name that asldb reads
// by itself, or that another file names: each command ends with a clear error, in little memory, and shows nothing of
// the file.
func TestHostileRepository(t *testing.T) {
	for name := range scenes {
		c := scenes[name]
		for kind := range special {
			t.Run(name+"/"+kind, func(t *testing.T) {
				c.repository(t, kind)
				for _, line := range c.commands {
					status, text := runBounded(t, strings.Fields(line), "")
					if c.told && !strings.Contains(text, c.special) {
						t.Errorf("asldb %s does not name the file:\n%s", line, text)
					}
					if !c.passed && (status == 0 || !strings.Contains(text, filepath.Base(c.special))) {
						t.Errorf("asldb %s: status %d\n%s", line, status, text)
					}
				}
			})
		}
	}
}

// The language server answers about every file of such a repository.
func TestHostileRepositoryInAnEditor(t *testing.T) {
	for name := range scenes {
		c := scenes[name]
		for kind := range special {
			t.Run(name+"/"+kind, func(t *testing.T) {
				c.repository(t, kind)
				var input bytes.Buffer
				id := 0
				send := func(method string, ask bool, params any) {
					message := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
					if ask {
						id++
						message["id"] = id
					}
					text, _ := json.Marshal(message)
					fmt.Fprintf(&input, "Content-Length: %d\r\n\r\n%s", len(text), text)
				}
				here, _ := os.Getwd()
				send("initialize", true, map[string]any{"capabilities": map[string]any{}})
				open := map[string]string{"a.asl.json": plainMachine, "s.test.yaml": plainSuite, "f.yaml": "version: 1\n"}
				for name, text := range c.files {
					open[name] = text
				}
				for name, text := range open {
					document := map[string]any{"uri": "file://" + filepath.Join(here, name), "languageId": "yaml", "version": 1, "text": text}
					at := map[string]any{"textDocument": document, "position": map[string]any{"line": 0, "character": 1}}
					send("textDocument/didOpen", false, map[string]any{"textDocument": document})
					for _, method := range []string{"documentSymbol", "hover", "completion", "diagnostic"} {
						send("textDocument/"+method, true, at)
					}
				}
				send("shutdown", true, nil)
				send("exit", false, nil)
				status, text := runBounded(t, []string{"lsp"}, input.String())
				if status != 0 || strings.Count(text, `"id":`) < id {
					t.Errorf("status %d, %d of %d answers:\n%s", status, strings.Count(text, `"id":`), id, text)
				}
			})
		}
	}
}

// Files of the repository that are no definitions are named by one that is read: nothing of them is shown.
func TestNothingOfOtherFilesIsShown(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{".env", "TOKEN=" + secret}, {"keys.yaml", "aws: " + secret + "\nother: [x\n"}, {"list.yaml", "- " + secret + "\n"}, {"keys.json", `{"key": "` + secret + `"}`}, {"cut.json", `{"key": "` + secret},
	} {
		dir := testkit.New(t, map[string]string{
			"repo/.git/HEAD": "", "repo/a.asl.json": plainMachine, "repo/" + c.name: c.text,
			"repo/s.test.yaml":         "version: 1\ndefinition: " + c.name + "\ncases: {one: {expect: {status: FAILED}}}\n",
			"repo/h.test.yaml":         "version: 1\ndefinition: a.asl.json\ninclude: " + c.name + "\nsubstitutions: " + c.name + "\ncases: {one: {history: " + c.name + "}, two: {trace: " + c.name + "}}\n",
			"repo/i.test.yaml":         "version: 1\ndefinition: a.asl.json\ncases: {one: {history: " + c.name + ", snapshot: true}, two: {trace: " + c.name + ", snapshot: true}}\n",
			"repo/f.yaml":              "version: 1\ntasks: {A: [{asldb: {definition: " + c.name + "}}]}\n",
			"repo/t.yaml":              "Resources:\n  M: {Type: AWS::Serverless::StateMachine, Properties: {DefinitionUri: " + c.name + "}}\n",
			"repo/i.yaml":              "Resources:\n  M: {Type: AWS::Serverless::StateMachine, Properties: {Definition: {Fn::Transform: {Name: AWS::Include, Parameters: {Location: " + c.name + "}}}}}\n",
			"repo/main.tf":             "resource \"aws_sfn_state_machine\" \"m\" {\n  definition = templatefile(\"${path.module}/" + c.name + "\", {})\n}\n",
			"repo/serverless.yml":      "service: s\nprovider: {name: aws}\nstepFunctions:\n  stateMachines:\n    m:\n      definition: ${file(" + c.name + ")}\n",
			"repo/below/.asldb.yaml":   "baseline: ../" + c.name + "\n",
			"repo/below/p.asl.json":    plainMachine,
			"repo/other/.asldb.yaml":   "substitutions: ../" + c.name + "\n",
			"repo/other/p.asl.json":    plainMachine,
			"repo/another/.asldb.yaml": "fixtures: ../" + c.name + "\n",
			"repo/another/p.asl.json":  plainMachine,
		})
		t.Chdir(filepath.Join(dir, "repo"))
		t.Setenv("ASLDB_STATE", filepath.Join(dir, "state"))
		t.Setenv("XDG_CONFIG_HOME", dir)
		for _, line := range []string{
			"test s.test.yaml", "test s.test.yaml --report github", "test h.test.yaml", "test i.test.yaml", "validate s.test.yaml", "run --test s.test.yaml:one", "explore s.test.yaml", "run a.asl.json -f f.yaml", "fixtures check f.yaml", "fixtures check f.yaml --definition a.asl.json",
			"validate t.yaml", "validate t.yaml --format sarif", "run t.yaml", "validate i.yaml", "run i.yaml", "validate main.tf", "run main.tf", "validate serverless.yml", "run serverless.yml", "validate below/p.asl.json", "run other/p.asl.json", "run another/p.asl.json",
		} {
			status, text := runBounded(t, strings.Fields(line), "")
			if says := c.name + " is not a definition"; strings.HasPrefix(line, "test s.") && (status != 2 || !strings.Contains(text, says)) {
				t.Errorf("asldb %s: status %d, and not that %s:\n%s", line, status, says, text)
			}
		}
	}
}
