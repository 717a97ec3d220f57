package side

import (
	"strconv"
	"strings"

	"asldb/engine/explain"
	"asldb/engine/interrupt"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// Told returns the list on the screen in lines of text, for a face that draws nothing.
func (p *Lists) Told() []string {
	if lines := p.current().tell(); len(lines) > 0 {
		return lines
	}
	return []string{"There are none."}
}

func (p *points) tell() []string { return p.List.Told() }

func (p *watches) tell() (lines []string) {
	p.update()
	for i := range p.rows {
		r := &p.rows[i]
		line := r.text + ": "
		switch {
		case r.err != nil && interrupt.Is(r.err):
			line += explain.Interrupted(r.err)
		case r.err != nil:
			line += r.err.Error()
		default:
			line += value.Preview(r.value, shownWatch)
		}
		_, word, _ := r.mark.glyph(p.screen.Glyphs())
		if was := r.was(word); was != "" {
			word = was
		}
		if word != "" {
			line += ", " + word
		}
		if r.changes > 0 {
			line += ", " + wording.Count(r.changes, "change") + ", the last at event " + strconv.Itoa(r.last+1)
		}
		lines = append(lines, line)
	}
	return lines
}

func (p *threads) tell() (lines []string) {
	for _, line := range p.content {
		text := strings.ReplaceAll(line.text, "  ", ", ")
		if line.item != noItem {
			text = "thread " + strconv.FormatInt(line.item, 10) + ": " + text
		}
		lines = append(lines, text)
	}
	return lines
}

func (p *timers) tell() (lines []string) {
	for _, line := range p.content {
		text := strings.ReplaceAll(line.text, "  ", ", ")
		if line.left != "" && line.left != p.screen.Glyphs().Waiting {
			text = line.left + ": " + text
		}
		lines = append(lines, text)
	}
	return lines
}
