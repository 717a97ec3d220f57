package checks

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// writing are the functions of os that make files or give them names.
var writing = []string{"Create", "WriteFile", "Rename", "CreateTemp", "OpenFile", "CopyFS", "Link", "Symlink",
	"Truncate"}

// writers are the places that write files by themselves; all others do it with internal/files.
var writers = map[string]string{
	"recorder/tracefile.go OpenFile":         "a trace grows while it is read, and is locked as long as it does",
	"internal/attach/execution.go Create":    "the trace of a server's execution grows while it is read",
	"internal/tty/editor.go CreateTemp":      "the user's editor writes it",
	"internal/tty/terminal.go OpenFile":      "the terminal",
	"internal/cli/runs/debug.go CopyFS":      "a new folder, which is removed as a whole after an error",
	"internal/cli/recordings/repair.go Link": "the damaged trace keeps its content under a second name",
}

// Files are written in one place, as a whole and locked.
func TestFilesAreWrittenInOnePlace(t *testing.T) {
	found := make(map[string]bool)
	eachSource(t, func(set *token.FileSet, path string, file *ast.File) {
		for _, apart := range []string{"internal/files/", "internal/testkit/", "tui/tuitest/", "scripts/"} {
			if strings.HasPrefix(path, apart) {
				return
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			owner, ok := call.X.(*ast.Ident)
			at := path + " " + call.Sel.Name
			switch {
			case !ok:
			case owner.Name == "files" && call.Sel.Name == "Fail":
				t.Errorf("%s: files.Fail is for tests", set.Position(n.Pos()))
			case owner.Name == "os" && slices.Contains(writing, call.Sel.Name):
				found[at] = true
				if writers[at] == "" {
					t.Errorf("%s: os.%s: write files with internal/files", set.Position(n.Pos()), call.Sel.Name)
				}
			}
			return true
		})
	})
	for at := range writers {
		if !found[at] {
			t.Errorf("%s is an exception, and not there", at)
		}
	}
}
