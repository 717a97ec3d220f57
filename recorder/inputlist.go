package recorder

import (
	"sort"

	"asldb/engine/runlog"
)

// CountInputs returns the number of inputs of the run. The error comes from reading one, where the run has forks.
func (r *Run) CountInputs() (int, error) {
	r.t.mutex.Lock()
	defer r.t.mutex.Unlock()
	if err := r.findSpans(); err != nil {
		return 0, err
	}
	return r.countInputs(), nil
}

func (r *Run) countInputs() int {
	n := len(r.t.forks[r.b].inputs)
	for _, s := range r.spans[:len(r.spans)-1] {
		n += s.count
	}
	return n
}

// ReadInputs reads at most n inputs from number from on, counted from 0. The error is a *[LineError], or comes from
// reading the file; the inputs before it are returned.
func (r *Run) ReadInputs(from, n int) ([]runlog.Input, error) {
	r.t.mutex.Lock()
	defer r.t.mutex.Unlock()
	if err := r.findSpans(); err != nil {
		return nil, err
	}
	n = min(n, r.countInputs()-from)
	inputs := make([]runlog.Input, 0, max(n, 0))
	for i := from; i < from+n; i++ {
		in, err := r.input(r.inputAt(i))
		if err != nil {
			return inputs, err
		}
		inputs = append(inputs, in)
	}
	return inputs, nil
}

// inputAt returns the line of input i of the run.
func (r *Run) inputAt(i int) lineAt {
	for _, s := range r.spans[:len(r.spans)-1] {
		if i < s.count {
			return r.t.forks[s.fork].inputs[i]
		}
		i -= s.count
	}
	return r.t.forks[r.b].inputs[i]
}

// findSpans finds the inputs that the run shares with the forks before it: those given before the event at which the next fork
// begins. They are in the order of their events, so that few are read.
func (r *Run) findSpans() error {
	if r.spans != nil {
		return nil
	}
	var spans []span
	var fault error
	for _, b := range r.lineage() {
		own := &r.t.forks[b]
		if own.parent >= 0 {
			total := 0
			for _, s := range spans {
				total += s.count
			}
			run := Run{t: r.t, b: own.parent, spans: spans}
			keep := sort.Search(total, func(i int) bool {
				in, err := r.input(run.inputAt(i))
				if err != nil {
					fault = err
				}
				return in.After >= own.after
			})
			for i := range spans {
				spans[i].count = min(spans[i].count, keep)
				keep -= spans[i].count
			}
		}
		spans = append(spans, span{b, len(own.inputs)})
	}
	if fault == nil {
		r.spans = spans
	}
	return fault
}
