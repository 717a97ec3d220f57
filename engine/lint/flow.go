package lint

import (
	"asldb/engine/asl"
	"asldb/engine/lint/flow"
	"asldb/engine/rules"
	"asldb/engine/source"
)

// data looks for reads of data that cannot be there, and for values of a wrong type.
func (c *checker) data() {
	for s := range c.machine.All() {
		c.lostInput(s)
	}
	for _, f := range flow.Check(c.machine, c.options.Flow) {
		d := c.report(f.Node, f.Span, f.Rule, source.Warning, "%s", f.Message)
		d.Expected, d.Found = f.Expected, f.Found
		d.Reasons = append(d.Reasons, f.Reasons...)
		if d.Suggestion = f.Suggestion; d.Suggestion == "" && f.Name != "" {
			suggest(d, f.Name, f.Names)
		}
	}
}

// lostInput hints at catchers that replace the whole input by the Error Output.
func (c *checker) lostInput(s *asl.State) {
	for i, catcher := range s.Catch {
		next := s.Scope.State(catcher.Next)
		if catcher.ResultPath == nil && s.QueryLanguage == asl.JSONPath && next != nil && next.Type != asl.Fail && next.Type != asl.Succeed {
			if n := itemOf(s.Node.Get("Catch"), i); n != nil {
				c.hint(n, n.Span, rules.LostInput, "this catcher puts the Error Output in place of the input of %q: \"ResultPath\": \"$.error\" keeps both", s.Name)
			}
		}
	}
}
