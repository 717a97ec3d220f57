package tui

import (
	"errors"
	"strconv"
	"strings"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/value"
	"asldb.dev/asldb/tui/canvas"
	"asldb.dev/asldb/tui/datatree"
	"asldb.dev/asldb/tui/keys"
	"asldb.dev/asldb/tui/textedit"
	"asldb.dev/asldb/tui/theme"
	"github.com/charmbracelet/bubbles/textinput"
)

// field is one of the fields of the question.
type field uint8

const (
	fieldResult field = iota
	fieldError
	fieldCause
	fieldCount
)

// question asks for the outcome of a task: a result as JSON, or an Error Name and a Cause. The field
// that has the cursor decides which.
type question struct {
	request *engine.TaskRequest
	payload *datatree.Tree
	top     int // of the payload
	rows    int // of the payload on the screen

	field  field
	result textedit.Editor
	name   textinput.Model
	cause  textinput.Model
	fault  string
}

func newQuestion(r *engine.TaskRequest) *question {
	q := &question{request: r, payload: datatree.OfValue(r.Parameters, datatree.Usual)}
	q.name, q.cause = newInput(), newInput()
	return q
}

func (q *question) writes() {}

func (q *question) handle(u *ui, k press) {
	q.fault = ""
	switch k.name {
	case "esc":
		u.dialog = nil
		u.say(theme.Warn, "The task still waits; "+u.keys.Key(keys.Answer)+" opens the question again.")
	case "tab":
		q.field = (q.field + 1) % fieldCount
	case "shift+tab":
		q.field = (q.field + fieldCount - 1) % fieldCount
	case "pgup":
		q.top -= max(q.rows-1, 1)
	case "pgdown":
		q.top += max(q.rows-1, 1)
	case "enter":
		q.answer(u)
	default:
		q.edit(k)
	}
	q.top = max(0, min(q.top, q.payload.Len()-q.rows))
}

func (q *question) edit(k press) {
	switch q.field {
	case fieldResult:
		switch {
		case k.name == "ctrl+j" || k.name == "alt+enter":
			q.result.Insert("\n")
		case k.text != "":
			q.result.Insert(k.text)
		default:
			q.result.Key(k.name)
		}
	case fieldError:
		q.name, _ = q.name.Update(k.msg)
	case fieldCause:
		q.cause, _ = q.cause.Update(k.msg)
	}
}

// outcome reads the fields.
func (q *question) outcome() (engine.Outcome, error) {
	if q.field != fieldResult {
		name := strings.TrimSpace(q.name.Value())
		if name == "" {
			return engine.Outcome{}, errors.New("an error needs a name, for example Card.Declined")
		}
		return engine.Outcome{Error: name, Cause: q.cause.Value()}, nil
	}
	text := q.result.Value()
	if strings.TrimSpace(text) == "" {
		return engine.Outcome{}, errors.New("type a JSON value, for example {} or null")
	}
	v, err := value.ParseString(text)
	return engine.Outcome{Output: v}, err
}

func (q *question) answer(u *ui) {
	outcome, err := q.outcome()
	if err == nil {
		err = u.session.Answer(q.request.ID, outcome)
	}
	if err != nil {
		q.fault = err.Error()
		return
	}
	u.dialog = nil
	u.resume()
}

// questionWidth is the greatest width of the question, its frame included.
const questionWidth = 84

// title is the question itself. What a path loses where there is no room is its middle.
func (q *question) title(area canvas.Area, about string) string {
	const before, after, frame = "What does ", " return?", 6
	room := min(questionWidth, area.W()) - len(before) - len(after) - frame
	return before + canvas.FitMiddle(about, max(room, 8), area.Glyphs().Ellipsis) + after
}

// questionLines is what the question needs besides the payload and the result: its heads, the fields of
// the error, the fault and the hint.
const questionLines = 9

