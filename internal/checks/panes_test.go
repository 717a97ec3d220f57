package checks

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestPanesStayApart: panes, dialogs and parts do not depend on the screen, and no pane depends on another one.
func TestPanesStayApart(t *testing.T) {
	root := filepath.Join("..", "..")
	prefix := strings.TrimSpace(run(t, root, "list", "-m")) + "/"
	panes := map[string]bool{}
	list := strings.Split(strings.TrimSpace(run(t, root, "list", "-f", `{{.ImportPath}} {{join .Deps " "}}`,
		"./tui/view/...", "./tui/view/dialog/...", "./tui/part/...")), "\n")
	for _, row := range list {
		if name := strings.TrimPrefix(strings.Fields(row)[0], prefix); strings.HasPrefix(name, "tui/view/") {
			panes[name] = true
		}
	}
	if !panes["tui/view/data"] || !panes["tui/view/states"] {
		t.Fatalf("the panes are %v", panes)
	}
	for _, row := range list {
		deps := strings.Fields(strings.ReplaceAll(row, prefix, ""))
		for _, dep := range deps[1:] {
			switch {
			case dep == "tui" || dep == "tui/screen":
				t.Errorf("%s depends on %s, but it knows the contract of tui/view alone", deps[0], dep)
			case panes[deps[0]] && panes[dep] && dep != "tui/view/dialog" &&
				!strings.HasPrefix(dep, deps[0]+"/"): // a package in its folder is a part of it
				t.Errorf("%s depends on %s, but panes do not know each other", deps[0], dep)
			}
		}
	}
}
