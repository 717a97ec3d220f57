// Package scripts tests the scripts of this folder.
package checks

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestRenameModule renames the module in a copy of the project: every import still leads to a package. With
// ASLDB_BUILD_RENAMED=1 it builds the whole copy as well, which takes a minute and is left to hand.
func TestRenameModule(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the script is one of bash")
	}
	const path = "example.com/them/asldb"
	dir := t.TempDir()
	copyProject(t, "../..", dir)
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	old := strings.TrimSpace(run("go", "list", "-m"))
	if out := run(filepath.Join(dir, "scripts", "rename-module"), path); out != "" {
		t.Errorf("it writes:\n%s", out)
	}
	for _, name := range strings.Fields(run("go", "list", "-test", "-deps", "-f",
		"{{if not .Standard}}{{.ImportPath}}{{end}}", "./...")) {
		if strings.HasPrefix(name, old+"/") {
			t.Errorf("%s has the old path", name)
		}
	}
	if got := strings.TrimSpace(run("go", "list", "-f", "{{.ImportPath}}", "./engine/value")); got != path+
		"/engine/value" {
		t.Errorf("engine/value is %s", got)
	}
	build := []string{"build", "-trimpath", "./engine/value"}
	if os.Getenv("ASLDB_BUILD_RENAMED") != "" {
		build[2] = "./..."
	}
	run("go", build...)
	run("go", "vet", "./tui/darkfirst")
}

// copyProject copies every file of the project below from, without the repository and the files of releases.
func copyProject(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.Name() == ".git" {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		relative, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		if relative == "dist" {
			return fs.SkipDir
		}
		target := filepath.Join(to, relative)
		if entry.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, info.Mode().Perm())
	})
	if err != nil {
		t.Fatal(err)
	}
}
