package sessions

import (
	"os"

	"github.com/charmbracelet/x/term"

	"asldb/internal/cli/command"
	"asldb/internal/tty"
	"asldb/tui"
	"asldb/tui/program"
)

// plain reports whether the debugger takes lines and writes sentences in place of a screen: by --plain, by ASLDB_PLAIN,
// or because the terminal cannot move its cursor.
func (f *Flags) plain(s *command.Streams) bool {
	set := os.Getenv("ASLDB_PLAIN")
	return f.Look.Plain || set != "" && set != "0" || os.Getenv("TERM") == "dumb" && command.OnTerminal(s.Out)
}

// lineFace returns the face without a screen on the streams of a command, until leave is called. On a terminal the key
// Ctrl+C ends what runs and not the program, and an editor can be opened.
func lineFace(ended *command.Ending, s *command.Streams, look *tui.Options) (lines *program.Lines, leave func()) {
	in, isFile := s.In.(*os.File)
	if !isFile || !term.IsTerminal(in.Fd()) {
		return program.NewLines(s.In, s.Out, true), func() {}
	}
	lines = program.NewLines(s.In, s.Out, false)
	lines.Interrupts, leave = ended.TakeInterrupts()
	if out, ok := s.Out.(*os.File); ok && term.IsTerminal(out.Fd()) {
		look.Terminal = tty.Open(in, out)
		look.Terminal.Lending = ended.Lend
	}
	return lines, leave
}
