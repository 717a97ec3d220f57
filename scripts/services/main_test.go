package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
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
		if err := run(dir, out, ""); err != nil {
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
		if err := run(dir, filepath.Join(t.TempDir(), "out"), ""); err == nil {
			t.Errorf("%s: written", name)
		}
	}
}

// bakery is a newer module of the service of ovens: with schemas, or with serializers that name members by themselves.
func bakery(t *testing.T, named bool) *update {
	t.Helper()
	files := map[string]string{
		"api_client.go": "package ovens\nconst ServiceID = \"Oven Control\"\n",
		"CHANGELOG.md":  "# v1.2.3 (2026-11-10.2)\n\n* Feature\n\n# v1.2.2 (2025-01-02)\n",
		"auth.go":       "package ovens\nfunc f() { smithyhttp.SetSigV4SigningName(&props, \"oven\") }\n",
		"api_op_StartBaking.go": `package ovens
// StartBakingInput is the input.
type StartBakingInput struct {
	// The recipe. This is a sentence.
	//
	// This member is required.
	Recipe *types.Recipe
	// This member is required.
	Token *string
	// This member is required.
	DBName *string
	Rack types.Rack
	noSmithyDocumentSerde
}
type StartBakingOutput struct {
	At *time.Time
	// This member is required.
	Racks []types.Rack
	ResultMetadata middleware.Metadata
}
func (m *filled) HandleInitialize() {
	if input.Token == nil {
		t, err := m.tokenProvider.GetIdempotencyToken()
	}
}
`,
		"api_op_Clean.go": `package ovens
type CleanInput struct {}
type CleanOutput struct { Done bool; Image []byte; Any document.Interface }
`,
		"types/types.go": `package types
type Recipe struct {
	Heat *float64
	Labels map[string]Mode
	Parts []Recipe
}
type Rack interface { isRack() }
type RackMemberFlat struct { Value int32 }
type RackMemberDeep struct { Value Recipe }
type UnknownUnionMember struct { Tag string }
`,
		"types/enums.go": `package types
type Mode string
const (
	ModeTurbo Mode = "TURBO"
	ModeFast Mode = "FAST"
)
`,
		"types/errors.go": "package types\ntype Busy struct{}\ntype DoorOpen struct{}\n",
	}
	if named {
		const call = "var o = smithy.NewOperationSchema(schemas.O, "
		files["api_op_StartBaking.go"] += call + "schemas.StartRequest, schemas.StartAnswer)\n"
		files["api_op_Clean.go"] += call + "smithyprelude.Unit, schemas.CleanAnswer)\n"
		text := "package schemas\n"
		for line := range strings.Lines(`StartBaking Operation
StartRequest Structure
StartAnswer Structure
CleanAnswer Structure
Recipe Structure
Recipes List
Heat Double
Labels Map
Mode Enum
Rack Union
Racks List
Label String
`) {
			name, kind, _ := strings.Cut(strings.TrimSpace(line), " ")
			text += "var " + name + " = smithy.NewSchema(smithy.ShapeID{\n\tNamespace: \"x\",\n\tName: \"" + name
			text += "\",\n}, smithy.ShapeType" + kind + ", 0)\n"
		}
		files["schemas/schemas.go"] = text + `func init() {
	a = StartRequest.AddMember("recipe", Recipe)
	a = StartRequest.AddMember("token", smithyprelude.String)
	a = StartRequest.AddMember("DBName", Label, &smithytraits.JSONName{Name: "x"})
	a = StartRequest.AddMember("rack", Rack)
	a = StartAnswer.AddMember("At", smithyprelude.Timestamp)
	a = StartAnswer.AddMember("racks", Racks)
	a = CleanAnswer.AddMember("done", smithyprelude.PrimitiveBoolean)
	a = CleanAnswer.AddMember("image", smithyprelude.Blob)
	a = CleanAnswer.AddMember("any", smithyprelude.Document)
	a = Recipe.AddMember("heat", Heat)
	a = Recipe.AddMember("labels", Labels)
	a = Recipe.AddMember("parts", Recipes)
	a = Recipes.AddMember("member", Recipe)
	a = Racks.AddMember("member", Rack)
	a = Labels.AddMember("key", smithyprelude.String)
	a = Labels.AddMember("value", Mode)
	a = Mode.AddMember("TURBO", smithyprelude.Unit)
	a = Rack.AddMember("flat", smithyprelude.Integer)
	a = Rack.AddMember("deep", Recipe)
}
`
	} else {
		files["deserializers.go"] = `package ovens
func aws_deserializeOpErrorClean(r int) error {
	return aws_deserializeErrorDoorOpen(r)
}
`
	}
	u, err := readModule(folder(t, files))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// A newer module adds operations, members and words, and says which members are required; bounds and errors are the old
// model's.
func TestMerge(t *testing.T) {
	for _, named := range []bool{true, false} {
		old, err := parse([]byte(ovens), "ovens")
		if err != nil {
			t.Fatal(err)
		}
		list := join([]*model{old}, bakery(t, named))
		source, err := list[0].source()
		if err != nil || len(list) != 1 {
			t.Fatal(err)
		}
		file, err := writeTable([]Source{source})
		if err != nil {
			t.Fatal(err)
		}
		table, err := services.Read(string(file))
		if err != nil {
			t.Fatal(err)
		}
		s, _ := table.Find("ovencontrol")
		got, want := slices.Collect(s.Actions()), []string{"clean", "startBaking", "stopAll"}
		if s.Date != "November 2026" || !slices.Equal(got, want) {
			t.Fatalf("named %v: %s %v", named, s.Date, got)
		}
		member := func(of *services.Shape, name string) *services.Member {
			m, found := of.Member(name)
			if !found {
				t.Fatalf("named %v: no %s", named, name)
			}
			return m
		}
		start, _ := s.Operation("startBaking")
		for name, required := range map[string]bool{"Recipe": true, "Token": false, "DbName": true, "Rack": false} {
			if m := member(start.Input, name); m.Required != required || len(start.Input.Members) != 4 {
				t.Errorf("named %v, %s: %+v", named, name, m)
			}
		}
		if m := member(start.Input, "DbName"); m.Model != "DBName" || m.Shape.Min == nil || *m.Shape.Max != 64 {
			t.Errorf("named %v: %+v", named, m.Shape)
		}
		recipe := member(start.Input, "Recipe").Shape
		if heat := member(recipe, "Heat").Shape; heat.Kind != services.Float || *heat.Max != 300 {
			t.Errorf("named %v: %+v", named, heat)
		}
		if parts := member(recipe, "Parts").Shape; parts.Item != recipe || *parts.Max != 3 {
			t.Errorf("named %v: %+v", named, parts)
		}
		words := slices.Sorted(slices.Values(member(recipe, "Labels").Shape.Item.Enum))
		if !slices.Equal(words, []string{"FAST", "SLOW", "TURBO"}) {
			t.Errorf("named %v: %v", named, words)
		}
		rack := member(start.Output, "Racks")
		flat, deep := member(rack.Shape.Item, "Flat").Shape, member(rack.Shape.Item, "Deep").Shape
		if !rack.Required || rack.Model != "racks" || flat.Kind != services.Integer || deep != recipe {
			t.Errorf("named %v: %+v", named, rack)
		}
		clean, _ := s.Operation("clean")
		if clean.Input != nil {
			t.Errorf("named %v: %+v", named, clean)
		}
		kinds := map[string]services.Kind{"Done": services.Boolean, "Image": services.Blob, "Any": services.Any}
		for name, kind := range kinds {
			if m := member(clean.Output, name); m.Shape.Kind != kind {
				t.Errorf("named %v, %s: %+v", named, name, m.Shape)
			}
		}
		if len(start.Errors) != 2 || len(s.Errors()) != 3 || (len(clean.Errors) == 1) == named {
			t.Errorf("named %v: errors %v, %v, %v", named, start.Errors, s.Errors(), clean.Errors)
		}
	}
	// A service that is not among the old models.
	list := join([]*model{{aliases: []string{"other"}}}, bakery(t, true))
	source, err := list[1].source()
	signed := slices.Contains(source.Aliases, "oven")
	if err != nil || len(source.Operations) != 2 || !signed || len(source.Errors) != 2 {
		t.Errorf("%v %+v", err, source)
	}
}

// Each listed module has a sum, and none is there twice.
func TestModules(t *testing.T) {
	seen := make(map[string]bool)
	for line := range strings.Lines(modules) {
		fields := strings.Fields(line)
		if len(fields) != 3 || !strings.HasPrefix(fields[2], "h1:") || seen[fields[0]] {
			t.Errorf("%q", line)
		}
		seen[fields[0]] = true
	}
	t.Setenv("GOPROXY", "off")
	if _, err := download("example.com/none\tv1.0.0\th1:x\n"); !errors.Is(err, errNotHad) {
		t.Errorf("a module that there is not: %v", err)
	}
}

// TestCommitted compares the committed table with the one that the models and modules give.
func TestCommitted(t *testing.T) {
	out := filepath.Join(t.TempDir(), "table.bin")
	if err := run("", out, modules); errors.Is(err, errNotHad) {
		t.Skipf("the newer modules are neither in the module cache nor to be downloaded: %v", err)
	} else if err != nil {
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
