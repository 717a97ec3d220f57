package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine/services"
)

// ovens is a small model: a shape that contains itself, a token, an error of the old form, two versions.
const ovens = `{
  "metadata": {"serviceId": "Oven Control", "endpointPrefix": "oven"},
  "operations": {
    "StartBaking": {
      "name": "StartBaking", "http": {"method": "POST"},
      "input": {"shape": "StartRequest"}, "output": {"shape": "StartAnswer"},
      "errors": [{"shape": "TooHotFault"}, {"shape": "Busy"}]
    },
    "StopAll": {"name": "StopAll"}
  },
  "shapes": {
    "StartRequest": {
      "type": "structure", "required": ["recipe", "token"],
      "members": {
        "recipe": {"shape": "Recipe", "documentation": "gone"},
        "token": {"shape": "Name", "idempotencyToken": true},
        "DBName": {"shape": "Name"}
      }
    },
    "Recipe": {"type": "structure", "members": {"parts": {"shape": "Recipes"}, "heat": {"shape": "Heat"}, "labels": {"shape": "Labels"}}},
    "Recipes": {"type": "list", "member": {"shape": "Recipe"}, "max": 3},
    "Labels": {"type": "map", "key": {"shape": "Name"}, "value": {"shape": "Mode"}},
    "Heat": {"type": "double", "min": -0.5, "max": 300},
    "Mode": {"type": "string", "enum": ["FAST", "SLOW"]},
    "Name": {"type": "string", "min": 1, "max": 64, "pattern": "a*"},
    "StartAnswer": {"type": "structure", "members": {"At": {"shape": "Time"}}},
    "Time": {"type": "timestamp"},
    "TooHotFault": {"type": "structure", "members": {}, "exception": true},
    "Busy": {"type": "structure", "members": {}, "exception": true}
  }
}`

// folder writes models as the SDK has them.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRun(t *testing.T) {
	dir := folder(t, map[string]string{
		"ovens/2020-01-01/api-2.json":  `{"metadata": {"serviceId": "Old Oven"}}`,
		"ovens/2024-01-01/api-2.json":  ovens,
		"ovens/2024-01-01/docs-2.json": `{}`,
		"fridge/2024-01-01/api-2.json": `{"metadata": {"serviceId": "Fridge"}}`,
	})
	write := func() string {
		t.Helper()
		out := filepath.Join(t.TempDir(), "table.bin")
		if err := run(dir, out); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	file := write()
	for range 3 {
		if write() != file {
			t.Fatal("two runs give different bytes")
		}
	}
	table, err := services.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	s, found := table.Find("ovencontrol")
	if !found || s.Prefix != "OvenControl" || table.Nearest("oven") != "ovencontrol" {
		t.Fatalf("%v %+v", found, s)
	}
	if _, found := table.Find("oldoven"); found {
		t.Error("the older version is there")
	}
	o, found := s.Operation("startBaking")
	if !found {
		t.Fatal("no startBaking")
	}
	for name, required := range map[string]bool{"Recipe": true, "Token": false, "DbName": false} {
		if m, found := o.Input.Member(name); !found || m.Required != required {
			t.Errorf("%s: %v %+v", name, found, m)
		}
	}
	recipe, _ := o.Input.Member("Recipe")
	parts, _ := recipe.Shape.Member("Parts")
	if parts.Shape.Kind != services.List || parts.Shape.Item != recipe.Shape || *parts.Shape.Max != 3 {
		t.Errorf("Parts: %+v", parts.Shape)
	}
	heat, _ := recipe.Shape.Member("Heat")
	if *heat.Shape.Min != -0.5 || *heat.Shape.Max != 300 || heat.Shape.Kind != services.Float {
		t.Errorf("Heat: %+v", heat.Shape)
	}
	if labels, _ := recipe.Shape.Member("Labels"); strings.Join(labels.Shape.Item.Enum, " ") != "FAST SLOW" {
		t.Errorf("Labels: %+v", labels.Shape)
	}
	if len(o.Errors) != 2 || o.Errors[0].Name != "BusyException" || o.Errors[1].Name != "TooHotException" {
		t.Errorf("errors %v", o.Errors)
	}
	if stop, found := s.Operation("stopAll"); !found || stop.Input != nil || stop.Output != nil {
		t.Errorf("stopAll: %v %+v", found, stop)
	}
}

func TestRefused(t *testing.T) {
	for name, dir := range map[string]string{
		"no folder":       filepath.Join(t.TempDir(), "none"),
		"no serviceId":    folder(t, map[string]string{"a/1/api-2.json": `{}`}),
		"no JSON":         folder(t, map[string]string{"a/1/api-2.json": `{`}),
		"an unknown type": folder(t, map[string]string{"a/1/api-2.json": `{"metadata":{"serviceId":"A"},"operations":{"O":{"input":{"shape":"S"}}},"shapes":{"S":{"type":"tensor"}}}`}),
		"one ID twice":    folder(t, map[string]string{"a/1/api-2.json": `{"metadata":{"serviceId":"A"}}`, "b/1/api-2.json": `{"metadata":{"serviceId":"A"}}`}),
	} {
		if err := run(dir, filepath.Join(t.TempDir(), "out")); err == nil {
			t.Errorf("%s: written", name)
		}
	}
}

// TestCommitted compares the committed table with the one that the module's models give.
func TestCommitted(t *testing.T) {
	out := filepath.Join(t.TempDir(), "table.bin")
	if err := run("", out); err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile(filepath.FromSlash("../../engine/services/table.bin"))
	if err != nil {
		t.Fatal(err)
	}
	if string(made) != string(committed) {
		t.Error("engine/services/table.bin is another: run go generate ./engine/services")
	}
}
