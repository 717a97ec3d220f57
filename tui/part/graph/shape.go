// Package graph lays out and draws the graph of a state machine in the cells of a terminal. A definition is laid
// out once for each shape; a run's marks are painted over it, so stepping never lays out again. The package
// knows nothing of sessions or of the program around it.
package graph

import "asldb/engine/asl"

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
	// Gap is the least number of rows between two boxes.
	Gap int
}

// shapes are those that a density is tried in, the most spacious first.
func (d Density) shapes() []Shape {
	if d == Boxes {
		return []Shape{
			{Boxes, 32, 40, 20, 1}, {Boxes, 24, 24, 14, 1}, {Boxes, 18, 16, 10, 1}, {Boxes, 14, 12, 0, 1},
		}
	}
	return []Shape{
		{Chips, 32, 32, 14, 0}, {Chips, 26, 24, 10, 0}, {Chips, 20, 18, 8, 0}, {Chips, 17, 14, 0, 0}, {Chips, 14, 12, 0, 0},
	}
}

// Folds are the containers that are drawn as one node.
type Folds map[*asl.State]bool
