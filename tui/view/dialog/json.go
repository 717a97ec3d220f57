package dialog

import (
	"errors"
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// jsonText is a text of several lines that is to be JSON. It says where the text stops being that while it is typed.
type jsonText struct {
	widget.Editor
	// suggestion is a text that is there until something is typed in its place.
	suggestion bool
	top        int // the first line on the screen

	value   value.Value // the value of the text, where fault is nil
	fault   error
	checked int // the version of the text that value and fault are about, and one more
	// long is set where the text is too long to be read at each key; measured is the version that it is about, and one more.
	long     bool
	measured int
}

// checkedBytes is the length up to which a text is read at each key; longer ones are read when they are taken.
const checkedBytes = 512 << 10

// suggest puts a text in that typing replaces.
func (e *jsonText) suggest(text string) {
	e.Set(text)
	e.suggestion = text != ""
}

// press edits the text. It reports false for keys that are none of an editor's.
func (e *jsonText) press(k keys.Press) bool {
	switch {
	case k.Name == "ctrl+j", k.Name == "alt+enter":
		e.write("\n")
	case k.Text != "":
		e.write(k.Text)
	default:
		known := e.Key(k.Name)
		e.suggestion = e.suggestion && !known
		return known
	}
	return true
}

func (e *jsonText) write(text string) {
	if e.suggestion {
		e.Set("")
	}
	e.suggestion = false
	e.Insert(text)
}

var errNoJSON = errors.New("type a JSON value, for example {} or null")

// read returns the value that the text is.
func (e *jsonText) read() (value.Value, error) {
	if e.checked == e.Version()+1 {
		return e.value, e.fault
	}
	e.checked = e.Version() + 1
	if text := e.Editor.Value(); strings.TrimSpace(text) == "" {
		e.value, e.fault = nil, errNoJSON
	} else {
		e.value, e.fault = value.ParseString(text)
	}
	return e.value, e.fault
}

// remark is the fault of the text, or the size of its value; "" for a text that is too long to be read at
// each key.
func (e *jsonText) remark(g *canvas.Glyphs, limit int) (text string, style canvas.Style) {
	if e.checked != e.Version()+1 && e.isLong() {
		return "", canvas.Dim
	}
	v, err := e.read()
	switch {
	case errors.Is(err, errNoJSON):
		return err.Error(), canvas.Dim
	case err != nil:
		return g.Failed + " " + err.Error(), canvas.Bad
	}
	size := value.Size(v)
	text = value.KindOf(v) + ", " + wording.Size(size)
	if limit > 0 && size > limit {
		return g.Failed + " " + text + ": more than the " + wording.Size(limit) + " that a state may take", canvas.Bad
	}
	return g.Visited + " " + text, canvas.Good
}

// isLong reports whether the text is too long to be read at each key.
func (e *jsonText) isLong() bool {
	if e.measured != e.Version()+1 {
		e.measured, e.long = e.Version()+1, e.Size() > checkedBytes
	}
	return e.long
}

// draw paints the text with its cursor.
func (e *jsonText) draw(area canvas.Area, focused bool) {
	if e.suggestion && area.H() == 1 && e.Len() > 1 {
		if v, err := e.read(); err == nil {
			area.Fit(0, 0, area.W(), canvas.Dim, value.Preview(v, 4*area.W())) // all of it rather than its first brace
			return
		}
	}
	line, column := e.Cursor()
	e.top = max(line-area.H()+1, min(e.top, line))
	for y := 0; y < area.H() && e.top+y < e.Len(); y++ {
		row, at := area.Row(y), e.top+y
		switch {
		case e.suggestion:
			row.Fit(0, 0, row.W(), canvas.Dim, string(e.Line(at)[:min(len(e.Line(at)), 4*row.W())]))
			if at == line && focused {
				row.MarkSpan(0, 0, 1)
			}
		case at == line:
			widget.DrawRunes(row, e.Line(at), column, focused)
		default:
			widget.DrawRunes(row, e.Line(at), 0, false)
		}
	}
}

// take takes over the text that the user's editor has left.
func (e *jsonText) take(screen view.Messages, text string, err error) {
	if err != nil {
		screen.Say(canvas.Bad, err.Error())
		return
	}
	e.suggestion = false
	e.Set(strings.TrimRight(text, "\n"))
}
