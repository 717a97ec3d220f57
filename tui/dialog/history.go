package dialog

import "slices"

// maxLines bounds how many lines a history holds.
const maxLines = 100

// History is what was typed into a prompt before, the oldest first.
type History struct {
	lines []string
	at    int    // the line that is shown, counted from the newest; 0 is what is being typed
	typed string // what was typed before an older line was asked for
}

func (h *History) add(text string) {
	h.at = 0
	if i := slices.Index(h.lines, text); i >= 0 {
		h.lines = slices.Delete(h.lines, i, i+1)
	}
	h.lines = append(h.lines, text)
	if len(h.lines) > maxLines {
		h.lines = slices.Delete(h.lines, 0, 1)
	}
}

// older returns the line before the one shown; present is what stands in the prompt.
func (h *History) older(present string) (text string, ok bool) {
	if h.at >= len(h.lines) {
		return "", false
	}
	if h.at == 0 {
		h.typed = present
	}
	h.at++
	return h.lines[len(h.lines)-h.at], true
}

// newer returns the line after the one shown; after the newest comes what was typed.
func (h *History) newer() (text string, ok bool) {
	if h.at == 0 {
		return "", false
	}
	if h.at--; h.at == 0 {
		return h.typed, true
	}
	return h.lines[len(h.lines)-h.at], true
}

// Histories are those of the prompts, by what they ask for.
type Histories map[string]*History

// Of returns the history of a kind of argument.
func (all Histories) Of(kind string) *History {
	h := all[kind]
	if h == nil {
		h = &History{}
		all[kind] = h
	}
	h.at = 0
	return h
}

// Lines returns what was typed, the oldest first.
func (h *History) Lines() []string { return slices.Clone(h.lines) }

// Restore replaces what was typed by the newest lines of an earlier session.
func (h *History) Restore(lines []string) {
	h.lines = slices.Clone(lines[max(0, len(lines)-maxLines):])
}
