package executions

import (
	"cmp"
	"path/filepath"
	"slices"

	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/recorder/history"
)

// Page is a page of a history in a file of its own.
type Page struct {
	File      string
	Execution *history.Execution
}

// lastNumber is the last number in the name of a file: pages differ in it.
var lastNumber = wording.Pattern(`[0-9]+([^0-9]*)$`)

// Pages puts pages of the same history together: those in files of one folder whose names differ in their last number alone, with events
// whose ids go on from page to page, from 1. Pages that go with no others are alone. The result is in the order of the first pages
// of each history in the list.
func Pages(pages []Page) [][]Page {
	named := make(map[string][]int)
	var names []string
	for i, p := range pages {
		name := filepath.Join(filepath.Dir(p.File), lastNumber().ReplaceAllString(filepath.Base(p.File), "#$1"))
		if named[name] == nil {
			names = append(names, name)
		}
		named[name] = append(named[name], i)
	}
	var all [][]Page
	for _, name := range names {
		group := value.Each(named[name], func(i int) Page { return pages[i] })
		if len(group) == 1 || !adjoin(group) {
			for _, p := range group {
				all = append(all, []Page{p})
			}
			continue
		}
		all = append(all, group)
	}
	return all
}

// adjoin reports whether the events of pages are those of one history from its first on, each once.
func adjoin(pages []Page) bool {
	sorted := slices.SortedFunc(slices.Values(pages), func(a, b Page) int {
		return cmp.Compare(a.Execution.Events[0].ID, b.Execution.Events[0].ID)
	})
	next, arn := int64(1), ""
	for _, p := range sorted {
		x := p.Execution
		if x.Events[0].ID != next || arn != "" && x.ARN != "" && x.ARN != arn {
			return false
		}
		next, arn = x.Events[len(x.Events)-1].ID+1, cmp.Or(arn, x.ARN)
	}
	return true
}

// Join puts pages that [Pages] has found together into one execution.
func Join(pages []Page) (*history.Execution, error) {
	executions := value.Each(pages, func(p Page) *history.Execution { return p.Execution })
	return history.Join(pages[0].File, executions...)
}
