package project

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"asldb/engine/lint"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

func TestBaseline(t *testing.T) {
	p, err := Parse(&source.File{Name: filepath.Join("orders", FileName), Data: []byte("baseline: known.json")})
	if err != nil || p.Baseline() != filepath.Join("orders", "known.json") {
		t.Errorf("the baseline is %q (%v)", p.Baseline(), err)
	}
	if none := (*Project)(nil); none.Baseline() != "" {
		t.Errorf("without a project file it is %q", none.Baseline())
	}
}

func parse(text string) (*Project, error) {
	return Parse(&source.File{Name: FileName, Data: []byte(text)})
}

// documents are project files, with a part of the message where the file is wrong.
var documents = []struct{ text, wrong string }{
	{"rules: {unused-variable: off, discarded-data: error, unknown-field: hint, wrong-type: warning}", ""},
	{"paths: [{path: a/**, rules: {unused-variable: off}, fixtures: f.yaml, substitutions: {A: b}}]", ""},
	{"ignore: [{rule: unused-variable, path: '*.json', state: A, reason: why}]", ""},
	{"fixtures: f.yaml\nsubstitutions: s.yaml", ""},
	{"substitutions: {A: 1, B: true, C: [1], D: {e: 1}}", ""},
	{"substitutions: {A: null}", ".asldb.yaml:1:20: error: the substitution A has no value"},
	{"substitutions: 3", "must be an object of names and values, or the name of a file, but is a number"},
	{"substitutions: ''", `"substitutions" must not be empty`},
	{"[]", "a project file must be an object, but is an array"},
	{"rule: {}", `.asldb.yaml:1:1: error: a project file has no key "rule"`},
	{"somethingelse: {}", "the keys are rules, fixtures, substitutions, type, noticed, baseline, paths, coverage, ignore"},
	{"coverage: {min: 80, ignore: [{state: A, reason: r}]}", ""},
	{"coverage: {min: []}", `"min" must be a string`},
	{"coverage: {ignore: [{state: A}]}", `must have the key "reason"`},
	{"rules: []", `"rules" must be an object, but is an array`},
	{"rules: {unused-varable: off}", `did you mean "unused-variable"?`},
	{"rules: {qqqqqqq: off}", "asldb rules lists them"},
	{"rules: {malformed-json: off}", "without it, a definition cannot be read"},
	{"rules: {unused-variable: of}", `did you mean "off"?`},
	{"rules: {unused-variable: 1}", "must be off, hint, warning or error, but is 1"},
	{"fixtures: 1", `"fixtures" must be a string, but is a number`},
	{"fixtures: ' '", `"fixtures" must not be empty`},
	{"paths: 1", `"paths" must be an array, but is a number`},
	{"paths: {}", ""},
	{"paths: {express/**: {type: express}, legacy: {rules: {unused-variable: off}}}", ""},
	{"paths: {a: 1}", `an entry of "paths" must be an object, but is a number`},
	{"paths: {/a: {}}", "must be below the folder of the project file"},
	{"paths: {a: {path: b}}", `"path"`},
	{"paths: {a: {live: true}}", "a project file cannot allow live calls"},
	{"paths: [1]", `an entry of "paths" must be an object, but is a number`},
	{"paths: [{rules: {}}]", `an entry of "paths" must have the key "path"`},
	{"paths: [{path: /a}]", "must be below the folder of the project file"},
	{`paths: [{path: old\legacy}]`, `has / between folders on every system, but is "old\\legacy"`},
	{`ignore: [{rule: unused-variable, reason: r, path: orders\*.asl.json}]`, "has / between folders"},
	{`paths: [{path: 'a\[1\].json'}]`, ""},
	{"paths: [{path: ../a}]", "must be below the folder of the project file"},
	{"paths: [{path: a, ignore: []}]", `an entry of "paths" has no key "ignore"`},
	{"ignore: [{rule: unused-variable}]", `must have the key "reason"`},
	{"ignore: [{rule: unused-variable, reason: ''}]", `"reason" must not be empty`},
	{"ignore: [{reason: why}]", `must have the key "rule"`},
	{"ignore: [{rule: unused, reason: why}]", `there is no rule "unused"`},
	{"ignore: [{rule: [], reason: why}]", `"rule" must be a string, but is an array`},
	{"type: express", ""},
	{"paths: [{path: express, type: standard}]", ""},
	{"type: expres", `"type" must be standard or express, but is "expres"`},
	{"type: [express]", `"type" must be a string, but is an array`},
	{"allow-live: true", "a project file cannot allow live calls"},
	{"paths: [{path: a, live: true}]", "a project file cannot allow live calls"},
}

