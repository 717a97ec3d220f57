package lint

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/services"
	"asldb/engine/source"
)

// contextFields has the members of the context object; nil where anything may follow. The table is never changed.
var contextFields = map[string]map[string]bool{
	"Execution":    {"Id": true, "Input": true, "Name": true, "RoleArn": true, "StartTime": true, "RedriveCount": true, "RedriveTime": true},
	"State":        {"EnteredTime": true, "Name": true, "RetryCount": true},
	"StateMachine": {"Id": true, "Name": true},
	"Task":         {"Token": true},
	"Map":          {"Item": true},
}

// itemFields are the members of Map.Item.
var itemFields = map[string]bool{"Index": true, "Value": true, "Key": true, "Source": true}

// contexts checks the paths into the context object.
func (c *checker) contexts(references []reference) {
	for i := range references {
		if r := &references[i]; r.ref.Variable == "" && len(r.names()) > 0 {
			c.contextPath(r)
		}
	}
}

func (c *checker) contextPath(r *reference) {
	s, read := r.state, r.names()
	members, ok := contextFields[read[0]]
	if !ok {
		c.unknownContext(r, "the context object", read[0], names(contextFields))
		return
	}
	if len(read) > 1 && !members[read[1]] {
		c.unknownContext(r, read[0]+" in the context object", read[1], names(members))
		return
	}
	if read[0] == "Map" && len(read) > 2 && !itemFields[read[2]] {
		c.unknownContext(r, "Map.Item in the context object", read[2], names(itemFields))
		return
	}
	switch {
	case read[0] == "Map" && !inMap(s):
		c.warn(r.node, rules.UnknownContext, "%s is there in a Map state and its iterations only, and %q is outside of one", r.text(), s.Name)
	case read[0] == "Task" && s.Type != asl.Task:
		d := c.warn(r.node, rules.UnknownContext, "%s is there in Task states only, and %q is a %s", r.text(), s.Name, s.Type)
		if s.Type == asl.Pass && s.QueryLanguage == asl.JSONata && len(read) > 1 &&
			c.options.Dialect.Does(rules.RefusesAsTheService) { // as measured
			d.Severity, d.Service.Code = source.Error, rules.CodeReference
		}
	case read[0] == "Task" && s.Resource != "" && !strings.Contains(s.Resource, "${") && !strings.HasSuffix(s.Resource, services.Token) && !strings.Contains(s.Resource, services.Sync):
		d := c.warn(r.node, rules.UnknownContext, "%s is there only where the task waits for it", r.text())
		d.Expected, d.Found = "a Resource that ends in "+services.Token, s.Resource
		d.Suggestion = "did you mean \"" + s.Resource + services.Token + "\"?"
		if n := s.Node.Get("Resource"); n != nil {
			d.Fix = &source.Fix{At: n.Span, From: s.Resource, To: s.Resource + services.Token}
		}
	}
}

func (c *checker) unknownContext(r *reference, owner, name string, known []string) {
	d := c.warn(r.node, rules.UnknownContext, "%s: %s has no %q", r.text(), owner, name)
	d.Expected, d.Found = "one of "+strings.Join(known, ", "), name
	suggest(d, name, known)
}

// inMap reports whether a state is a Map, or is inside of one.
func inMap(s *asl.State) bool {
	for ; s != nil; s = s.Scope.Container {
		if s.Type == asl.Map {
			return true
		}
	}
	return false
}
