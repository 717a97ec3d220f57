package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// The provenance is an in-toto statement with the predicate of SLSA 1.0, https://slsa.dev/spec/v1.0/provenance. It has
// no signature: who publishes a release signs it.
type (
	statement struct {
		Type      string     `json:"_type"`
		Subject   []subject  `json:"subject"`
		Predicate string     `json:"predicateType"`
		Content   provenance `json:"predicate"`
	}
	subject struct {
		Name   string            `json:"name"`
		Digest map[string]string `json:"digest"`
	}
	provenance struct {
		Definition struct {
			Type       string            `json:"buildType"`
			Parameters map[string]string `json:"externalParameters"`
			Sources    []source          `json:"resolvedDependencies"`
		} `json:"buildDefinition"`
		Run struct {
			Builder struct {
				ID      string            `json:"id"`
				Version map[string]string `json:"version"`
			} `json:"builder"`
		} `json:"runDetails"`
	}
	source struct {
		URI    string            `json:"uri"`
		Digest map[string]string `json:"digest"`
	}
)

// provenance writes the commit, the version and the compiler that the files of the release were made from.
func (r *release) provenance(sums []checksum) error {
	s := statement{Type: "https://in-toto.io/Statement/v1", Predicate: "https://slsa.dev/provenance/v1"}
	for _, c := range sums {
		s.Subject = append(s.Subject, subject{c.name, map[string]string{"sha256": c.sum}})
	}
	build := &s.Content.Definition
	build.Type = homepage + "/blob/" + r.commit + "/docs/releases.md"
	build.Parameters = map[string]string{"version": r.version}
	build.Sources = []source{{"git+" + homepage, map[string]string{"gitCommit": r.commit}}}
	s.Content.Run.Builder.ID = homepage + "/blob/" + r.commit + "/scripts/release"
	s.Content.Run.Builder.Version = map[string]string{"go": strings.TrimPrefix(runtime.Version(), "go")}
	return r.file("asldb_"+r.version+".provenance.json", func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(s)
	})
}

// tryPackage unpacks the Debian package for this machine into an empty folder and asks its program for the version.
// Where no package is for this machine, or dpkg-deb is not installed, it says that nothing was tried.
func (r *release) tryPackage(chosen []platform, work string, out io.Writer) error {
	dpkg, err := exec.LookPath("dpkg-deb")
	if err != nil || runtime.GOOS != "linux" || !slices.Contains(chosen, platform{"linux", runtime.GOARCH}) {
		fmt.Fprintln(out, "not tried: there is no Debian package for this machine, or no dpkg-deb")
		return nil
	}
	packages, err := filepath.Glob(filepath.Join(r.out, "*_"+runtime.GOARCH+".deb"))
	if err != nil || len(packages) != 1 {
		return fmt.Errorf("Debian packages for this machine: %q, %w", packages, err)
	}
	root := filepath.Join(work, "root")
	if _, err := r.output(dpkg, "--extract", packages[0], root); err != nil {
		return err
	}
	version, err := r.output(filepath.Join(root, "usr", "bin", "asldb"), "--version")
	if err != nil {
		return err
	}
	if !strings.HasPrefix(version, "asldb v"+r.version+" (commit "+r.commit[:12]) {
		return fmt.Errorf("the installed program prints %q", version)
	}
	fmt.Fprintf(out, "tried: %s\n", version)
	return nil
}

// debianDocuments are the documents that Debian's policy asks of a package: its changelog, and for lintian the reason
// why the program is linked statically.
func (r *release) debianDocuments() map[string][]byte {
	entry := fmt.Sprintf("asldb (%s-1) unstable; urgency=medium\n\n  * Version %s: see changelog.gz.\n\n -- %s  %s\n",
		strings.Replace(r.version, "-", "~", 1), r.version, r.maintainer, r.time.Format(time.RFC1123Z))
	return map[string][]byte{
		"/usr/share/doc/asldb/changelog.Debian.gz": compressed([]byte(entry)),
		"/usr/share/lintian/overrides/asldb": []byte(
			"# Programs in Go without cgo have no dynamic section.\nasldb: statically-linked-binary\n",
		),
	}
}

// compressed is a text in gzip, without a time.
func compressed(text []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid, and a buffer takes all
	_, _ = w.Write(text)
	_ = w.Close()
	return out.Bytes()
}
