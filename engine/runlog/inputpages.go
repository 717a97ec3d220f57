package runlog

import "slices"

const (
	// pageSize is the number of inputs that are read together, and keptPages how many pages are held.
	pageSize  = 256
	keptPages = 8
)

// inputPages holds some of the inputs of a recording, the newest read last.
type inputPages struct {
	read  func(from, n int) ([]Input, error)
	held  []inputPage
	fault error // the first one of reading
}

type inputPage struct {
	from   int
	inputs []Input
}

// ReadInputs returns the inputs of a recording that has count of them. They are read when they are needed, and only some are held
// in memory. One that cannot be read is of no kind and so cannot be given: see [Inputs.Fault].
func ReadInputs(count int, read func(from, n int) ([]Input, error)) Inputs {
	return Inputs{read: &inputPages{read: read}, paged: count}
}

// Fault returns the error of the first input that could not be read, nil where there was none.
func (l *Inputs) Fault() error {
	if l.read == nil {
		return nil
	}
	return l.read.fault
}

// Lengthen says that a recording whose inputs are read has count of them now.
func (l *Inputs) Lengthen(count int) {
	if l.read == nil || count <= l.paged {
		return
	}
	l.read.held = slices.DeleteFunc(l.read.held, func(p inputPage) bool { return p.from+pageSize > l.paged }) // it was not full
	l.paged = count
}

// at returns input i.
func (p *inputPages) at(i int) *Input {
	from := i - i%pageSize
	for k := len(p.held) - 1; k >= 0; k-- {
		if held := p.held[k]; held.from == from && i-from < len(held.inputs) {
			if k < len(p.held)-1 {
				p.held = append(slices.Delete(p.held, k, k+1), held)
			}
			return &held.inputs[i-from]
		}
	}
	inputs, err := p.read(from, pageSize)
	if err != nil && p.fault == nil {
		p.fault = err
	}
	if i-from >= len(inputs) {
		return &Input{Step: -1}
	}
	if len(p.held) == keptPages {
		p.held = slices.Delete(p.held, 0, 1)
	}
	p.held = append(p.held, inputPage{from, inputs})
	return &inputs[i-from]
}
