// This part of the package has the colours of reports on a terminal.

package report

// Tone is the tone of a part of a report, for colours.
type Tone uint8

// The tones. The zero Tone is that of plain text.
const (
	Good Tone = iota + 1
	Bad
	Caution
	Quiet
)

// Painter returns a text in the colour of a tone.
type Painter func(tone Tone, text string) string

// None returns the text without a colour: a [Painter].
func None(_ Tone, text string) string { return text }

// codes are the codes of the terminal for the tones: of its 16 colours, whose shades the user has chosen.
var codes = [...]string{Good: "32", Bad: "31", Caution: "33", Quiet: "2"}

// Terminal returns the text with the codes of a terminal: a [Painter].
func Terminal(tone Tone, text string) string {
	if tone == 0 {
		return text
	}
	return "\x1b[" + codes[tone] + "m" + text + "\x1b[0m"
}
