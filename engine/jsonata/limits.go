package jsonata

import "strconv"

// Limits bound one evaluation. A zero field means its default.
type Limits struct {
	// Steps is the number of sub-expressions evaluated, items visited and the like. Default: [DefaultSteps].
	Steps int
	// Depth is how deeply evaluations may be nested: a call of a function takes about three levels, a
	// call in tail position none. Default: [DefaultDepth]; values above [MaxDepth] count as that.
	Depth int
	// Cells bounds the memory: items and members built, and text at 16 bytes a cell, all counted when they are
	// built and never given back. Default: [DefaultCells].
	Cells int
}

// The limits that hold where none are given.
const (
	DefaultSteps = 50_000_000
	DefaultDepth = 5000
	DefaultCells = 50_000_000
	// MaxDepth keeps the stack far below the runtime's limit.
	MaxDepth = 50_000
)

// Bounds of the text and of the tree.
const (
	// MaxBytes is the greatest length of an expression's text.
	MaxBytes    = 1 << 20
	maxParsing  = 1000
	maxTree     = 4000
	pollEvery   = 1024 // steps between two calls of the interrupt
	bytesInCell = 16
)

func (l Limits) withDefaults() Limits {
	if l.Steps <= 0 {
		l.Steps = DefaultSteps
	}
	if l.Depth <= 0 {
		l.Depth = DefaultDepth
	}
	l.Depth = min(l.Depth, MaxDepth)
	if l.Cells <= 0 {
		l.Cells = DefaultCells
	}
	return l
}

// over returns the limits with base's where they have none.
func (l Limits) over(base Limits) Limits {
	if l.Steps > 0 {
		base.Steps = l.Steps
	}
	if l.Depth > 0 {
		base.Depth = min(l.Depth, MaxDepth)
	}
	if l.Cells > 0 {
		base.Cells = l.Cells
	}
	return base
}

// budget is how much of its limits an evaluation has left. Walks over values take from it.
type budget struct {
	interrupt func() error // looked at now and then; nil for none

	depth, maxDepth int
	// maxSteps and maxCells are the bounds; steps and cells count down from them.
	maxSteps, maxCells int
	steps, cells       int
	// memory bounds one operation, in bytes of the profile's cost model; 0: no bound.
	memory int
}

// step counts n steps. The error says that there were too many, or is the interrupt's.
func (g *budget) step(n int) error {
	before := g.steps
	g.steps -= n
	if g.steps < 0 {
		return stopped("more than " + strconv.Itoa(g.maxSteps) + " steps").limited(stepLimit)
	}
	if g.interrupt != nil && before/pollEvery != g.steps/pollEvery {
		return g.interrupt()
	}
	return nil
}

// take counts n cells of memory.
func (g *budget) take(n int) error {
	before := g.cells
	if g.cells -= n; g.cells < 0 || n < 0 {
		return stopped("more than " + strconv.Itoa(g.maxCells) + " values built").limited(memoryLimit)
	}
	if g.interrupt != nil && before/pollEvery != g.cells/pollEvery {
		return g.interrupt()
	}
	return nil
}

// takeText counts a text of n bytes.
func (g *budget) takeText(n int) error {
	if err := g.hold(float64(n), characterBytes); err != nil {
		return err
	}
	return g.take(n/bytesInCell + 1)
}

// enter begins a nested evaluation.
func (g *budget) enter() error {
	if g.depth++; g.depth > g.maxDepth {
		return tooDeep()
	}
	return g.step(1)
}
