//go:build unix

package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"asldb/internal/files"
	"asldb/internal/testkit"
)

// special makes a pipe, a link to an endless device and a file of 3 GB without content.
func special(t *testing.T, dir string) {
	t.Helper()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "zero")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sparse"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "sparse"), 3<<30); err != nil {
		t.Fatal(err)
	}
}

// Only regular files are read, and none above the bound, wherever they are.
func TestSpecialFilesAreNotRead(t *testing.T) {
	dir := testkit.New(t, map[string]string{"a": "123", "sub/b": ""})
	special(t, dir)
	root := files.RootOf(filepath.Join(dir, "a"))
	for name, read := range map[string]func(string, int64) ([]byte, error){"Read": files.Read, "Root": root.Read} {
		check := func(file string, want any) {
			t.Helper()
			data, err := read(filepath.Join(dir, file), 3)
			if err == nil || !errors.As(err, want) || !strings.Contains(err.Error(), filepath.Join(dir, file)) {
				t.Errorf("%s of %s: %d bytes, %v", name, file, len(data), err)
			}
		}
		check("pipe", new(*files.KindError))
		check("sub", new(*files.KindError))
		check("sparse", new(*files.SizeError))
		check("none", new(*fs.PathError))
		if data, err := read(filepath.Join(dir, "a"), 3); err != nil || string(data) != "123" {
			t.Errorf("%s: %q, %v", name, data, err)
		}
		if _, err := read(filepath.Join(dir, "a"), 2); !errors.As(err, new(*files.SizeError)) {
			t.Errorf("%s above the bound: %v", name, err)
		}
	}
	if _, err := files.Read(filepath.Join(dir, "zero"), 3); !errors.As(err, new(*files.KindError)) {
		t.Error(err)
	}
	if _, err := files.Given(filepath.Join(dir, "sparse"), 3); !errors.As(err, new(*files.SizeError)) {
		t.Error(err)
	}
	if _, err := files.Given(filepath.Join(dir, "zero"), 3); !errors.As(err, new(*files.SizeError)) {
		t.Error("a device that the user names is read to the bound:", err)
	}
	if err := root.Check(filepath.Join(dir, "pipe")); !errors.As(err, new(*files.KindError)) {
		t.Error(err)
	}
	for _, file := range []string{"sub", "none", "a", "sub/none"} {
		if err := root.Check(filepath.Join(dir, file)); err != nil {
			t.Error(err)
		}
	}
}

// A file names what is in its repository, behind links too, and no file of .git.
func TestRoot(t *testing.T) {
	dir := testkit.New(t, map[string]string{
		"outside": "secret", "repo/.git/config": "secret", "repo/sub/t.yaml": "", "repo/a": "a",
		"repo/sub/.asldb.yaml": "", "project/.asldb.yaml": "", "project/x/t.yaml": "",
		"project/a": "a", "alone/t.yaml": "", "alone/b": "a", "repository/a": "secret",
	})
	for link, target := range map[string]string{
		"repo/sub/out": "../../outside", "repo/sub/absolute": filepath.Join(dir, "outside"),
		"repo/sub/in": filepath.Join(dir, "repo/a"), "repo/up": "..", "repo/sub/dangling": "../../none",
		"link": "repo", "repo/sub/git": "../.git",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	for _, test := range []struct{ from, name, want string }{
		{"repo/sub/t.yaml", "../a", "a"}, {"repo/sub/t.yaml", "in", "a"}, {"link/sub/t.yaml", "../a", "a"},
		{"repo/sub/t.yaml", filepath.Join(dir, "link/a"), "a"},
		{"repo/sub/t.yaml", "../../outside", ""}, {"repo/sub/t.yaml", "out", ""}, {"repo/sub/t.yaml", "absolute", ""},
		{"repo/sub/t.yaml", "../up/outside", ""},
		{"repo/sub/t.yaml", "../../repository/a", ""}, {"repo/sub/t.yaml", "../../none/none", ""},
		{"repo/sub/t.yaml", "/dev/zero", ""},
		{"repo/sub/t.yaml", "../.git/config", ""}, {"repo/sub/t.yaml", "git/config", ""},
		{"repo/sub/t.yaml", "../.GIT/config", ""},
		{"project/x/t.yaml", "../a", "a"}, {"project/x/t.yaml", "../../outside", ""}, {"alone/t.yaml", "b", "a"},
		{"alone/t.yaml", "../outside", ""},
	} {
		from := filepath.Join(dir, test.from)
		data, err := files.RootOf(from).Read(files.Beside(from, test.name), 10)
		checked := files.RootOf(from).Check(files.Beside(from, test.name))
		var out *files.OutsideError
		switch {
		case test.want != "":
			if err != nil || checked != nil || string(data) != test.want {
				t.Errorf("%s names %s: %q, %v, %v", test.from, test.name, data, err, checked)
			}
		case !errors.As(err, &out) || !errors.As(checked, &out) || len(data) > 0 ||
			!strings.Contains(err.Error(), "--read-outside"):
			t.Errorf("%s names %s: %q, %v, %v", test.from, test.name, data, err, checked)
		}
	}
	if _, err := files.RootOf(filepath.Join(dir, "repo/a")).Read(filepath.Join(dir, "repo/none"), 10); !errors.Is(err,
		fs.ErrNotExist) {
		t.Error("a missing file:", err)
	}
	if _, err := files.RootOf(filepath.Join(dir, "repo/a")).Read(filepath.Join(dir, "repo/sub/dangling"),
		10); err == nil {
		t.Error("a link to nothing is read")
	}
}

// Without a repository, the working folder has the files, but not where it has the home.
func TestWorkingFolder(t *testing.T) {
	dir := testkit.New(t, map[string]string{"work/sub/t.yaml": "", "work/a": "a", "home/a": "a"})
	t.Setenv("HOME", filepath.Join(dir, "home"))
	from := filepath.Join("sub", "t.yaml")
	t.Chdir(filepath.Join(dir, "work"))
	if data, err := files.RootOf(from).Read(files.Beside(from, "../a"), 10); err != nil || string(data) != "a" {
		t.Errorf("%q, %v", data, err)
	}
	t.Chdir(dir)
	from = filepath.Join("work", from)
	if _, err := files.RootOf(from).Read(files.Beside(from, "../a"), 10); !errors.As(err, new(*files.OutsideError)) {
		t.Error(err)
	}
}

// The user can allow all files, but for special ones.
func TestAllowOutside(t *testing.T) {
	dir := testkit.New(t, map[string]string{"outside": "a", "repo/.git/config": "b", "repo/t.yaml": ""})
	special(t, dir)
	files.AllowOutside()
	t.Cleanup(files.ForbidOutside)
	from := filepath.Join(dir, "repo/t.yaml")
	for name, want := range map[string]string{"../outside": "a", ".git/config": "b"} {
		data, err := files.RootOf(from).Read(files.Beside(from, name), 10)
		if checked := files.RootOf(from).Check(files.Beside(from, name)); err != nil || checked != nil ||
			string(data) != want {
			t.Errorf("%s: %q, %v, %v", name, data, err, checked)
		}
	}
	if _, err := files.RootOf(from).Read(files.Beside(from, "../zero"), 10); !errors.As(err, new(*files.KindError)) {
		t.Error(err)
	}
}
