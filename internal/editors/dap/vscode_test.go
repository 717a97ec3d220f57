package dap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/fixtures"
	"asldb/internal/launch"
)

// attribute is an attribute of launch.json as the manifest of the extension for VS Code describes it.
type attribute struct {
	Description string
	Enum        []string
	Default     any
}

// attributesOf returns the attributes of a request in the manifest of the extension for VS Code.
func attributesOf(t *testing.T, request string) map[string]attribute {
	t.Helper()
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	var parsed struct {
		Contributes struct {
			Debuggers []struct {
				ConfigurationAttributes map[string]struct{ Properties map[string]attribute }
			}
		}
	}
	if err := json.Unmarshal(text, &parsed); err != nil {
		t.Fatal(err)
	}
	if len(parsed.Contributes.Debuggers) != 1 {
		t.Fatalf("the manifest has %d debuggers", len(parsed.Contributes.Debuggers))
	}
	return parsed.Contributes.Debuggers[0].ConfigurationAttributes[request].Properties
}

// manifest is the manifest of the extension for VS Code.
var manifest = filepath.Join("..", "..", "..", "editors", "vscode", "package.json")

// described are members of the schema of an attribute that the table of flags does not have: values for the editor to
// insert, and other words where the command line's do not fit.
var described = map[string]string{
	"program": `"default": "${file}",
		"description": "The definition: a file in JSON or YAML, or a template, a serverless.yml or a .tf file with one inside."`,
	"substitutions": `"type": ["object", "string"], "additionalProperties": {"type": "string"},
		"default": {"NAME": "value"},
		"description": "Values for ${NAME} in the definition and for the parameters of a template: an object, or the name of a file with one."`,
	"fixtures": `"default": "${fileDirname}/${1:order}.fixtures.yaml"`,
	"test":     `"default": "${workspaceFolder}/${1:order}.test.yaml:${2:case}"`,
	"input": `"default": {}, "defaultSnippets": [{"label": "a value", "body": {"${1:id}": "${2:value}"}},
		{"label": "a file", "body": "^\"\\${workspaceFolder}/${1:input}.json\""}],
		"description": "The input: any JSON value, or the name of a file as a string. Without it: the input in the fixtures, else {}."`,
	"history": `"default": "${workspaceFolder}/${1:history}.json"`,
	"trace": `"default": "${workspaceFolder}/${1:order}.trace",
		"description": "A recorded run, from a trace of asldb. Its run does not change."`,
	"redriveInput": `"description": "The input of the state that failed, in place of the recorded one: any JSON value, or the name of a file as a string."`,
	"onMissing":    `"enumDescriptions": ["stop, and ask you for the result", "fail the task", "return the payload of the task"]`,
	"clock": `"anyOf": [{"enum": ["skip", "real", "manual"]}, {"pattern": "^x[0-9.]+$"}], "defaultSnippets": [
		{"label": "skip", "body": "skip", "description": "go to the next timer at once"},
		{"label": "real", "body": "real", "description": "wait as long as the execution would"},
		{"label": "x60", "body": "x${1:60}", "description": "so many times as fast as real time"},
		{"label": "manual", "body": "manual", "description": "stop until you move the clock"}]`,
	"startTime": `"default": "2026-01-01T00:00:00Z"`,
	"allowLive": `"type": "boolean", "description": "true: the live calls of the fixtures are needed, so the launch fails until you allow them. ` +
		`false: nothing is called. Without it: the calls are made that you have allowed with asldb allow."`,
	"stopOnEntry": `"type": "boolean", "default": false, "description": "Stop before the first state."`,
	"stopAtEnd": `"type": "boolean", "default": true, ` +
		`"description": "Stop at the end of the execution, so that you can step back. Continue ends the session."`,
	"url": `"type": "string", "default": "http://127.0.0.1:8083", ` +
		`"description": "An asldb serve on this machine: the execution that is held, or the one of execution."`,
	"cwd": `"type": "string", "default": "${workspaceFolder}", "description": "The folder in which relative paths begin."`,
}

// ofRecordings are the attributes of attach.
var ofRecordings = []string{"program", "resource", "substitutions", "history", "execution", "attempt", "fork", "trace",
	"stopOnEntry", "stopAtEnd", "cwd"}

