package template

import "asldb/engine/jsonata"

// Explanation is one expression of a Query with the results of its parts.
type Explanation struct {
	// Location is the field and the place in it, "Output/a/b[0]"; Text the expression without its marks.
	Location, Text string
	Compiled       *jsonata.Expression
	Trace          *jsonata.Trace
	// Err is the error that the evaluation ended with, or nil.
	Err error
}

// Explain evaluates every expression anew and records the result of each part, in the order of the text. An
// expression that gives nothing, or fails, does not keep the others from being explained.
func (q *Query) Explain(roots *QueryRoots) []Explanation { return q.root.explain(roots, nil) }

func (n *queryNode) explain(roots *QueryRoots, explained []Explanation) []Explanation {
	if n.expression != nil {
		steps := 0
		_, trace, err := n.expression.EvalTrace(nil, roots.lookup, roots.env(&steps))
		if roots.Poll != nil {
			roots.Poll.Count(steps)
		}
		return append(explained, Explanation{Location: n.location, Text: n.text, Compiled: n.expression, Trace: trace, Err: err})
	}
	for i := range n.parts {
		explained = n.parts[i].explain(roots, explained)
	}
	return explained
}
