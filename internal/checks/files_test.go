package checks

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// opened are the functions that open a file, by the package; they wait for the writer of a pipe, and read a device to
// its end.
var opened = map[string][]string{
	"os":        {"ReadFile", "Open", "OpenFile", "OpenInRoot", "OpenRoot", "DirFS"},
	"io/ioutil": {"ReadFile", "ReadDir"},
}

// mayOpen are the files that open some in another way, with the reason. No further ones are added.
var mayOpen = map[string]string{
	"internal/tty/terminal.go": "it opens the terminal",
	"recorder/tracefile.go":    "it writes traces, also to pipes",
}

// Files are opened by internal/files alone, which takes regular ones only and is bounded: a clone may have anything
// behind any name.
func TestFilesAreOpenedInOnePlace(t *testing.T) {
	used := make(map[string]bool)
	eachSource(t, func(set *token.FileSet, name string, file *ast.File) {
		dir := path.Dir(name)
		if dir == "internal/files" || strings.HasPrefix(dir, "scripts/") ||
			strings.HasPrefix(dir+"/", "internal/testkit/") || strings.HasSuffix(dir, "test") {
			return
		}
		local := make(map[string]string) // the name of a package in the file
		for _, spec := range file.Imports {
			full, _ := strconv.Unquote(spec.Path.Value)
			if local[path.Base(full)] = full; spec.Name != nil {
				local[spec.Name.Name] = full
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			of, ok := selector.X.(*ast.Ident)
			if !ok || !slices.Contains(opened[local[of.Name]], selector.Sel.Name) {
				return true
			}
			used[name] = true
			if mayOpen[name] == "" {
				t.Errorf("%s: %s.%s opens any file: use internal/files", set.Position(n.Pos()), of.Name,
					selector.Sel.Name)
			}
			return true
		})
	})
	for name, reason := range mayOpen {
		if !used[name] {
			t.Errorf("%s opens no file any more (%s): take it from the list", name, reason)
		}
	}
}
