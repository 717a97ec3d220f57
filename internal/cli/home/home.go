// Package home has the lists outside of a session from which a command is chosen: the machines, suites and recordings
// of a folder, and the definitions of a file that has several.
package home

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/charmbracelet/x/term"

	"asldb/engine/value"
	"asldb/internal/cli/checks"
	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/definitions"
	"asldb/internal/executions"
	"asldb/internal/project"
	"asldb/internal/store"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/program"
	"asldb/tui/view"
)

// mostRecordings bounds the recordings of a folder that are listed.
const mostRecordings = 200

// entry is a machine, a suite or a recording of the folder.
type entry struct {
	noun, name, said string
	// commands are the command lines of the actions: open it, run its suites, run it with faults. An empty one cannot
	// be run, for the reason in refused.
	open, test, explore []string
	refused             string
	of                  definitions.Definition // of a machine
}

// columns of a line: the noun, and the name before what is said about it.
const nounColumn, nameColumn = 10, 44

func (e *entry) line() string {
	return fmt.Sprintf("%-*s %-*s %s", nounColumn, e.noun, nameColumn, e.name, e.said)
}

func (e *entry) command(action keys.Action) []string {
	switch action {
	case keys.Judge:
		return e.test
	case keys.Explore:
		return e.explore
	default:
		return e.open
	}
}

// home is the list of a folder's machines, suites and recordings.
type home struct {
	s       *command.Streams
	folder  string
	mutex   sync.Mutex // the entries are read behind the screen
	entries []entry
}

// command returns the command line of an action, or why it has none.
func (h *home) command(i int, action keys.Action) (args []string, refused string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if args = h.entries[i].command(action); len(args) == 0 {
		return nil, h.entries[i].refused
	}
	return args, ""
}

// Fits reports whether the list can be shown: both ends of the program are a terminal.
func Fits(s *command.Streams) bool {
	in, isFile := s.In.(*os.File)
	return isFile && term.IsTerminal(in.Fd()) && command.OnTerminal(s.Out) && os.Getenv("TERM") != "dumb" &&
		os.Getenv("ASLDB_PLAIN") == ""
}

// Show lets the user choose lines of the list, and runs the command of each: a session is shown over the list, and goes
// back to it; other commands end it.
func Show(ctx context.Context, s *command.Streams, execute command.Execute) error {
	s.Shows = true
	h := &home{s: s, folder: "."}
	working, _ := os.Getwd()
	list := program.NewChoice("asldb: "+filepath.Base(working), nil)
	list.Table, list.Ways = keys.Repository(), []keys.Action{keys.Judge, keys.Explore}
	list.None = "Neither a machine nor a suite nor a recording is below this folder: asldb demo opens an example."
	list.Read = h.read
	list.Refuse = func(i int, action keys.Action) string {
		_, refused := h.command(i, action)
		return refused
	}
	return sessions.ShowList(ctx, s, list, sessions.PlainLook(), program.ErrNone, func() error {
		args, _ := h.command(list.Chosen, list.Action)
		desk, _ := s.Screen.(*program.Desk)
		if desk.Back = "the list"; list.Action != keys.Look || args[0] == "test" {
			desk.Close()
			fmt.Fprintln(s.Err, wording.Line("asldb "+strings.Join(value.Each(args, wording.Shell), " ")))
		}
		switch status := execute(ctx, args, s); status {
		case command.StatusOK:
			return nil
		case command.StatusBack:
			return view.ErrBack
		default:
			return command.Exit(status, nil)
		}
	})
}

// read looks for the entries, and last for the problems of the machines, which take longest.
func (h *home) read(ctx context.Context, show func([]string)) {
	var entries []entry
	shown := func() {
		h.mutex.Lock()
		h.entries = slices.Clone(entries)
		h.mutex.Unlock()
		show(value.Each(entries, func(e entry) string { return e.line() }))
	}
	suites := h.suites()
	entries = h.machines(suites)
	machines := len(entries)
	shown()
	entries = append(append(entries, suites...), h.recordings(ctx)...)
	shown()
	quiet := *h.s
	quiet.Err = io.Discard
	for i := range machines {
		if ctx.Err() != nil {
			return
		}
		checked, err := checks.Problems(&quiet, entries[i].of)
		if entries[i].said = problemsOf(checked, err) + entries[i].said; i%16 == 15 || i == machines-1 {
			shown()
		}
	}
}

