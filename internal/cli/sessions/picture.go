package sessions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine/debug"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/wording"
	"asldb/tui"
)

// picture asks for pictures of the screen in place of the screen.
type picture launch.Picture

// picture returns what the flags say about pictures.
func (f *Flags) picture() *picture { return (*picture)(&f.Picture) }

// asked reports whether there is to be a picture.
func (f *picture) asked() bool { return f.SVG != "" || f.Cast != "" }

// The sizes of pictures, in cells.
const (
	leastW, leastH = 40, 10
	mostW, mostH   = 400, 200
)

// cells returns the size in cells.
func (f *picture) cells() (w, h int, err error) {
	cols, rows, _ := strings.Cut(f.Size, "x")
	w, errW := strconv.Atoi(cols)
	h, errH := strconv.Atoi(rows)
	if errors.Join(errW, errH) != nil || w < leastW || w > mostW || h < leastH || h > mostH {
		return 0, 0, fmt.Errorf("--size is COLSxROWS, from %dx%d to %dx%d, not %q", leastW, leastH, mostW, mostH, f.Size)
	}
	return w, h, nil
}

// check reports flags that are wrong, before anything runs.
func (f *picture) check(cmd *cobra.Command) error {
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
	if _, err := tui.Parse(f.Keys); err != nil {
		return fmt.Errorf("--keys: %w", err)
	}
	return nil
}

// write writes the pictures of a session.
func (f *picture) write(ctx context.Context, session *debug.Session, look *tui.Options) error {
	w, h, err := f.cells()
	if err != nil {
		return err
	}
	steps, err := tui.Parse(f.Keys)
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
	film := &tui.Film{W: w, Title: title, Palette: palette}
	player.Frame = func(shown tui.Frame) {
		if f.Cast != "" {
			record(recording, shown)
		}
		if f.SVG != "" {
			take(film, shown)
		}
	}
	if err := player.Play(ctx, steps); err != nil {
		return err
	}
	if f.Cast != "" {
		recording.Wait(player.At()) // the last frame stays for the time of its key
		if err := files.Replace(f.Cast, 0o666, recording.Bytes()); err != nil {
			return err
		}
	}
	if f.SVG == "" {
		return nil
	}
	image := tui.Read(player.Text(), w).SVG(palette, title)
	if moves(steps) {
		image = film.SVG()
	}
	return files.Replace(f.SVG, 0o666, image)
}

// moves reports whether a picture has a frame for each caption.
func moves(steps []tui.Step) bool {
	return slices.ContainsFunc(steps, func(s tui.Step) bool { return s.Caption != "" })
}

// take adds a frame to a film, which has one for each caption: the newest that there is with it.
func take(film *tui.Film, f tui.Frame) {
	if f.New {
		film.Begin(f.Text, f.Caption)
		return
	}
	film.Show(f.Text)
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
