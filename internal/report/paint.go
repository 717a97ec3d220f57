package report

// Painter returns a text in the colour of a tone.
type Painter func(tone Tone, text string) string

// None returns the text without a colour: a [Painter].
func None(_ Tone, text string) string { return text }

// codes are the codes of the terminal for the tones: of its 16 colours, whose shades the user has chosen.
var codes = [toneCount]string{Good: "32", Bad: "31", Caution: "33", Quiet: "2", Strong: "1", Gutter: "34"}

// Terminal returns the text with the codes of a terminal: a [Painter].
func Terminal(tone Tone, text string) string {
	if tone == 0 || text == "" {
		return text
	}
	return "\x1b[" + codes[tone] + "m" + text + "\x1b[0m"
}

// painter returns the colours of a look.
func (l Look) painter() Painter {
	if l.Colour {
		return Terminal
	}
	return None
}