// problemsOf says how many problems a machine has.
func problemsOf(checked *project.Checked, err error) string {
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return wording.Line(first)
	}
	wrong, warned, _ := checked.Count()
	var parts []string
	if wrong > 0 {
		parts = append(parts, wording.Count(wrong, "error"))
	}
	if warned > 0 {
		parts = append(parts, wording.Count(warned, "warning"))
	}
	if len(parts) == 0 {
		return "valid"
	}
	return strings.Join(parts, ", ")
}

// machines are in definitions and templates: SAM, CDK, Serverless and Terraform.
func (h *home) machines(suites []entry) (list []entry) {
	found, _, err := (&definitions.Definition{File: h.folder, Projects: &project.Finder{}}).Search(h.s.Files())
	if err != nil {
		return nil
	}
	for i := range found {
		d := &found[i]
		e := entry{noun: "machine", name: d.File, of: *d, open: []string{"debug"}, explore: []string{"explore"}}
		about := []string{"--", d.File}
		if d.Resource != "" {
			e.name += " " + d.Resource
			about = append([]string{"--resource", d.Resource}, about...)
		}
		e.open, e.explore = append(e.open, about...), append(e.explore, about...)
		e.refused = "no suite is about it: asldb test init " + wording.ShellFile(d.File) + " writes one"
		for k := range suites {
			of := &suites[k].of
			if filepath.Clean(of.File) != filepath.Clean(d.File) || of.Resource != "" && of.Resource != d.Resource {
				continue
			}
			if e.test == nil {
				e.test = []string{"test", "--"}
			}
			e.test = append(e.test, suites[k].name)
		}
		if n := len(e.test) - len([]string{"test", "--"}); n > 0 {
			e.said = ", " + wording.Count(n, "suite")
		}
		list = append(list, e)
	}
	return list
}

// suites are the folder's, with the verdict of their last run.
func (h *home) suites() (list []entry) {
	found, err := suiterun.Find([]string{h.folder})
	if err != nil {
		return nil
	}
	failed := &suiterun.Failed{}
	if working, err := os.Getwd(); err == nil {
		if read, err := suiterun.LoadFailed(store.Dir(os.Getenv), working); err == nil {
			failed = read
		}
	}
	for _, one := range found {
		e := entry{noun: "suite", name: one.File, said: failed.Verdict(one.File)}
		e.open = []string{"test", "--", one.File}
		e.test, e.explore = e.open, []string{"explore", "--", one.File}
		if _, data, err := h.s.Files().Read(one.File); err != nil {
			e.said = wording.Line(err.Error())
		} else if s, err := suite.Load(one.File, data); err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			e.said = "wrong: " + wording.Line(first)
		} else {
			e.of = *s.Definition()
		}
		list = append(list, e)
	}
	return list
}

// recordings are the histories and traces of the folder.
func (h *home) recordings(ctx context.Context) (list []entry) {
	source := executions.NewFiles([]string{h.folder}, h.s.Files())
	for more := true; more && len(list) < mostRecordings && ctx.Err() == nil; {
		var rows []executions.Row
		var err error
		if rows, more, err = source.Next(ctx); err != nil {
			break
		}
		for i := range rows {
			row := &rows[i]
			e := entry{
				noun: "recording",
				name: row.About,
				said: strings.ToLower(strings.ReplaceAll(row.Status, "_", " ")),
			}
			e.refused = "a recording has neither suites nor faults: enter opens it"
			names, execution := row.Files()
			e.open = []string{"debug"}
			for _, name := range names {
				e.open = append(e.open, "--history", name)
			}
			if execution != "" {
				e.open = append(e.open, "--execution", execution)
			}
			if len(names) == 0 {
				e.open = []string{"replay", "--", row.ID}
			}
			if row.Failure != nil {
				e.said += ": " + row.Failure.Error
			}
			list = append(list, e)
		}
	}
	return list
}
