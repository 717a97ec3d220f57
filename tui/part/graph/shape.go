// Package graph lays out and draws the graph of a state machine in the cells of a terminal. A definition is laid
// out once for each shape; a run's marks are painted over it, so stepping never lays out again. The package
// knows nothing of sessions or of the program around it.
package graph

import (
	"slices"

	"asldb/engine/asl"
)

// Density is the size of a state's box.
type Density uint8

// The densities, the most spacious first.
const (
	Boxes Density = iota // three rows
	Chips                // one row, and one between two
	Rail                 // a list: one row, whatever the transitions
)

// String returns "boxes", "chips" or "rail".
func (d Density) String() string {
	switch d {
	case Boxes:
		return "boxes"
	case Chips:
		return "chips"
	case Rail:
	}
	return "rail"
}

// Shape says how a definition is laid out. Equal shapes of one definition give equal drawings.
type Shape struct {
	Density Density
	// Name, Label and Catch bound the cells of a state's name, of a transition's condition and of a catcher's
	// Error Names. With Catch 0 the latter are left out.
	Name, Label, Catch int
	// Wrap writes a longer name on two rows.
	Wrap bool
	// Round lets all catchers lead round by the side, which takes no rows.
	Round bool
	// Gap is the least number of rows between two boxes.
	Gap int
	// Short is set where the notes come from [Sheet.SetShort].
	Short bool
	// Note bounds the cells of a note in a chip, where that is more than Name.
	Note int
	// Paths is set where the transitions have the paths of [Sheet.SetPaths].
	Paths bool
}

// shapes are those that a density is tried in, the most spacious first, those with lines round by the side last.
func (d Density) shapes() []Shape {
	if d == Boxes {
		return boxShapes
	}
	return chipShapes
}

var (
	boxShapes = andRound([]Shape{
		{
			Density: Boxes,
			Name:    64,
			Label:   64,
			Catch:   32,
			Gap:     1,
		}, {Density: Boxes, Name: 44, Label: 48, Catch: 24, Gap: 1},
		{Density: Boxes, Name: 32, Label: 40, Catch: 20, Gap: 1},
		{Density: Boxes, Name: 24, Label: 24, Catch: 14, Gap: 1, Wrap: true},
		{Density: Boxes, Name: 18, Label: 16, Catch: 10, Gap: 1, Wrap: true},
		{Density: Boxes, Name: 14, Label: 12, Gap: 1, Wrap: true},
	})
	chipShapes = andRound([]Shape{
		{Density: Chips, Name: 64, Label: 64, Catch: 32}, {Density: Chips, Name: 44, Label: 44, Catch: 20},
		{Density: Chips, Name: 32, Label: 32, Catch: 14}, {Density: Chips, Name: 26, Label: 24, Catch: 10, Wrap: true},
		{Density: Chips, Name: 20, Label: 18, Catch: 8, Wrap: true}, {Density: Chips, Name: 17, Label: 14, Wrap: true},
		{Density: Chips, Name: 14, Label: 12, Wrap: true},
	})
)

// andRound returns the shapes, and each of them with Round.
func andRound(shapes []Shape) []Shape {
	all := slices.Clone(shapes)
	for _, shape := range shapes {
		shape.Round = true
		all = append(all, shape)
	}
	return all
}

// noteBounds are the bounds that the notes of chips are tried with: a name is cut before the note behind it.
var noteBounds = []int{maxNote, 34, 26, 20, 0}

// withNotes returns the shapes with each of noteBounds, those with Round last.
func withNotes(shapes []Shape) []Shape {
	list := make([]Shape, 0, len(shapes)*len(noteBounds))
	for _, most := range noteBounds {
		for _, shape := range shapes {
			shape.Note = most
			list = append(list, shape)
		}
	}
	slices.SortStableFunc(list, func(a, b Shape) int { return CompareBools(a.Round, b.Round) })
	return list
}

// Folds are the containers that are drawn as one node.
type Folds map[*asl.State]bool
