package layers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// oldForms are forms of messages that have a shorter one.
var oldForms = map[string]string{
	", and this is ": `"is A or B, not C"`,
	"; and this is ": `"is A or B, not C"`,
	"somebody":       "the noun",
	"nobody":         "the noun",
}

// Messages that say the same say it in the same form.
func TestMessagesHaveOneForm(t *testing.T) {
	root := filepath.Join("..", "..")
	set := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			text, ok := n.(*ast.BasicLit)
			if !ok || text.Kind != token.STRING {
				return true
			}
			for old, better := range oldForms {
				if strings.Contains(text.Value, old) {
					t.Errorf("%s says %q: write %s", set.Position(text.Pos()), old, better)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
