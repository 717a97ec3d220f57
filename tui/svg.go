package tui

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"asldb/tui/part/graph"
)

// margin is that around the cells, in the units of the image.
const margin = 14

// fonts are those that are looked for, in this order. The text keeps to its cells with each.
const fonts = `ui-monospace,"Cascadia Mono","SF Mono",Menlo,"JetBrains Mono","DejaVu Sans Mono",Consolas,"Liberation Mono",monospace`

// SVG returns the picture as an image, with a title for people who do not see it. It has neither scripts nor its own
// fonts: lines and signs are paths, and each text has the length of its cells.
func (p *Picture) SVG(palette Palette, title string) []byte {
	w, h := p.Size()
	d := newDrawing()
	body := d.draw(p, palette)
	return d.image(w, h, palette, title, "", body)
}

func newDrawing() *drawing { return &drawing{classes: make(map[ink]string)} }

// image returns the image of what was drawn, in w by h cells. The rules are for its style sheet.
func (d *drawing) image(w, h int, palette Palette, title, rules string, body []byte) []byte {
	width, height := 2*margin+w*cellW, 2*margin+h*cellH
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`+"\n",
		width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", escaped(title))
	b.WriteString("<style>\ntext{font:13.3px " + fonts + ";white-space:pre}\n" + rules)
	for _, c := range d.styles {
		b.WriteString("." + d.classes[c] + "{" + css(c) + "}\n")
	}
	b.WriteString("</style>\n")
	fmt.Fprintf(&b, `<rect x=".5" y=".5" width="%d" height="%d" rx="8" fill="%s" stroke="%s"/>`+"\n", width-1, height-1,
		palette.Background, palette.Frame)
	b.Write(body)
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// draw draws a picture.
func (d *drawing) draw(p *Picture, palette Palette) []byte {
	d.lines, d.shapes = make(map[lineKey]*lines), make(map[shapeKey]*bytes.Buffer)
	var backgrounds, texts bytes.Buffer
	for y, row := range p.rows {
		top := margin + y*cellH
		for x := 0; x < len(row); {
			next := x + 1
			style := palette.ink(row[x].style)
			for next < len(row) && (row[next].text == "" || palette.ink(row[next].style) == style) {
				next++
			}
			if style.background != "" {
				fmt.Fprintf(&backgrounds, `<path fill="%s" d="M%d %dh%dv%dh-%dz"/>`+"\n", style.background,
					margin+x*cellW, top, (next-x)*cellW, cellH, (next-x)*cellW)
			}
			d.run(&texts, row[x:next], margin+x*cellW, top, style)
			x = next
		}
	}
	d.writeLines(&backgrounds)
	return append(backgrounds.Bytes(), texts.Bytes()...)
}

func css(c ink) string {
	text := "fill:" + c.text
	if c.bold {
		text += ";font-weight:700"
	}
	if c.faint {
		text += ";opacity:.65"
	}
	if c.underline {
		text += ";text-decoration:underline"
	}
	return text
}

// drawing collects the parts of an image that are drawn together.
type drawing struct {
	classes map[ink]string // of text, without its background
	styles  []ink          // in the order of their classes
	lines   map[lineKey]*lines
	shapes  map[shapeKey]*bytes.Buffer
}

// lineKey has the lines of a colour and a weight, which is an arm's.
type lineKey struct {
	color  string
	weight byte
	faint  bool
}

// shapeKey has the shapes of a colour.
type shapeKey struct {
	color, opacity string
	faint, stroke  bool
}

// segment is a part of a line; at is its place on the other axis.
type segment struct{ at, from, to float64 }

type lines struct{ horizontal, vertical []segment }

// class returns the class of a text.
func (d *drawing) class(c ink) string {
	c.background = ""
	if name, ok := d.classes[c]; ok {
		return name
	}
	n, name := len(d.classes), ""
	for ; ; n = n/26 - 1 {
		name = string(rune('a'+n%26)) + name
		if n < 26 {
			break
		}
	}
	d.classes[c] = name
	d.styles = append(d.styles, c)
	return name
}

// run draws cells of one look from x, y on. Words that a single blank divides are one text.
func (d *drawing) run(texts *bytes.Buffer, cells []cell, x, y int, style ink) {
	var words []string // a character each
	flush := func(end int) {
		from := end - len(words)
		for len(words) > 0 && words[len(words)-1] == " " && !style.underline {
			words = words[:len(words)-1]
		}
		d.text(texts, words, x+from*cellW, y, style)
		words = words[:0]
	}
	for i, c := range cells {
		blank := c.text == " " && !style.underline
		switch {
		case c.text == "": // the right half of a wide character
		case blank && (len(words) == 0 || words[len(words)-1] == " "):
			flush(i)
		case isCommon(c.text):
			words = append(words, c.text)
			continue
		default:
			flush(i)
			if !d.sign(c.text, x+i*cellW, y, style) {
				width := 1
				for i+width < len(cells) && cells[i+width].text == "" {
					width++
				}
				fmt.Fprintf(texts, `<text class="%s" x="%d" y="%s" text-anchor="middle">%s</text>`+"\n", d.class(style), x+i*cellW+width*cellW/2, number(float64(y)+baseline), escaped(c.text))
			}
		}
	}
	flush(len(cells))
}

// isCommon reports whether every font with fixed widths has the character.
func isCommon(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size == len(text) && (r < 0x7f || r >= 0xa1 && r < 0x180 && r != '×' || strings.ContainsRune("…–—‘’“”", r))
}

// text draws characters of a cell each.
func (d *drawing) text(texts *bytes.Buffer, words []string, x, y int, style ink) {
	if len(words) == 0 {
		return
	}
	length := ""
	if len(words) > 1 { // one character has nothing to space
		length = ` textLength="` + strconv.Itoa(len(words)*cellW) + `"`
	}
	fmt.Fprintf(texts, `<text class="%s" x="%d" y="%s"%s>%s</text>`+"\n", d.class(style), x, number(float64(y)+baseline), length, escaped(strings.Join(words, "")))
}

// baseline is the baseline of a cell's text, below its top.
const baseline = 13.5

func escaped(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

// sign draws a character that is a sign or a part of a line; it reports whether it is one.
func (d *drawing) sign(text string, left, top int, style ink) bool {
	r, size := utf8.DecodeRuneInString(text)
	if size < len(text) {
		return false
	}
	if s, ok := shapes[r]; ok {
		start := "M" + strconv.Itoa(left) + " " + strconv.Itoa(top)
		if s.fill != "" {
			d.shape(shapeKey{style.text, s.opacity, style.faint, false}).WriteString(start + s.fill)
		}
		if s.stroke != "" {
			d.shape(shapeKey{style.text, "", style.faint, true}).WriteString(start + s.stroke)
		}
		return true
	}
	arms, ok := armsOf(r)
	if !ok {
		return false
	}
	x, y := float64(left), float64(top)
	if n := dashesOf(r); n > 0 {
		d.dashed(arms, float64(n), x, y, style)
		return true
	}
	for i, weight := range []byte(arms) {
		if weight == '0' {
			continue
		}
		l := d.linesOf(lineKey{style.text, weight, style.faint})
		switch i {
		case 0:
			l.vertical = append(l.vertical, segment{x + centreX, y, y + centreY})
		case 1:
			l.horizontal = append(l.horizontal, segment{y + centreY, x + centreX, x + cellW})
		case 2:
			l.vertical = append(l.vertical, segment{x + centreX, y + centreY, y + cellH})
		case 3:
			l.horizontal = append(l.horizontal, segment{y + centreY, x, x + centreX})
		}
	}
	return true
}

// dashed draws a line of n dashes in a cell.
func (d *drawing) dashed(arms string, n, x, y float64, style ink) {
	l := d.linesOf(lineKey{style.text, max(arms[0], arms[1]), style.faint})
	for i := 0.0; i < n; i++ {
		if arms[0] == '0' {
			l.horizontal = append(l.horizontal, segment{y + centreY, x + cellW/n*(i+.2), x + cellW/n*(i+.8)})
		} else {
			l.vertical = append(l.vertical, segment{x + centreX, y + cellH/n*(i+.2), y + cellH/n*(i+.8)})
		}
	}
}

func (d *drawing) linesOf(key lineKey) *lines {
	if d.lines[key] == nil {
		d.lines[key] = &lines{}
	}
	return d.lines[key]
}

func (d *drawing) shape(key shapeKey) *bytes.Buffer {
	if d.shapes[key] == nil {
		d.shapes[key] = &bytes.Buffer{}
	}
	return d.shapes[key]
}

// writeLines writes the lines and signs, those with one look as one path.
func (d *drawing) writeLines(b *bytes.Buffer) {
	opacity := func(faint bool, value string) string {
		switch {
		case value != "":
			return ` opacity="` + value + `"`
		case faint:
			return ` opacity=".65"`
		}
		return ""
	}
	for _, key := range slices.SortedFunc(maps.Keys(d.lines), lineKey.compare) {
		width := "1.2"
		if key.weight == '2' {
			width = "2.4"
		}
		fmt.Fprintf(b, `<path stroke="%s" stroke-width="%s"%s d="`, key.color, width, opacity(key.faint, ""))
		for _, s := range joined(d.lines[key].horizontal) {
			b.WriteString("M" + number(s.from) + " " + number(s.at) + "H" + number(s.to))
		}
		for _, s := range joined(d.lines[key].vertical) {
			b.WriteString("M" + number(s.at) + " " + number(s.from) + "V" + number(s.to))
		}
		b.WriteString("\"/>\n")
	}
	for _, key := range slices.SortedFunc(maps.Keys(d.shapes), shapeKey.compare) {
		paint := `fill="` + key.color + `"`
		if key.stroke {
			paint = `fill="none" stroke="` + key.color + `" stroke-width="1.2"`
		}
		fmt.Fprintf(b, `<path %s%s d="%s"/>`+"\n", paint, opacity(key.faint, key.opacity), d.shapes[key].Bytes())
	}
}

func (k lineKey) compare(o lineKey) int {
	return cmp.Or(cmp.Compare(k.color, o.color), cmp.Compare(k.weight, o.weight), graph.CompareBools(k.faint, o.faint))
}

func (k shapeKey) compare(o shapeKey) int {
	return cmp.Or(cmp.Compare(k.color, o.color), cmp.Compare(k.opacity, o.opacity), graph.CompareBools(k.faint, o.faint), graph.CompareBools(k.stroke, o.stroke))
}

// joined returns the segments with those that touch as one.
func joined(list []segment) []segment {
	slices.SortFunc(list, func(a, b segment) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.from, b.from)) })
	var out []segment
	for _, s := range list {
		if last := len(out) - 1; last >= 0 && out[last].at == s.at && out[last].to >= s.from {
			out[last].to = max(out[last].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}

// number is a length with at most two decimals.
func number(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0"), ".")
}