func (q *question) draw(u *ui, area canvas.Area) {
	if area.H() < 16 {
		q.drawCompact(u, area)
		return
	}
	room := area.H() - 2 - questionLines
	written := max(q.result.Len(), 3)
	lines := max(1, min(written, room/2))
	q.rows = max(1, min(q.payload.Len(), room-lines))
	inner := windowIn(area, questionWidth, q.rows+lines+questionLines+2, q.title(area, q.request.Visit.Path()), "")
	w, g := inner.W(), u.glyphs
	about := q.request.Resource + "  attempt " + strconv.Itoa(q.request.Attempt) + ", request " + strconv.Itoa(q.request.Invocation) + " of this state"
	inner.Text(1, 0, theme.Dim, canvas.FitMiddle(about, w-2, g.Ellipsis))
	head := "payload"
	if q.payload.Len() > q.rows {
		head += "  lines " + strconv.Itoa(q.top+1) + "-" + strconv.Itoa(min(q.top+q.rows, q.payload.Len())) + " of " + strconv.Itoa(q.payload.Len()) + "  PgUp PgDn"
	}
	inner.Fit(1, 1, w-2, theme.Title, head)
	for i := 0; i < q.rows && q.top+i < q.payload.Len(); i++ {
		q.payload.Draw(inner.Area(canvas.Rect{Y: 2 + i, W: w - 1, H: 1}), 0, q.top+i, 0, "")
	}
	y := q.drawResult(inner, q.rows+3, lines)
	q.drawLine(inner, y, fieldError, "error name", q.name)
	q.drawLine(inner, y+1, fieldCause, "cause", q.cause)
	if q.fault != "" {
		inner.Fit(1, y+2, w-2, theme.Bad, g.Failed+" "+q.fault)
	}
	hint := "enter answers  tab result/error  ctrl+j new line  esc look around first"
	inner.Fit(1, y+3, w-2, theme.Hint, hint)
}

// drawCompact is for screens of a few lines: only the field with the cursor is shown.
func (q *question) drawCompact(u *ui, area canvas.Area) {
	inner := windowIn(area, questionWidth, area.H(), q.title(area, q.request.Visit.State.Name), "")
	w := inner.W()
	q.rows = max(1, inner.H()-4)
	for i := 0; i < q.rows && q.top+i < q.payload.Len(); i++ {
		q.payload.Draw(inner.Area(canvas.Rect{Y: i, W: w, H: 1}), 0, q.top+i, 0, "")
	}
	y := q.rows
	switch q.field {
	case fieldResult:
		inner.Text(1, y, theme.Current, "result as JSON")
		line, column := q.result.Cursor()
		drawRunes(inner.Area(canvas.Rect{X: 1, Y: y + 1, W: w - 2, H: 1}), q.result.Line(line), column, true)
	case fieldError:
		inner.Text(1, y, theme.Current, "error name")
		drawInput(inner.Area(canvas.Rect{X: 1, Y: y + 1, W: w - 2, H: 1}), q.name.Value(), q.name.Position(), true)
	case fieldCause:
		inner.Text(1, y, theme.Current, "cause")
		drawInput(inner.Area(canvas.Rect{X: 1, Y: y + 1, W: w - 2, H: 1}), q.cause.Value(), q.cause.Position(), true)
	}
	if q.fault != "" {
		inner.Fit(1, y+2, w-2, theme.Bad, u.glyphs.Failed+" "+q.fault)
	}
	inner.Fit(1, y+3, w-2, theme.Hint, "enter answers  tab error  esc look")
}

func (q *question) label(area canvas.Area, y int, f field, text string) {
	style := theme.Dim
	if q.field == f {
		style = theme.Current
		area.Text(0, y, style, area.Glyphs().Pointer)
	}
	area.Text(2, y, style, text)
}

func (q *question) drawResult(inner canvas.Area, y, room int) int {
	q.label(inner, y, fieldResult, "result as JSON")
	y++
	line, column := q.result.Cursor()
	top := max(0, line-room+1)
	for i := range room {
		body := inner.Area(canvas.Rect{X: 4, Y: y, W: inner.W() - 5, H: 1})
		inner.Text(2, y, theme.Border, inner.Glyphs().Box.Vertical)
		switch {
		case top+i == line:
			drawRunes(body, q.result.Line(line), column, q.field == fieldResult)
		case top+i < q.result.Len():
			drawRunes(body, q.result.Line(top+i), 0, false)
		}
		y++
	}
	return y
}

func (q *question) drawLine(inner canvas.Area, y int, f field, label string, input textinput.Model) {
	q.label(inner, y, f, label)
	drawInput(inner.Area(canvas.Rect{X: 14, Y: y, W: inner.W() - 15, H: 1}), input.Value(), input.Position(), q.field == f)
}
