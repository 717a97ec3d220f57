package tui

// Palette has the colours of a terminal: the background's, the text's, and the 16 with names.
type Palette struct {
	Background, Text string
	// Frame is the line around the picture.
	Frame string
	Named [16]string
}

// Dark returns the palette of a dark terminal.
func Dark() Palette {
	return Palette{
		Background: "#1b1e25", Text: "#d7dce5", Frame: "#3a404c",
		Named: [16]string{
			"#1b1e25", "#ee8f92", "#8fd19e", "#e3c078", "#8fbce6", "#d79bff", "#86cbd3", "#d7dce5",
			"#8d95a3", "#ee8f92", "#8fd19e", "#e3c078", "#8fbce6", "#d79bff", "#86cbd3", "#ffffff",
		},
	}
}

// Light returns the palette of a light terminal.
func Light() Palette {
	return Palette{
		Background: "#fafafa", Text: "#1f2430", Frame: "#cfd4dc",
		Named: [16]string{
			"#1f2430", "#a1282b", "#1c6b34", "#805300", "#1f5f8b", "#8a2bb8", "#0b6670", "#5f6673",
			"#5f6673", "#a1282b", "#1c6b34", "#805300", "#1f5f8b", "#8a2bb8", "#0b6670", "#000000",
		},
	}
}

// color is a colour of a cell as it is drawn.
func (p *Palette) color(color, usual string) string {
	if color == "" {
		return usual
	}
	if color[0] == '#' {
		return color
	}
	n := 0
	for _, digit := range color {
		n = n*10 + int(digit-'0')
	}
	return p.Named[n]
}

// ink is how a cell is drawn: the colours of the text and of the background, which is empty where it is the picture's.
type ink struct {
	text, background       string
	bold, faint, underline bool
}

func (p *Palette) ink(l cellStyle) ink {
	text, background := p.color(l.text, p.Text), p.color(l.background, p.Background)
	if l.reverse {
		text, background = background, text
	}
	if background == p.Background {
		background = ""
	}
	return ink{text, background, l.bold, l.faint, l.underline}
}
