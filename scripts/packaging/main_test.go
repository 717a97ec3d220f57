package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// needXZ skips a test where xz is not installed.
func needXZ(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("xz"); err != nil {
		t.Skip("xz is not installed")
	}
}

// output runs a command and returns what it prints.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestRelease makes a release for Linux, installs its Debian package and runs the program. With ASLDB_RELEASE=1 it
// makes the releases for all platforms, twice, and compares them.
func TestRelease(t *testing.T) {
	needXZ(t)
	args := []string{"--root", filepath.Join("..", ".."), "--allow-dirty"}
	all := os.Getenv("ASLDB_RELEASE") != ""
	if !all {
		args = append(args, "--only", "linux/"+runtime.GOARCH, "--quick")
	}
	make := func() string {
		t.Helper()
		out := filepath.Join(t.TempDir(), "release")
		if err := run(slices.Concat(args, []string{"--out", out, "1.2.3"}), io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
		return out
	}
	out := make()
	checkSums(t, out)
	if all {
		checkSizes(t, out)
	}
	t.Run("deb", func(t *testing.T) {
		checkDebianPackage(t, filepath.Join(out, "asldb_1.2.3-1_"+runtime.GOARCH+".deb"))
	})
	t.Run("lintian", func(t *testing.T) { checkLintian(t, out) })
	t.Run("provenance", func(t *testing.T) { checkProvenance(t, out) })
	t.Run("bill", func(t *testing.T) {
		checkBill(t, filepath.Join(out, "asldb_1.2.3_linux_"+runtime.GOARCH+".cdx.json"))
	})
	if all {
		compareFolders(t, out, make())
	}
}

// checkSizes compares the archives with the largest size that they are to have.
func checkSizes(t *testing.T, out string) {
	t.Helper()
	const most = 13_250_000 // as scripts/size says: the program 12.9 MB of it
	archives, err := filepath.Glob(filepath.Join(out, "*.tar.xz"))
	if err != nil || len(archives) == 0 {
		t.Errorf("archives: %q, %v", archives, err)
	}
	for _, name := range archives {
		if info, err := os.Stat(name); err != nil || info.Size() > most {
			t.Errorf("%s has more than %d bytes (%v): scripts/size says why", filepath.Base(name), most, err)
		}
	}
}

// checkSums compares checksums.txt with sha256sum.
func checkSums(t *testing.T, out string) {
	t.Helper()
	if _, err := exec.LookPath("sha256sum"); err != nil {
		t.Log("sha256sum is not installed")
		return
	}
	cmd := exec.Command("sha256sum", "--check", "--strict", "checksums.txt")
	cmd.Dir = out
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}

// checkDebianPackage installs a package into an empty folder and runs what it installs.
func checkDebianPackage(t *testing.T, name string) {
	if _, err := exec.LookPath("dpkg"); err != nil {
		t.Skip("dpkg is not installed")
	}
	root := t.TempDir()
	if os.Geteuid() == 0 {
		for _, folder := range []string{"info", "updates"} {
			if err := os.MkdirAll(filepath.Join(root, "var", "lib", "dpkg", folder), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(root, "var", "lib", "dpkg", "status"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		output(t, "dpkg", "--root="+root, "--install", name)
		got := output(t, "dpkg-query", "--admindir="+filepath.Join(root, "var", "lib", "dpkg"),
			"--show", "--showformat=${Package} ${Version} ${Status}", "asldb")
		if got != "asldb 1.2.3-1 install ok installed" {
			t.Errorf("dpkg has %s", got)
		}
	} else {
		output(t, "dpkg-deb", "--extract", name, root)
	}
	program := filepath.Join(root, "usr", "bin", "asldb")
	version, commit := output(t, program, "--version"), strings.TrimSpace(output(t, "git", "rev-parse", "HEAD"))
	if !strings.HasPrefix(version, "asldb v1.2.3 (commit "+commit[:12]+", 2") ||
		!strings.HasSuffix(version, ", "+runtime.Version()+")\n") {
		t.Errorf("--version prints %s", version)
	}
	// A library makes the program larger, or a method that keeps others: docs/releases.md has examples. The SDK of the
	// Model Context Protocol takes 2.7 MB, and the API of Step Functions 1 MB.
	const most = 44_700_000
	if info, err := os.Stat(program); err != nil || info.Size() > most {
		t.Errorf("the program has more than %d bytes (%v): scripts/size prints the bytes of each library", most, err)
	}
	if got := output(t, program, "eval", "--path", "$.a[1]", "--input", `{"a": [1, 2]}`); got != "2\n" {
		t.Errorf("eval prints %s", got)
	}
	for _, file := range []string{
		"man/man1/asldb.1.gz", "man/man1/asldb-trace-info.1.gz",
		"bash-completion/completions/asldb", "zsh/vendor-completions/_asldb",
		"fish/vendor_completions.d/asldb.fish", "asldb/asldb.ps1",
		"doc/asldb/README.md", "doc/asldb/docs/fixtures.md",
		"doc/asldb/changelog.gz", "doc/asldb/changelog.Debian.gz",
	} {
		info, err := os.Stat(filepath.Join(root, "usr", "share", filepath.FromSlash(file)))
		if err != nil || info.Size() < 100 || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// checkLintian reads the packages as Debian's checker does: the one error is that there is no license yet.
func checkLintian(t *testing.T, out string) {
	if _, err := exec.LookPath("lintian"); err != nil {
		t.Skip("lintian is not installed")
	}
	packages, err := filepath.Glob(filepath.Join(out, "*.deb"))
	if err != nil || len(packages) == 0 {
		t.Fatalf("packages: %q, %v", packages, err)
	}
	args := append([]string{"--allow-root", "--fail-on", "none"}, packages...)
	text := output(t, "lintian", args...)
	licenses := 0
	for line := range strings.Lines(text) {
		switch {
		case line == "E: asldb: no-copyright-file\n":
			licenses++
		case strings.HasPrefix(line, "E: "):
			t.Errorf("lintian: %s", line)
		}
	}
	if licenses != len(packages) {
		t.Errorf("%d of %d packages lack the license alone; lintian prints\n%s", licenses, len(packages), text)
	}
}

// checkProvenance compares the subjects of the provenance with checksums.txt, and its sources with the work tree.
func checkProvenance(t *testing.T, out string) {
	data, err := os.ReadFile(filepath.Join(out, "asldb_1.2.3.provenance.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s statement
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for _, of := range s.Subject {
		fmt.Fprintf(&lines, "%s  %s\n", of.Digest["sha256"], of.Name)
	}
	sums, err := os.ReadFile(filepath.Join(out, "checksums.txt"))
	if err != nil || lines.String() != string(sums) {
		t.Errorf("the subjects are\n%s, and the checksums (%v)\n%s", lines.String(), err, sums)
	}
	commit := strings.TrimSpace(output(t, "git", "rev-parse", "HEAD"))
	if s.Content.Definition.Sources[0].Digest["gitCommit"] != commit {
		t.Errorf("the commit is %v, want %s", s.Content.Definition.Sources, commit)
	}
	want := map[string]string{"version": "1.2.3"}
	if output(t, "git", "status", "--porcelain") != "" {
		want["allow-dirty"] = "true"
	}
	if got := s.Content.Definition.Parameters; !maps.Equal(got, want) {
		t.Errorf("the parameters are %v, want %v", got, want)
	}
}

// checkBill compares a bill of materials with modules that the program certainly has.
func checkBill(t *testing.T, name string) {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var b bill
	if err := json.Unmarshal(data, &b); err != nil {
		t.Fatal(err)
	}
	if b.Format != "CycloneDX" || b.Metadata.Component.Version != "v1.2.3" || b.Metadata.Component.Name != "asldb" {
		t.Errorf("it begins with %+v", b.Metadata)
	}
	for _, want := range []string{"std", "github.com/spf13/cobra", "github.com/charmbracelet/bubbletea"} {
		i := slices.IndexFunc(b.Components, func(c component) bool { return c.Name == want })
		if i < 0 || b.Components[i].Version == "" || !strings.HasPrefix(b.Components[i].URL, "pkg:golang/"+want+"@") {
			t.Errorf("%s is missing, or has no version", want)
		}
	}
	if len(b.Dependencies) != 1 || len(b.Dependencies[0].On) != len(b.Components) {
		t.Errorf("the dependencies are %v", b.Dependencies)
	}
}

// compareFolders compares two releases byte for byte.
func compareFolders(t *testing.T, a, b string) {
	t.Helper()
	entries, err := os.ReadDir(a)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		one, err := os.ReadFile(filepath.Join(a, entry.Name()))
		other, err2 := os.ReadFile(filepath.Join(b, entry.Name()))
		if err := errors.Join(err, err2); err != nil {
			t.Error(err)
		} else if !bytes.Equal(one, other) {
			t.Errorf("%s differs", entry.Name())
		}
	}
	if others, err := os.ReadDir(b); err != nil || len(others) != len(entries) {
		t.Errorf("%d files and %d (%v)", len(entries), len(others), err)
	}
}

// candidate is a release before 1.3.0, with nothing in it yet.
func candidate(t *testing.T) *release {
	return &release{
		out: t.TempDir(), version: "1.3.0-rc.1", commit: "0123456789abcdef",
		time: time.Date(2026, 11, 22, 15, 0, 0, 0, time.UTC),
	}
}

// TestSameBytes packs a small program for all platforms twice: from another folder, with another mode and another time
// of the file.
func TestSameBytes(t *testing.T) {
	needXZ(t)
	documents := []document{
		{"README.md", []byte("# asldb\n")},
		{"completions/asldb.bash", []byte("complete\n")},
		{"man/asldb.1", []byte(".TH ASLDB 1\n")},
	}
	pack := func(mode os.FileMode, at time.Time) string {
		t.Helper()
		binary := filepath.Join(t.TempDir(), "asldb")
		if err := os.WriteFile(binary, []byte("#!/bin/sh\necho small\n"), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(binary, at, at); err != nil {
			t.Fatal(err)
		}
		r := candidate(t)
		program, err := os.Executable() // has a bill of materials
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range platforms {
			if err := errors.Join(r.pack(p, binary, documents), r.bill(p, program)); err != nil {
				t.Fatal(err)
			}
		}
		sums, err := r.checksums()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.manifests(platforms, sums); err != nil {
			t.Fatal(err)
		}
		return r.out
	}
	out := pack(0o755, time.Unix(1, 0))
	compareFolders(t, out, pack(0o700, time.Unix(2_000_000_000, 0)))
	checkSums(t, out)
	checkManifests(t, out)
	checkTar(t, filepath.Join(out, "asldb_1.3.0-rc.1_linux_arm64.tar.xz"))
}

// checkManifests compares the sums in the formula and in the manifest of Scoop with checksums.txt.
func checkManifests(t *testing.T, out string) {
	t.Helper()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	formula, scoop := read("asldb.rb"), read("asldb.json")
	if !json.Valid([]byte(scoop)) {
		t.Errorf("it is not JSON:\n%s", scoop)
	}
	archives := 0
	for line := range strings.Lines(read("checksums.txt")) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		url := `"https://github.com/OWNER/REPO/releases/download/v1.3.0-rc.1/` + name + `"`
		switch {
		case strings.HasSuffix(name, ".tar.xz"):
			archives++
			if !strings.Contains(formula, "url "+url+"\n      sha256 \""+sum+`"`) {
				t.Errorf("the formula does not have %s with %s", name, sum)
			}
		case strings.HasSuffix(name, ".zip"):
			archives++
			if !strings.Contains(scoop, `"url": `+url) || !strings.Contains(scoop, `"hash": "`+sum+`"`) {
				t.Errorf("the manifest does not have %s with %s", name, sum)
			}
		}
	}
	if archives != len(platforms) {
		t.Errorf("there are %d archives", archives)
	}
}

// checkTar reads an archive: its files have the time of the commit, and belong to root.
func checkTar(t *testing.T, name string) {
	t.Helper()
	raw, err := exec.Command("xz", "--decompress", "--stdout", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for r := tar.NewReader(bytes.NewReader(raw)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(time.Date(2026, 11, 22, 15, 0, 0, 0, time.UTC)) || h.Uname != "root" || h.Uid != 0 {
			t.Errorf("%s is of %v and belongs to %s", h.Name, h.ModTime, h.Uname)
		}
		names = append(names, h.Name)
	}
	want := []string{"asldb", "README.md", "completions/asldb.bash", "man/asldb.1"}
	for i := range want {
		want[i] = "asldb_1.3.0-rc.1_linux_arm64/" + want[i]
	}
	if !slices.Equal(names, want) {
		t.Errorf("it has %v", names)
	}
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "which version?"},
		{[]string{"1.2"}, "which version?"},
		{[]string{"1.2.3", "1.2.4"}, "which version?"},
		{[]string{"--only", "plan9/386", "1.2.3"}, "there is no platform \"plan9/386\"; there are darwin/amd64,"},
		{[]string{"1.2.3", "--only", "plan9/386"}, "there is no platform \"plan9/386\"; there are darwin/amd64,"},
		{[]string{"--root", os.DevNull, "1.2.3"}, "git status"},
		{[]string{"--vscode", "1.3.0-rc.1"}, "--vscode: the marketplace takes no version such as 1.3.0-rc.1"},
	} {
		if err := run(c.args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.args, err, c.want)
		}
	}
}