// schemaOf returns the schema of a row of the table of flags.
func schemaOf(t *testing.T, row *launch.Flag) string {
	t.Helper()
	members := map[string]any{"description": row.Sentence(row.Rest), "type": "string"}
	switch {
	case row.JSON:
		delete(members, "type")
	case row.Switch():
		members["type"] = "boolean"
	case row.Number():
		members["type"] = "integer"
	case row.Many():
		members["type"], members["items"] = []string{"string", "array"}, map[string]string{"type": "string"}
	case row.Words() != nil:
		members["enum"] = row.Words()
	}
	if row.Default != "" {
		members["default"] = row.Default
		if row.Switch() || row.Number() {
			members["default"] = json.RawMessage(row.Default)
		}
	}
	if err := json.Unmarshal([]byte("{"+described[row.Attribute()]+"}"), &members); err != nil {
		t.Fatalf("%s: %v", row.Attribute(), err)
	}
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The extension for VS Code describes the attributes of launch and attach as the table of flags and the adapter have
// them; -update writes them.
func TestVSCodeKnowsTheAttributesOfLaunch(t *testing.T) {
	own := map[string]bool{}
	of := reflect.TypeFor[launchArguments]()
	for i := range of.NumField() {
		if name := of.Field(i).Tag.Get("json"); name != "" && name != "noDebug" { // the editor sets noDebug itself
			own[name] = true
		}
	}
	var launched, attached []string
	add := func(name, schema string) {
		launched = append(launched, fmt.Sprintf("%q: %s", name, schema))
		if slices.Contains(ofRecordings, name) {
			attached = append(attached, launched[len(launched)-1])
		}
	}
	for _, row := range launch.Flags(launch.Edited) {
		add(row.Attribute(), schemaOf(t, row))
	}
	for _, name := range []string{"allowLive", "stopOnEntry", "stopAtEnd", "cwd"} {
		if !own[name] {
			t.Errorf("the adapter does not read %s", name)
		}
		delete(own, name)
		add(name, "{"+described[name]+"}")
	}
	attached = append(attached, `"url": {`+described["url"]+`}`)
	if delete(own, "url"); len(own) > 0 {
		t.Errorf("not described: %v", own)
	}
	var schema bytes.Buffer
	properties := func(list []string) string { return `{"properties": {` + strings.Join(list, ", ") + "}}" }
	both := `{"launch": ` + properties(launched) + `, "attach": ` + properties(attached) + "}"
	if err := json.Indent(&schema, []byte(both), "        ", "  "); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(text), `"configurationAttributes": `)
	_, tail, found := strings.Cut(rest, ",\n        \"initialConfigurations\"")
	if !found {
		t.Fatal("the manifest has no initialConfigurations behind its attributes")
	}
	want := head + `"configurationAttributes": ` + schema.String() + ",\n        \"initialConfigurations\"" + tail
	switch {
	case want == string(text):
	case *update:
		if err := os.WriteFile(manifest, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("editors/vscode/package.json does not describe the attributes that the adapter reads; " +
			"go test ./internal/editors/dap -run TestVSCodeKnowsTheAttributes -update writes it")
	}
}

// The adapter takes each value that the extension for VS Code suggests, and the extension suggests each name that there
// is.
func TestVSCodeSuggestsValuesOfLaunch(t *testing.T) {
	shown := attributesOf(t, "launch")
	for name, parse := range map[string]func(string) error{
		"onMissing": func(text string) error { _, err := fixtures.ParseMissing(text); return err },
		"dialect":   func(text string) error { _, err := engine.ParseDialect(text); return err },
		"clock":     func(text string) error { _, err := debug.ParseClock(text); return err },
	} {
		a := shown[name]
		if text, ok := a.Default.(string); !ok || parse(text) != nil {
			t.Errorf("%s has the default %v", name, a.Default)
		}
		for _, text := range a.Enum {
			if err := parse(text); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for _, missing := range []fixtures.Missing{fixtures.Ask, fixtures.Fail, fixtures.Echo} {
		if !slices.Contains(shown["onMissing"].Enum, missing.String()) {
			t.Errorf("onMissing is not suggested as %s", missing)
		}
	}
	for _, dialect := range []engine.Dialect{engine.AWS, engine.Spec} {
		if !slices.Contains(shown["dialect"].Enum, dialect.String()) {
			t.Errorf("dialect is not suggested as %s", dialect)
		}
	}
}

// The extension for VS Code knows the events of asldb's own, and answers by commands of the repl that there are.
func TestVSCodeKnowsTheEvents(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "editors", "vscode", "extension.js"))
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range []string{eventNeedsResult, eventNeedsConsent} {
		if !strings.Contains(string(text), "'"+event+"'") {
			t.Errorf("extension.js does not know the event %s", event)
		}
	}
	for _, name := range []string{"answer", "fail"} {
		if !strings.Contains(string(text), "`:"+name+" ") {
			t.Errorf("extension.js does not use :%s", name)
		}
		if !slices.ContainsFunc(commands, func(c command) bool { return c.name == name }) {
			t.Errorf("extension.js uses :%s, which is not a command of the repl", name)
		}
	}
}
