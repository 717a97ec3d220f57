package coverage

import (
	"slices"
	"strings"
)

// Share is how many of some items are covered.
type Share struct {
	Covered int `json:"covered"`
	Total   int `json:"total"`
}

// Percent returns the covered part in percent, rounded down, so that 100 means all. It is 100 of no items.
func (s Share) Percent() int {
	if s.Total == 0 {
		return 100
	}
	return s.Covered * 100 / s.Total
}

func (s *Share) add(item *Item) {
	s.Total++
	if item.Covered() {
		s.Covered++
	}
}

// Share returns the share of the items of some kinds that are covered; of all items that count where no kind is given.
func (d *Definition) Share(kinds ...Kind) Share {
	var s Share
	for i := range d.Items {
		if d.Items[i].Counts() && (len(kinds) == 0 || has(kinds, d.Items[i].Kind)) {
			s.add(&d.Items[i])
		}
	}
	return s
}

// Share returns the share of the items of some kinds that are covered, over all definitions; of all items where no
// kind is given.
func (p *Profile) Share(kinds ...Kind) Share {
	var s Share
	for i := range p.Definitions {
		of := p.Definitions[i].Share(kinds...)
		s.Covered, s.Total = s.Covered+of.Covered, s.Total+of.Total
	}
	return s
}

// Missing returns the items that no run went through. Of a state that was never entered only that is listed, not its other items,
// nor the states inside it.
func (d *Definition) Missing() []Item {
	var missing []Item
	unseen := map[string]bool{}
	for _, item := range d.Items {
		if item.Kind == Entered && !item.Covered() && item.Counts() {
			unseen[item.State] = true
		}
	}
	for _, item := range d.Items {
		unseenToo := unseen[item.State] && item.Kind != Entered || insideOf(item.State, unseen)
		if item.Covered() || !item.Counts() || unseenToo {
			continue
		}
		missing = append(missing, item)
	}
	return missing
}

// insideOf reports whether a state's path is in a container of the set.
func insideOf(path string, containers map[string]bool) bool {
	for i := range len(path) {
		if rest := path[i:]; (strings.HasPrefix(rest, "/Branches[") || strings.HasPrefix(rest, "/Iterations[")) && containers[path[:i]] {
			return true
		}
	}
	return false
}

func has(kinds []Kind, kind Kind) bool {
	return slices.Contains(kinds, kind)
}
