//go:build unix

package cli

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/goccy/go-yaml"

	"asldb/internal/cli/command"
	"asldb/tui"
)

// shown is a picture of docs/pictures/pictures.yaml.
type shown struct {
	Before, Command, Console []string
	Keys, Size               string
}

const picturesFolder = "../../docs/pictures"

// mostBytes is the size that a picture may have.
const mostBytes = 60 << 10

// TestPicturesOfTheDocs compares the pictures of the documentation with the screen as it is; -update writes them.
func TestPicturesOfTheDocs(t *testing.T) {
	folder, err := filepath.Abs(picturesFolder)
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(filepath.Join(folder, "pictures.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var pictures map[string]shown
	if err := yaml.UnmarshalWithOptions(list, &pictures, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	wanted := []string{"pictures.yaml", "editor-dark.svg", "editor-light.svg"} // of TestPictureOfTheEditor
	for name, p := range pictures {
		for _, theme := range []string{"dark", "light"} {
			file := name + "-" + theme + ".svg"
			wanted = append(wanted, file)
			t.Run(file, func(t *testing.T) { compareFile(t, filepath.Join(folder, file), p.draw(t, name, theme)) })
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !slices.Contains(wanted, entry.Name()) {
			t.Errorf("docs/pictures/%s is not in pictures.yaml", entry.Name())
		}
	}
}

// draw makes the picture.
func (p *shown) draw(t *testing.T, name, theme string) []byte {
	t.Helper()
	enterExample(t) // each has its own files: its keys may change them
	if len(p.Before) > 0 {
		printed(t, p.Before...)
	}
	if len(p.Console) > 0 {
		return p.drawConsole(t, theme)
	}
	file := filepath.Join(t.TempDir(), name+".svg")
	var out, errors bytes.Buffer
	arguments := append(slices.Clone(p.Command), "--no-state", "--keys", p.Keys, "--size", p.Size, "--theme", theme,
		"--svg", file)
	if status := Main(arguments, strings.NewReader(""), &out, &errors); status != command.StatusOK {
		t.Fatalf("%q: status %d\n%s", arguments, status, errors.String())
	}
	return readPicture(t, file)
}

func readPicture(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > mostBytes*(1+bytes.Count(data, []byte("@keyframes"))/4) {
		t.Errorf("%s has %d bytes, want at most %d for four frames", file, len(data), mostBytes)
	}
	return data
}

// realTime is the time that a command has taken, in its output.
var realTime = regexp.MustCompile(`· [0-9.]+(µs|ms|s) ·`)

// drawConsole runs a command on a terminal and draws the command and its output. The time that it took is replaced by a
// round one.
func (p *shown) drawConsole(t *testing.T, theme string) []byte {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, p.Console...)
	cmd.Args[0] = "asldb"
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=",
		"ASLDB_STATE="+t.TempDir())
	columns, _, _ := strings.Cut(p.Size, "x")
	w, err := strconv.Atoi(columns)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: uint16(w)})
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	output, _ := io.ReadAll(terminal) // Linux reports an error where the program has ended
	_ = cmd.Wait()                    // its status is a failed case's
	text := realTime.ReplaceAllString(strings.ReplaceAll(string(output), "\r\n", "\n"), "· 5ms ·")
	drawn := tui.Wrapped("\x1b[2m$\x1b[0m \x1b[1masldb "+strings.Join(p.Console, " ")+"\x1b[0m\n"+text, w)
	drawn.Trim()
	palette := tui.Dark()
	if theme == "light" {
		palette = tui.Light()
	}
	return drawn.SVG(palette, "asldb "+strings.Join(p.Console, " "))
}

// TestPicturesAreShown: every picture of the documentation is in a page, in both themes.
func TestPicturesAreShown(t *testing.T) {
	var pages strings.Builder
	for _, name := range documents(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages.Write(text)
	}
	files, err := filepath.Glob(filepath.Join(picturesFolder, "*.svg"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d pictures: %v", len(files), err)
	}
	for _, file := range files {
		if !strings.Contains(pages.String(), "pictures/"+filepath.Base(file)) {
			t.Errorf("no page shows %s", filepath.Base(file))
		}
	}
}
