package sessions

import (
	"os"

	"github.com/charmbracelet/x/term"

	"asldb/internal/cli/command"
	"asldb/tui/program"
)

// plain reports whether the debugger takes lines and writes sentences in place of a screen: by --plain, by ASLDB_PLAIN,
// or because the terminal cannot move its cursor.
func (f *Flags) plain(s *command.Streams) bool {
	set := os.Getenv("ASLDB_PLAIN")
	return f.Look.Plain || set != "" && set != "0" || os.Getenv("TERM") == "dumb" && command.OnTerminal(s.Out)
}

// lineFace returns the face without a screen on the streams of a command.
func lineFace(s *command.Streams) *program.Lines {
	in, isFile := s.In.(*os.File)
	return program.NewLines(s.In, s.Out, !isFile || !term.IsTerminal(in.Fd()))
}
