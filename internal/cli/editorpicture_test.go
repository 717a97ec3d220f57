//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hinshun/vt10x"

	"asldb/tui"
)

// neovimSettings starts the language server as docs/editors.md says for Neovim 0.7 to 0.10; it takes the program, the
// background and colours.
const neovimSettings = `
vim.o.termguicolors, vim.o.background, vim.o.number, vim.o.signcolumn, vim.o.wrap = true, %[2]q, true, 'yes', false
for group, look in pairs({
  SignColumn = 'guibg=NONE', LineNr = 'guifg=%[3]s', NormalFloat = 'guibg=NONE', FloatBorder = 'guifg=%[4]s guibg=NONE',
  Label = 'guifg=%[4]s gui=NONE', jsonKeyword = 'guifg=%[4]s gui=NONE', String = 'guifg=%[5]s', jsonBraces = 'guifg=%[3]s', Delimiter = 'guifg=%[3]s',
  DiagnosticWarn = 'guifg=%[6]s', DiagnosticUnderlineWarn = 'gui=underline',
}) do vim.cmd('highlight ' .. group .. ' ' .. look) end
vim.keymap.set('n', 'F', function() vim.diagnostic.open_float({ border = 'rounded' }) end)
vim.o.ruler, vim.o.shortmess, vim.o.swapfile, vim.o.laststatus, vim.o.shadafile = false, 'aoOTIcF', false, 2, 'NONE'
vim.diagnostic.config({ virtual_text = { prefix = '●', spacing = 2 } })
vim.api.nvim_create_autocmd('FileType', {
  pattern = { 'json', 'yaml' },
  callback = function()
    local id = vim.lsp.start_client({ name = 'asldb', cmd = { %[1]q, 'lsp' }, root_dir = vim.fn.getcwd() })
    if id then vim.lsp.buf_attach_client(0, id) end
  end,
})
`

// TestPictureOfTheEditor compares the picture of docs/tasks/editor.md with Neovim: it needs Neovim 0.7.2 (Debian 12),
// and the variable ASLDB_NEOVIM=1.
func TestPictureOfTheEditor(t *testing.T) {
	if os.Getenv("ASLDB_NEOVIM") == "" {
		t.Skip("set ASLDB_NEOVIM=1 to compare the picture of Neovim")
	}
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	folder, err := filepath.Abs(picturesFolder)
	if err != nil {
		t.Fatal(err)
	}
	enterExample(t)
	for theme, palette := range map[string]tui.Palette{"dark": tui.Dark(), "light": tui.Light()} {
		settings := filepath.Join(t.TempDir(), "init.lua")
		if err := os.WriteFile(settings, fmt.Appendf(nil, neovimSettings, program, theme, palette.Named[8], palette.Named[4], palette.Named[2], palette.Named[3]), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("nvim", "--clean", "-u", settings, "+96", "+normal zt", "+103", "order-v2.asl.json")
		cmd.Env = []string{"HOME=" + t.TempDir(), "XDG_CACHE_HOME=" + t.TempDir()}
		term := startCommand(t, cmd)
		term.waitFor("● $.order is missing", patience)
		term.press("F")
		term.waitFor("Diagnostics:", patience)
		drawn := tui.Read(withColours(term.screen), screenCols)
		compareFile(t, filepath.Join(folder, "editor-"+theme+".svg"), drawn.SVG(palette, "order-v2.asl.json in Neovim"))
		term.press("\x1b:qa!\r")
		_ = cmd.Wait()
	}
}

// withColours is the text of a terminal with the sequences of its colours.
func withColours(terminal vt10x.Terminal) string {
	const underline, bold = 1 << 1, 1 << 2 // of Glyph.Mode
	color := func(kind int, c vt10x.Color) string {
		switch {
		case c >= vt10x.DefaultFG:
			return ""
		case c < 256:
			return fmt.Sprintf(";%d;5;%d", kind, c)
		}
		return fmt.Sprintf(";%d;2;%d;%d;%d", kind, c>>16&255, c>>8&255, c&255)
	}
	var b strings.Builder
	w, h := terminal.Size()
	for y := range h {
		for x := range w {
			glyph := terminal.Cell(x, y)
			b.WriteString("\x1b[0" + color(38, glyph.FG) + color(48, glyph.BG))
			if glyph.Mode&bold != 0 {
				b.WriteString(";1")
			}
			if glyph.Mode&underline != 0 {
				b.WriteString(";4")
			}
			b.WriteString("m" + string(max(glyph.Char, ' ')))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
