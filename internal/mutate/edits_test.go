package mutate

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/suiterun"
	"asldb/internal/testkit"
)

var update = flag.Bool("update", false, "write the expected files")

func open(t *testing.T, file string) *suiterun.Machine {
	t.Helper()
	m, err := suiterun.OpenCase(definitions.Definition{File: file}, suiterun.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// changes lists the mutants of a machine with the lines that they change in the file.
func changes(m *suiterun.Machine) (names, lines string) {
	r := &runner{machine: m}
	for _, mutant := range Of(m.Definition.Machine) {
		names += mutant.Name() + ": " + mutant.Description + "\n"
		lines += fmt.Sprintf("%s: %s (%s, %d:%d)\n", mutant.Name(), mutant.Description, mutant.Kind, mutant.At.Line,
			mutant.At.Col)
		made := r.edits(mutant)
		if made == nil {
			lines += "  no edit\n"
			continue
		}
		var c files.Changes
		c.Add(made)
		for line := range strings.Lines(string(c.Diff(folder()))) {
			if (line[0] == '-' || line[0] == '+') && !strings.HasPrefix(line, "---") &&
				!strings.HasPrefix(line, "+++") {
				lines += "  " + line
			}
		}
	}
	return names, lines
}

// The mutants of a definition are the same in JSON and in YAML, and each is an edit of the text. The expected files
// were checked by eye.
func TestEdits(t *testing.T) {
	var first string
	for _, name := range []string{"shop.asl.json", "shop.asl.yaml"} {
		names, lines := changes(open(t, filepath.Join("testdata", name)))
		first = cmp.Or(first, names)
		if names != first {
			t.Errorf("the mutants of %s are\n%s\nand should be\n%s", name, names, first)
		}
		golden := filepath.Join("testdata", name+".mutants")
		if *update {
			if err := os.WriteFile(golden, []byte(lines), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if lines != string(want) {
			t.Errorf("the mutants of %s are\n%s", name, lines)
		}
	}
}

// A definition without line breaks, one in a template, and one as a text in a template have the same mutants.
func TestEditsOfOtherTexts(t *testing.T) {
	whole := open(t, filepath.Join("testdata", "shop.asl.json"))
	first, _ := changes(whole)
	text, err := os.ReadFile(filepath.Join("testdata", "shop.asl.json"))
	if err != nil {
		t.Fatal(err)
	}
	compact := value.Compact(whole.Definition.Machine.Root.Value)
	indented := strings.ReplaceAll(strings.TrimRight(string(text), "\n"), "\n", "\n        ")
	folder := t.TempDir()
	for name, test := range map[string]struct {
		text string
		none bool // it cannot be edited
	}{
		"compact.asl.json": {text: compact},
		"object.yaml":      {text: "Resources:\n  Shop:\n    Type: AWS::Serverless::StateMachine\n    Properties:\n      Definition: " + compact + "\n"},
		"block.yaml":       {text: "Resources:\n  Shop:\n    Type: AWS::StepFunctions::StateMachine\n    Properties:\n      DefinitionString: |\n        " + indented + "\n"},
		"escaped.json":     {text: `{"Resources": {"Shop": {"Type": "AWS::StepFunctions::StateMachine", "Properties": {"DefinitionString": ` + value.Compact(value.String(compact)) + `}}}}`, none: true},
	} {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		m := open(t, file)
		names, lines := changes(m)
		if names != first {
			t.Errorf("the mutants of %s are\n%s\nand should be\n%s", name, names, first)
		}
		if !test.none && strings.Contains(lines, "no edit") {
			t.Errorf("%s has mutants that are no edits:\n%s", name, lines)
		}
		if test.none {
			o := &Outcome{Mutant: Of(m.Definition.Machine)[0]}
			(&runner{machine: m}).diff(o)
			if o.Text || !strings.Contains(string(o.Diff), "-  \"TimeoutSeconds\": 7200,\n") {
				t.Errorf("%s: the diff is\n%s", name, o.Diff)
			}
		}
	}
}

// A change leaves the tree of the definition as it is.
func TestTree(t *testing.T) {
	m := open(t, filepath.Join("testdata", "shop.asl.json"))
	root := m.Definition.Machine.Root
	before := value.Compact(root.Value)
	for _, mutant := range Of(m.Definition.Machine) {
		made := mutant.Root(root)
		if value.Equal(made.Value, root.Value) {
			t.Errorf("%s: %s changes nothing", mutant.Name(), mutant.Description)
		}
	}
	if value.Compact(root.Value) != before {
		t.Error("the tree has changed")
	}
	if got := root.Replace(&source.Node{}, nil); got != root {
		t.Error("a node that is not in the tree was replaced")
	}
}

// The definitions of the corpus have mutants that can be run, nearly all are edits of the text.
func TestCorpus(t *testing.T) {
	var files []string
	for _, name := range []string{"definitions", "workflows"} {
		err := filepath.WalkDir(testkit.Dir(t, name), func(file string, entry os.DirEntry, err error) error {
			if ext := filepath.Ext(file); err == nil && !entry.IsDir() &&
				(ext == ".json" || ext == ".yaml" || ext == ".yml") {
				files = append(files, file)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	tried, all, edited := 0, 0, 0
	for i := 0; i < len(files); i += 6 {
		m, err := suiterun.OpenCase(definitions.Definition{File: files[i]}, suiterun.Settings{})
		if err != nil {
			continue
		}
		tried++
		r := &runner{machine: m}
		for _, mutant := range Of(m.Definition.Machine) {
			all++
			if r.edits(mutant) != nil {
				edited++
			}
			if _, err := r.changed(mutant); err != nil {
				t.Errorf("%s: %s: %s: %v", files[i], mutant.Name(), mutant.Description, err)
			}
			if _, err := r.whole(mutant); err != nil && all%10 == 0 {
				t.Errorf("%s: %s: %s: made as a whole: %v", files[i], mutant.Name(), mutant.Description, err)
			}
		}
	}
	t.Logf("%d definitions, %d mutants, %d edits of the text", tried, all, edited)
	if tried > 0 && edited*100 < all*98 {
		t.Errorf("%d of %d mutants are edits of the text", edited, all)
	}
}
