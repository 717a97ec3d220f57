package diffview

import (
	"slices"

	"asldb.dev/asldb/engine/value"
	"asldb.dev/asldb/tui/jsonview"
)

// merge compares in linear time: members by name, items by place. It serves where too much differs for
// a comparison of the lines.
func (d *differ) merge(rows []Row, a, b jsonview.Line) []Row {
	switch {
	case a.Value == nil:
		return whole(rows, Added, b)
	case b.Value == nil:
		return whole(rows, Removed, a)
	case d.same.equal(a.Value, b.Value):
		b.Folded = isContainer(b.Value)
		return append(rows, Row{Kind: Same, Line: b, Other: -1})
	}
	switch x := a.Value.(type) {
	case *value.Object:
		if y, ok := b.Value.(*value.Object); ok {
			return d.mergeObjects(rows, x, y, b)
		}
	case *value.Array:
		if y, ok := b.Value.(*value.Array); ok {
			return d.mergeArrays(rows, x, y, b)
		}
	}
	return whole(whole(rows, Removed, a), Added, b)
}

func (d *differ) mergeObjects(rows []Row, a, b *value.Object, l jsonview.Line) []Row {
	rows = append(rows, Row{Kind: Same, Line: part(l, jsonview.Open), Other: -1})
	for i := range a.Len() {
		if at := b.Index(a.At(i).Key); at >= 0 {
			rows = d.merge(rows, member(a, i, l.Depth+1), member(b, at, l.Depth+1))
		} else {
			rows = whole(rows, Removed, member(a, i, l.Depth+1))
		}
	}
	for i := range b.Len() {
		if a.Index(b.At(i).Key) < 0 {
			rows = whole(rows, Added, member(b, i, l.Depth+1))
		}
	}
	return append(rows, Row{Kind: Same, Line: part(l, jsonview.Close), Other: -1})
}

func (d *differ) mergeArrays(rows []Row, a, b *value.Array, l jsonview.Line) []Row {
	rows = append(rows, Row{Kind: Same, Line: part(l, jsonview.Open), Other: -1})
	head, tail := d.same.trim(a, b)
	for i := range head {
		rows = d.merge(rows, item(a, i, l.Depth+1), item(b, i, l.Depth+1))
	}
	for i := head; i < max(a.Len(), b.Len())-tail; i++ {
		switch {
		case i >= a.Len()-tail:
			rows = whole(rows, Added, item(b, i, l.Depth+1))
		case i >= b.Len()-tail:
			rows = whole(rows, Removed, item(a, i, l.Depth+1))
		default:
			rows = d.merge(rows, item(a, i, l.Depth+1), item(b, i, l.Depth+1))
		}
	}
	for i := range tail {
		rows = d.merge(rows, item(a, a.Len()-tail+i, l.Depth+1), item(b, b.Len()-tail+i, l.Depth+1))
	}
	return append(rows, Row{Kind: Same, Line: part(l, jsonview.Close), Other: -1})
}

// whole appends a value that only one side has.
func whole(rows []Row, kind Kind, l jsonview.Line) []Row {
	return append(rows, Row{Kind: kind, Line: l, Other: -1})
}

const (
	// foldFrom is the number of unchanged lines in a row from which on they are folded; foldContext of
	// them stay next to a change.
	foldFrom    = 5
	foldContext = 1
)

// foldSame puts one row in the place of a long stretch of unchanged members. The brackets around a
// change are never folded, so it stays plain where the change is.
func foldSame(rows []Row) []Row {
	out := make([]Row, 0, len(rows))
	for i := 0; i < len(rows); {
		end, long := i, false
		for end < len(rows) && foldable(&rows[end]) {
			long = long || rows[end].Kind == Fold
			end++
		}
		if end == i {
			out = append(out, rows[i])
			i++
			continue
		}
		from, to := i, end
		if i > 0 && rows[i-1].Kind != Same {
			from += foldContext
		}
		if end < len(rows) && rows[end].Kind != Same {
			to -= foldContext
		}
		if to-from < foldFrom && !long {
			from, to = end, end
		}
		out = append(out, rows[i:from]...)
		if to > from {
			out = append(out, foldRow(rows[from:to]))
		}
		out = append(out, rows[to:end]...)
		i = end
	}
	return out
}

