package widget

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Editor is a text with a cursor. The zero Editor is empty.
type Editor struct {
	lines    []*line // none means one empty line
	row, col int     // of the cursor; col in characters

	undone, done []snapshot
	typing       bool // the newest change was typing, which one step takes back as a whole
	version      int
}

// line is one line of a text. It never changes: an edit puts another in its place. Its characters are taken apart when they
// are needed, since few lines of a long text ever are.
type line struct {
	text  string
	runes []rune
	known bool // runes are the line's, which text need not be
}

func (l *line) characters() []rune {
	if !l.known {
		l.runes, l.known = []rune(l.text), true
	}
	return l.runes
}

func lineOf(runes []rune) *line { return &line{runes: runes, known: true} }

// at returns the characters of a line. They must not be changed.
func (e *Editor) at(row int) []rune { return e.lines[row].characters() }

// snapshot is the text at one time.
type snapshot struct {
	lines    []*line
	row, col int
}

// maxUndo is how many changes can be undone.
const maxUndo = 200

// Set replaces the text, with the cursor at the beginning. It can be undone.
func (e *Editor) Set(text string) {
	e.note(false)
	e.lines, e.row, e.col = nil, 0, 0
	e.insert(text)
	e.row, e.col = 0, 0
}

// Version returns a number that changes with the text.
func (e *Editor) Version() int { return e.version }

// note keeps the text as it is, before a change.
func (e *Editor) note(typing bool) {
	e.version++
	if typing && e.typing && len(e.done) > 0 {
		return
	}
	e.typing = typing
	if len(e.done) == maxUndo {
		e.done = slices.Delete(e.done, 0, maxUndo/4)
	}
	e.done, e.undone = append(e.done, e.snapshot()), nil
}

func (e *Editor) snapshot() snapshot { return snapshot{slices.Clone(e.lines), e.row, e.col} }

// Undo reverts the newest change, Redo repeats it. They report false where there is none.
func (e *Editor) Undo() bool { return e.travel(&e.done, &e.undone) }

// Redo repeats the change that Undo reverted.
func (e *Editor) Redo() bool { return e.travel(&e.undone, &e.done) }

func (e *Editor) travel(from, to *[]snapshot) bool {
	if len(*from) == 0 {
		return false
	}
	last := (*from)[len(*from)-1]
	*from, *to = (*from)[:len(*from)-1], append(*to, e.snapshot())
	e.lines, e.row, e.col, e.typing = last.lines, last.row, last.col, false
	e.version++
	return true
}

