package view

import "slices"

// maxLines bounds how many lines a history holds.
const maxLines = 100

// History has the lines that were typed into a prompt, the oldest first.
type History struct {
	lines []string
	at    int    // the line that is shown, counted from the newest; 0 is the one being typed
	typed string // the line being typed, while an older one is shown
}

// Add appends a line; one that is there already moves to the end.
func (h *History) Add(text string) {
	h.at = 0
	if i := slices.Index(h.lines, text); i >= 0 {
		h.lines = slices.Delete(h.lines, i, i+1)
	}
	h.lines = append(h.lines, text)
	if len(h.lines) > maxLines {
		h.lines = slices.Delete(h.lines, 0, 1)
	}
}

// Older returns the line before the one shown; present is the text in the prompt.
func (h *History) Older(present string) (text string, ok bool) {
	if h.at >= len(h.lines) {
		return "", false
	}
	if h.at == 0 {
		h.typed = present
	}
	h.at++
	return h.lines[len(h.lines)-h.at], true
}

// Newer returns the line after the one shown; after the newest comes the one being typed.
func (h *History) Newer() (text string, ok bool) {
	if h.at == 0 {
		return "", false
	}
	if h.at--; h.at == 0 {
		return h.typed, true
	}
	return h.lines[len(h.lines)-h.at], true
}

// Histories are the histories of the prompts, by the kind of their argument.
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

// Lines returns the lines, the oldest first.
func (h *History) Lines() []string { return slices.Clone(h.lines) }

// Restore replaces the lines by the newest ones of an earlier session.
func (h *History) Restore(lines []string) {
	h.lines = slices.Clone(lines[max(0, len(lines)-maxLines):])
}
