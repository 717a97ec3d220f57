package debug

import (
	"asldb.dev/asldb/engine/asl"
	"asldb.dev/asldb/engine/path"
	"asldb.dev/asldb/engine/value"
)

// LastChange returns the event, counted from 0, that last changed what a path selects in the input of the state of
// event i; -1 where it is as it was when its thread began. ok is false where the path begins elsewhere than in the
// data, where nothing is selected, or where the state's InputPath puts other data in their place.
func (s *Session) LastChange(i int, text string) (at int, ok bool) {
	visit := s.log.At(i).Visit
	if visit == nil || visit.State.QueryLanguage == asl.JSONata {
		return 0, false
	}
	if field := visit.State.InputPath; field != nil && (field.Null || field.Path.String() != "$") {
		return 0, false
	}
	p, err := path.Parse(text)
	if err != nil || len(text) > 1 && text[1] == '$' {
		return 0, false
	}
	find := func(i int) value.Value { return p.Find(&path.Roots{Data: s.log.At(i).After}) }
	at = int(visit.Entered) - 1
	wanted := find(at)
	if wanted == nil {
		return 0, false
	}
	for {
		earlier := s.documentBefore(at)
		if earlier < 0 {
			return -1, visit.Parent == nil
		}
		if v := find(earlier); !value.Identical(v, wanted) && !same(v, wanted) {
			return at, true
		}
		at = earlier
	}
}
