package sessions

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"asldb/internal/cli/command"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/wording"
	"asldb/tui"
	"asldb/tui/view/pages"
)

// correctable reports whether the user can correct the definition on the screen.
func (f *Flags) correctable(s *command.Streams) bool {
	d := &f.Spec.Definition
	if f.picture().asked() || f.plain(s) || d.File == "" || d.File == files.Stdin {
		return false
	}
	_, err := terminalOf(s)
	return err == nil
}

// correct shows a definition with errors, until they are corrected. The error is wrong, or the error of a later
// reading, where the user leaves the screen before.
func (f *Flags) correct(ctx context.Context, s *command.Streams, look *tui.Options, wrong *definitions.InvalidError) error {
	ended := command.Listen(ctx)
	defer ended.Stop()
	var reading sync.Mutex // it may continue when the screen is left
	last := error(wrong)
	page := pages.NewProblems(f.faulty(wrong), func() (*pages.Faulty, error) {
		reading.Lock()
		defer reading.Unlock()
		d := &f.Spec.Definition
		d.Text, d.Machine = nil, nil
		err := f.Spec.Read()
		var still *definitions.InvalidError
		switch last = err; {
		case errors.As(err, &still):
			return f.faulty(still), nil
		case err != nil:
			return nil, err
		}
		return nil, nil
	}, changed)
	err := ShowPage(ended, s, page, look)
	reading.Lock()
	defer reading.Unlock()
	if errors.Is(err, pages.ErrLeft) {
		return last
	}
	return err
}

// faulty returns a definition with errors as the screen shows it.
func (f *Flags) faulty(wrong *definitions.InvalidError) *pages.Faulty {
	shown := &pages.Faulty{File: wrong.Source, Problems: wrong.Problems}
	if text := f.Spec.Definition.Text; text != nil {
		shown.Definition, _ = text.Examine() // the errors are known
	}
	return shown
}

// changed waits until a file has changed.
func changed(ctx context.Context, watched []string) error {
	watcher, err := files.New()
	if err != nil {
		return err
	}
	defer watcher.Close()
	var names, folders []string
	for _, file := range watched {
		names = append(names, files.Names(file)...)
	}
	for _, name := range names {
		folders = append(folders, filepath.Dir(name))
	}
	if err := watcher.Follow(folders); err != nil {
		return err
	}
	for {
		change, err := watcher.Next(ctx)
		if err != nil {
			return err
		}
		if change.Lost || slices.ContainsFunc(names, func(name string) bool { return slices.Contains(change.Files, name) }) {
			return nil
		}
	}
}

// Read reads the files of the Spec and writes the problems of the definition, with the command that shows a definition that has
// errors and so cannot run.
func (f *Flags) Read(s *command.Streams) error { return f.explained(s, f.Spec.Read()) }

// explained writes the problems of a definition that err is about, and adds the command that shows it.
func (f *Flags) explained(s *command.Streams, err error) error {
	var wrong *definitions.InvalidError
	d := &f.Spec.Definition
	if errors.As(err, &wrong) && d.Text != nil && d.File != files.Stdin && d.File != "" {
		if drawn, _ := d.Text.Examine(); drawn != nil {
			err = fmt.Errorf("%w; to see the states that can be read, run: asldb graph %s", err, wording.Line(d.Label()))
		}
	}
	return command.DefinitionError(s, err)
}

// readCorrected reads the files of the Spec. A definition with errors can be corrected on the screen first.
func (f *Flags) readCorrected(ctx context.Context, s *command.Streams, look *tui.Options) error {
	d := &f.Spec.Definition
	file, resource := d.File, d.Resource
	err := command.Choose(ctx, s, d, f.Spec.Read)
	f.chosen = d.File != file || d.Resource != resource
	var wrong *definitions.InvalidError
	if errors.As(err, &wrong) && f.correctable(s) {
		err = f.correct(ctx, s, look, wrong)
	}
	return f.explained(s, err)
}
