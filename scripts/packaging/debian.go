package main

import (
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// tryPackage unpacks the Debian package for this machine into an empty folder and asks its program for the version.
// Where no package is for this machine, or dpkg-deb is not installed, it says that nothing was tried.
func (r *release) tryPackage(chosen []platform, work string, out io.Writer) error {
	dpkg, err := exec.LookPath("dpkg-deb")
	if err != nil || runtime.GOOS != "linux" || !slices.Contains(chosen, platform{"linux", runtime.GOARCH}) {
		fmt.Fprintln(out, "not tried: there is no Debian package for this machine, or no dpkg-deb")
		return nil
	}
	packages, err := filepath.Glob(filepath.Join(r.out, "*_"+runtime.GOARCH+".deb"))
	if err != nil {
		return err
	}
	if len(packages) != 1 {
		return fmt.Errorf("Debian packages for this machine: %q, want one", packages)
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
