package tui

import (
	"asldb/engine/value"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestReadPlacesText(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain":               {"ab\ncd", "ab\ncd\n"},
		"carriage return":     {"abc\rX", "Xbc\n"},
		"erased to the end":   {"abc\r\x1b[KX", "X\n"},
		"column":              {"abc\x1b[2GX", "aXc\n"},
		"erased cells":        {"abcd\x1b[2G\x1b[2X", "a  d\n"},
		"wide":                {"日本x", "日本x\n"},
		"combined":            {"e\u0301x", "e\u0301x\n"},
		"other sequences":     {"\x1b[?25la\x1b]0;title\x07b", "ab\n"},
		"an unfinished one":   {"a\x1b[", "a\n"},
		"blanks at the end":   {"a   ", "a\n"},
		"nothing":             {"", "\n"},
		"column before first": {"\x1b[0GX", "X\n"},
	} {
		if got := Read(c.in, 3).Text(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if w, h := Read("a\nbcdef", 3).Size(); w != 5 || h != 2 {
		t.Errorf("size %dx%d, want 5x2", w, h)
	}
	if got := Wrapped("abcdef日\ng", 3).Text(); got != "abc\ndef\n日\ng\n" {
		t.Errorf("wrapped: %q", got)
	}
	p := Read("a\n\n  \n", 3)
	p.Trim()
	if _, h := p.Size(); h != 1 {
		t.Errorf("%d rows after Trim, want 1", h)
	}
}

func TestReadLooks(t *testing.T) {
	for in, want := range map[string]cellStyle{
		"x":                        {},
		"\x1b[1;2;4;7mx":           {bold: true, faint: true, underline: true, reverse: true},
		"\x1b[1;2;4;7;22;24;27mx":  {},
		"\x1b[31;42mx":             {text: "1", background: "2"},
		"\x1b[91;102mx":            {text: "9", background: "10"},
		"\x1b[31;42;39;49mx":       {},
		"\x1b[31m\x1b[mx":          {},
		"\x1b[38;2;1;171;255mx":    {text: "#01abff"},
		"\x1b[48;2;1;2;3;1mx":      {background: "#010203", bold: true},
		"\x1b[38;5;9mx":            {text: "9"},
		"\x1b[38;5;16mx":           {text: "#000000"},
		"\x1b[38;5;196mx":          {text: "#ff0000"},
		"\x1b[38;5;244mx":          {text: "#808080"},
		"\x1b[38;5mx":              {},
		"\x1b[38;2;999;0;0mx":      {text: "#ff0000"},
		"\x1b[31mold\nnew line\rx": {text: "1"},
	} {
		rows := Read(in, 1).rows
		if got := rows[len(rows)-1][0].style; got != want {
			t.Errorf("%q: %+v, want %+v", in, got, want)
		}
	}
}

// part is an element of an image.
type part struct {
	XMLName xml.Name
	Class   string `xml:"class,attr"`
	X       string `xml:"x,attr"`
	Y       string `xml:"y,attr"`
	Length  string `xml:"textLength,attr"`
	Anchor  string `xml:"text-anchor,attr"`
	Fill    string `xml:"fill,attr"`
	Stroke  string `xml:"stroke,attr"`
	Width   string `xml:"stroke-width,attr"`
	D       string `xml:"d,attr"`
	Text    string `xml:",chardata"`
}

type image struct {
	XMLName xml.Name
	ViewBox string `xml:"viewBox,attr"`
	Title   string `xml:"title"`
	Style   string `xml:"style"`
	Texts   []part `xml:"text"`
	Paths   []part `xml:"path"`
}

func draw(t *testing.T, text string) (parsed image) {
	t.Helper()
	data := Read(text, 1).SVG(Dark(), "a < b & c")
	if err := xml.Unmarshal(data, &parsed); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if parsed.Title != "a < b & c" {
		t.Errorf("title %q", parsed.Title)
	}
	for decoder := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := decoder.Token()
		if err == io.EOF {
			return parsed
		}
		if start, ok := token.(xml.StartElement); ok &&
			(start.Name.Local == "script" || start.Name.Local == "image" || start.Name.Local == "use") {
			t.Errorf("the image has an element %s", start.Name.Local)
		}
	}
}

// Words that one blank divides are one text of the length of its cells; others begin at their own cells.
func TestTextKeepsToItsCells(t *testing.T) {
	parsed := draw(t, "ab <c>   d日x")
	got := value.Each(parsed.Texts, func(p part) string {
		return fmt.Sprintf("%s at %s, %s long, %s", p.Text, p.X, p.Length, p.Anchor)
	})
	want := []string{"ab <c> at 14, 48 long, ", "d at 86,  long, ", "日 at 102,  long, middle", "x at 110,  long, "}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if parsed.ViewBox != "0 0 132 46" { // 13 cells of 8, a row of 18, and the margins of 14
		t.Errorf("viewBox %q", parsed.ViewBox)
	}
}

func TestColoursOfText(t *testing.T) {
	parsed := draw(t, "\x1b[1;31mred\x1b[0m \x1b[7mback\x1b[0m \x1b[2mfaint\x1b[0m \x1b[4mund er\x1b[0m\x1b[48;2;1;2;3m \x1b[0m")
	rules := make(map[string]string)
	for line := range strings.Lines(parsed.Style) {
		if name, rule, ok := strings.Cut(strings.TrimSpace(line), "{"); ok {
			rules[name] = strings.TrimSuffix(rule, "}")
		}
	}
	dark := Dark()
	for text, want := range map[string]string{
		"red": "fill:" + dark.Named[1] + ";font-weight:700", "back": "fill:" + dark.Background,
		"faint": "fill:" + dark.Text + ";opacity:.65", "und er": "fill:" + dark.Text + ";text-decoration:underline",
	} {
		for _, p := range parsed.Texts {
			if p.Text == text && rules["."+p.Class] != want {
				t.Errorf("%s: %q, want %q", text, rules["."+p.Class], want)
			}
		}
	}
	if len(parsed.Texts) != 4 || len(parsed.Paths) != 2 || parsed.Paths[0].Fill != dark.Text ||
		parsed.Paths[1].Fill != "#010203" {
		t.Errorf("%d texts; backgrounds %+v", len(parsed.Texts), parsed.Paths)
	}
}

// The lines of a box are joined: four lines and four corners, whatever its size.
func TestBoxesAreLines(t *testing.T) {
	parsed := draw(t, "┌──┐\n│  │\n└──┘")
	if len(parsed.Texts) != 0 || len(parsed.Paths) != 1 {
		t.Fatalf("%+v", parsed)
	}
	if got, want := parsed.Paths[0].D, "M18 23H42M18 59H42M18 23V59M42 23V59"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	heavy := draw(t, "━┃")
	if heavy.Paths[0].Width != "2.4" || heavy.Paths[0].D != "M14 23H22M26 14V32" {
		t.Errorf("%+v", heavy.Paths)
	}
	dashed := draw(t, "┄")
	if strings.Count(dashed.Paths[0].D, "H") != 3 {
		t.Errorf("%+v", dashed.Paths)
	}
	dashed = draw(t, "┊\n┊")
	if strings.Count(dashed.Paths[0].D, "V") != 8 {
		t.Errorf("%+v", dashed.Paths)
	}
}

// TestArms: the arms of each character match its name in Unicode.
func TestArms(t *testing.T) {
	if len(boxes) != 128 {
		t.Fatalf("%d characters, want 128", len(boxes))
	}
	for r, want := range map[rune]string{
		'─': "0101", '┃': "2020", '┏': "0220", '┓': "0022", '┗': "2200", '┛': "2002", '├': "1110", '┤': "1011",
		'┬': "0111", '┴': "1101",
		'┼': "1111", '┠': "2120", '┣': "2220", '┫': "2022", '┰': "0121", '┸': "2101", '┿': "1212", '╂': "2121",
		'╋': "2222", '╵': "1000", '╴': "0001", '╷': "0010",
		'╸': "0002", '╼': "0201", '╽': "1020", '╾': "0102", '╿': "2010",
	} {
		if got, ok := armsOf(r); !ok || got != want {
			t.Errorf("%c: %s, want %s", r, got, want)
		}
	}
	for _, r := range "aŽ═╔╱" {
		if _, ok := armsOf(r); ok {
			t.Errorf("%c has arms", r)
		}
	}
}

// TestSigns: each sign is a path, in the colour of its cell, and stays in it.
func TestSigns(t *testing.T) {
	for r := range shapes {
		parsed := draw(t, "\x1b[38;2;1;2;3m"+string(r))
		if len(parsed.Texts) != 0 || len(parsed.Paths) == 0 {
			t.Errorf("%c: %+v", r, parsed)
		}
		for _, p := range parsed.Paths {
			if p.Fill != "#010203" && p.Stroke != "#010203" || !strings.HasPrefix(p.D, "M14 14m") {
				t.Errorf("%c: %+v", r, p)
			}
		}
	}
}

func TestManyLooks(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "\x1b[38;2;%d;0;0mx", i)
	}
	parsed, seen := draw(t, b.String()), make(map[string]bool)
	for _, p := range parsed.Texts {
		seen[p.Class] = true
	}
	if len(seen) != 60 {
		t.Errorf("%d classes, want 60", len(seen))
	}
}

