package dap

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/fixtures"
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
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "editors", "vscode", "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Contributes struct {
			Debuggers []struct {
				ConfigurationAttributes map[string]struct{ Properties map[string]attribute }
			}
		}
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest.Contributes.Debuggers) != 1 {
		t.Fatalf("the manifest has %d debuggers", len(manifest.Contributes.Debuggers))
	}
	return manifest.Contributes.Debuggers[0].ConfigurationAttributes[request].Properties
}

// The extension for VS Code describes each attribute of launch, and none that the adapter does not read.
func TestVSCodeKnowsTheAttributesOfLaunch(t *testing.T) {
	described := attributesOf(t, "launch")
	var read []string
	of := reflect.TypeFor[launchArguments]()
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		if name == "" || name == "noDebug" { // the editor sets noDebug itself
			continue
		}
		read = append(read, name)
		if _, ok := described[name]; !ok {
			t.Errorf("editors/vscode/package.json does not describe %s", name)
		}
	}
	for name, a := range described {
		if !slices.Contains(read, name) {
			t.Errorf("editors/vscode/package.json describes %s, which the adapter does not read", name)
		}
		if a.Description == "" {
			t.Errorf("%s has no description", name)
		}
	}
}

// The adapter takes each value that the extension for VS Code suggests, and the extension suggests each name that there is.
func TestVSCodeSuggestsValuesOfLaunch(t *testing.T) {
	described := attributesOf(t, "launch")
	for name, parse := range map[string]func(string) error{
		"onMissing": func(text string) error { _, err := fixtures.ParseMissing(text); return err },
		"dialect":   func(text string) error { _, err := engine.ParseDialect(text); return err },
		"clock":     func(text string) error { _, err := debug.ParseClock(text); return err },
	} {
		a := described[name]
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
		if !slices.Contains(described["onMissing"].Enum, missing.String()) {
			t.Errorf("onMissing is not suggested as %s", missing)
		}
	}
	for _, dialect := range []engine.Dialect{engine.AWS, engine.Spec} {
		if !slices.Contains(described["dialect"].Enum, dialect.String()) {
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
			t.Errorf("extension.js uses :%s, which is no command of the repl", name)
		}
	}
}