// Value returns the text; its lines end with "\n", the last one does not.
func (e *Editor) Value() string {
	var b strings.Builder
	b.Grow(e.Size())
	for i, line := range e.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		if !line.known {
			b.WriteString(line.text)
			continue
		}
		for _, r := range line.runes {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Size returns the length of the text in bytes.
func (e *Editor) Size() int {
	size := max(len(e.lines)-1, 0)
	for _, line := range e.lines {
		if !line.known {
			size += len(line.text)
			continue
		}
		for _, r := range line.runes {
			size += utf8.RuneLen(r)
		}
	}
	return size
}

// Len returns the number of lines, at least 1.
func (e *Editor) Len() int { return max(len(e.lines), 1) }

// Line returns line i, counted from 0. It must not be changed.
func (e *Editor) Line(i int) []rune {
	if i < len(e.lines) {
		return e.at(i)
	}
	return nil
}

// Cursor returns the line that the cursor is in and how many characters are before it.
func (e *Editor) Cursor() (row, col int) { return e.row, e.col }

// Insert puts text before the cursor. Every kind of line end begins a new line; of other control characters only
// tabs are taken.
func (e *Editor) Insert(text string) {
	e.note(utf8.RuneCountInString(text) == 1)
	e.insert(text)
}

// Replace puts text in the place of the n characters before the cursor, which are in its line.
func (e *Editor) Replace(n int, text string) {
	e.note(false)
	e.begin()
	to := e.col
	e.col = max(0, e.col-n)
	e.cut(e.row, to)
	e.insert(text)
}

// Before returns the text before the cursor.
func (e *Editor) Before() string {
	var b strings.Builder
	for row := range min(e.row, len(e.lines)) {
		b.WriteString(string(e.at(row)))
		b.WriteByte('\n')
	}
	if e.row < len(e.lines) {
		b.WriteString(string(e.at(e.row)[:e.col]))
	}
	return b.String()
}

// After returns the text behind the cursor, as far as the first n lines of it go.
func (e *Editor) After(n int) string {
	var b strings.Builder
	for row := e.row; row < min(e.row+n, len(e.lines)); row++ {
		line := e.at(row)
		if row == e.row {
			line = line[e.col:]
		}
		b.WriteString(string(line))
		b.WriteByte('\n')
	}
	return b.String()
}

func (e *Editor) insert(text string) {
	e.begin()
	text = printable(text)
	first, rest, more := strings.Cut(text, "\n")
	head := e.at(e.row)
	tail := slices.Clone(head[e.col:])
	head = append(head[:e.col:e.col], []rune(first)...)
	if more {
		e.lines[e.row] = lineOf(head)
		added := make([]line, strings.Count(rest, "\n")+1)
		rows := make([]*line, len(added))
		for i := range added {
			added[i].text, rest, _ = strings.Cut(rest, "\n")
			rows[i] = &added[i]
		}
		e.lines = slices.Insert(e.lines, e.row+1, rows...)
		e.row += len(rows)
		head = e.at(e.row)
	}
	e.col = len(head)
	if len(tail) > 0 || !more {
		e.lines[e.row] = lineOf(append(head[:len(head):len(head)], tail...))
	}
}

// printable returns a text with "\n" as its only kind of line end, and without control characters but tabs.
func printable(text string) string {
	if !mayHaveControls(text) {
		return text
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

// mayHaveControls reports whether a text may have control characters besides line ends and tabs, or isn't UTF-8.
func mayHaveControls(text string) bool {
	for i := range len(text) {
		switch b := text[i]; {
		case b >= ' ' && b < 0x7f, b == '\n', b == '\t':
		case b == 0xc2, b < ' ', b == 0x7f: // C1 controls begin with 0xc2
			return true
		}
	}
	return !utf8.ValidString(text)
}

func (e *Editor) begin() {
	if len(e.lines) == 0 {
		e.lines = []*line{lineOf(nil)}
	}
}

// Key executes a key that writes nothing, by Bubble Tea's name for it; ctrl+z undoes, ctrl+y redoes.
// It reports false for keys that it does not know, and where there is nothing to undo.
func (e *Editor) Key(name string) bool {
	e.begin()
	e.typing = e.typing && name != "left" && name != "right" && name != "up" && name != "down"
	line := e.at(e.row)
	switch name {
	case "left", "ctrl+b":
		e.left()
	case "right", "ctrl+f":
		e.right()
	case "up", "ctrl+p":
		e.move(e.row - 1)
	case "down", "ctrl+n":
		e.move(e.row + 1)
	case "home", "ctrl+a":
		e.col = 0
	case "end", "ctrl+e":
		e.col = len(line)
	case "alt+left", "ctrl+left", "alt+b":
		e.col = wordLeft(line, e.col)
	case "alt+right", "ctrl+right", "alt+f":
		e.col = wordRight(line, e.col)
	case "ctrl+home", "alt+<":
		e.row, e.col = 0, 0
	case "ctrl+end", "alt+>":
		e.row = len(e.lines) - 1
		e.col = len(e.at(e.row))
	default:
		return e.remove(name)
	}
	return true
}

// remove executes a key that deletes text.
func (e *Editor) remove(name string) bool {
	if name == "ctrl+z" {
		return e.Undo()
	}
	if name == "ctrl+y" {
		return e.Redo()
	}
	if !removes(name) {
		return false
	}
	e.note(false)
	line := e.at(e.row)
	switch name {
	case "backspace", "ctrl+h":
		if at := *e; e.left() {
			e.cut(at.row, at.col)
		}
	case "delete", "ctrl+d":
		if at := *e; at.right() {
			e.cut(at.row, at.col)
		}
	case "ctrl+u":
		to := e.col
		e.col = 0
		e.cut(e.row, to)
	case "ctrl+k":
		e.cut(e.row, len(line))
	case "ctrl+w", "alt+backspace":
		to := e.col
		e.col = wordLeft(line, to)
		e.cut(e.row, to)
	case "alt+d", "alt+delete":
		e.cut(e.row, wordRight(line, e.col))
	}
	return true
}

func removes(name string) bool {
	switch name {
	case "backspace", "ctrl+h", "delete", "ctrl+d", "ctrl+u", "ctrl+k", "ctrl+w", "alt+backspace", "alt+d", "alt+delete":
		return true
	}
	return false
}

// cut removes the text between the cursor and a place in the same line or at the beginning of the next.
func (e *Editor) cut(row, col int) {
	line := e.at(e.row)
	e.lines[e.row] = lineOf(append(line[:e.col:e.col], e.at(row)[col:]...))
	e.lines = slices.Delete(e.lines, e.row+1, row+1)
}

func (e *Editor) left() bool {
	switch {
	case e.col > 0:
		e.col--
	case e.row > 0:
		e.row--
		e.col = len(e.at(e.row))
	default:
		return false
	}
	return true
}

func (e *Editor) right() bool {
	switch {
	case e.col < len(e.at(e.row)):
		e.col++
	case e.row < len(e.lines)-1:
		e.row, e.col = e.row+1, 0
	default:
		return false
	}
	return true
}

func (e *Editor) move(row int) {
	e.row = max(0, min(row, len(e.lines)-1))
	e.col = min(e.col, len(e.at(e.row)))
}

func wordLeft(line []rune, at int) int {
	for at > 0 && !isWord(line[at-1]) {
		at--
	}
	for at > 0 && isWord(line[at-1]) {
		at--
	}
	return at
}

func wordRight(line []rune, at int) int {
	for at < len(line) && !isWord(line[at]) {
		at++
	}
	for at < len(line) && isWord(line[at]) {
		at++
	}
	return at
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
