package dialog

import (
	"iter"
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

// treeScreen is the part of the screen that a [Tree] uses.
type treeScreen interface {
	talking
	view.Table
	view.Clipboard
}

// Tree shows a value as a tree with the keys of the data pane.
type Tree struct {
	view.Modal
	screen treeScreen
	title  string
	value  value.Value
	rows   tree.View
	back   view.View

	folded bool // all of it
}

// foldedFrom is the number of rows from which on a value is folded when it is opened.
const foldedFrom = 2000

// NewTree returns the tree of a value under a title. back is the dialog that is shown again afterwards; it may be nil.
func NewTree(screen treeScreen, title string, v value.Value, back view.View) *Tree {
	t := &Tree{screen: screen, title: title, value: v, back: back}
	t.fold(value.Lines(v) > foldedFrom)
	return t
}

// fold folds or unfolds everything.
func (t *Tree) fold(folded bool) {
	t.folded = folded
	if folded {
		t.rows.Put(tree.OfValue(t.value, tree.AllFolded))
	} else {
		t.rows.Put(tree.OfValue(t.value, tree.Usual))
	}
}

// Handle implements [view.View].
func (t *Tree) Handle(k keys.Press) bool {
	if t.rows.Press(k.Action) {
		return true
	}
	switch k.Action {
	case keys.Fold, keys.Look:
		t.rows.Toggle()
	case keys.FoldAll:
		t.fold(!t.folded)
	case keys.Left, keys.ScrollLeft:
		t.rows.Aside(-8)
	case keys.Right, keys.ScrollRight:
		t.rows.Aside(8)
	case keys.Find:
		p := NewPrompt(t.screen, "Find:", t.rows.Needle, func(text string) {
			t.rows.Needle = strings.ToLower(text)
			t.find(1)
		})
		p.Back = t
		p.Complete = func(text string) []view.Completion {
			return CompleteWord(text, func(yield func(string) bool) { Words(t.value, yield) })
		}
		t.screen.Open(p)
	case keys.FindNext:
		t.find(1)
	case keys.FindPrevious:
		t.find(-1)
	case keys.Copy:
		t.screen.Copy(value.Pretty(t.selected()))
		t.screen.Say(canvas.Plain,
			"Copied "+t.path()+", "+wording.Size(value.Size(t.selected()))+", to the terminal's clipboard.")
	case keys.Now, keys.Quit, keys.Evaluate:
		t.screen.Open(t.back)
	default:
	}
	return true
}

// find goes to the next match, or to the previous one where by is -1.
func (t *Tree) find(by int) {
	if t.rows.Needle == "" {
		return
	}
	if _, ok := t.rows.Find(t.rows.Needle, by); !ok {
		t.screen.Say(canvas.Warn, "Not found: "+t.rows.Needle)
	}
}

// selected returns the value at the cursor.
func (t *Tree) selected() value.Value {
	if row, ok := t.rows.Row(); ok && row.Value() != nil {
		return row.Value()
	}
	return t.value
}

// path is the path of the value at the cursor in the whole.
func (t *Tree) path() string {
	row, _ := t.rows.Row()
	return row.Path()
}

// Draw implements [view.View].
func (t *Tree) Draw(f widget.Frame) {
	total, g := t.rows.Count(), f.Glyphs()
	w := min(120, f.W()-2)
	h := min(max(total, 6)+3, f.H()-1)
	foot := t.path() + "  " + aboutTree(t.selected())
	if rows := h - 3; total > rows {
		foot += "  row " + strconv.Itoa(t.rows.Cursor+1) + " of " + strconv.Itoa(total)
	}
	inner := f.Window(w, h, canvas.FitMiddle(t.title, w-8, g.Ellipsis), canvas.FitMiddle(foot, w-8, g.Ellipsis))
	t.rows.Open = func() { t.rows.Toggle() }
	f.Mouse(nil, t.rows.Move)
	t.rows.Draw(inner.In(canvas.Rect{W: inner.W(), H: max(inner.H()-1, 1)}))
	m := t.screen.Keys()
	hint := m.Any(keys.Fold) + " fold  " + m.Key(keys.Find) + " find  " + m.Key(keys.Copy) + " copy  esc close"
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

// maxWord is the greatest length of a text that is offered, in bytes.
const maxWord = 60

// Words yields the names of members and the short texts in a value, in its order, and reports whether all were taken.
func Words(v value.Value, yield func(string) bool) bool {
	switch v := v.(type) {
	case *value.Object:
		for name, member := range v.All() {
			if !yield(name) || !Words(member, yield) {
				return false
			}
		}
	case *value.Array:
		for _, item := range v.All() {
			if !Words(item, yield) {
				return false
			}
		}
	case value.String:
		if len(v) <= maxWord {
			return yield(string(v))
		}
	}
	return true
}

// The bounds of completion by words: how many are offered, and how many looked at.
const (
	maxOfferedWords = 100
	maxSeenWords    = 100_000
)

// CompleteWord returns the words that begin with a text, and after them those that have it elsewhere, each once; none for an empty
// text.
func CompleteWord(text string, words iter.Seq[string]) []view.Completion {
	folded := strings.ToLower(text)
	if folded == "" {
		return nil
	}
	var first, rest []view.Completion
	known, seen := make(map[string]bool), 0
	for word := range words {
		if seen++; seen > maxSeenWords || len(first) == maxOfferedWords {
			break
		}
		at := strings.Index(strings.ToLower(word), folded)
		if at < 0 || known[word] || strings.ContainsAny(word, "\n\t") {
			continue
		}
		known[word] = true
		c := view.Completion{Text: word, Shown: word}
		if at == 0 {
			first = append(first, c)
		} else if len(rest) < maxOfferedWords {
			rest = append(rest, c)
		}
	}
	list := append(first, rest...)
	return list[:min(len(list), maxOfferedWords)]
}
