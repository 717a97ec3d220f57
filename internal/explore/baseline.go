package explore

import (
	"slices"
	"strings"
)

// Identity tells a finding, without the others that have its cause, apart from others of its class and state, whose
// place is pointer. It is the same in every run that shows the finding, and has neither numbers of runs nor lines.
func (f *Finding) Identity() (class, pointer, message string) {
	parts := []string{f.Field, strings.Join(slices.Sorted(slices.Values(f.Errors)), ", "), f.Invariant}
	if f.Item != nil {
		parts = append(parts, f.Item.Describe())
	}
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	return f.Class.String(), f.State.Place("").Pointer, strings.Join(parts, " ")
}

// Every returns all findings, one for each state and cause.
func (r *Result) Every() (list []*Finding) {
	for _, f := range r.Findings {
		list = append(list, f.all()...)
	}
	return list
}

// Keep leaves only the findings that are kept, each told for the others with its cause, and returns the number of the
// others.
func (r *Result) Keep(kept map[*Finding]bool) (left int) {
	var list []*Finding
	for _, f := range r.Findings {
		all := f.all()
		now := slices.DeleteFunc(slices.Clone(all), func(one *Finding) bool { return !kept[one] })
		if left += len(all) - len(now); len(now) == 0 {
			continue
		}
		if len(now) < len(all) {
			first := now[0]
			f.Text, f.Subject, f.Same = f.alone, "", nil
			first.alone, first.Same = first.Text, now[1:]
			first.tell(r.Tasks)
		}
		list = append(list, now[0])
	}
	r.Findings = list
	return left
}
