package tui

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// Film is an animated picture: frames that are shown in turn, again and again.
type Film struct {
	W       int // columns
	Title   string
	Palette Palette

	frames []filmFrame
}

type filmFrame struct{ text, caption string }

// Begin begins a frame, with a text until [Film.Show] replaces it. Frames before the first caption are not part
// of the film.
func (f *Film) Begin(text, caption string) { f.frames = append(f.frames, filmFrame{text, caption}) }

// Show replaces the text of the newest frame.
func (f *Film) Show(text string) {
	if n := len(f.frames); n > 0 {
		f.frames[n-1].text = text
	}
}

// The time for which a frame is shown at least, for a character of its caption, and for the last frame besides.
const (
	frameTime, frameCharacter = 2 * time.Second, 50 * time.Millisecond
	lastTime                  = 2 * time.Second
)

// times returns when each frame begins, and when the last one ends.
func (f *Film) times() []time.Duration {
	at := make([]time.Duration, len(f.frames)+1)
	for i := range f.frames {
		at[i+1] = at[i] + frameTime + frameCharacter*time.Duration(len(f.frames[i].caption))
	}
	at[len(f.frames)] += lastTime
	return at
}

// SVG returns the film as an image in the form of [Picture.SVG]. Its frames take turns by a style sheet; where that is
// ignored, or the reader prefers reduced motion, the last one is shown. A caption is the line below its frame.
func (f *Film) SVG() []byte {
	d := newDrawing()
	var rules strings.Builder
	var body bytes.Buffer
	times, height := f.times(), 0
	last := len(f.frames) - 1
	percent := func(i int) string { return number(100*float64(times[i])/float64(times[last+1])) + "%" }
	fmt.Fprintf(&rules, "g{visibility:hidden;animation-duration:%ss;animation-timing-function:step-end;"+
		"animation-iteration-count:infinite}\n#f%d{visibility:visible}\n", number(times[last+1].Seconds()), last)
	for i := range f.frames {
		before, from := "hidden", percent(i)+"{visibility:visible}"
		if i == 0 {
			before, from = "visible", ""
		}
		fmt.Fprintf(&rules, "#f%d{animation-name:f%d}\n@keyframes f%d{0%%{visibility:%s}%s%s{visibility:hidden}}\n", i, i,
			i, before, from, percent(i+1))
		shown := Read(f.frames[i].text+"\n\x1b[0m "+"\x1b[1m"+f.frames[i].caption+"\x1b[0m", f.W)
		_, h := shown.Size()
		height = max(height, h)
		fmt.Fprintf(&body, "<g id=\"f%d\">\n%s</g>\n", i, d.draw(shown, f.Palette))
	}
	rules.WriteString("@media(prefers-reduced-motion:reduce){g{animation:none!important}}\n")
	return d.image(f.W, height, f.Palette, f.Title, rules.String(), body.Bytes())
}
