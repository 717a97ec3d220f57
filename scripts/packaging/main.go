// Command packaging builds a release of asldb: archives for all platforms, packages for Debian and Red Hat, bills of
// materials, checksums, a Homebrew formula and a Scoop manifest. The same commit gives the same bytes, but for the
// extensions for VS Code, which npm packs. scripts/release calls it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// platform is an operating system and an architecture, as Go names them.
type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "/" + p.arch }

// platforms are the platforms of a release.
var platforms = []platform{
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"linux", "amd64"}, {"linux", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

// release is what all files of a release have in common.
type release struct {
	root, out string    // folders: the project, and the files of the release
	version   string    // without v
	commit    string    // in full
	time      time.Time // of the commit, in UTC: the time of every file
	// maintainer is the author of the commit, as NAME <ADDRESS>.
	maintainer string
	dirty      bool // there are changes that are not committed
	quick      bool // archives are compressed less
	vscode     bool // with the extensions for VS Code
}

// semantic matches a version of semver.org without build metadata.
var semantic = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?$`)

func run(args []string, out, errs io.Writer) error {
	flags := flag.NewFlagSet("scripts/release", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() {
		fmt.Fprintln(errs, "usage: scripts/release [FLAGS] VERSION, such as 1.2.3")
		flags.PrintDefaults()
	}
	root := flags.String("root", ".", "the `FOLDER` of the project")
	folder := flags.String("out", "", "the `FOLDER` to write (default: dist/VERSION in the project)")
	only := flags.String("only", "", "build one platform only: `OS/ARCH`")
	quick := flags.Bool("quick", false, "compress the archives less, for a trial")
	vscode := flags.Bool("vscode", false,
		"also pack the extension for VS Code with the program inside; npm fetches the packers")
	dirty := flags.Bool("allow-dirty", false,
		"build with changes that are not committed; such a release cannot be repeated")
	var words []string
	for len(args) > 0 { // package flag ends at the first word
		if err := flags.Parse(args); err != nil {
			return err
		}
		if args = flags.Args(); len(args) > 0 {
			words, args = append(words, args[0]), args[1:]
		}
	}
	version := strings.TrimPrefix(strings.Join(words, " "), "v")
	if !semantic.MatchString(version) {
		return fmt.Errorf("which version? usage: scripts/release VERSION, such as 1.2.3 or 1.3.0-rc.1")
	}
	if *vscode && strings.Contains(version, "-") {
		return fmt.Errorf("--vscode: the marketplace takes no version such as %s; leave the flag out", version)
	}
	chosen, err := choose(*only)
	if err != nil {
		return err
	}
	r, err := newRelease(*root, version, *dirty)
	if err != nil {
		return err
	}
	if r.out = *folder; r.out == "" {
		r.out = filepath.Join(r.root, "dist", version)
	}
	r.quick, r.vscode = *quick, *vscode
	return r.make(chosen, out)
}

// choose returns the platforms to build: all, or the one that is named.
func choose(only string) ([]platform, error) {
	if only == "" {
		return platforms, nil
	}
	var names []string
	for _, p := range platforms {
		if p.String() == only {
			return []platform{p}, nil
		}
		names = append(names, p.String())
	}
	return nil, fmt.Errorf("there is no platform %q; there are %s", only, strings.Join(names, ", "))
}

// newRelease reads commit and time from the repository.
func newRelease(root, version string, dirty bool) (*release, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	r := &release{root: root, version: version}
	changes, err := r.output("git", "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	if r.dirty = changes != ""; r.dirty && !dirty {
		return nil, fmt.Errorf("there are changes that are not committed (--allow-dirty builds with them):\n%s", changes)
	}
	if r.commit, err = r.output("git", "rev-parse", "HEAD"); err != nil {
		return nil, err
	}
	if r.maintainer, err = r.output("git", "log", "-1", "--format=%aN <%aE>"); err != nil {
		return nil, err
	}
	stamp, err := r.output("git", "log", "-1", "--format=%ct")
	if err != nil {
		return nil, err
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	r.time = time.Unix(seconds, 0).UTC()
	return r, err
}

// output runs a command in the project and returns what it prints.
func (r *release) output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr = r.root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// make writes all files of the release.
func (r *release) make(chosen []platform, out io.Writer) error {
	if _, err := os.Stat(r.out); err == nil {
		return fmt.Errorf("%s exists: remove it first, or name another folder with --out", r.out)
	}
	work, err := os.MkdirTemp("", "asldb-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	documents, err := r.documents()
	if err != nil {
		return err
	}
	for _, p := range chosen {
		binary := filepath.Join(work, p.os+"_"+p.arch, p.program())
		if err := r.build(p, binary); err != nil {
			return err
		}
		if err := r.pack(p, binary, documents); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		if err := r.bill(p, binary); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		if r.vscode {
			if err := r.extension(p, work, binary); err != nil {
				return err
			}
		}
	}
	sums, err := r.checksums()
	if err != nil {
		return err
	}
	if err := r.provenance(sums); err != nil {
		return err
	}
	if err := r.manifests(chosen, sums); err != nil {
		return err
	}
	for _, s := range sums {
		fmt.Fprintf(out, "%10d  %s\n", s.size, filepath.Join(r.out, s.name))
	}
	return r.tryPackage(chosen, work, out)
}

// program is the name of the program on a platform.
func (p platform) program() string {
	if p.os == "windows" {
		return "asldb.exe"
	}
	return "asldb"
}

// build builds the program, stripped, with its origin.
func (r *release) build(p platform, binary string) error {
	module, err := r.output("go", "list", "-m")
	if err != nil {
		return err
	}
	flags := "-s -w -buildid="
	for _, v := range [][2]string{{"version", r.version}, {"commit", r.commit}, {"date", r.time.Format(time.RFC3339)}} {
		flags += " -X " + module + "/internal/cli/command." + v[0] + "=" + v[1]
	}
	// The commit is named above: what the Go tool stamps by itself depends on the kind of clone.
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", binary, ".")
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "GOOS="+p.os, "GOARCH="+p.arch, "GOAMD64=v1", "GOARM64=v8.0",
		"CGO_ENABLED=0", "GOFLAGS=-trimpath", "GOEXPERIMENT=")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build for %s: %w\n%s", p, err, text)
	}
	return nil
}
