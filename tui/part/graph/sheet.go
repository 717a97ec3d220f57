package graph

import (
	"slices"

	"asldb/engine/asl"
)

// The sizes of a view below which a graph is not drawn but listed.
const (
	leastWidth  = 34
	leastHeight = 9
	boxHeight   = 30  // below it, boxes that are not all in view leave too few ranks in it
	tightHeight = 24  // below it, there is no space between boxes
	panWidth    = 44  // from it on, a drawing may be half as wide again as the view
	panAlways   = 100 // from it on, however wide, and a list has room for what a state leads to
)

// tooMany is the number of states above which the rail is the first choice.
const tooMany = 2000

// Sheet keeps the drawings of one model: each shape is laid out once for each choice of folded containers.
type Sheet struct {
	Model *Model
	// Auto is set where the density follows from the size of the view; else Density is used.
	Auto    bool
	Density Density

	folds    Folds
	notes    func(*asl.State) string
	brief    func(*asl.State) string
	short    func(*asl.State) string
	paths    func(from *asl.State, edge int) string
	drawings map[Shape]*Drawing
	behind   *behind // nil: a view waits for its drawing
	list     *List
}

// NewSheet returns a sheet on which the density follows from the size of the view.
func NewSheet(model *Model) *Sheet {
	return &Sheet{Model: model, Auto: true, folds: Folds{}, drawings: map[Shape]*Drawing{}}
}

// Drawing returns the drawing of a shape.
func (s *Sheet) Drawing(shape Shape) *Drawing {
	shape.Wrap = shape.Wrap && s.Model.longest > shape.Name
	d := s.drawings[shape]
	if d == nil {
		l := layouter{model: s.Model, shape: shape, folds: s.folds, notes: s.notes}
		if shape.Short {
			l.notes = s.short
		}
		if shape.Paths {
			l.notes, l.paths = s.briefOr(l.notes), s.paths
		}
		d = l.layout()
		s.drawings[shape] = d
	}
	return d
}

// SetNotes lays the states out with space for notes; an empty note takes none. nil means no notes. What is painted
// is in [Mark.Note].
func (s *Sheet) SetNotes(notes func(*asl.State) string) {
	s.notes, s.brief, s.short, s.paths = notes, nil, nil, nil
	s.changed()
}

// SetShort lets chips, and boxes where there is no space for others, have the notes of short in place of
// SetNotes'; what is painted then is in [Mark.Short]. It holds until SetNotes is called.
func (s *Sheet) SetShort(short func(*asl.State) string) {
	s.short = short
	s.changed()
}

// briefOr returns the notes of SetPaths where they differ from SetNotes', and the others elsewhere.
func (s *Sheet) briefOr(notes func(*asl.State) string) func(*asl.State) string {
	return func(state *asl.State) string {
		if brief := s.brief(state); brief != s.notes(state) {
			return brief
		}
		return notes(state)
	}
}

// SetPaths lets a drawing in boxes that fits whole have a path at each transition for which paths returns one, given by
// its place in [asl.State.Edges], and the notes of brief in place of the others: what is painted then is in
// [Mark.Brief]. It holds until SetNotes is called.
func (s *Sheet) SetPaths(paths func(from *asl.State, edge int) string, brief func(*asl.State) string) {
	s.paths, s.brief = paths, brief
	s.changed()
}

// Folded reports whether a container is drawn as one node.
func (s *Sheet) Folded(container *asl.State) bool { return s.folds[container] }

// Fold folds or unfolds a container. It reports whether the state is one.
func (s *Sheet) Fold(container *asl.State) bool {
	if s.Model.Inside(container) == 0 {
		return false
	}
	if s.folds[container] {
		delete(s.folds, container)
	} else {
		s.folds[container] = true
	}
	s.changed()
	s.list = nil
	return true
}

// Fit returns the best drawing for a view of w by h cells, or nil where the states are to be listed, as they are where
// the graph is [Model.Tangled]: the most spacious one that is wholly in view; else boxes, else chips that are not too
// wide; else the list, where that is wholly in view and chips are not by far; else chips that are shown in part. One
// that is laid out elsewhere (see [Sheet.LayOutBehind]) comes later, and the one before stays.
func (s *Sheet) Fit(w, h int) *Drawing {
	if s.Model.Tangled() {
		return nil
	}
	if s.needsLayout(w, h) {
		return s.fitBehind(w, h)
	}
	d := s.fit(w, h)
	if s.behind != nil {
		s.behind.last = d
	}
	return d
}

