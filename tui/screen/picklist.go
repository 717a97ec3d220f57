package screen

import (
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// pickLine is a line of a pickList.
type pickLine struct {
	style      canvas.Style
	left, text string
	indent     int
	// item is what is picked with the line; lines that only explain have noItem.
	item int64
}

const noItem = -1

// pickList is a section of the side pane in which one can be picked. Its lines are made when the run stands still.
type pickList struct {
	lines  []pickLine
	picked int64 // the item under the cursor
	top    int
	height int
}

func (l *pickList) add(item int64, style canvas.Style, indent int, left, text string) {
	l.lines = append(l.lines, pickLine{style: style, left: left, text: text, indent: indent, item: item})
}

// at is the line of the picked item, or -1.
func (l *pickList) at() int {
	for i := range l.lines {
		if l.lines[i].item == l.picked && l.picked != noItem {
			return i
		}
	}
	return -1
}

// keep picks the first item where the one picked before is gone.
func (l *pickList) keep() {
	if l.at() < 0 {
		l.picked = noItem
		for i := range l.lines {
			if l.lines[i].item != noItem {
				l.picked = l.lines[i].item
				break
			}
		}
	}
	l.show()
}

// move picks another item, by items on; where there is none it scrolls.
func (l *pickList) move(by int) {
	at, step := l.at(), 1
	if by < 0 {
		step = -1
	}
	for i := at + step; i >= 0 && i < len(l.lines) && by != 0; i += step {
		if l.lines[i].item != noItem {
			l.picked, by = l.lines[i].item, by-step
		}
	}
	if at < 0 {
		l.top += by
		return
	}
	l.show()
}

// show brings the picked item onto the screen, with the lines that explain it.
func (l *pickList) show() {
	at := l.at()
	if at < 0 {
		return
	}
	end := at
	for end+1 < len(l.lines) && l.lines[end+1].item == noItem {
		end++
	}
	l.top = min(max(l.top, end-l.height+1), at)
}

// find picks the next item whose line contains text.
func (l *pickList) find(text string, by int) (wrapped, ok bool) {
	at, wrapped, ok := widget.FindFrom(l.at(), len(l.lines), by, func(i int) bool {
		return l.lines[i].item != noItem && widget.ContainsFold(l.lines[i].text, text)
	})
	if ok {
		l.picked = l.lines[at].item
		l.show()
	}
	return wrapped, ok
}

// click picks the item on line y.
func (l *pickList) click(y int) {
	if i := l.top + y; y >= 0 && i < len(l.lines) && l.lines[i].item != noItem {
		l.picked = l.lines[i].item
	}
}

func (l *pickList) draw(area canvas.Area, focused bool) {
	l.height = max(area.H(), 1)
	l.top = max(0, min(l.top, len(l.lines)-l.height))
	for y := 0; y < area.H() && l.top+y < len(l.lines); y++ {
		line := &l.lines[l.top+y]
		x := 1 + min(line.indent, area.W()/4)
		if line.item == l.picked && l.picked != noItem {
			area.Text(0, y, theme.Current, area.Glyphs().Pointer)
		}
		if line.left != "" {
			x = area.Text(x, y, line.style, line.left) + 1
		}
		area.Text(x, y, line.style, canvas.FitMiddle(line.text, area.W()-x-1, area.Glyphs().Ellipsis))
		if focused && line.item == l.picked && l.picked != noItem {
			area.Mark(y)
		}
	}
	widget.Scrollbar(area, l.top, len(l.lines))
}

// panel ties the list to the side pane; refresh makes its lines anew.
func (l *pickList) panel(refresh func(u *ui)) panel {
	return panel{
		draw:    func(_ *ui, area canvas.Area, focused bool) { l.draw(area, focused) },
		move:    func(_ *ui, rows, _ int) { l.move(rows) },
		page:    func(*ui) int { return l.height },
		find:    func(_ *ui, text string, by int) (wrapped, ok bool) { return l.find(text, by) },
		click:   func(_ *ui, _, y int) { l.click(y) },
		refresh: refresh,
	}
}
