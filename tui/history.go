package tui

import "slices"

// keptLines bounds how many lines a history holds.
const keptLines = 100

// history is what was typed into a prompt before, the oldest first.
type history struct {
	lines []string
	at    int    // the line that is shown, counted from the newest; 0 is what is being typed
	typed string // what was typed before an older line was asked for
}

func (h *history) add(text string) {
	h.at = 0
	if i := slices.Index(h.lines, text); i >= 0 {
		h.lines = slices.Delete(h.lines, i, i+1)
	}
	h.lines = append(h.lines, text)
	if len(h.lines) > keptLines {
		h.lines = slices.Delete(h.lines, 0, 1)
	}
}

// older returns the line before the one shown; present is what stands in the prompt.
func (h *history) older(present string) (text string, ok bool) {
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
func (h *history) newer() (text string, ok bool) {
	if h.at == 0 {
		return "", false
	}
	if h.at--; h.at == 0 {
		return h.typed, true
	}
	return h.lines[len(h.lines)-h.at], true
}

// histories are those of the prompts, by what they ask for.
type histories map[string]*history

func (all histories) of(kind string) *history {
	h := all[kind]
	if h == nil {
		h = &history{}
		all[kind] = h
	}
	h.at = 0
	return h
}
