package runlog

// rows has a row for each event of the log, in few bytes: most events follow the one before in its group.
type rows struct{ Table }

// The columns of rows.
const (
	rowParent = iota // the group that the event is in
	rowPrev          // its neighbours in that group
	rowNext
	rowGroup // twice the number of groups that have begun, and 1 where the event is the header of the newest
)

func newRows() rows { return rows{Pack(0, 1, 1, 0)} }

// add adds the row of the next event: prev is the event before in its group. header is the group whose header it is, or None.
func (r *rows) add(parent int32, prev int, header int32) {
	mark := int64(0)
	if r.Len() > 0 {
		mark = r.Get(r.Len()-1, rowGroup) &^ 1
	}
	if header != None {
		mark = 2*int64(header) + 1
	}
	r.Push(int64(parent), int64(prev), None, mark)
}

func (r *rows) parent(i int) int32 { return int32(r.Get(i, rowParent)) }

func (r *rows) prev(i int) int { return int(r.Get(i, rowPrev)) }

func (r *rows) next(i int) int { return int(r.Get(i, rowNext)) }

func (r *rows) setNext(i, next int) { r.Set(i, rowNext, int64(next)) }

// group returns the group whose header event i is, or None.
func (r *rows) group(i int) int32 {
	if mark := r.Get(i, rowGroup); mark&1 != 0 {
		return int32(mark / 2)
	}
	return None
}

// groups has the groups, in few bytes: all events of a group are stored as their distances from its header.
type groups struct{ Table }

// The columns of groups. Distances count from 1, so that 0 means none.
const (
	groupHeader = iota
	groupNewest
	groupEnd
	groupFirst
	groupLast
	groupRetries
	groupMarks // kind, outcome and caught
)

func newGroups() groups { return groups{Pack(0, 0, 0, 0, 0, 0, 0)} }

func (g *groups) add(group Group) {
	row := group.row()
	g.Push(row[:]...)
}

// row returns the group as it is stored.
func (g Group) row() [groupMarks + 1]int64 {
	distance := func(event int32) int64 {
		if event == None {
			return 0
		}
		return int64(event-g.header) + 1
	}
	marks := int64(g.kind) | int64(g.outcome)<<2
	if g.caught {
		marks |= 1 << 5
	}
	return [...]int64{int64(g.header), distance(g.newest), distance(g.end), distance(g.first), distance(g.last), int64(g.retries), marks}
}

func (g *groups) get(n int32) Group {
	row := g.Row(int(n))
	header := int32(row[groupHeader])
	event := func(distance int64) int32 {
		if distance == 0 {
			return None
		}
		return header + int32(distance) - 1
	}
	return Group{
		header: header, newest: event(row[groupNewest]), end: event(row[groupEnd]), first: event(row[groupFirst]), last: event(row[groupLast]),
		retries: int32(row[groupRetries]), kind: Kind(row[groupMarks] & 3), outcome: Outcome(row[groupMarks] >> 2 & 7),
		caught: row[groupMarks]>>5 != 0,
	}
}

func (g *groups) change(n int32, change func(*Group)) {
	group := g.get(n)
	change(&group)
	for column, value := range group.row() {
		g.Set(int(n), column, value)
	}
}

func (g *groups) setNewest(n int32, event int) {
	g.Set(int(n), groupNewest, int64(event)-g.Get(int(n), groupHeader)+1)
}

// setLast makes an event the last of a group, and returns the one that was the last before.
func (g *groups) setLast(n int32, event int) (before int) {
	row := g.Row(int(n))
	before, distance := None, int64(event)-row[groupHeader]+1
	if was := row[groupLast]; was != 0 {
		before = int(row[groupHeader] + was - 1)
	} else {
		g.Set(int(n), groupFirst, distance)
	}
	g.Set(int(n), groupLast, distance)
	return before
}
