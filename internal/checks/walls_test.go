package checks

import (
	"go/ast"
	"go/token"
	"path"
	"testing"
)

// mostMethods is the greatest number of methods of a type.
const mostMethods = 60

// receiver returns the name of the type that a function is a method of, or "".
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	for e := f.Recv.List[0].Type; ; {
		switch t := e.(type) {
		case *ast.StarExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// No type has more methods than a reader can keep apart.
func TestTypesAreSmall(t *testing.T) {
	methods := make(map[string]int)
	eachSource(t, func(_ *token.FileSet, name string, file *ast.File) {
		folder := path.Dir(name)
		for _, declaration := range file.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok && receiver(f) != "" {
				methods[folder+"."+receiver(f)]++
			}
		}
	})
	if len(methods) < 100 {
		t.Fatalf("%d types with methods were found", len(methods))
	}
	for name, n := range methods {
		if n > mostMethods {
			t.Errorf("%s has %d methods, more than %d", name, n, mostMethods)
		}
	}
}
