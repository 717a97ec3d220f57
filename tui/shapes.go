package tui

import "strings"

// The size of a cell, and the place of lines in it, in the units of the image.
const (
	cellW, cellH     = 8, 18
	centreX, centreY = 4, 9
)

// boxes has the arms of the characters from U+2500 on that are made of straight arms: up, right, down and left, each 0,
// 1 (light) or 2 (heavy). The others are blank.
var boxes = strings.Fields(`
	0101 0202 1010 2020 0101 0202 1010 2020 0101 0202 1010 2020 0110 0210 0120 0220
	0011 0012 0021 0022 1100 1200 2100 2200 1001 1002 2001 2002 1110 1210 2110 1120
	2120 2210 1220 2220 1011 1012 2011 1021 2021 2012 1022 2022 0111 0112 0211 0212
	0121 0122 0221 0222 1101 1102 1201 1202 2101 2102 2201 2202 1111 1112 1211 1212
	2111 1121 2121 2112 2211 1122 1221 2212 1222 2122 2221 2222 0101 0202 1010 2020
	.... .... .... .... .... .... .... .... .... .... .... .... .... .... .... ....
	.... .... .... .... .... .... .... .... .... .... .... .... .... .... .... ....
	.... .... .... .... 0001 1000 0100 0010 0002 2000 0200 0020 0201 1020 0102 2010`)

// armsOf returns the arms of a box drawing character; ok is false where it is none, or not made of straight arms.
func armsOf(r rune) (arms string, ok bool) {
	if r < 0x2500 || r > 0x257f || boxes[r-0x2500] == "...." {
		return "", false
	}
	return boxes[r-0x2500], true
}

// dashesOf returns the number of dashes that a line has in a cell; 0: it is whole.
func dashesOf(r rune) int {
	switch r {
	case '┄', '┅', '┆', '┇':
		return 3
	case '┈', '┉', '┊', '┋':
		return 4
	case '╌', '╍', '╎', '╏':
		return 2
	}
	return 0
}

// shape is a character that is drawn, so that it looks the same with every font. The paths are relative to the top left
// corner of the cell.
type shape struct {
	stroke, fill string
	opacity      string // of the fill, where it is not 1
}

const (
	disc   = "m1 9a3 3 0 1 0 6 0a3 3 0 1 0-6 0z"
	ring   = "m.7 9a3.3 3.3 0 1 0 6.6 0a3.3 3.3 0 1 0-6.6 0z"
	double = "m0 7.5h8m-8 3h8"
	pair   = "m2.5 0v18m3-18v18"
	cell18 = "m0 0h8v18h-8z"
)

var shapes = map[rune]shape{
	'╭': {stroke: "m4 18v-5q0-4 4-4"}, '╮': {stroke: "m4 18v-5q0-4-4-4"}, '╰': {stroke: "m4 0v5q0 4 4 4"}, '╯': {stroke: "m4 0v5q0 4-4 4"},
	'═': {stroke: double}, '║': {stroke: pair},
	'╔': {stroke: "m8 7.5h-5.5v10.5m5.5-7.5h-2.5v7.5"}, '╗': {stroke: "m0 7.5h5.5v10.5m-5.5-7.5h2.5v7.5"},
	'╚': {stroke: "m2.5 0v10.5h5.5m-2.5-10.5v7.5h2.5"}, '╝': {stroke: "m5.5 0v10.5h-5.5m2.5-10.5v7.5h-2.5"},
	'╤': {stroke: double + "m-4 0v7.5"}, '╧': {stroke: double + "m-4-3v-7.5"}, '╟': {stroke: pair + "m0-9h2.5"}, '╢': {stroke: pair + "m-3-9h-2.5"},
	'╱': {stroke: "m0 18l8-18"}, '╲': {stroke: "m0 0l8 18"},
	'▼': {stroke: "m4 0v5", fill: "m.3 4.5h7.4l-3.7 7z"}, '▲': {stroke: "m4 18v-5", fill: "m.3 13.5h7.4l-3.7-7z"},
	'▶': {fill: "m.8 4.5l6.7 4.5l-6.7 4.5z"}, '◀': {fill: "m7.2 4.5l-6.7 4.5l6.7 4.5z"}, '▷': {stroke: "m1.2 5.2l5.6 3.8l-5.6 3.8z"},
	'▸': {fill: "m1.8 5.5l5 3.5l-5 3.5z"}, '▹': {stroke: "m2 6.2l4 2.8l-4 2.8z"}, '▿': {stroke: "m1 7h6l-3 4.4z"},
	'●': {fill: disc}, '○': {stroke: disc}, '◉': {stroke: ring, fill: "m2.4 9a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0-3.2 0z"},
	'◔': {stroke: ring, fill: "m4 9v-3.3a3.3 3.3 0 0 1 3.3 3.3z"}, '◇': {stroke: "m4 4.8l3.4 4.2l-3.4 4.2l-3.4-4.2z"},
	'■': {fill: "m.8 5.8h6.4v6.4h-6.4z"}, '▪': {fill: "m2 7h4v4h-4z"}, '▫': {stroke: "m2.2 7.2h3.6v3.6h-3.6z"},
	'✓': {stroke: "m1 9.6l2.2 3.2l4-7.4"}, '×': {stroke: "m1.4 6.4l5.2 5.2m0-5.2l-5.2 5.2"}, '→': {stroke: "m.4 9h7m-2.6-2.6l2.6 2.6l-2.6 2.6"},
	'≡': {stroke: "m1 6h6m-6 3h6m-6 3h6"},
	'█': {fill: cell18}, '░': {fill: cell18, opacity: ".25"}, '▒': {fill: cell18, opacity: ".5"}, '▓': {fill: cell18, opacity: ".75"},
	'▁': {fill: "m0 15.75h8v2.25h-8z"}, '▂': {fill: "m0 13.5h8v4.5h-8z"}, '▃': {fill: "m0 11.25h8v6.75h-8z"}, '▄': {fill: "m0 9h8v9h-8z"},
	'▅': {fill: "m0 6.75h8v11.25h-8z"}, '▆': {fill: "m0 4.5h8v13.5h-8z"}, '▇': {fill: "m0 2.25h8v15.75h-8z"}, '▀': {fill: "m0 0h8v9h-8z"},
	'▌': {fill: "m0 0h4v18h-4z"}, '▐': {fill: "m4 0h4v18h-4z"},
}