func TestTheSameBytes(t *testing.T) {
	text := "\x1b[31m╭─╮\x1b[32m◉▒\x1b[0m\n\x1b[2m│a│─\x1b[0m"
	first := Read(text, 10).SVG(Light(), "x")
	for range 20 {
		if !bytes.Equal(first, Read(text, 10).SVG(Light(), "x")) {
			t.Fatal("two drawings differ")
		}
	}
}

func TestCast(t *testing.T) {
	c := &Cast{W: 10, H: 2, Title: "t", Palette: Dark()}
	c.Frame(0, "one\ntwo\nhidden")
	c.Frame(time.Second, "one\n2 < 3")
	c.Mark(1500*time.Millisecond, "a step")
	c.Frame(2*time.Second, "one\n2 < 3")
	c.Wait(3 * time.Second)
	lines := strings.Split(strings.TrimSpace(string(c.Bytes())), "\n")
	var header struct {
		Version, Width, Height int
		Title                  string
		Theme                  struct{ Palette string }
	}
	if err := json.Unmarshal([]byte(lines[0]), &header); err != nil || header.Version != 2 || header.Width != 10 ||
		header.Height != 2 || header.Title != "t" {
		t.Errorf("%+v, %v", header, err)
	}
	if n := len(strings.Split(header.Theme.Palette, ":")); n != 16 {
		t.Errorf("%d colours, want 16", n)
	}
	want := []string{
		`[0.000, "o", "\x1b[?25l\x1b[0m\x1b[2J\x1b[1;1Hone\x1b[2;1Htwo"]`,
		`[1.000, "o", "\x1b[2;1H2 < 3"]`,
		`[1.500, "m", "a step"]`,
		`[3.000, "o", ""]`,
	}
	if got := strings.ReplaceAll(strings.Join(lines[1:], "\n"), `\u001b`, `\x1b`); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// TestCastShowsTheFrames: a terminal that gets the recording shows each frame, with its colours.
func TestCastShowsTheFrames(t *testing.T) {
	frames := []string{
		"plain\n\x1b[1;31mred\x1b[0m", "plane\n\x1b[1;31mred\x1b[0m \x1b[38;2;1;2;255;48;5;12mblue\x1b[0m",
		"日本\n\x1b[7mr\x1b[0med", "日x本\n\x1b[2;4m      end\x1b[0m", "", "a\nb", "a\nb",
	}
	c := &Cast{W: 12, H: 2}
	for i, frame := range frames {
		before := c.events.Len()
		c.Frame(time.Duration(i)*time.Second, frame)
		if i == len(frames)-1 && c.events.Len() != before {
			t.Error("a frame without a change is written")
		}
		shown := emulated(t, c)
		want := Read(frame, 12)
		for len(want.rows) < 2 {
			want.rows = append(want.rows, fill(nil, 12))
		}
		for y, row := range want.rows {
			for x, cell := range row {
				if got := shown[y][x]; cell.text != "" && got != cell {
					t.Errorf("frame %d, row %d, column %d: %+v, want %+v", i, y, x, got, cell)
				}
			}
		}
	}
}

// emulated is what a terminal shows after all events: their sequences go to one place each.
func emulated(t *testing.T, c *Cast) [][]cell {
	t.Helper()
	shown := [][]cell{fill(nil, c.W), fill(nil, c.W)}
	var looks cellStyle
	x, y := 0, 0
	for line := range strings.Lines(c.events.String()) {
		var event []any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(event[2].(string), "\x1b[")[1:] {
			end := strings.IndexAny(part, "HmlJ")
			if part[end] != 'H' && part[end] != 'm' {
				continue
			}
			p := &Picture{w: 1, rows: [][]cell{nil}}
			r := reader{picture: p, style: looks}
			if part[end] == 'H' {
				row, column, _ := strings.Cut(part[:end], ";")
				y, _ = strconv.Atoi(row)
				x, _ = strconv.Atoi(column)
				r.line(part[end+1:])
			} else {
				r.line("\x1b[" + part)
			}
			looks = r.style
			for _, cell := range p.rows[0] {
				shown[y-1][x-1] = cell
				x++
			}
		}
	}
	return shown
}

// A film shows each frame for the time that its caption takes to read, in turn, and the last one where nothing moves.
func TestFilm(t *testing.T) {
	film := &Film{W: 12, Title: "a & b", Palette: Dark()}
	film.Show("before the first caption")
	film.Begin("one", "first")
	film.Show("one, later")
	film.Begin("two", strings.Repeat("c", 15))
	var parsed struct {
		ViewBox string `xml:"viewBox,attr"`
		Title   string `xml:"title"`
		Style   string `xml:"style"`
		Groups  []struct {
			ID    string `xml:"id,attr"`
			Texts []part `xml:"text"`
		} `xml:"g"`
	}
	data := film.SVG()
	if err := xml.Unmarshal(data, &parsed); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	var got []string
	for _, g := range parsed.Groups {
		for _, text := range g.Texts {
			got = append(got, g.ID+" "+text.Text)
		}
	}
	want := []string{"f0 one, later", "f0 first", "f1 two", "f1 " + strings.Repeat("c", 15)}
	if !slices.Equal(got, want) || parsed.Title != "a & b" || parsed.ViewBox != "0 0 124 64" {
		t.Errorf("%q, %s, %s", got, parsed.Title, parsed.ViewBox)
	}
	// 2 s and 5 characters of 50 ms, then 2 s, 15 characters and 2 s: 2.25 of 7 s are 32.14 %.
	for _, rule := range []string{"animation-duration:7s", "\n#f1{visibility:visible}",
		"@keyframes f0{0%{visibility:visible}32.14%{visibility:hidden}}",
		"@keyframes f1{0%{visibility:hidden}32.14%{visibility:visible}100%{visibility:hidden}}",
		"@media(prefers-reduced-motion:reduce){g{animation:none!important}}"} {
		if !strings.Contains(parsed.Style, rule) {
			t.Errorf("no %s in\n%s", rule, parsed.Style)
		}
	}
	if !bytes.Equal(data, film.SVG()) {
		t.Error("the same film is drawn in two ways")
	}
}
