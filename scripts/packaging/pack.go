package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers the format
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // registers the format
)

// base is the name of a platform's files, without an extension.
func (r *release) base(p platform) string { return "asldb_" + r.version + "_" + p.os + "_" + p.arch }

// archive is the name of a platform's archive.
func (r *release) archive(p platform) string {
	if p.os == "windows" {
		return r.base(p) + ".zip"
	}
	return r.base(p) + ".tar.xz"
}

// pack writes the archive of a platform and, on Linux, its packages.
func (r *release) pack(p platform, binary string, documents []document) error {
	program, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	write := r.tar
	if p.os == "windows" {
		write = r.zip
	}
	err = r.file(r.archive(p), func(w io.Writer) error {
		return write(w, r.base(p), p.program(), program, documents)
	})
	if err != nil || p.os != "linux" {
		return err
	}
	for _, format := range []string{"deb", "rpm"} {
		if err := r.linuxPackage(format, p, binary, documents); err != nil {
			return err
		}
	}
	return nil
}

// file writes a file of the release.
func (r *release) file(name string, write func(io.Writer) error) (err error) {
	f, err := os.Create(filepath.Join(r.out, name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return write(f)
}

// tar writes an archive of tar, compressed by the program xz: a fifth smaller than by gzip or by a library of Go. One thread
// gives the same bytes on every machine.
func (r *release) tar(w io.Writer, folder, name string, program []byte, documents []document) error {
	var raw bytes.Buffer
	t := tar.NewWriter(&raw)
	add := func(name string, mode int64, text []byte) error {
		header := &tar.Header{
			Typeflag: tar.TypeReg, Format: tar.FormatUSTAR,
			Name: folder + "/" + name, Size: int64(len(text)),
			Mode: mode, ModTime: r.time, Uname: "root", Gname: "root",
		}
		if err := t.WriteHeader(header); err != nil {
			return err
		}
		_, err := t.Write(text)
		return err
	}
	if err := add(name, 0o755, program); err != nil {
		return err
	}
	for _, d := range documents {
		if err := add(d.name, 0o644, d.text); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	level := "-9"
	if r.quick {
		level = "-0"
	}
	xz := exec.Command("xz", level, "--threads=1", "--stdout")
	xz.Env = append(os.Environ(), "XZ_DEFAULTS=", "XZ_OPT=")
	xz.Stdin, xz.Stdout, xz.Stderr = &raw, w, os.Stderr
	if err := xz.Run(); err != nil {
		return fmt.Errorf("xz (Debian: apt install xz-utils): %w", err)
	}
	return nil
}

func (r *release) zip(w io.Writer, folder, name string, program []byte, documents []document) error {
	z := zip.NewWriter(w)
	add := func(name string, text []byte) error {
		f, err := z.CreateHeader(&zip.FileHeader{Name: folder + "/" + name, Method: zip.Deflate, Modified: r.time})
		if err != nil {
			return err
		}
		_, err = f.Write(text)
		return err
	}
	if err := add(name, program); err != nil {
		return err
	}
	for _, d := range documents {
		if err := add(d.name, d.text); err != nil {
			return err
		}
	}
	return z.Close()
}

// linuxPackage writes a package of a format of nfpm, with each document where the distributions look for it.
func (r *release) linuxPackage(format string, p platform, binary string, documents []document) (err error) {
	folder, err := os.MkdirTemp("", "asldb-package-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	contents := files.Contents{r.content(binary, "/usr/bin/asldb", 0o755)}
	texts := make(map[string][]byte)
	if format == "deb" {
		texts = r.debianDocuments()
	}
	for _, d := range documents {
		name, text := installed(d)
		texts[name] = text
	}
	for i, name := range slices.Sorted(maps.Keys(texts)) {
		source := filepath.Join(folder, strconv.Itoa(i))
		if err := os.WriteFile(source, texts[name], 0o644); err != nil {
			return err
		}
		contents = append(contents, r.content(source, name, 0o644))
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "asldb", Arch: p.arch, Platform: p.os, Version: r.version, Release: "1",
		Section: "devel", Priority: "optional", Maintainer: r.maintainer,
		Homepage: homepage, Description: summary + "\n" + description,
		MTime: r.time, DisableGlobbing: true,
		Overridables: nfpm.Overridables{
			Contents: contents, Umask: 0o022,
			Deb: nfpm.Deb{Compression: "gzip"},
			RPM: nfpm.RPM{
				Compression: "gzip:9", Summary: summary,
				BuildHost: "localhost", Group: "Development/Debuggers",
			},
		},
	})
	if err := nfpm.PrepareForPackager(info, format); err != nil {
		return err
	}
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	return r.file(packager.ConventionalFileName(info), func(w io.Writer) error { return packager.Package(info, w) })
}

func (r *release) content(source, name string, mode os.FileMode) *files.Content {
	return &files.Content{
		Source:      source,
		Destination: name,
		FileInfo:    &files.ContentFileInfo{Owner: "root", Group: "root", Mode: mode, MTime: r.time},
	}
}

// installed returns the place of a document in a Linux system, and its text there.
func installed(d document) (name string, text []byte) {
	file := d.name[strings.LastIndexByte(d.name, '/')+1:]
	switch {
	case strings.HasPrefix(d.name, "man/"):
		return "/usr/share/man/man1/" + file + ".gz", compressed(d.text)
	case d.name == "CHANGELOG.md":
		return "/usr/share/doc/asldb/changelog.gz", compressed(d.text)
	case d.name == "completions/asldb.bash":
		return "/usr/share/bash-completion/completions/asldb", d.text
	case d.name == "completions/asldb.fish":
		return "/usr/share/fish/vendor_completions.d/asldb.fish", d.text
	case d.name == "completions/_asldb":
		return "/usr/share/zsh/vendor-completions/_asldb", d.text
	case d.name == "completions/asldb.ps1":
		return "/usr/share/asldb/asldb.ps1", d.text
	}
	return "/usr/share/doc/asldb/" + d.name, d.text
}

// compressed is a text in gzip, without a time.
func compressed(text []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid, and a buffer takes all
	_, _ = w.Write(text)
	_ = w.Close()
	return out.Bytes()
}
