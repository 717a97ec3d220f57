// Package editors tests the extensions of editors in this folder.
package checks

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/internal/cli"
)

// asProgram is set where this program is started as asldb.
const asProgram = "ASLDB_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// The tests of the extension for VS Code run with node's own test runner and a stub of VS Code.
func TestExtensionOfVSCode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: the extension for VS Code is not tested")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	readFolder(t, "../../editors/vscode", filepath.Join("../../editors/vscode", "test"))
	cmd := exec.Command(node, "--test", "--test-timeout=60000", filepath.Join("test", "extension.test.js"))
	cmd.Dir = "../../editors/vscode"
	// The race detector would wait for a second at the end of each asldb.
	cmd.Env = append(os.Environ(), asProgram+"=1", "ASLDB="+program, "GORACE=atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// readFolder reads the files of folders that a program started by the test reads, so that a change of one ends the test
// cache's result.
func readFolder(t *testing.T, folders ...string) {
	t.Helper()
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.js*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no files (%v)", folder, err)
		}
		for _, file := range files {
			if _, err := os.Stat(file); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The extension is plain JavaScript of at most 400 lines, with a single dependency, and its package leaves the tests
// out.
func TestExtensionIsSmall(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("../../editors/vscode", "extension.js"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > 400 {
		t.Errorf("extension.js has %d lines, and at most 400 are meant", n)
	}
	var manifest struct {
		Main         string
		Dependencies map[string]string
	}
	if text, err = os.ReadFile(filepath.Join("../../editors/vscode", "package.json")); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest.Dependencies) != 1 || manifest.Dependencies["vscode-languageclient"] == "" {
		t.Errorf("the dependencies are %v, want vscode-languageclient alone", manifest.Dependencies)
	}
	if text, err = os.ReadFile(filepath.Join("../../editors/vscode", ".vscodeignore")); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(strings.Split(string(text), "\n"), "test/**") {
		t.Error(".vscodeignore does not leave out test/**")
	}
}
