package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"asldb/internal/cli"
)

// document is a file of the release beside the program.
type document struct {
	name string // in an archive, with slashes
	text []byte
}

// shells are those with completion, each with the file that its completion has in an archive.
var shells = [][2]string{
	{"bash", "completions/asldb.bash"},
	{"fish", "completions/asldb.fish"},
	{"powershell", "completions/asldb.ps1"},
	{"zsh", "completions/_asldb"},
}

// documents returns man pages, completions and the documents of the project, sorted by name.
func (r *release) documents() ([]document, error) {
	var all []document
	for _, pattern := range []string{"README.md", "CHANGELOG.md", "LICENSE*", "docs/*.*", "docs/*/*.*"} {
		names, err := filepath.Glob(filepath.Join(r.root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			relative, err := filepath.Rel(r.root, name)
			if err != nil {
				return nil, err
			}
			all = append(all, document{filepath.ToSlash(relative), text})
		}
	}
	for _, shell := range shells {
		var out, errs bytes.Buffer
		if status := cli.Main([]string{"completion", shell[0]}, strings.NewReader(""), &out, &errs); status != 0 {
			return nil, fmt.Errorf("completion for %s: %s", shell[0], errs.String())
		}
		all = append(all, document{shell[1], out.Bytes()})
	}
	pages, err := r.manPages(cli.Commands())
	all = append(all, pages...)
	slices.SortFunc(all, func(a, b document) int { return strings.Compare(a.name, b.name) })
	return all, err
}

// manPages returns a man page for each command that users call.
func (r *release) manPages(cmd *cobra.Command) ([]document, error) {
	if !cmd.IsAvailableCommand() && cmd.HasParent() || cmd.Name() == "help" {
		return nil, nil
	}
	var page bytes.Buffer
	header := doc.GenManHeader{Section: "1", Date: &r.time, Source: "asldb " + r.version, Manual: "asldb"}
	if err := doc.GenMan(cmd, &header, &page); err != nil {
		return nil, err
	}
	all := []document{{"man/" + strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1", page.Bytes()}}
	for _, sub := range cmd.Commands() {
		pages, err := r.manPages(sub)
		if err != nil {
			return nil, err
		}
		all = append(all, pages...)
	}
	return all, nil
}
