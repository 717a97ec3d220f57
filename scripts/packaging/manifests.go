package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// OWNER/REPO is the repository from which the files of releases can be loaded.
const (
	homepage = "https://github.com/OWNER/REPO"
	summary  = "debugger for state machines in the Amazon States Language"
	// description is the long description of packages.
	description = "asldb steps through state machines of AWS Step Functions on this machine, stage by\n" +
		"stage, forward and back, with breakpoints and virtual time. It checks definitions, runs\n" +
		"suites of tests, and explains recorded executions."
)

// title is the summary as a line of its own.
var title = strings.ToUpper(summary[:1]) + summary[1:]

// checksum is the SHA-256 of a file of the release.
type checksum struct {
	name, sum string
	size      int64
}

// checksums writes checksums.txt, in the form of sha256sum, and returns its lines, sorted by name.
func (r *release) checksums() ([]checksum, error) {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return nil, err
	}
	var all []checksum
	var lines strings.Builder
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(r.out, entry.Name()))
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(data)
		all = append(all, checksum{entry.Name(), hex.EncodeToString(sum[:]), int64(len(data))})
		fmt.Fprintf(&lines, "%x  %s\n", sum, entry.Name())
	}
	return all, os.WriteFile(filepath.Join(r.out, "checksums.txt"), []byte(lines.String()), 0o644)
}

// url is the place of a file of the release.
func (r *release) url(name string) string {
	return homepage + "/releases/download/v" + r.version + "/" + name
}

// manifests writes the Homebrew formula and the Scoop manifest for the platforms that were built.
func (r *release) manifests(chosen []platform, sums []checksum) error {
	sumOf := make(map[string]string)
	for _, s := range sums {
		sumOf[s.name] = s.sum
	}
	var brew []platform
	scoop := make(map[string]any)
	for _, p := range chosen {
		if p.os != "windows" {
			brew = append(brew, p)
			continue
		}
		arch := map[string]string{"amd64": "64bit", "arm64": "arm64"}[p.arch]
		scoop[arch] = map[string]string{
			"url":         r.url(r.archive(p)),
			"hash":        sumOf[r.archive(p)],
			"extract_dir": r.base(p),
		}
	}
	if len(brew) > 0 {
		if err := r.file("asldb.rb", func(w io.Writer) error { return r.formula(w, brew, sumOf) }); err != nil {
			return err
		}
	}
	if len(scoop) == 0 {
		return nil
	}
	return r.file("asldb.json", func(w io.Writer) error {
		encoder := json.NewEncoder(w) // sorts the keys
		encoder.SetIndent("", "    ")
		return encoder.Encode(map[string]any{
			"version": r.version, "description": title, "homepage": homepage, "license": "Unknown",
			"architecture": scoop, "bin": "asldb.exe", "checkver": "github",
		})
	})
}

// formula writes the Homebrew formula.
func (r *release) formula(w io.Writer, chosen []platform, sumOf map[string]string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "class Asldb < Formula\n  desc %q\n  homepage %q\n  version %q\n", title, homepage, r.version)
	for _, system := range [][2]string{{"darwin", "macos"}, {"linux", "linux"}} {
		var archs strings.Builder
		for _, p := range chosen {
			if p.os != system[0] {
				continue
			}
			cpu := map[string]string{"amd64": "intel", "arm64": "arm"}[p.arch]
			fmt.Fprintf(&archs, "    on_%s do\n      url %q\n      sha256 %q\n    end\n",
				cpu, r.url(r.archive(p)), sumOf[r.archive(p)])
		}
		if archs.Len() > 0 {
			fmt.Fprintf(&b, "\n  on_%s do\n%s  end\n", system[1], archs.String())
		}
	}
	b.WriteString(`
  def install
    bin.install "asldb"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/asldb.bash" => "asldb"
    fish_completion.install "completions/asldb.fish"
    zsh_completion.install "completions/_asldb"
    doc.install "README.md", "docs"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/asldb --version")
    assert_equal "[1]", shell_output("#{bin}/asldb eval --path '$.a' --input '{\"a\": [1]}'").strip
  end
end
`)
	_, err := io.WriteString(w, b.String())
	return err
}