func (s *Sheet) fit(w, h int) *Drawing {
	if !s.Auto {
		return s.fitDensity(s.Density, w, h, true)
	}
	if w < leastWidth || h < leastHeight || len(s.Model.states) > tooMany {
		return nil
	}
	if d := s.fitWhole(w, h); d != nil {
		return d
	}
	if h >= boxHeight {
		if d := s.fitDensity(Boxes, w, h, false); d != nil {
			return d
		}
	}
	d, list := s.fitDensity(Chips, w, h, true), s.Rail()
	if d.w > w+w/4 && list.width(false) <= w && list.Len() <= h {
		return nil
	}
	if d.w <= w || w >= panAlways || w >= panWidth && d.w <= w+w/2 {
		return d
	}
	return nil
}

// Width is the number of cells that the best drawing takes in a view of at most so many, or the list with whole names
// where the states are to be listed. A drawing that is cut there may take up to wide cells, if all of its width is in
// view then.
func (s *Sheet) Width(most, wide, h int) int {
	d := s.Fit(most, h)
	if (d == nil || d.w > most) && wide > most && !s.needsLayout(wide, h) {
		if whole := s.Fit(wide, h); whole != nil && whole.w <= wide {
			return whole.w
		}
	}
	if d != nil {
		return min(d.w, most)
	}
	return min(s.Rail().width(most >= panAlways), most)
}

// shapes are those that a density is tried in, the most spacious first.
func (s *Sheet) shapes(density Density) []Shape {
	if density == Chips && s.notes != nil {
		return withNotes(density.shapes())
	}
	return density.shapes()
}

// Within reports whether all of the drawing is in view in w by h cells.
func (d *Drawing) Within(w, h int) bool { return d.w <= w && d.h <= h }

// fitWhole returns the largest drawing that fits in a view of w by h cells, or nil.
func (s *Sheet) fitWhole(w, h int) *Drawing {
	if len(s.Model.states) > 4*h {
		return nil // not worth the layouts
	}
	for _, try := range []struct {
		density      Density
		paths, short bool
	}{{Boxes, true, false}, {Boxes, true, true}, {Boxes, false, false}, {Boxes, false, true}, {Chips, false, s.short != nil}} {
		if try.paths && s.paths == nil || try.short && s.short == nil {
			continue
		}
		shapes := slices.Clone(s.shapes(try.density))
		for i := range shapes {
			shapes[i].Paths, shapes[i].Short = try.paths, try.short
		}
		round := slices.IndexFunc(shapes, func(shape Shape) bool { return shape.Round })
		if d := s.firstWithin(shapes[:round], w, h); d != nil {
			return d
		}
		if d := s.firstWithin(shapes[round:], w, h); d != nil {
			return d
		}
	}
	return nil
}

// firstWithin returns the first drawing of some shapes, the most spacious first, that fits in w by h cells, or nil.
func (s *Sheet) firstWithin(shapes []Shape, w, h int) *Drawing {
	least := shapes[len(shapes)-1]
	least.Gap, least.Wrap = 0, false
	if !s.Drawing(least).Within(w, h) {
		return nil // the others are larger
	}
	for _, shape := range shapes {
		for gap := shape.Gap; gap >= 0; gap-- {
			shape.Gap = gap
			if d := s.Drawing(shape); d.Within(w, h) {
				return d
			}
		}
		if shape.Gap, shape.Wrap = 0, false; s.Drawing(shape).Within(w, h) {
			return s.Drawing(shape)
		}
	}
	return nil
}

// fitDensity returns the most spacious drawing of a density that is not too wide; with whatever, the narrowest one
// where all of them are.
func (s *Sheet) fitDensity(density Density, w, h int, whatever bool) *Drawing {
	if density == Rail {
		return nil
	}
	var narrowest *Drawing
	shapes := s.shapes(density)
	if len(s.Model.states) > tooMany && whatever { // each takes its time, and none of them is narrow enough
		shapes = shapes[:1]
	}
	for _, shape := range shapes {
		if shape.Round {
			continue // they are lower, not narrower
		}
		if h < tightHeight {
			shape.Gap = 0
		}
		shape.Short = density == Chips && s.short != nil
		d := s.Drawing(shape)
		if d.w <= w {
			return d
		}
		if whatever && (narrowest == nil || d.w < narrowest.w) {
			narrowest = d
		}
	}
	return narrowest
}

// Shift makes the states larger (by 1) or smaller (by -1), from the size shown in a view of w by h cells. It reports
// whether there is such a density.
func (s *Sheet) Shift(by, w, h int) bool {
	now := Rail
	if d := s.Fit(w, h); !s.Auto {
		now = s.Density
	} else if d != nil {
		now = d.Shape.Density
	}
	next := int(now) - by
	if next < int(Boxes) || next > int(Rail) {
		return false
	}
	s.Auto, s.Density = false, Density(next)
	return true
}
