package canvas

import (
	"strconv"

	"github.com/muesli/termenv"
)

// basic are the colours of the styles on a terminal with 16, by their numbers there. On a light background amber and red are
// one: its yellow is too pale for text.
func basic() [styleCount]struct{ light, dark Colors } {
	text := func(light, dark Color) struct{ light, dark Colors } {
		return struct{ light, dark Colors }{Colors{Text: light}, Colors{Text: dark}}
	}
	bar := func(light, lightGround, dark, darkGround Color) struct{ light, dark Colors } {
		return struct{ light, dark Colors }{Colors{light, lightGround}, Colors{dark, darkGround}}
	}
	return [styleCount]struct{ light, dark Colors }{
		Dim: text("0", "8"), Title: text("4", "14"), Border: text("8", "7"), BorderFocus: text("4", "14"), Key: text("4", "14"), Text: text("2", "10"),
		Number: text("6", "11"), Word: text("6", "14"), Added: text("2", "10"), Removed: text("1", "9"), AddedPart: bar("0", "10", "0", "10"),
		RemovedPart: bar("15", "1", "15", "1"), Changed: text("1", "11"), Good: text("2", "10"), Bad: text("1", "9"), Warn: text("1", "11"),
		Current: text("4", "15"), Bar: bar("0", "7", "0", "7"), BarGood: bar("15", "2", "0", "10"), BarBad: bar("15", "1", "15", "1"),
		BarWarn: bar("0", "11", "0", "11"), BarInfo: bar("15", "4", "0", "14"), Hint: text("0", "7"), HintKey: text("4", "14"),
		Task: text("4", "14"), Choice: text("6", "14"), Way: text("5", "13"),
	}
}

// shown returns the colours of a style on a terminal that shows no more than profile says.
func (c Colors) shown(style Style, light bool, profile termenv.Profile) Colors {
	switch profile {
	case termenv.ANSI:
		if light {
			return basic()[style].light
		}
		return basic()[style].dark
	case termenv.ANSI256:
		return Colors{nearestColor(c.Text), nearestColor(c.Background)}
	case termenv.TrueColor, termenv.Ascii:
	}
	return c
}

// levels are the values of a channel in the cube of the 256 colours.
var levels = [...]int{0, 95, 135, 175, 215, 255}

// nearestColor returns the colour of the 256 that is nearest to a colour: of the cube or of the greys, since programs
// give the first 16 other values.
func nearestColor(c Color) Color {
	if len(c) != 7 || c[0] != '#' {
		return c
	}
	rgb, err := strconv.ParseUint(string(c[1:]), 16, 32)
	if err != nil {
		return c
	}
	want := [3]int{int(rgb >> 16), int(rgb >> 8 & 0xff), int(rgb & 0xff)}
	best, least := 0, -1
	try := func(number, r, g, b int) {
		dr, dg, db := r-want[0], g-want[1], b-want[2]
		if d := 2*dr*dr + 4*dg*dg + 3*db*db; least < 0 || d < least { // the eye sees green best
			best, least = number, d
		}
	}
	for i := range 216 {
		try(16+i, levels[i/36], levels[i/6%6], levels[i%6])
	}
	for i := range 24 {
		try(232+i, 8+10*i, 8+10*i, 8+10*i)
	}
	return Color(strconv.Itoa(best))
}
