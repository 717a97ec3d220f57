// Package diffview shows what became of a JSON value: the lines of its pretty form that went, came and
// stayed, and the changed part within a line. What both values share is cut out first, so the cost
// follows the change and not the document.
package diffview

import (
	"strconv"

	"asldb.dev/asldb/engine/value"
	"asldb.dev/asldb/tui/jsonview"
	"github.com/sergi/go-diff/diffmatchpatch"
)

// Kind says what became of a row.
type Kind uint8

// The kinds of rows.
const (
	Same Kind = iota
	Added
	Removed
	// Fold stands for Count unchanged lines.
	Fold
	// Replaced stands for Count lines that went as a whole.
	Replaced
)

// Row is one row of the diff.
type Row struct {
	Line  jsonview.Line
	Kind  Kind
	Count int32
	// Other is the row that shows the same member on the other side, for the changed part within the
	// line; -1 where there is none.
	Other int32
}

// Diff is the difference of two values.
type Diff struct {
	Rows []Row
	// Unchanged: both values are written alike.
	Unchanged bool
}

// maxEdits bounds the work of the line comparison, which grows with the square of the number of
// different lines. Beyond it members are matched by their names and items by their places.
const maxEdits = 1200

// Compute returns the difference of two values, either of which may be absent. With unfold nothing is
// folded.
func Compute(before, after value.Value, unfold bool) *Diff {
	d := &differ{same: comparer{}, ids: map[string]rune{}, pairs: map[pairPart]rune{}, unfold: unfold}
	if d.same.equal(before, after) {
		return &Diff{Unchanged: true}
	}
	rows := d.rows(before, after)
	if !unfold {
		rows = foldReplaced(foldSame(rows))
	}
	rows = expand(rows, unfold)
	link(rows)
	return &Diff{Rows: rows}
}

type differ struct {
	same   comparer
	ids    map[string]rune
	pairs  map[pairPart]rune
	lastID rune
	unfold bool
}

// pairPart is a part of two containers that is the same in both: all of it, or the members at its
// beginning or at its end.
type pairPart struct {
	pair
	part byte
}

const (
	allOf byte = iota
	headOf
	tailOf
)

// side is the rows of one value, each with the id of its text: rows with one id are the same.
type side struct {
	rows []Row
	ids  []rune
}

