package expr

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/PaesslerAG/gval"
	"github.com/PaesslerAG/jsonpath"

	"asldb/engine/path"
)

// evaluable compiles a path.
func evaluable(p *path.Path) (gval.Evaluable, error) {
	eval, err := full(p)
	return func(c context.Context, v any) (any, error) {
		if s, ok := v.(*scope); ok && s.env.partial {
			if s.env.look != nil {
				if v, known := s.env.look(p); known {
					return fromValue(v, s.env.Poll), nil
				}
			}
			if !p.Definite() { // it can fail at a limit
				panic(unknown{})
			}
			return unknown{}, nil
		}
		return eval(c, v)
	}, err
}

// full compiles a path, by PaesslerAG/jsonpath where that means the same.
func full(p *path.Path) (gval.Evaluable, error) {
	spelled, ok := respell(p)
	if !ok {
		return byOurselves(p), nil
	}
	eval, err := jsonpath.New(spelled)
	if err != nil {
		return nil, err
	}
	if !p.Definite() {
		return func(c context.Context, v any) (any, error) {
			s, ok := v.(*scope)
			if !ok {
				return nil, errNoScope
			}
			if absentRoot(s, p) {
				return nil, nil
			}
			return eval(c, v)
		}, nil
	}
	return func(c context.Context, v any) (any, error) {
		result, err := eval(c, v)
		if err != nil { // the only error of names and indexes: nothing is there
			return nil, nil // a miss is null
		}
		return result, nil
	}, nil
}

var errNoScope = fmt.Errorf("a path is not a constant")

// absentRoot reports whether the path starts from nothing, which makes even an indefinite path null.
func absentRoot(s *scope, p *path.Path) bool {
	_, err := s.SelectGVal(context.Background(), rootKey(p))
	return err != nil
}

// byOurselves evaluates a path by engine/path.
func byOurselves(p *path.Path) gval.Evaluable {
	return func(_ context.Context, v any) (any, error) {
		s, ok := v.(*scope)
		if !ok {
			return nil, errNoScope
		}
		found, err := p.Get(s.env.roots())
		if err != nil {
			if _, miss := err.(*path.MissError); miss {
				return nil, nil
			}
			return nil, err
		}
		return fromValue(found, s.env.Poll), nil
	}
}

// rootKey is the member of the scope that the path starts from.
func rootKey(p *path.Path) string {
	switch p.Root() {
	case path.ContextRoot:
		return "$$"
	case path.VariableRoot:
		return "$" + p.Variable()
	case path.DataRoot:
	}
	return "$"
}

// nameMark is before each name in the respelled path. Without it PaesslerAG/jsonpath would take the name
// "0" for an index of an array, and an index for a name of an object.
const nameMark = "'"

// respell writes a path as PaesslerAG/jsonpath reads it, from the scope on. ok is false where that
// cannot express the path, or would take it otherwise.
func respell(p *path.Path) (spelled string, ok bool) {
	var b strings.Builder
	b.WriteString("$[" + strconv.Quote(rootKey(p)) + "]")
	indefinite, indexed, descents := false, false, 0
	for i := range p.Len() {
		s := p.Segment(i)
		switch s.Kind {
		case path.NameSegment:
			b.WriteString("[" + strconv.Quote(nameMark+s.Name) + "]")
		case path.IndexSegment:
			indexed = true
			b.WriteString("[" + strconv.Itoa(s.Index) + "]")
		case path.WildcardSegment:
			if indefinite && i < p.Len()-1 {
				return "", false
			}
			indefinite = true
			b.WriteString("[*]")
		case path.DescentSegment:
			if descents++; descents > 1 {
				return "", false
			}
			indefinite = true
			b.WriteString("..")
		default:
			return "", false
		}
	}
	if indefinite && indexed { // an index of a value that isn't an array is a miss, and not an empty list
		return "", false
	}
	return b.String(), true
}