func foldable(row *Row) bool {
	return row.Kind == Fold || (row.Kind == Same && row.Line.Part == jsonview.Whole)
}

func foldRow(rows []Row) Row {
	lines := 0
	for i := range rows {
		lines += int(rows[i].Count) + jsonview.Count(rows[i].Line.Value)
	}
	return Row{Kind: Fold, Line: jsonview.Line{Depth: rows[0].Line.Depth}, Count: int32(lines), Other: -1}
}

// foldReplaced shortens what went where nothing stayed: what is there now is then worth more room than
// what was.
func foldReplaced(rows []Row) []Row {
	removed, came := 0, false
	for i := range rows {
		switch {
		case rows[i].Kind == Removed:
			removed += jsonview.Count(rows[i].Line.Value)
		case rows[i].Kind == Added:
			came = true
		case rows[i].Line.Depth > 0 || rows[i].Kind != Same:
			return rows
		}
	}
	if removed <= 3 || !came {
		return rows
	}
	out := make([]Row, 0, len(rows))
	for i := range rows {
		if rows[i].Kind != Removed {
			out = append(out, rows[i])
		} else if removed > 0 {
			out = append(out, Row{Kind: Replaced, Line: jsonview.Line{Depth: rows[i].Line.Depth}, Count: int32(removed), Other: -1})
			removed = 0
		}
	}
	return out
}

// longRemoval is the number of lines from which on a container that went is shown as one row.
const longRemoval = 60

// expand puts the lines of a container in the place of its row, with unfold also where nothing in it
// changed.
func expand(rows []Row, unfold bool) []Row {
	out := make([]Row, 0, len(rows))
	var lines []jsonview.Line
	for i := range rows {
		row := rows[i]
		if !isBlock(&row.Line) && !(unfold && row.Line.Folded) {
			out = append(out, row)
			continue
		}
		if row.Kind == Removed && !unfold {
			if n := jsonview.Count(row.Line.Value); n > longRemoval {
				row.Count = int32(n)
				out = append(out, row)
				continue
			}
		}
		row.Line.Folded = false
		lines = jsonview.Append(lines[:0], row.Line)
		out = slices.Grow(out, len(lines))
		for _, line := range lines {
			out = append(out, Row{Kind: row.Kind, Line: line, Other: -1})
		}
	}
	return out
}

// link joins the rows that show one member before and after, and puts them next to each other where
// nothing else stands between.
func link(rows []Row) {
	for i := 0; i < len(rows); {
		from := i
		for i < len(rows) && rows[i].Kind == Removed {
			i++
		}
		middle := i
		for i < len(rows) && rows[i].Kind == Added {
			i++
		}
		switch {
		case from == i:
			i++
		case middle > from && i > middle:
			linkBlock(rows[from:middle], rows[middle:i], from)
		}
	}
}

func linkBlock(removed, added []Row, first int) {
	if len(removed) == len(added) && len(removed) <= maxEdits && pairwise(removed, added) {
		mixed := make([]Row, 0, 2*len(removed))
		for k := range removed {
			at := int32(first + 2*k)
			removed[k].Other, added[k].Other = at+1, at
			mixed = append(mixed, removed[k], added[k])
		}
		copy(removed[:len(removed):len(removed)], mixed[:len(removed)])
		copy(added, mixed[len(removed):])
		return
	}
	byKey := make(map[string]int, len(removed))
	for k := range removed {
		if l := &removed[k].Line; l.HasKey && l.Part == jsonview.Whole {
			byKey[memberKey(l)] = k
		}
	}
	for k := range added {
		l := &added[k].Line
		if at, ok := byKey[memberKey(l)]; ok && l.HasKey && l.Part == jsonview.Whole && removed[at].Other < 0 {
			removed[at].Other, added[k].Other = int32(first+len(removed)+k), int32(first+at)
		}
	}
}

func memberKey(l *jsonview.Line) string { return string(rune(l.Depth)) + l.Key }

func pairwise(removed, added []Row) bool {
	for k := range removed {
		a, b := &removed[k].Line, &added[k].Line
		if a.Part != jsonview.Whole || b.Part != jsonview.Whole || a.Key != b.Key || a.HasKey != b.HasKey || a.Depth != b.Depth {
			return false
		}
	}
	return true
}