func (d *differ) rows(before, after value.Value) []Row {
	var a, b side
	if before != nil {
		d.emit(&a, jsonview.Line{Value: before}, after, false)
	}
	if after != nil {
		d.emit(&b, jsonview.Line{Value: after}, before, true)
	}
	if !affordable(a.ids, b.ids) {
		return d.merge(nil, jsonview.Line{Value: before}, jsonview.Line{Value: after})
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // affordable bounds the work; a time limit would make the result depend on the machine
	rows := make([]Row, 0, max(len(a.rows), len(b.rows)))
	i, j := 0, 0
	for _, part := range dmp.DiffMainRunes(a.ids, b.ids, false) {
		for range part.Text {
			switch part.Type {
			case diffmatchpatch.DiffEqual:
				rows = append(rows, b.rows[j])
				i, j = i+1, j+1
			case diffmatchpatch.DiffDelete:
				rows = append(rows, a.rows[i].as(Removed))
				i++
			case diffmatchpatch.DiffInsert:
				rows = append(rows, b.rows[j].as(Added))
				j++
			}
		}
	}
	return rows
}

// as returns the row as one that only one side has.
func (r Row) as(kind Kind) Row {
	r.Kind = kind
	return r
}

// emit appends the rows of l.Value, whose counterpart on the other side is other. swapped is set for the
// second value, so that both sides know a pair by one name.
func (d *differ) emit(s *side, l jsonview.Line, other value.Value, swapped bool) {
	p := pair{l.Value, other}
	if swapped {
		p = pair{other, l.Value}
	}
	if other != nil && isContainer(l.Value) && d.same.equal(p.a, p.b) {
		l.Folded = true
		s.add(Row{Line: l, Other: -1}, d.pairID(p, allOf))
		return
	}
	switch v := l.Value.(type) {
	case *value.Object:
		if o, ok := other.(*value.Object); ok && v.Len() > 0 && o.Len() > 0 {
			head, tail := d.same.trimObjects(v, o)
			d.emitContainer(s, l, p, extent{v.Len(), head, tail}, func(i int) {
				d.emit(s, member(v, i, l.Depth+1), o.Get(v.At(i).Key), swapped)
			})
			return
		}
	case *value.Array:
		if o, ok := other.(*value.Array); ok && v.Len() > 0 && o.Len() > 0 {
			head, tail := d.same.trim(v, o)
			d.emitContainer(s, l, p, extent{v.Len(), head, tail}, func(i int) {
				d.emit(s, item(v, i, l.Depth+1), counterpart(v, o, i, head, tail), swapped)
			})
			return
		}
	}
	if isBlock(&l) {
		// Nothing on the other side stands for it: it is a row of its own until it is shown.
		s.add(Row{Line: l, Other: -1}, d.nextID())
		return
	}
	d.add(s, l)
}

// isBlock reports whether a line stands for a whole container with what is in it.
func isBlock(l *jsonview.Line) bool {
	return l.Part == jsonview.Whole && !l.Folded && isContainer(l.Value) && jsonview.Size(l.Value) > 0
}

// extent is the number of members of a container, and of those at its beginning and at its end that are
// the same on both sides.
type extent struct{ size, head, tail int }

// longRun is the number of unchanged members in a row that become one row at once, instead of being
// compared as lines and folded afterwards.
const longRun = 64

func (d *differ) emitContainer(s *side, l jsonview.Line, p pair, e extent, child func(i int)) {
	d.add(s, part(l, jsonview.Open))
	from, to := 0, e.size
	if e.head >= longRun && !d.unfold {
		from = e.head - foldContext
		s.add(run(l, 0, from), d.pairID(p, headOf))
	}
	if e.tail >= longRun && !d.unfold {
		to = e.size - e.tail + foldContext
	}
	for i := from; i < to; i++ {
		child(i)
	}
	if to < e.size {
		s.add(run(l, to, e.size), d.pairID(p, tailOf))
	}
	d.add(s, part(l, jsonview.Close))
}

// run is the row that stands for the members from (inclusive) to (exclusive) of l.Value.
func run(l jsonview.Line, from, to int) Row {
	lines := 0
	for i := from; i < to; i++ {
		switch v := l.Value.(type) {
		case *value.Object:
			lines += jsonview.Count(v.At(i).Value)
		case *value.Array:
			lines += jsonview.Count(v.At(i))
		}
	}
	return Row{Kind: Fold, Line: jsonview.Line{Depth: l.Depth + 1}, Count: int32(lines), Other: -1}
}

func (d *differ) add(s *side, l jsonview.Line) { s.add(Row{Line: l, Other: -1}, d.id(l)) }

func (s *side) add(row Row, id rune) {
	s.rows, s.ids = append(s.rows, row), append(s.ids, id)
}

// id numbers a line by its text, the comma left out: a comma that appears because a member follows now
// is no change of this one.
func (d *differ) id(l jsonview.Line) rune {
	l.Comma = false
	text := strconv.Itoa(int(l.Part)) + lineIdentity(l)
	id, ok := d.ids[text]
	if !ok {
		id = d.nextID()
		d.ids[text] = id
	}
	return id
}

// lineIdentity is the whole text of a line; a long string is not cut here as it is on the screen.
func lineIdentity(l jsonview.Line) string {
	text := strconv.Itoa(int(l.Depth)) + ":"
	if l.HasKey && l.Part != jsonview.Close {
		text += strconv.Quote(l.Key) + ":"
	}
	if isContainer(l.Value) {
		return text + l.Value.Kind().String() + strconv.FormatBool(l.Part == jsonview.Whole)
	}
	return text + value.Compact(l.Value)
}

func (d *differ) pairID(p pair, part byte) rune {
	key := pairPart{p, part}
	id, ok := d.pairs[key]
	if !ok {
		id = d.nextID()
		d.pairs[key] = id
	}
	return id
}

// nextID leaves out the surrogates, which are no characters: go-diff passes ids through strings.
func (d *differ) nextID() rune {
	d.lastID++
	if d.lastID == 0xd800 {
		d.lastID += 0x800
	}
	return d.lastID
}

const maxID = 0x10ffff

// affordable reports whether comparing the lines takes a bounded time: there are few lines that only
// one side has, and the common ones are in the same order or few.
func affordable(a, b []rune) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a)+len(b) <= maxEdits {
		return true
	}
	commonA, tooLargeA := common(a, b)
	commonB, tooLargeB := common(b, a)
	if tooLargeA || tooLargeB || len(a)-len(commonA)+len(b)-len(commonB) > maxEdits || len(commonA) != len(commonB) {
		return false
	}
	for i := range commonA {
		if commonA[i] != commonB[i] {
			return false
		}
	}
	return true
}

// common returns the ids of a that b has too, in a's order.
func common(a, b []rune) (ids []rune, tooLarge bool) {
	has := make(map[rune]bool, len(b))
	for _, id := range b {
		has[id] = true
	}
	for _, id := range a {
		if id > maxID {
			return nil, true
		}
		if has[id] {
			ids = append(ids, id)
		}
	}
	return ids, false
}

func isContainer(v value.Value) bool {
	switch v.(type) {
	case *value.Array, *value.Object:
		return true
	}
	return false
}

func part(l jsonview.Line, p jsonview.Part) jsonview.Line {
	l.Part = p
	l.Comma = l.Comma && p == jsonview.Close
	return l
}

func member(o *value.Object, i int, depth int32) jsonview.Line {
	m := o.At(i)
	return jsonview.Line{Key: m.Key, HasKey: true, Value: m.Value, Depth: depth, Comma: i < o.Len()-1}
}

func item(a *value.Array, i int, depth int32) jsonview.Line {
	return jsonview.Line{Value: a.At(i), Depth: depth, Comma: i < a.Len()-1}
}
