package checks

import (
	"go/ast"
	"go/token"
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
	eachSource(t, func(set *token.FileSet, _ string, file *ast.File) {
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
	})
}
