package side

import (
	"iter"
	"strings"

	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

// pickLine is a line of picks.
type pickLine struct {
	style      canvas.Style
	left, text string
	indent     int
	// item is the item of the line; lines that only explain have noItem.
	item int64
}

const noItem = -1

// picks is a list of items with lines that explain them. Its lines are made when the run stops.
type picks struct {
	content []pickLine
	picked  int64 // the item under the cursor
	top     int
	height  int
}

func (l *picks) add(item int64, style canvas.Style, indent int, left, text string) {
	l.content = append(l.content, pickLine{style: style, left: left, text: text, indent: indent, item: item})
}

// at returns the line of the picked item, or -1.
func (l *picks) at() int {
	for i := range l.content {
		if l.content[i].item == l.picked && l.picked != noItem {
			return i
		}
	}
	return -1
}

// repick picks the first item where the picked one is gone.
func (l *picks) repick() {
	if l.at() < 0 {
		l.picked = noItem
		for i := range l.content {
			if l.content[i].item != noItem {
				l.picked = l.content[i].item
				break
			}
		}
	}
	l.show()
}

// move picks another item, by items further; without items it scrolls.
func (l *picks) move(by int) {
	at, step := l.at(), 1
	if by < 0 {
		step = -1
	}
	for i := at + step; i >= 0 && i < len(l.content) && by != 0; i += step {
		if l.content[i].item != noItem {
			l.picked, by = l.content[i].item, by-step
		}
	}
	if at < 0 {
		l.top += by
		return
	}
	l.show()
}

// show brings the picked item onto the screen, with the lines that explain it.
func (l *picks) show() {
	at := l.at()
	if at < 0 {
		return
	}
	end := at
	for end+1 < len(l.content) && l.content[end+1].item == noItem {
		end++
	}
	l.top = min(max(l.top, end-l.height+1), at)
}

// lines returns the number of lines.
func (l *picks) lines() int { return len(l.content) }

// page returns the number of lines on the screen.
func (l *picks) page() int { return l.height }

// words are the words of the items.
func (l *picks) words() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range l.content {
			for word := range strings.FieldsSeq(l.content[i].text) {
				if l.content[i].item != noItem && !yield(word) {
					return
				}
			}
		}
	}
}

// find picks the next item whose line contains text.
func (l *picks) find(text string, by int) (wrapped, ok bool) {
	at, wrapped, ok := widget.FindFrom(l.at(), len(l.content), by, func(i int) bool {
		return l.content[i].item != noItem && widget.ContainsFold(l.content[i].text, text)
	})
	if ok {
		l.picked = l.content[at].item
		l.show()
	}
	return wrapped, ok
}

// click picks the item on line y.
func (l *picks) click(y int) {
	if i := l.top + y; y >= 0 && i < len(l.content) && l.content[i].item != noItem {
		l.picked = l.content[i].item
	}
}

func (l *picks) draw(area canvas.Area, focused bool) {
	l.height = max(area.H(), 1)
	l.top = max(0, min(l.top, len(l.content)-l.height))
	for y := 0; y < area.H() && l.top+y < len(l.content); y++ {
		line := &l.content[l.top+y]
		x := 1 + min(line.indent, area.W()/4)
		if line.item == l.picked && l.picked != noItem {
			area.Text(0, y, canvas.Current, area.Glyphs().Pointer)
		}
		if line.left != "" {
			x = area.Text(x, y, line.style, line.left) + 1
		}
		area.Text(x, y, line.style, canvas.FitMiddle(line.text, area.W()-x-1, area.Glyphs().Ellipsis))
		if focused && line.item == l.picked && l.picked != noItem {
			area.Mark(y)
		}
	}
	widget.Scrollbar(area, l.top, len(l.content))
}
