package checks

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// parsedSources are the source files of the project but for tests, parsed once.
var parsedSources = sync.OnceValues(func() (map[string]*ast.File, error) {
	root := filepath.Join("..", "..")
	parsed := make(map[string]*ast.File)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		name := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		parsed[name], err = parser.ParseFile(sourceSet, path, nil, parser.SkipObjectResolution)
		return err
	})
	return parsed, err
})

var sourceSet = token.NewFileSet()

// eachSource calls do with each parsed source file. path is relative to the project's folder, with slashes.
func eachSource(t *testing.T, do func(set *token.FileSet, path string, file *ast.File)) {
	t.Helper()
	parsed, err := parsedSources()
	if err != nil {
		t.Fatal(err)
	}
	if len(parsed) < 500 {
		t.Fatalf("%d files were found", len(parsed))
	}
	for _, name := range slices.Sorted(maps.Keys(parsed)) {
		do(sourceSet, name, parsed[name])
	}
}
