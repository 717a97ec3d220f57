// Package layers compares the imports of the project with the table of packages in docs/architecture.md.
package checks

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var quoted = regexp.MustCompile("`([^`]+)`")

// rows returns the row of each package in the table of the text, counted from the top.
func rows(t *testing.T, text string) map[string]int {
	t.Helper()
	_, table, ok := strings.Cut(text, "\n## Packages\n")
	if !ok {
		t.Fatal("docs/architecture.md has no section Packages")
	}
	table, _, _ = strings.Cut(table, "\n## ")
	found := make(map[string]int)
	row := 0
	for line := range strings.SplitSeq(table, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || !strings.Contains(cells[2], "`") {
			continue
		}
		row++
		for _, name := range quoted.FindAllStringSubmatch(cells[2], -1) {
			if _, twice := found[name[1]]; twice {
				t.Errorf("%s has two rows", name[1])
			}
			found[name[1]] = row
		}
	}
	return found
}

// imports returns the packages of the module, each with the packages of the module that it imports.
func imports(t *testing.T, root string) map[string][]string {
	t.Helper()
	list := exec.Command("go", "list", "-f", "{{.Module.Path}} {{.ImportPath}} {{join .Imports \",\"}}", "./...")
	list.Dir = root
	list.Env = append(os.Environ(), "GOWORK=off")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	graph := make(map[string][]string)
	for line := range strings.Lines(string(out)) {
		fields := strings.SplitN(strings.TrimSpace(line), " ", 3)
		module := fields[0]
		short := func(path string) (string, bool) {
			if path == module {
				return ".", true
			}
			return strings.CutPrefix(path, module+"/")
		}
		name, _ := short(fields[1])
		graph[name] = nil
		if len(fields) < 3 {
			continue
		}
		for imported := range strings.SplitSeq(fields[2], ",") {
			if inner, ours := short(imported); ours {
				graph[name] = append(graph[name], inner)
			}
		}
	}
	return graph
}

func TestImportsFollowTheTable(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := rows(t, string(text))
	graph := imports(t, root)
	for name, imported := range graph {
		own, has := row[name]
		if !has {
			t.Errorf("%s has no row in the table of docs/architecture.md", name)
			continue
		}
		for _, other := range imported {
			if row[other] > own {
				t.Errorf("%s (row %d) imports %s (row %d), which is below it in the table", name, own, other,
					row[other])
			}
		}
	}
	for name := range row {
		if _, exists := graph[name]; !exists {
			t.Errorf("%s has a row in the table of docs/architecture.md and does not exist", name)
		}
	}
}
