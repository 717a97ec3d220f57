package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// target is a platform as VS Code names it.
func (p platform) target() string {
	os, arch := p.os, p.arch
	if os == "windows" {
		os = "win32"
	}
	if arch == "amd64" {
		arch = "x64"
	}
	return os + "-" + arch
}

// extension writes the extension for VS Code of a platform, with the program inside. npm packs it in a copy of the
// extension's folder in work, which the platforms share.
func (r *release) extension(p platform, work, binary string) error {
	folder := filepath.Join(work, "vscode")
	if _, err := os.Stat(folder); errors.Is(err, os.ErrNotExist) {
		if err := r.copyExtension(folder); err != nil {
			return err
		}
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	bin := filepath.Join(folder, "bin")
	if err := errors.Join(os.RemoveAll(bin), os.MkdirAll(bin, 0o755)); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(bin, p.program()), program, 0o755); err != nil {
		return err
	}
	out, err := filepath.Abs(filepath.Join(r.out, r.base(p)+".vsix"))
	if err != nil {
		return err
	}
	cmd := exec.Command("npm", "run", "package", "--", "--target", p.target(), "--out", out, r.version,
		"--no-git-tag-version", "--no-update-package-json")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.time.Unix(), 10))
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm run package for %s: %w\n%s", p, err, text)
	}
	return nil
}

// copyExtension copies the extension's files that are in the repository.
func (r *release) copyExtension(folder string) error {
	const source = "editors/vscode/"
	names, err := r.output("git", "ls-files", source)
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(names, "\n") {
		text, err := os.ReadFile(filepath.Join(r.root, name))
		if err != nil {
			return err
		}
		to := filepath.Join(folder, strings.TrimPrefix(name, source))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
