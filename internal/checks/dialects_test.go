package checks

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// What a dialect does is asked of the one table: code compares no dialects.
func TestDialectsAreAskedByMatter(t *testing.T) {
	apart := "internal/definitions/definition.go" // a definition that was made ready before
	eachSource(t, func(set *token.FileSet, path string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			compared, ok := n.(*ast.BinaryExpr)
			if !ok || compared.Op != token.EQL && compared.Op != token.NEQ || path == apart {
				return true
			}
			if isDialect(compared.X) || isDialect(compared.Y) {
				t.Errorf("%s: ask the dialect for a matter of engine/rules/dialects.go", set.Position(n.Pos()))
			}
			return true
		})
	})
}

// isDialect reports whether an expression is called as dialects are: x.dialect, x.Dialect(), engine.Spec.
func isDialect(e ast.Expr) bool {
	name, owner := "", ""
	switch e := e.(type) {
	case *ast.CallExpr:
		return isDialect(e.Fun)
	case *ast.Ident:
		name = e.Name
	case *ast.SelectorExpr:
		name = e.Sel.Name
		if x, ok := e.X.(*ast.Ident); ok {
			owner = x.Name
		}
	}
	if owner == "engine" || owner == "rules" {
		return slices.Contains([]string{"AWS", "Spec", "Spec2020", "Spec2016"}, name)
	}
	return strings.EqualFold(name, "dialect")
}
