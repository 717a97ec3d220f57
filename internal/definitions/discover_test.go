package definitions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/internal/testkit"
)

// The patterns are gitignore(5)'s.
func TestFolder(t *testing.T) {
	root := testkit.New(t, map[string]string{
		".git/info/exclude": "private.json\n",
		".git/config.json":  "",
		".gitignore":        "# generated\nbuild/\n*.tmp.json\n!kept.tmp.json\n/top.yaml\r\nvendor/**/x.json\nm?re.json\n{a,b}.yaml\ninside/**\n!inside/kept.json\nwhole\n!whole/kept.json\nend\\ \nbl*k.json  \n\n",
		"a.asl.json":        "", "b.yaml": "", "c.yml": "", "d.asl": "", "e.template": "", "f.tf": "", "G.JSON": "",
		"readme.md":             "",
		"private.json":          "",
		"top.yaml":              "",
		"in/top.yaml":           "",
		"in/.gitignore":         "own.json\n!a.tmp.json\n",
		"in/own.json":           "",
		"in/a.tmp.json":         "",
		"in/deep/own.json":      "",
		"own.json":              "",
		"a.tmp.json":            "",
		"kept.tmp.json":         "",
		"more.json":             "",
		"build/x.json":          "",
		"in/build/x.json":       "",
		"vendor/p/q/x.json":     "",
		"vendor/p/q/y.json":     "",
		"node_modules/p/x.json": "",
		".hidden/x.json":        "",
		"{a,b}.yaml":            "",
		"inside/out.json":       "",
		"inside/kept.json":      "",
		"whole/kept.json":       "",
		"end /x.json":           "",
		"end/y.json":            "",
		"blank.json":            "",
	})
	for folder, want := range map[string]string{
		".":          "G.JSON a.asl.json b.yaml c.yml d.asl e.template end/y.json f.tf in/a.tmp.json in/top.yaml inside/kept.json kept.tmp.json own.json vendor/p/q/y.json",
		"in":         "in/a.tmp.json in/top.yaml",
		"build":      "build/x.json",
		"in/build":   "in/build/x.json",
		".hidden":    ".hidden/x.json",
		"vendor/p/q": "vendor/p/q/y.json",
	} {
		found, err := Folder(filepath.Join(root, folder))
		if err != nil {
			t.Fatal(err)
		}
		for i := range found {
			found[i] = strings.TrimPrefix(filepath.ToSlash(found[i]), filepath.ToSlash(root)+"/")
		}
		slices.Sort(found)
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", folder, got, want)
		}
	}
	if _, err := Folder(filepath.Join(root, "nothing")); err == nil ||
		!strings.Contains(err.Error(), `nothing": no such file`) {
		t.Error(err)
	}
}

// Without a repository, the .gitignore files of the folder itself count, and links are not followed.
func TestNoRepository(t *testing.T) {
	root := testkit.New(t, map[string]string{".gitignore": "a.json\n", "in/.gitignore": "b.json", "in/a.json": "",
		"in/b.json": "", "in/c.json": ""})
	if err := os.Symlink(filepath.Join(root, "in"), filepath.Join(root, "in", "again")); err != nil {
		t.Skip(err)
	}
	found, err := Folder(filepath.Join(root, "in"))
	if err != nil || len(found) != 2 || filepath.Base(found[0]) != "a.json" || filepath.Base(found[1]) != "c.json" {
		t.Errorf("%v, %v", found, err)
	}
}

func TestMayHold(t *testing.T) {
	for text, want := range map[string]bool{
		`{"StartAt": "A", "States": {}}`: true, "StartAt: A": false, "Type: AWS::Serverless::StateMachine": true,
		"stepFunctions:": true, `resource "aws_sfn_state_machine" "a" {}`: true,
		`source = "terraform-aws-modules/step-functions/aws"`: true, "{}": false,
	} {
		if MayHold([]byte(text)) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}
