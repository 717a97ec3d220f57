package outcomes

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"asldb/fixtures"
	"asldb/fixtures/livekind"
	"asldb/fixtures/mocks"
	"asldb/internal/arguments"
	"asldb/internal/cli/command"
	"asldb/internal/cli/reading"
	"asldb/internal/cli/sessions"
	"asldb/internal/consent"
	"asldb/internal/launch"
	"asldb/internal/store"
	"asldb/internal/visible"
)

var allowLong = `Allows fixtures files to ` + livekind.Actions() + `.
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
		Short:   "Allow fixtures to call " + livekind.Objects(),
		Long:    allowLong,
		Example: allowExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			known := consent.In(store.Dir(os.Getenv))
			switch {
			case list && (revoke || len(args) > 0):
				return errors.New("--list stands alone: it takes neither files nor --revoke")
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
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&list, "list", false, "list the allowed files and their calls")
	cmd.Flags().BoolVar(&revoke, "revoke", false, "revoke the consent for the files")
	reading.AddReadOutside(cmd)
	return cmd
}

func allowAll(s *command.Streams, known *consent.Store, names []string) error {
	subjects := make([]*consent.Subject, len(names))
	for i, name := range names { // all of them, or none
		if name == arguments.Stdin {
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
			if err := s.Print(visible.Line(subject.Name) + " calls nothing outside: there is nothing to allow\n"); err != nil {
				return err
			}
			continue
		}
		if err := known.Allow(subject); err != nil {
			return fmt.Errorf("cannot remember that %s is allowed: %w", subject.Name, err)
		}
		text := visible.Line(subject.Name) + " may call:\n"
		for _, line := range sessions.CallLines(subject.Calls) {
			text += "  " + line + "\n"
		}
		if err := s.Print(text + sessions.WatchedLine(subject) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

func listAllowed(s *command.Streams, known *consent.Store) error {
	grants, unread := known.Grants()
	var text strings.Builder
	for _, grant := range grants {
		text.WriteString(visible.Line(grant.Path))
		if changed := grant.Changed(fixtures.DigestFile); len(changed) > 0 {
			text.WriteString("  (no longer: " + visible.Line(changed[0]) + " has changed)")
		}
		text.WriteString("\n")
		for _, call := range grant.Calls {
			text.WriteString("  " + visible.Line(call) + "\n")
		}
	}
	if err := s.Print(text.String()); err != nil {
		return err
	}
	return unread
}

func revokeAll(s *command.Streams, known *consent.Store, names []string) error {
	for _, name := range names {
		if err := known.Revoke(fixtures.PathOf(name)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := s.Print(visible.Line(name) + " is allowed no longer\n"); err != nil {
			return err
		}
	}
	return nil
}
