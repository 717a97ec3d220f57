package testkit

// Fonts says which fonts have a glyph for a sign.
type Fonts struct {
	// JetBrains, Cascadia and DejaVu are JetBrains Mono 2.304, Cascadia Code 2407.24 and DejaVu Sans Mono 2.37, as
	// their character maps have it.
	JetBrains, Cascadia, DejaVu bool
	// WGL4 is Microsoft's list of 656 characters, which Consolas and Menlo have whole. Characters that are not in it
	// may come from another font there: Windows Terminal and Terminal.app take one that has them.
	WGL4 bool
}

// FontsOf returns the fonts that have a sign of the screen; ok is false for a character that the screen does not use as
// a sign.
func FontsOf(sign rune) (fonts Fonts, ok bool) {
	if sign >= ' ' && sign <= '~' {
		return Fonts{true, true, true, true}, true
	}
	for _, row := range fontTable() {
		for _, r := range row.signs {
			if r == sign {
				return row.fonts, true
			}
		}
	}
	return Fonts{}, false
}

type fontRow struct {
	fonts Fonts
	signs string
}

// fontTable lists the signs by the fonts that have them. A sign that one of the three measured fonts lacks does not
// belong on the screen: terminals draw it as an empty box, or from a font in which it is wider than a cell. Such are,
// for example, U+2225 (parallel), U+2717 (ballot x), U+21BB and U+21B7 (round arrows), U+21E2 (dashed arrow), U+2217
// (asterisk operator), U+26A0 (warning sign).
func fontTable() []fontRow {
	return []fontRow{
		{Fonts{true, true, true, true}, "×·«»¶›‹…→●○≡▪▫■█▒░▓─│═║┬┴├┤┼▲▼╔╗╚╝╤╧╟╢"},
		{Fonts{true, true, true, false}, "▶▷✓▸◇◉◔▹▿◌◀╭╮╰╯┏┓┗┛━┃┣┫┄┅┊┋┆╎╱╵╶╷╴" +
			"╹╺╻╸╼╾╽╿┍┎┑┒┕┖┙┚┝┞┟┠┡┢┥┦┧┨┩┪┭┮┯┰┱┲┳┵┶┷┸┹┺┻┽┾┿╀╁╂╃╄╅╆╇╈╉╊╋"},
	}
}
