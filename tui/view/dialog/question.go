package dialog

import (
	"errors"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/tree"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// field is one of the fields of the question.
type field uint8

const (
	fieldResult field = iota
	fieldError
	fieldCause
	fieldCount
)

// Question asks for the outcome of a task: a result as JSON, or an Error Name and a Cause. The field
// that has the cursor decides which.
type Question struct {
	view.Modal
	Facts
	screen  editing
	payload *tree.Tree
	top     int // of the payload
	rows    int // of the payload on the screen

	field  field
	result jsonText
	name   widget.Line
	cause  widget.Line
	fault  string

	suggestions []suggestion // possible results; ctrl+r cycles through them
	suggested   int
	errors      []string // the names that an error may have
	errorAt     int
	inside      bool // the pane of the data has drawn it, in its story
}

// suggestion is a possible result, and its source in words, "" for none.
type suggestion struct{ text, from string }

// CallAgainKey is the key that begins a cancelled call again.
const CallAgainKey = "ctrl+t"

// Facts are the facts of the run that a question needs, and the functions that take its answer.
type Facts struct {
	Request *engine.TaskRequest
	// Why says why the user is asked where the result was to come from elsewhere, Way how the execution was started;
	// both may be empty.
	Why, Way string
	// Limit is the greatest size of a result in bytes; 0 for none.
	Limit int
	// Last is the newest outcome that the state had before, and Prepared one of the fixtures; nil where there is none.
	Last, Prepared *engine.Outcome
	// Grown is a result generated from the paths that later states read; nil: there is none.
	Grown value.Value
	// Given is the outcome of the task, which is to be changed; nil where it waits for its first.
	Given *engine.Outcome
	// Take gives the task its outcome.
	Take func(engine.Outcome) error
	// CallAgain begins a cancelled call again; nil where none was cancelled.
	CallAgain func() error
}

// NewQuestion returns the question about a request.
func NewQuestion(screen editing, facts Facts) *Question {
	r := facts.Request
	q := &Question{Facts: facts, screen: screen, payload: tree.OfValue(r.Parameters, tree.Usual)}
	q.name, q.cause = widget.NewLine(), widget.NewLine()
	shape := fixtures.Shape(r)
	known := false
	for _, from := range [...]struct {
		outcome *engine.Outcome
		words   string
	}{{q.Last, "from the last answer"}, {q.Prepared, "from the fixtures"}} {
		if from.outcome != nil && from.outcome.Output != nil && q.Given == nil {
			q.suggestions, known = append(q.suggestions, suggestion{value.Pretty(from.outcome.Output), from.words}),
				true
		}
	}
	if q.Grown != nil {
		from := "made up from the paths read"
		if grown, isObject := q.Grown.(*value.Object); isObject && grown.Len() == 0 {
			from = "no state reads of it"
		}
		q.suggestions, known = append(q.suggestions, suggestion{value.Pretty(q.Grown), from}), true
	} else if shape != nil {
		from := "the shape in the service's model"
		if r.Integration.Kind == engine.LambdaTask || r.Integration.Kind == engine.OtherTask ||
			r.Integration.Kind == engine.ActivityTask {
			from = "the members that are read"
		}
		q.suggestions = append(q.suggestions, suggestion{value.Pretty(shape), from})
	}
	if r.Parameters != nil && value.Size(r.Parameters) <= checkedBytes {
		q.suggestions = append(q.suggestions, suggestion{value.Pretty(r.Parameters), "the payload, as an echo"})
	}
	q.suggestions = append(q.suggestions, suggestion{})
	q.errors, q.errorAt = fixtures.LikelyErrors(r.Visit.State), -1
	q.suggested = len(q.suggestions) - 1
	if given := q.Given; given != nil && given.Output != nil {
		q.suggestions = append([]suggestion{{value.Pretty(given.Output), "the result that it had"}}, q.suggestions...)
		q.suggested++
	} else if given != nil {
		q.name.Suggest(given.Error)
		q.cause.Suggest(given.Cause)
	}
	if shape, ok := shape.(*value.Object); q.suggested > 0 && (ok && shape.Len() > 0 || known || q.Given != nil &&
		q.Given.Output != nil) {
		q.suggest(1) // where nothing is known the user begins from nothing
	}
	return q
}

// suggest puts the next suggestion into the field that has the cursor.
func (q *Question) suggest(by int) {
	if q.field == fieldResult {
		n := len(q.suggestions)
		q.suggested = ((q.suggested+by)%n + n) % n
		q.result.suggest(q.suggestions[q.suggested].text)
		return
	}
	n := len(q.errors)
	q.field, q.errorAt = fieldError, ((max(q.errorAt, -1)+by)%n+n)%n
	q.name.Suggest(q.errors[q.errorAt])
}

// Writes implements [view.Writer].
func (*Question) Writes() bool { return true }

// Handle implements [view.View].
func (q *Question) Handle(k keys.Press) bool {
	q.fault = ""
	switch k.Name {
	case "esc":
		q.screen.Open(nil)
		if q.Given == nil {
			q.screen.Say(canvas.Warn,
				"The task is still waiting; "+q.screen.Keys().Key(keys.Answer)+" opens the question again.")
		}
	case "tab":
		q.field = (q.field + 1) % fieldCount
	case "shift+tab":
		q.field = (q.field + fieldCount - 1) % fieldCount
	case "pgup":
		q.top -= max(q.rows-1, 1)
	case "pgdown":
		q.top += max(q.rows-1, 1)
	case "enter", "ctrl+s":
		q.answer()
	case "ctrl+r":
		q.suggest(1)
	case CallAgainKey:
		if q.CallAgain == nil {
			q.fault = "No call was cancelled here."
		} else if err := q.CallAgain(); err != nil {
			q.fault = err.Error()
		}
	case "ctrl+x":
		if q.field == fieldResult {
			q.screen.EditOutside(q.result.Value(), func(text string, err error) { q.result.take(q.screen, text, err) })
		}
	default:
		q.edit(k)
	}
	if q.cause.Suggested && q.name.Value() != q.Given.Error { // the Cause was another error's
		q.cause.Set("")
	}
	q.top = max(0, min(q.top, q.payload.Len()-q.rows))
	return true
}

func (q *Question) edit(k keys.Press) {
	switch q.field {
	case fieldResult:
		q.result.press(k)
	case fieldError:
		switch k.Name {
		case "up":
			q.suggest(-1)
		case "down":
			q.suggest(1)
		default:
			q.name.Press(k)
		}
	case fieldCause:
		q.cause.Press(k)
	default:
	}
}

// outcome reads the fields.
func (q *Question) outcome() (engine.Outcome, error) {
	if q.field != fieldResult {
		name := strings.TrimSpace(q.name.Value())
		if name == "" {
			return engine.Outcome{}, errors.New("an error needs a name, for example Card.Declined; " +
				fixtures.NoName + " for one without")
		}
		return fixtures.Failure(name, q.cause.Value()), nil
	}
	v, err := q.result.read()
	return engine.Outcome{Output: v}, err
}

// Typed returns the texts of the fields.
func (q *Question) Typed() []string {
	var list []string
	if text := q.result.Value(); text != "" && !q.result.suggestion {
		list = append(list, text)
	}
	if name := q.name.Value(); name != "" && !q.name.Suggested {
		list = append(list, strings.TrimSpace(name+" "+q.cause.Value()))
	}
	return list
}

func (q *Question) answer() {
	outcome, err := q.outcome()
	if err == nil {
		err = q.Take(outcome)
	}
	if err != nil {
		q.fault = err.Error()
		return
	}
}

// remark is the line below the fields: the fault or the kind of the result, and other suggestions.
func (q *Question) remark(g *canvas.Glyphs) (text string, style canvas.Style) {
	switch {
	case q.fault != "":
		return g.Failed + " " + q.fault, canvas.Bad
	case q.field != fieldResult && q.name.Value() == "":
		return "such as " + strings.Join(q.errors, ", ") + " (up and down); " + fixtures.NoName + " for none",
			canvas.Dim
	case q.field != fieldResult:
		return "", canvas.Dim
	}
	text, style = q.result.remark(g, q.Limit)
	if q.result.suggestion {
		text, style = text+"   "+widget.AboutSuggestion, canvas.Dim
	}
	return text, style
}

// questionWidth is the greatest width of the question, its frame included.
const questionWidth = 84

// title is the question itself. A path that does not fit is cut in the middle.
func (q *Question) title(area canvas.Area, about string) string {
	const before, after, frame = "What does ", " return?", 6
	room := min(questionWidth, area.W()) - len(before) - len(after) - frame
	return before + canvas.FitMiddle(about, max(room, 8), area.Glyphs().Ellipsis) + after
}

// reason is why the user is asked, in at most rows lines of at most cells cells; none where there is nothing to say.
func (q *Question) reason(cells, rows int) []string {
	if q.Why == "" {
		return nil
	}
	const most = 4
	lines := canvas.Wrap(q.Why, cells)
	return lines[:min(len(lines), rows, most)]
}

// questionLines is the number of lines that the question needs besides the payload and the result: its heads, the
// fields of the error, the fault and the hint.
const questionLines = 9

// Draw implements [view.View].
func (q *Question) Draw(f widget.Frame) {
	area := f.Area
	if q.inside {
		q.inside = false
		area.Row(area.H()-1).Fit(1, 0, area.W()-2, canvas.Hint, q.hint(area.W()-2))
		return
	}
	if area.H() < 16 {
		q.drawCompact(area)
		return
	}
	why := q.reason(min(questionWidth, area.W())-4, 1+(area.H()-16)/2)
	if q.Way != "" { // the status line may have no room for all of it
		why = append([]string{canvas.FitMiddle("in "+q.Way, min(questionWidth, area.W())-4, area.Glyphs().Ellipsis)},
			why...)
	}
	room := area.H() - 2 - questionLines - len(why)
	written := max(q.result.Len(), 3)
	lines := max(1, min(written, room/2))
	q.rows = max(1, min(q.payload.Len(), room-lines))
	inner := widget.Window(area, questionWidth, q.rows+lines+questionLines+len(why)+2, q.title(area,
		q.Request.Visit.Path()), "")
	w, g := inner.W(), area.Glyphs()
	about := q.Request.Resource + "  attempt " + strconv.Itoa(q.Request.Attempt) + ", request " +
		strconv.Itoa(q.Request.Invocation) + " of this state"
	inner.Text(1, 0, canvas.Dim, canvas.FitMiddle(about, w-2, g.Ellipsis))
	for i, line := range why {
		inner.Text(1, 1+i, canvas.Warn, line)
	}
	inner = inner.Area(canvas.Rect{Y: len(why), W: w, H: inner.H() - len(why)})
	head := "payload"
	if q.payload.Len() > q.rows {
		head += "  lines " + strconv.Itoa(q.top+1) + "-" + strconv.Itoa(min(q.top+q.rows, q.payload.Len())) + " of " +
			strconv.Itoa(q.payload.Len()) + "  PgUp PgDn"
	}
	inner.Fit(1, 1, w-2, canvas.Title, head)
	for i := 0; i < q.rows && q.top+i < q.payload.Len(); i++ {
		q.payload.Draw(inner.Area(canvas.Rect{Y: 2 + i, W: w - 1, H: 1}), 0, q.top+i, 0, "")
	}
	y := q.drawResult(inner, q.rows+3, lines)
	q.drawLine(inner, y, fieldError, "error name", &q.name)
	q.drawLine(inner, y+1, fieldCause, "cause", &q.cause)
	remark, style := q.remark(area.Glyphs())
	inner.Fit(1, y+2, w-2, style, remark)
	inner.Fit(1, y+3, w-2, canvas.Hint, q.hint(w-2))
}

// hint names the keys of the question in at most so many cells.
func (q *Question) hint(cells int) string {
	another, short := "", ""
	if len(q.suggestions) > 1 {
		another, short = "  ctrl+r another suggestion", "  ctrl+r suggestion"
	}
	return longest(cells, "enter answers  tab an error instead  ctrl+j new line"+another+"  esc look",
		"enter answers  tab error  ctrl+j new line"+short+"  esc look", "enter answers  tab error  esc look")
}

// longest returns the first of some texts, the longest first, that fits in so many cells, or else the last.
func longest(cells int, texts ...string) string {
	for _, text := range texts {
		if canvas.Width(text) <= cells {
			return text
		}
	}
	return texts[len(texts)-1]
}

// InsideRows is the least number of rows for [Question.DrawInside].
const InsideRows = 8

// DrawInside paints the question into the story of its state, in place of a window, and returns the number of rows that
// it takes.
func (q *Question) DrawInside(f widget.Frame) (rows int) {
	q.inside = true
	g, w := f.Glyphs(), f.W()
	y := 0
	put := func(style canvas.Style, text string) {
		f.Fit(1, y, w-2, style, text)
		y++
	}
	about := q.Request.Visit.Path()
	if canvas.Width(about)+22 > w {
		about = q.Request.Visit.State.Name
	}
	question := g.Waiting + " " + q.ask(about)
	put(canvas.Strong, question)
	f.Right(w-1, 0, canvas.Dim, longest(w-4-canvas.Width(question), "for this payload:", "payload:", ""))
	why := q.reason(w-2, max(f.H()-InsideRows, 1))
	if q.Way != "" {
		why = append([]string{canvas.FitMiddle("in "+q.Way, w-2, g.Ellipsis)}, why...)
	}
	for _, line := range why {
		put(canvas.Warn, line)
	}
	under := 2 // the label of the result, and the remark
	if q.field != fieldResult {
		under += 2
	}
	written := max(q.result.Len(), 1)
	q.rows = max(min(q.payload.Len(), f.H()-y-under-written), 0)
	for i := 0; i < q.rows && q.top+i < q.payload.Len(); i++ {
		q.payload.Draw(f.Area.Area(canvas.Rect{X: 2, Y: y, W: w - 3, H: 1}), 0, q.top+i, 0, "")
		y++
	}
	field := f.Area.Area(canvas.Rect{Y: y, W: w, H: f.H() - y})
	if from := q.suggestions[q.suggested].from; q.result.suggestion && q.field == fieldResult {
		const label = "  result as JSON  "
		field.Right(w-1, 0, canvas.Dim, longest(w-1-len(label), from+": enter takes it", from, ""))
	}
	y += q.drawResult(field, 0, max(min(written, f.H()-y-under), 1))
	if q.field != fieldResult {
		q.drawLine(f.Area, y, fieldError, "error name", &q.name)
		q.drawLine(f.Area, y+1, fieldCause, "cause", &q.cause)
		y += 2
	}
	remark, style := q.remark(g)
	if canvas.Width(remark) > w-2 && q.result.suggestion && q.field == fieldResult && q.fault == "" {
		remark, _, _ = strings.Cut(remark, "   ") // the kind of the suggestion, without the way to replace it
	}
	put(style, remark)
	return y
}

// drawCompact is for screens of a few lines: only the field with the cursor is shown.
func (q *Question) drawCompact(area canvas.Area) {
	inner := widget.Window(area, questionWidth, area.H(), q.title(area, q.Request.Visit.State.Name), "")
	w := inner.W()
	q.rows = max(1, inner.H()-4)
	for i := 0; i < q.rows && q.top+i < q.payload.Len(); i++ {
		q.payload.Draw(inner.Area(canvas.Rect{Y: i, W: w, H: 1}), 0, q.top+i, 0, "")
	}
	y := q.rows
	switch q.field {
	case fieldResult:
		inner.Text(1, y, canvas.Current, "result as JSON")
		q.result.draw(inner.Area(canvas.Rect{X: 1, Y: y + 1, W: w - 2, H: 1}), true)
	case fieldError:
		inner.Text(1, y, canvas.Current, "error name")
		q.name.Draw(inner.Area(canvas.Rect{X: 1, Y: y + 1, W: w - 2, H: 1}), true)
	case fieldCause:
		inner.Text(1, y, canvas.Current, "cause")
		q.cause.Draw(inner.Area(canvas.Rect{X: 1, Y: y + 1, W: w - 2, H: 1}), true)
	default:
	}
	remark, style := q.remark(area.Glyphs())
	if typed := q.result.Value() != "" && !q.result.suggestion; q.Why != "" && q.fault == "" &&
		q.field == fieldResult && !typed {
		remark, style = q.Why, canvas.Warn
	}
	inner.Fit(1, y+2, w-2, style, remark)
	inner.Fit(1, y+3, w-2, canvas.Hint, q.hint(w-2))
}

func (q *Question) label(area canvas.Area, y int, f field, text string) {
	style := canvas.Dim
	if q.field == f {
		style = canvas.Current
		area.Text(0, y, style, area.Glyphs().Pointer)
	}
	area.Text(2, y, style, text)
}

func (q *Question) drawResult(inner canvas.Area, y, room int) int {
	q.label(inner, y, fieldResult, "result as JSON")
	y++
	for i := range room {
		inner.Text(2, y+i, canvas.Border, inner.Glyphs().Box.Vertical)
	}
	q.result.draw(inner.Area(canvas.Rect{X: 4, Y: y, W: inner.W() - 5, H: room}), q.field == fieldResult)
	y += room
	return y
}

func (q *Question) drawLine(inner canvas.Area, y int, f field, label string, input *widget.Line) {
	q.label(inner, y, f, label)
	input.Draw(inner.Area(canvas.Rect{X: 14, Y: y, W: inner.W() - 15, H: 1}), q.field == f)
}

// Result returns the text of the result, and whether it is a suggestion that typing replaces.
func (q *Question) Result() (text string, suggestion bool) {
	return q.result.Value(), q.result.suggestion
}

// Name returns the Error Name, and whether the fields of the error have the cursor.
func (q *Question) Name() (name string, focused bool) { return q.name.Value(), q.field != fieldResult }
