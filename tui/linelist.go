package tui

import (
	"strings"

	"asldb.dev/asldb/tui/canvas"
)

// lineList is a section of lines that are made when the run stands still, not for each frame.
type lineList struct {
	lines  []sideLine
	top    int
	height int
}

type sideLine struct {
	style canvas.Style
	left  string
	text  string
}

func (l *lineList) add(style canvas.Style, left, text string) {
	l.lines = append(l.lines, sideLine{style: style, left: left, text: text})
}

func (l *lineList) scroll(by int) { l.top = max(0, min(l.top+by, len(l.lines)-l.height)) }

// find scrolls to the next line that contains text.
func (l *lineList) find(text string, by int) bool {
	for i := l.top + by; i >= 0 && i < len(l.lines); i += by {
		if containsFold(l.lines[i].text, text) {
			l.top = i
			return true
		}
	}
	return false
}

func (l *lineList) draw(area canvas.Area) {
	l.height = max(area.H(), 1)
	l.scroll(0)
	for y := 0; y < area.H() && l.top+y < len(l.lines); y++ {
		line := &l.lines[l.top+y]
		x := 1
		if line.left != "" {
			x = area.Text(1, y, line.style, line.left) + 1
		}
		x = max(x, 5)
		// The end of a path, a stage or a time tells more than its middle.
		area.Text(x, y, line.style, canvas.FitMiddle(line.text, area.W()-x, area.Glyphs().Ellipsis))
	}
	drawScroll(area, l.top, len(l.lines))
}

// lineSection is a section of the side pane that shows such lines; refresh makes them anew.
func lineSection(title string, refresh func(u *ui, l *lineList), count func(u *ui) string, worth func(u *ui) int) section {
	l := &lineList{}
	return section{
		title: title, count: count, worth: worth, lines: func(*ui) int { return len(l.lines) },
		panel: panel{
			draw: func(_ *ui, area canvas.Area, _ bool) { l.draw(area) },
			move: func(_ *ui, rows, _ int) { l.scroll(rows) },
			page: func(*ui) int { return l.height },
			find: func(_ *ui, text string, by int) bool { return l.find(text, by) },
			refresh: func(u *ui) {
				l.lines = l.lines[:0]
				refresh(u, l)
			},
		},
	}
}

// containsFold reports whether text contains part, in upper or lower case.
func containsFold(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}
