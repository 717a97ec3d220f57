package checks

import (
	"cmp"
	"encoding/json"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// The extension is plain JavaScript of at most 500 lines, with a single dependency; the tools that pack it are pinned
// by version. Its package has the bundle, but neither the sources nor the tests, and an icon of the size that VS Code
// shows.
func TestExtensionIsSmall(t *testing.T) {
	folder := filepath.Join("..", "..", "editors", "vscode")
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if n := strings.Count(read("extension.js")+read("program.js"), "\n"); n > 500 {
		t.Errorf("extension.js and program.js have %d lines, and at most 500 are meant", n)
	}
	var manifest struct {
		Main, Icon                    string
		Dependencies, DevDependencies map[string]string
	}
	if err := json.Unmarshal([]byte(read("package.json")), &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest.Dependencies) != 1 || manifest.Dependencies["vscode-languageclient"] == "" {
		t.Errorf("the dependencies are %v, want vscode-languageclient alone", manifest.Dependencies)
	}
	for _, versions := range []map[string]string{manifest.Dependencies, manifest.DevDependencies} {
		for name, version := range versions {
			if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(version) {
				t.Errorf("%s is not pinned by version: %s", name, version)
			}
		}
	}
	packed := strings.Fields(read(".vscodeignore"))
	want := []string{"**", "!package.json", "!README.md", "!icon.png", "!dist/**", "!walkthrough/**", "!bin/**"}
	if !slices.Equal(packed, want) || manifest.Main != "./dist/extension.js" {
		t.Errorf(".vscodeignore has %q and main is %s; want %q and ./dist/extension.js", packed, manifest.Main, want)
	}
	icon := read(manifest.Icon)
	size, err := png.DecodeConfig(strings.NewReader(icon))
	if err != nil || size.Width != 128 || size.Height != 128 || len(icon) > 8<<10 {
		t.Errorf("%s is %d by %d in %d bytes (%v); want 128 by 128 in at most 8 KiB",
			manifest.Icon, size.Width, size.Height, len(icon), err)
	}
}

// TestWorkbench drives a real workbench of VS Code in a browser through ten steps, with a picture each in
// ASLDB_PICTURES. ASLDB_CODE_SERVER is the folder in which scripts/editors/codeserver has installed, CHROMIUM the
// browser.
func TestWorkbench(t *testing.T) {
	installed := os.Getenv("ASLDB_CODE_SERVER")
	if installed == "" {
		t.Skip("ASLDB_CODE_SERVER is not set to a folder with code-server")
	}
	browser := cmp.Or(os.Getenv("CHROMIUM"), "chromium")
	for _, name := range []string{"node", browser} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed: the workbench is not driven", name)
		}
	}
	vsix, err := filepath.Abs(filepath.Join("..", "..", "editors", "vscode", "asldb.vsix"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(vsix); err != nil {
		t.Skip("the extension is not packed: npm --prefix editors/vscode run package")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pictures := os.Getenv("ASLDB_PICTURES")
	if pictures == "" {
		pictures = t.TempDir()
	}
	cmd := exec.Command("node", filepath.Join("..", "..", "scripts", "editors", "workbench.js"))
	cmd.Env = append(os.Environ(), asProgram+"=1", "ASLDB="+program, "VSIX="+vsix, "ASLDB_PICTURES="+pictures)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	shown, err := filepath.Glob(filepath.Join(pictures, "[0-9][0-9]-*.png"))
	if err != nil || len(shown) != 10 {
		t.Errorf("%d pictures (%v), want 10\n%s", len(shown), err, out)
	}
}
