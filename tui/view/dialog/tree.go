package dialog

import (
	"strconv"
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/tree"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Tree shows a value as a tree with the keys of the data pane.
type Tree struct {
	title string
	value value.Value
	tree  *tree.Tree
	back  view.Dialog

	cursor, top, left, rows int
	folded                  bool   // all of it
	needle                  string // that was searched for last
}

// foldedFrom is the number of rows from which on a value is folded when it is opened.
const foldedFrom = 2000

// NewTree returns the tree of a value under a title. back is the dialog that is shown again afterwards; it may be nil.
func NewTree(title string, v value.Value, back view.Dialog) *Tree {
	t := &Tree{title: title, value: v, back: back}
	t.fold(value.Lines(v) > foldedFrom)
	return t
}

// fold folds or unfolds everything.
func (t *Tree) fold(folded bool) {
	t.folded = folded
	if folded {
		t.tree = tree.OfValue(t.value, tree.AllFolded)
	} else {
		t.tree = tree.OfValue(t.value, tree.Usual)
	}
	t.cursor = 0
}

// Mode implements [pane.Dialog].
func (*Tree) Mode() view.Mode { return view.Listing }

// Handle implements [pane.Dialog].
func (t *Tree) Handle(c view.Context, k keys.Press) {
	if by, ok := widget.PageMove(k.Action, max(t.rows, 1)); ok {
		t.cursor = max(0, min(t.cursor+by, t.tree.Len()-1))
		return
	}
	switch k.Action {
	case keys.Fold, keys.Look:
		if row, ok := t.tree.Toggle(t.cursor); ok {
			t.cursor = row
		}
	case keys.FoldAll:
		t.fold(!t.folded)
	case keys.Left, keys.ScrollLeft:
		t.left = max(0, t.left-8)
	case keys.Right, keys.ScrollRight:
		t.left += 8
	case keys.Find:
		p := NewPrompt("Find:", t.needle, func(text string) {
			t.needle = strings.ToLower(text)
			t.find(c, 1)
		})
		p.Back = t
		p.Complete = func(text string) []view.Completion {
			return CompleteWord(text, func(yield func(string) bool) { Words(t.value, yield) })
		}
		c.Open(p)
	case keys.FindNext:
		t.find(c, 1)
	case keys.FindPrevious:
		t.find(c, -1)
	case keys.Copy:
		c.Copy(value.Pretty(t.selected()))
		c.Say(canvas.Plain, "Copied "+t.path()+", "+wording.Size(value.Size(t.selected()))+", to the terminal's clipboard.")
	case keys.Now, keys.Quit, keys.Evaluate:
		c.Open(t.back)
	default:
	}
}

// find goes to the next match, or to the previous one where by is -1.
func (t *Tree) find(c view.Context, by int) {
	if t.needle == "" {
		return
	}
	row, _, ok := t.tree.Find(t.needle, t.cursor, by < 0)
	if !ok {
		c.Say(canvas.Warn, "Not found: "+t.needle)
		return
	}
	t.cursor = row
}

// selected returns the value at the cursor.
func (t *Tree) selected() value.Value {
	if v := t.tree.Row(t.cursor).Value(); v != nil {
		return v
	}
	return t.value
}

// path is where the value at the cursor is in the whole.
func (t *Tree) path() string { return t.tree.Row(t.cursor).Path() }

// Draw implements [pane.Dialog].
func (t *Tree) Draw(c view.Context, area canvas.Area) {
	total := t.tree.Len()
	w := min(120, area.W()-2)
	h := min(max(total, 6)+3, area.H()-1)
	foot := t.path() + "  " + aboutTree(t.selected())
	if rows := h - 3; total > rows {
		foot += "  row " + strconv.Itoa(t.cursor+1) + " of " + strconv.Itoa(total)
	}
	inner := widget.Window(area, w, h, canvas.FitMiddle(t.title, w-8, area.Glyphs().Ellipsis), canvas.FitMiddle(foot, w-8, area.Glyphs().Ellipsis))
	t.rows = max(inner.H()-1, 1)
	t.top = max(0, min(t.top, total-t.rows))
	t.top = max(t.cursor-t.rows+1, min(t.top, t.cursor))
	body := inner.Area(canvas.Rect{X: 1, W: inner.W() - 2, H: t.rows})
	for y := 0; y < t.rows && t.top+y < total; y++ {
		t.tree.Draw(body, y, t.top+y, t.left, t.needle)
		if t.top+y == t.cursor {
			inner.Text(0, y, canvas.Current, area.Glyphs().Pointer)
			inner.MarkSpan(0, y, 1)
		}
	}
	widget.Scrollbar(inner.Area(canvas.Rect{W: inner.W(), H: t.rows}), t.top, total)
	m := c.Keys()
	hint := m.Key(keys.Fold) + " fold  " + m.Key(keys.Find) + " find  " + m.Key(keys.Copy) + " copy  esc close"
	inner.Fit(1, inner.H()-1, inner.W()-2, canvas.Hint, hint)
}

// aboutTree names the type of a value and its size.
func aboutTree(v value.Value) string {
	size := wording.Size(value.Size(v))
	switch v := v.(type) {
	case *value.Object:
		return "object, " + wording.Count(v.Len(), "member") + ", " + size
	case *value.Array:
		return "array, " + wording.Count(v.Len(), "item") + ", " + size
	}
	return value.KindOf(v)
}
