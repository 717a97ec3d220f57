package checks

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"

	"asldb/engine/rules"
)

// What a dialect does is asked of the one table: code compares no dialects. Only a default and a definition that was made ready before are found so.
func TestDialectsAreAskedByMatter(t *testing.T) {
	apart := map[string]bool{"internal/definitions/definition.go": true} // d.Compiled.Dialect() == dialect
	eachSource(t, func(set *token.FileSet, path string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			compared, ok := n.(*ast.BinaryExpr)
			if ok && (compared.Op == token.EQL || compared.Op == token.NEQ) && (isDialect(compared.X) || isDialect(compared.Y)) && !apart[path] {
				t.Errorf("%s: a dialect is compared: ask it for a matter of engine/rules/dialects.go", set.Position(n.Pos()))
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
	_, err := rules.ParseDialect(strings.ToLower(name))
	return name == "dialect" || name == "Dialect" || (owner == "engine" || owner == "rules") && (err == nil || name == "Spec2020" || name == "Spec2016")
}
