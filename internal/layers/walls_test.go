package layers

import (
	"go/ast"
	"go/token"
	"path"
	"testing"
)

// The most methods that a type has, and the most files, without tests, that a folder has.
const (
	mostMethods = 60
	mostFiles   = 40
)

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

// No type has more methods, and no folder more files, than a reader can keep apart.
func TestTypesAndFoldersAreSmall(t *testing.T) {
	methods, files := make(map[string]int), make(map[string]int)
	eachSource(t, func(_ *token.FileSet, name string, file *ast.File) {
		folder := path.Dir(name)
		files[folder]++
		for _, declaration := range file.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok && receiver(f) != "" {
				methods[folder+"."+receiver(f)]++
			}
		}
	})
	if len(files) < 20 || len(methods) < 100 {
		t.Fatalf("%d folders and %d types with methods were found", len(files), len(methods))
	}
	for name, n := range methods {
		if n > mostMethods {
			t.Errorf("%s has %d methods, more than %d", name, n, mostMethods)
		}
	}
	for folder, n := range files {
		if n > mostFiles {
			t.Errorf("%s has %d files, more than %d", folder, n, mostFiles)
		}
	}
}
