package checks

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// apart are packages that do not depend on others, directly or through a third one.
var apart = []struct {
	name   string
	from   []string // with a slash at the end: a module, or a folder of ours
	reason string
}{
	{"internal/launch", []string{"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/charmbracelet/",
		"tui/"}, "it composes sessions for every face"},
	{"internal/definitions", []string{"engine/debug", "fixtures/", "recorder/", "tui/", "internal/launch"},
		"it reads definitions and composes no sessions"},
	{"internal/cli/command", []string{"github.com/charmbracelet/bubbletea/", "tui/"}, "most commands have no screen"},
	{"internal/report", []string{"github.com/spf13/cobra", "github.com/charmbracelet/", "tui/"},
		"its reports are texts"},
	{"engine", []string{"net", "os/exec", "fixtures/", "recorder/", "tui/"}, "the engine calls nothing outside"},
	{"recorder/history", []string{"recorder"}, "histories know nothing of traces"},
	{"recorder/rerun", []string{"recorder"}, "recorded executions run again without traces"},
	{"internal/cli/checks", commandsBut("checks"), composed},
	{"internal/cli/recordings", commandsBut("recordings"), composed},
	{"internal/cli/runs", commandsBut("runs"), composed},
	{"internal/cli/suites", commandsBut("suites"), composed},
	{"internal/cli/trials", commandsBut("trials"), composed},
}

const composed = "the root command puts the commands together"

// commandsBut returns the packages of commands but for one.
func commandsBut(own string) (others []string) {
	for _, name := range []string{"checks", "recordings", "runs", "suites", "trials"} {
		if name != own {
			others = append(others, "internal/cli/"+name)
		}
	}
	return others
}

func TestPackagesStayApart(t *testing.T) {
	root := filepath.Join("..", "..")
	module := strings.TrimSpace(run(t, root, "list", "-m"))
	for _, p := range apart {
		deps := strings.Fields(run(t, root, "list", "-deps", "./"+p.name))
		if !slices.Contains(deps, module+"/"+p.name) {
			t.Fatalf("go list -deps ./%s lists %q", p.name, deps)
		}
		for _, dep := range deps {
			short := strings.TrimPrefix(dep, module+"/")
			for _, other := range p.from {
				if short == other || strings.HasSuffix(other, "/") && strings.HasPrefix(short+"/", other) {
					t.Errorf("%s depends on %s, but %s", p.name, short, p.reason)
				}
			}
		}
	}
}

// run returns the output of the go command in a folder.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	readSources(t, dir)
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOWORK=off") // a workspace may have more modules
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// readSources reads the state of the source files below a folder. The go command lists imports in a separate process:
// without this the result of a test would stay in the test cache when an import changes.
func readSources(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") {
			_, err = os.Stat(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
