package versions

import (
	"cmp"
	"slices"

	"asldb/engine/value"
)

// Group has the executions with the same verdict and the same first difference.
type Group struct {
	Verdict Verdict
	// Executions are at least one, in the order of their files; the first is the example.
	Executions []*Judged
}

// Example is the execution that represents the group.
func (g *Group) Example() *Judged { return g.Executions[0] }

// Title says the difference: "PaymentDue → WaivePayment, rule 2 (before: Charge)".
func (g *Group) Title() string {
	j := g.Example()
	if g.Verdict == Unjudged {
		if j.Task == "" {
			return j.Reason
		}
		return j.Task + ": " + j.Reason
	}
	if j.First == nil {
		return j.Old + " → " + j.New
	}
	return j.First.Title()
}

// Place is the place of the difference in the new version: "order.asl.json:27"; empty where it is not known.
func (g *Group) Place() string {
	j := g.Example()
	if g.Verdict == Unjudged {
		return j.Place
	}
	if j.First == nil {
		return ""
	}
	return j.First.Place
}

// Title says where the difference is.
func (d *Difference) Title() string {
	state := cmp.Or(d.State, "the execution")
	if d.Member != "" {
		return state + ": " + d.Member + " " + items().ReplaceAllString(d.Path, "[*]")
	}
	text := state + " → " + d.IsTo
	if d.Via != "" {
		text += ", " + d.Via
	}
	text += " (before: " + d.WasTo
	if d.WasVia != "" {
		text += ", " + d.WasVia
	}
	return text + ")"
}

// Rest says that what follows the difference cannot be judged, and why; both are empty where it can.
func (j *Judged) Rest() (short, why string) {
	switch {
	case j.Reason == "" || j.Verdict == Unjudged:
		return "", ""
	case j.Task != "":
		return "what follows cannot be judged", j.Task + ": " + j.Reason
	}
	return "what follows cannot be judged", j.Reason
}

// Repeats reports whether the difference shows the same values at the same path as another one, such as the output of the last state.
func (d *Difference) Repeats(other *Difference) bool {
	return other != nil && (d == other || other.Member == "output" && d.Path == other.Path && value.Equal(d.Was, other.Was) && value.Equal(d.Is, other.Is))
}

// Lines are the values of the example, the old one after "- " and the new one after "+ ", each with at most limit characters and the
// first difference; none of a way.
func (d *Difference) Lines(limit int) []string {
	if d.Member == "" {
		return nil
	}
	was, is := value.Pair(d.Was, d.Is, limit)
	return []string{"- " + was, "+ " + is}
}

// Groups returns the executions that are not the same, grouped by the first difference: the worst verdicts first, and the largest
// groups first of a verdict.
func (r *Result) Groups() []*Group {
	var groups []*Group
	of := make(map[string]*Group)
	for i := range r.Judged {
		j := &r.Judged[i]
		if j.Verdict == Same {
			continue
		}
		rest, _ := j.Rest()
		key := j.Verdict.Key() + "\x00" + rest + "\x00"
		switch {
		case j.Verdict == Unjudged && j.Task == "":
			key += j.Reason
		case j.Verdict == Unjudged:
			key += "\x00" + j.Task
		case j.First != nil:
			key += j.First.key()
		default:
			key += j.Old + "\x00" + j.New
		}
		if of[key] == nil {
			of[key] = &Group{Verdict: j.Verdict}
			groups = append(groups, of[key])
		}
		of[key].Executions = append(of[key].Executions, j)
	}
	slices.SortStableFunc(groups, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(a.Verdict, b.Verdict), cmp.Compare(len(b.Executions), len(a.Executions)))
	})
	return groups
}

// Unfaithful returns the number of executions that the old version does not run as they were recorded.
func (r *Result) Unfaithful() int {
	n := 0
	for i := range r.Judged {
		if r.Judged[i].Differs {
			n++
		}
	}
	return n
}

// Open returns the number of executions whose events after a difference cannot be judged.
func (r *Result) Open() int {
	n := 0
	for i := range r.Judged {
		if rest, _ := r.Judged[i].Rest(); rest != "" {
			n++
		}
	}
	return n
}

// Noisy returns the number of executions with differences that the old version has from itself.
func (r *Result) Noisy() int {
	n := 0
	for i := range r.Judged {
		if r.Judged[i].Noise > 0 {
			n++
		}
	}
	return n
}
