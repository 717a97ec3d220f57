package trials

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine/outcome"
	"asldb/fixtures"
	"asldb/fixtures/mocks"
	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/store"
	"asldb/internal/wording"
)

var allowLong = `Allows fixtures files to ` + outcome.Actions() + `.
The calls of each file are printed. Without this consent, a run in a terminal asks for it.

The consent covers a file with all files and folders that it includes or names. When one of them changes or
comes into being, asldb asks again. Paths and digests are stored in $ASLDB_STATE, else in asldb in $XDG_STATE_HOME or ~/.local/state.`

const allowExample = `  asldb allow order.yaml
  asldb allow --list
  asldb allow --revoke order.yaml`

// NewAllow returns the command "allow".
func NewAllow(s *command.Streams) *cobra.Command {
	var list, revoke bool
	cmd := &cobra.Command{
		Use:     "allow FILE...",
		Short:   "Allow fixtures to call " + outcome.Objects(),
		Long:    allowLong,
		Example: allowExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			known := store.In(store.Dir(os.Getenv))
			switch {
			case list && (revoke || len(args) > 0):
				return errors.New("--list takes neither files nor --revoke")
			case list:
				return listAllowed(s, known)
			case len(args) == 0:
				return fmt.Errorf("which file? usage: %s", cmd.UseLine())
			case revoke:
				return revokeAll(s, known, args)
			}
			return allowAll(s, known, args)
		},
	}
	rows := command.RowsOf(cmd, &launch.Given{})
	cmd.Flags().BoolVar(&list, "list", false, "only list: the allowed files and their calls")
	cmd.Flags().BoolVar(&revoke, "revoke", false, "revoke the consent for the files")
	rows.Row("read-outside")
	return cmd
}

func allowAll(s *command.Streams, known *store.Consents, names []string) error {
	subjects := make([]*store.Subject, len(names))
	for i, name := range names { // all of them, or none
		if name == files.Stdin {
			return errors.New("allow takes names of files: standard input cannot be recognised again")
		}
		name, data, err := s.Files().Read(name)
		if err != nil {
			return err
		}
		read, err := mocks.Load(name, data)
		if err != nil {
			return fmt.Errorf("the fixtures are wrong:\n%w", err)
		}
		subjects[i] = launch.Subject(read.File, read.File.Reach())
	}
	for _, subject := range subjects {
		if len(subject.Calls) == 0 {
			if err := s.Print(wording.Line(subject.Name) + " calls nothing outside: there is nothing to allow\n"); err != nil {
				return err
			}
			continue
		}
		if err := known.Allow(subject); err != nil {
			return fmt.Errorf("cannot remember that %s is allowed: %w", subject.Name, err)
		}
		text := wording.Line(subject.Name) + " may call:\n"
		for _, line := range sessions.CallLines(subject.Calls) {
			text += "  " + line + "\n"
		}
		if err := s.Print(text + sessions.WatchedLine(subject) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

func listAllowed(s *command.Streams, known *store.Consents) error {
	grants, unread := known.Grants()
	var text strings.Builder
	for _, grant := range grants {
		text.WriteString(wording.Line(grant.Path))
		if changed := grant.Changed(fixtures.DigestFile); len(changed) > 0 {
			text.WriteString("  (no longer: " + wording.Line(changed[0]) + " has changed)")
		}
		text.WriteString("\n")
		for _, call := range grant.Calls {
			text.WriteString("  " + wording.Line(call) + "\n")
		}
	}
	if err := s.Print(text.String()); err != nil {
		return err
	}
	return unread
}

func revokeAll(s *command.Streams, known *store.Consents, names []string) error {
	for _, name := range names {
		if err := known.Revoke(fixtures.PathOf(name)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := s.Print(wording.Line(name) + " is allowed no longer\n"); err != nil {
			return err
		}
	}
	return nil
}
