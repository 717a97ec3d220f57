package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestTryPackage tries Debian packages with a program that prints the version of the release, another one, or an
// error; and folders without a package, and with two.
func TestTryPackage(t *testing.T) {
	if _, err := exec.LookPath("dpkg-deb"); err != nil || runtime.GOOS != "linux" {
		t.Skip("dpkg-deb is not installed")
	}
	const version = "asldb v1.3.0-rc.1 (commit 0123456789ab, 2026-11-22, go1.26)"
	here := platform{"linux", runtime.GOARCH}
	for _, c := range []struct {
		name, program      string
		more               string // a second package
		chosen             []platform
		printed, wantError string
	}{
		{name: "right", program: "echo '" + version + "'", printed: "tried: " + version + "\n"},
		{name: "another version", program: "echo asldb v1.2.0", wantError: `the installed program prints "asldb v1.2.0"`},
		{name: "fails", program: "exit 3", wantError: "asldb --version: exit status 3"},
		{name: "no package", wantError: "Debian packages for this machine: [], want one"},
		{name: "two packages", program: "exit 3", more: "old_" + runtime.GOARCH + ".deb", wantError: "want one"},
		{name: "of another machine", chosen: []platform{{"windows", "amd64"}}, printed: "not tried: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, work := candidate(t), t.TempDir()
			var errs []error
			if c.program != "" {
				binary := filepath.Join(work, "asldb")
				errs = append(errs, os.WriteFile(binary, []byte("#!/bin/sh\n"+c.program+"\n"), 0o755),
					r.linuxPackage("deb", here, binary, nil))
			}
			if c.more != "" {
				errs = append(errs, os.WriteFile(filepath.Join(r.out, c.more), nil, 0o600))
			}
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			if c.chosen == nil {
				c.chosen = []platform{here}
			}
			var out strings.Builder
			r.root = work
			err := r.tryPackage(c.chosen, work, &out)
			switch {
			case c.wantError == "" && err != nil, !strings.HasPrefix(out.String(), c.printed):
				t.Errorf("it prints %q and ends with %v; want %q", out.String(), err, c.printed)
			case c.wantError != "" && (err == nil || !strings.Contains(err.Error(), c.wantError) ||
				strings.Contains(err.Error(), "%!")):
				t.Errorf("%v, want %s", err, c.wantError)
			}
		})
	}
}