// The reader and the schema agree on every document, and messages have their place.
func TestReaderAndSchema(t *testing.T) {
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(value.Compact(Schema())))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documents {
		root, problem := source.ReadYAML([]byte(d.text), nil)
		if problem != nil {
			t.Fatal(d.text, problem.Message)
		}
		data, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(value.Compact(root.Value))))
		if err != nil {
			t.Fatal(err)
		}
		_, wrong := parse(d.text)
		if says := schema.Validate(data); (says == nil) != (wrong == nil) || (wrong == nil) != (d.wrong == "") {
			t.Errorf("%s\nthe reader: %v\nthe schema: %v", d.text, wrong, says)
		}
		var file *FileError
		if wrong != nil && (!errors.As(wrong, &file) || !strings.Contains(wrong.Error(), d.wrong) ||
			!strings.Contains(wrong.Error(), FileName+":1:")) {
			t.Errorf("%s\n%v\nwant %s", d.text, wrong, d.wrong)
		}
	}
}

// Texts that a schema cannot judge.
func TestTexts(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		"# only a comment\n\n":             "",
		"null":                             "",
		"rules: {":                         "asldb.yaml:1:",
		"rules: {}\nrules: {}":             `.asldb.yaml:2:1: error: the key "rules" is already in line 1`,
		"paths: [{path: 'a['}]":            "is not a pattern",
		"rules: {unused-variable: !X off}": "asldb.yaml:1:",
	} {
		_, err := parse(text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestPatterns(t *testing.T) {
	p, err := parse("rules: {unused-variable: hint}\npaths:\n- {path: legacy, rules: {unused-variable: off}}\n" +
		"- {path: legacy/new/*.json, rules: {unused-variable: error}}\n- {path: '**/deep/', rules: {unused-variable: warning}}\n")
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]Level{
		"a.json": Hint, "legacy/a.json": Off, "legacy/x/a.json": Off, "legacy/new/a.json": Error,
		"legacy/new/x/a.json": Off,
		"x/deep/y/a.json":     Warning, "": Hint, "<stdin>": Hint, "../legacy/a.json": Hint, "legacyx/a.json": Hint,
	} {
		if got, known := p.Level(rules.Unused, file); !known || got != want {
			t.Errorf("%q: %v, want %v", file, got, want)
		}
	}
	if _, known := p.Level(rules.UnknownField, "a.json"); known {
		t.Error("a level that is not given")
	}
	if _, known := (*Project)(nil).Level(rules.UnknownField, "a.json"); known {
		t.Error("a level of no project")
	}
}

// check returns the problems of a definition as Steer has them, as "line severity rule".
func check(t *testing.T, p *Project, name, text string) []string {
	t.Helper()
	file := &source.File{Name: name, Data: []byte(text)}
	root, problem := source.Read(file, nil)
	if problem != nil {
		t.Fatal(problem.Message)
	}
	var lines []string
	for _, d := range p.Steer(Definition{file, file, root, lint.All(file, root, lint.Options{Hints: true})}, true) {
		lines = append(lines, string(rune('0'+d.Span.Start.Line))+" "+d.Severity.String()+" "+d.Rule)
	}
	return lines
}

// The rules of ignores hold for their own examples.
func TestIgnoreExamples(t *testing.T) {
	for _, name := range []string{rules.UnusedIgnore, rules.InvalidIgnore} {
		r, _ := rules.Find(name)
		if found := check(t, nil, "a.json", r.Wrong); !slices.ContainsFunc(found,
			func(line string) bool { return strings.HasSuffix(line, r.Severity.String()+" "+name) }) {
			t.Errorf("%s: the wrong example has %v", name, found)
		}
		if found := check(t, nil, "a.json", r.Right); found != nil {
			t.Errorf("%s: the right example has %v", name, found)
		}
	}
}

func TestSteer(t *testing.T) {
	const inner = `{"StartAt": "M", "States": {
"M": {"Type": "Map", "End": true, "MaxConcurrency": 1, "ItemProcessor": {"StartAt": "A", "States": {
"A": {"Type": "Pass", "Assign": {"x": 1}, "End": true}}}}}}`
	for name, c := range map[string]struct{ project, name, text, want string }{
		"no project":    {"", "a.json", inner, "3 hint unused-variable"},
		"a level":       {"rules: {unused-variable: error}", "a.json", inner, "3 error unused-variable"},
		"by state name": {"ignore: [{rule: unused-variable, state: A, reason: why}]", "a.json", inner, ""},
		"by state path": {"ignore: [{rule: unused-variable, state: 'M/Iterations[*]/A', reason: why}]", "a.json",
			inner, ""},
		"another state": {"ignore: [{rule: unused-variable, state: M, reason: why}]", "a.json", inner,
			"3 hint unused-variable"},
		"an outer Comment": {"", "a.json", strings.Replace(inner, `"MaxC`,
			`"Comment": "asldb:ignore unused-variable: why", "MaxC`, 1), ""},
		"the whole": {"", "a.json", strings.Replace(inner, `"StartAt"`,
			`"Comment": "asldb:ignore unused-variable, missing-timeout: why", "StartAt"`, 1),
			"1 warning invalid-ignore"},
		"two ignores": {"", "a.json", strings.Replace(inner, `"MaxC`,
			`"Comment": "asldb:ignore unused-variable: why\nasldb:ignore unknown-field: why", "MaxC`, 1),
			"2 hint unused-ignore"},
		"no rule": {"", "a.json", strings.Replace(inner, `"MaxC`, `"Comment": "asldb:ignore", "MaxC`, 1),
			"2 warning invalid-ignore,3 hint unused-variable"},
		"fixed": {"", "a.json", strings.Replace(inner, `"MaxC`,
			`"Comment": "asldb:ignore malformed-json: why", "MaxC`, 1),
			"2 warning invalid-ignore,3 hint unused-variable"},
		"the level of ignores": {"rules: {invalid-ignore: off, unused-variable: off}", "a.json",
			strings.Replace(inner, `"MaxC`, `"Comment": "asldb:ignore", "MaxC`, 1), ""},
		"errors hide that an ignore is unused": {"", "a.json",
			strings.Replace(inner, `"MaxC`, `"Comment": "asldb:ignore discarded-data: why", "Ende": 1, "MaxC`, 1),
			"2 error unknown-field"},
		"YAML, an item": {"", "a.yaml", "StartAt: A\nStates:\n  A:\n    Type: Choice\n    Default: B\n    Choices:\n      - {Variable: $.a, IsNull: true, Next: B}\n" +
			"      # asldb:ignore unreachable-choice-rule: why\n      - {Variable: $.a, IsNull: true, Next: B}\n  B: {Type: Succeed}\n", ""},
		"YAML, the file's last line": {"", "a.yaml",
			"StartAt: A\nStates:\n  A: {Type: Succeed}\n# asldb:ignore unknown-field: why", ""},
		"YAML, escaped": {"", "a.yaml",
			"StartAt: A\nStates:\n  A: {Type: Pass, End: true, Assign: {x: 1}, Comment: \"asldb\\u003aignore unused-variable: why\"}\n", ""},
	} {
		p, err := parse(c.project)
		if err != nil {
			t.Fatal(name, err)
		}
		if got := strings.Join(check(t, p, c.name, c.text), ","); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// An entry that is left over is known when its files have been checked, and no sooner.
func TestUnused(t *testing.T) {
	p, err := parse("ignore:\n- {rule: unknown-field, path: b.json, reason: why}\n")
	if err != nil {
		t.Fatal(err)
	}
	const good = `{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}`
	check(t, p, "a.json", good)
	check(t, p, "b.json", `{"StartAt": "B", "States": {"A": {"Type": "Succeed"}}}`)
	if list := p.Unused(); list != nil {
		t.Error(list)
	}
	check(t, p, "b.json", good)
	if list := p.Unused(); len(list) != 1 || list[0].Span.Start.Line != 2 || list[0].Severity != source.Hint ||
		list[0].File.Name != FileName {
		t.Error(list)
	}
	if list := (*Project)(nil).Unused(); list != nil {
		t.Error(list)
	}
	for level, want := range map[string]int{"off": 0, "warning": 1} {
		p, err := parse("rules: {unused-ignore: " + level + "}\nignore:\n- {rule: unknown-field, reason: why}\n")
		if err != nil {
			t.Fatal(err)
		}
		check(t, p, "b.json", good)
		if list := p.Unused(); len(list) != want || want > 0 && list[0].Severity != source.Warning {
			t.Error(level, list)
		}
	}
}

func TestFinder(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	top := write(FileName, "fixtures: top.yaml\nsubstitutions: {A: 1, B: two}\npaths: [{path: x/own.json, fixtures: "+
		filepath.Join(dir, "own.yaml")+", substitutions: s.yaml}]")
	write("y/"+FileName, "rules: {x: off}")
	var f Finder
	p, err := f.For(filepath.Join(dir, "x/y/z/a.json"))
	if err != nil || p == nil || p.Dir != dir {
		t.Fatal(p, err)
	}
	again, err := f.For(filepath.Join(dir, "x/own.json"))
	if err != nil || again != p || len(f.All()) != 1 {
		t.Error(again, err, f.All())
	}
	if s := p.For(filepath.Join(dir, "x/a.json")); filepath.Base(s.Fixtures) != "top.yaml" ||
		s.Substitutions["A"] != "1" || s.Substitutions["B"] != "two" || s.SubstitutionFiles != nil {
		t.Error(s)
	}
	if s := p.For(filepath.Join(dir, "x/own.json")); s.Fixtures != filepath.Join(dir, "own.yaml") ||
		len(s.SubstitutionFiles) != 1 || filepath.Base(s.SubstitutionFiles[0]) != "s.yaml" {
		t.Error(s)
	}
	if _, err := f.For(filepath.Join(dir, "y/a.json")); err == nil {
		t.Error("a file that is wrong is found")
	}
	named := Finder{Name: top}
	if p, err := named.For("-"); err != nil || p == nil {
		t.Error(p, err)
	}
	for _, none := range []*Finder{nil, {Off: true}} {
		if p, err := none.For(filepath.Join(dir, "a.json")); p != nil || err != nil || none.All() != nil {
			t.Error(p, err)
		}
	}
	if _, err := Load(filepath.Join(dir, "none.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Load(write("large.yaml", strings.Repeat("#", maxBytes+1))); err == nil {
		t.Error("a large file is read")
	}
	if s := (*Project)(nil).For("a"); s.Fixtures != "" {
		t.Error(s)
	}
}

func TestLevels(t *testing.T) {
	for severity, want := range map[source.Severity]Level{source.Error: Error, source.Warning: Warning,
		source.Hint: Hint} {
		if got := LevelOf(severity); got != want || got.severity() != severity {
			t.Errorf("%v: %v", severity, got)
		}
	}
}

// The project file of docs/rules.md is valid, and shows every key.
func TestDocumentation(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(text), "```yaml\n")
	block, _, _ = strings.Cut(block, "```")
	p, err := parse(block)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.sections) < 2 || len(p.ignores) == 0 {
		t.Error("the documentation shows no paths or no ignores")
	}
	for _, f := range fields() {
		if !strings.Contains(block, f.name+":") {
			t.Errorf("the documentation does not show %s", f.name)
		}
	}
}
