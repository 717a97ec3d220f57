package checks

import (
	"go/ast"
	"go/token"
	"testing"
)

// Programs on the terminal are made by tui/program alone: with its own context, one ends while its reader of keys
// is at work.
func TestProgramsAreMadeInOnePlace(t *testing.T) {
	found := 0
	eachSource(t, func(set *token.FileSet, path string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if !ok || call.Sel.Name != "NewProgram" && call.Sel.Name != "WithContext" {
				return true
			}
			if name, ok := call.X.(*ast.Ident); ok && name.Name == "tea" {
				if found++; path != "tui/program/program.go" {
					t.Errorf("%s makes a program of Bubble Tea: use tui/program", set.Position(call.Pos()))
				}
			}
			return true
		})
	})
	if found == 0 {
		t.Error("no file makes a program")
	}
}
