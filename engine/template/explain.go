package template

import (
	"asldb.dev/asldb/engine/intrinsic"
	"asldb.dev/asldb/engine/jsonata"
	"asldb.dev/asldb/engine/path"
	"asldb.dev/asldb/engine/value"
)

// Explanation is one expression of a Query, unfolded: what each part of it gave.
type Explanation struct {
	// Location is the field and the place in it, "Output/a/b[0]"; Text the expression without its marks.
	Location, Text string
	Trace          *jsonata.Trace
	// Err is the error that the evaluation ended with, or nil.
	Err error
}

// Explain evaluates every expression anew and keeps what each part of it gave, in the order of the text. An
// expression that gives nothing, or fails, does not keep the others from being explained.
func (q *Query) Explain(roots *QueryRoots) []Explanation { return q.root.explain(roots, nil) }

func (n *queryNode) explain(roots *QueryRoots, explained []Explanation) []Explanation {
	if n.expression != nil {
		_, trace, err := n.expression.EvalTrace(nil, roots.lookup, roots.Env)
		return append(explained, Explanation{Location: n.location, Text: n.text, Trace: trace, Err: err})
	}
	for i := range n.parts {
		explained = n.parts[i].explain(roots, explained)
	}
	return explained
}

// FieldExplanation is one field of a payload template whose name ends with ".$", unfolded.
type FieldExplanation struct {
	// Pointer is the JSON Pointer (RFC 6901) of the field inside the template, "/a/b.$".
	Pointer string
	// Text is the path or the call.
	Text string
	// Value is what it selected or gave, nil where Err says why there is none.
	Value value.Value
	Err   error
	// Call is what each part of an intrinsic function gave, nil for a path.
	Call *intrinsic.Trace
}

// Explain evaluates every field anew and keeps what each gave, in the order of the text. One that fails does not
// keep the others from being explained.
func (t *Template) Explain(r *path.Roots, rnd intrinsic.Random) []FieldExplanation {
	return explainNode(t.root, r, rnd, nil)
}

func explainNode(n node, r *path.Roots, rnd intrinsic.Random, explained []FieldExplanation) []FieldExplanation {
	switch n := n.(type) {
	case *field:
		e := FieldExplanation{Pointer: n.pointer, Text: n.text}
		if n.path != nil {
			e.Value, e.Err = n.path.Get(r)
		} else {
			e.Call = n.call.Explain(r, rnd)
			e.Value, e.Err = e.Call.Value, e.Call.Err
		}
		return append(explained, e)
	case *object:
		for _, part := range n.nodes {
			explained = explainNode(part, r, rnd, explained)
		}
	case *array:
		for _, part := range n.nodes {
			explained = explainNode(part, r, rnd, explained)
		}
	}
	return explained
}
