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
	root := filepath.Join("..", "..")
	methods, files := make(map[string]int), make(map[string]int)
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
		folder := filepath.ToSlash(filepath.Dir(path))
		files[folder]++
		for _, declaration := range file.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok && receiver(f) != "" {
				methods[folder+"."+receiver(f)]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 || len(methods) < 100 {
		t.Fatalf("%d folders and %d types with methods were found", len(files), len(methods))
	}
	for name, n := range methods {
		if n > mostMethods {
			t.Errorf("%s has %d methods, more than %d", strings.TrimPrefix(name, "../../"), n, mostMethods)
		}
	}
	for folder, n := range files {
		if n > mostFiles {
			t.Errorf("%s has %d files, more than %d", strings.TrimPrefix(folder, "../../"), n, mostFiles)
		}
	}
}
