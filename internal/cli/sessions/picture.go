package sessions

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine/debug"
	"asldb/internal/cli/command"
	"asldb/internal/files"
	"asldb/internal/wording"
	"asldb/tui"
)

// pictureFlags ask for pictures of the screen in place of the screen.
type pictureFlags struct {
	svg, cast  string // the files
	keys, size string
}

func (f *pictureFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(command.NewFilled(&f.svg, ""), "svg", "write a picture of the screen to `FILE` after --keys, without opening it")
	flags.Var(command.NewFilled(&f.cast, ""), "cast", "record the screen in `FILE` while --keys are pressed, without opening it (asciicast v2)")
	flags.StringVar(&f.keys, "keys", "", "the `KEYS` for --svg and --cast, divided by blanks: i s enter ctrl+p \"text\" 2s")
	flags.Var(command.NewPattern(&f.size, "120x40", "COLSxROWS"), "size", "the size of the screen for --svg and --cast, in cells")
}

// asked reports whether there is to be a picture.
func (f *pictureFlags) asked() bool { return f.svg != "" || f.cast != "" }

// The sizes of pictures, in cells.
const (
	leastW, leastH = 40, 10
	mostW, mostH   = 400, 200
)

// cells returns the size in cells.
func (f *pictureFlags) cells() (w, h int, err error) {
	cols, rows, _ := strings.Cut(f.size, "x")
	w, errW := strconv.Atoi(cols)
	h, errH := strconv.Atoi(rows)
	if errors.Join(errW, errH) != nil || w < leastW || w > mostW || h < leastH || h > mostH {
		return 0, 0, fmt.Errorf("--size is COLSxROWS, from %dx%d to %dx%d, not %q", leastW, leastH, mostW, mostH, f.size)
	}
	return w, h, nil
}

// check reports flags that are wrong, before anything runs.
func (f *pictureFlags) check(cmd *cobra.Command) error {
	if !f.asked() {
		for _, name := range []string{"keys", "size"} {
			if cmd.Flags().Changed(name) {
				return fmt.Errorf("--%s is for --svg and --cast", name)
			}
		}
		return nil
	}
	if _, _, err := f.cells(); err != nil {
		return err
	}
	if _, err := tui.Parse(f.keys); err != nil {
		return fmt.Errorf("--keys: %w", err)
	}
	return nil
}

// write writes the pictures of a session.
func (f *pictureFlags) write(ctx context.Context, session *debug.Session, look *tui.Options) error {
	w, h, err := f.cells()
	if err != nil {
		return err
	}
	steps, err := tui.Parse(f.keys)
	if err != nil {
		return fmt.Errorf("--keys: %w", err)
	}
	palette := tui.Dark()
	if look.Theme == "light" {
		palette = tui.Light()
	}
	title := "asldb " + wording.Line(look.Title)
	player := tui.NewPlayer(session, *look, w, h)
	recording := &tui.Cast{W: w, H: h + 1, Title: title, Palette: palette}
	if f.cast != "" {
		player.Frame = func(shown tui.Frame) { record(recording, shown) }
	}
	if err := player.Play(ctx, steps); err != nil {
		return err
	}
	if f.cast != "" {
		recording.Wait(player.At()) // the last frame stays for the time of its key
		if err := files.Replace(f.cast, 0o666, recording.Bytes()); err != nil {
			return err
		}
	}
	if f.svg == "" {
		return nil
	}
	return files.Replace(f.svg, 0o666, tui.Read(player.Text(), w).SVG(palette, title))
}

// record adds a frame to a recording, with a line below it: the key and the caption.
func record(recording *tui.Cast, f tui.Frame) {
	if f.New {
		recording.Mark(f.At, f.Caption)
	}
	key := ""
	if f.Key != "" {
		key = "\x1b[7m " + f.Key + " \x1b[0m "
	}
	recording.Frame(f.At, f.Text+"\n "+key+f.Caption)
}
