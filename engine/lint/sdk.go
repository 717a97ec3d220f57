package lint

import (
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/services"
	"asldb/engine/source"
	"asldb/internal/wording"
)

// sdk checks an integration of the AWS SDK. The table has a date for each service: a missing action is never an error.
func (c *checker) sdk(s *asl.State, n *source.Node, arn, text string) {
	service, rest, ok := strings.Cut(text, ":")
	action := strings.TrimSuffix(rest, patternOf(rest))
	if !ok || service == "" || action == "" {
		d := c.warn(n, rules.UnknownIntegration, "an integration of the AWS SDK is arn:aws:states:::aws-sdk:SERVICE:ACTION")
		d.Found = arn
		return
	}
	c.pattern(n, arn, patternOf(rest))
	if first := action[:1]; first != strings.ToLower(first) {
		d := c.warn(n, rules.UnknownIntegration, "an action of the AWS SDK begins with a small letter, not %q", action)
		d.Expected, d.Found = strings.ToLower(first)+action[1:], action
		misspelt(d, action, d.Expected, slices.Values([]string{d.Expected}))
		c.narrow(d, n, ":"+action)
		return
	}
	call, _ := services.CallOf(arn)
	if refused, all := call.Unsupported(); refused {
		what, part := "the action \""+action+"\" of "+service, ":"+action
		if all {
			what, part = "the service \""+service+"\"", ":"+service
		}
		d := c.report(
			n, n.Span, rules.UnknownIntegration, source.Error, "Step Functions does not support %s of the AWS SDK", what,
		)
		d.Found = arn
		c.narrow(d, n, part)
		return
	}
	c.inTable(n, service, action)
	// Of a state in JSONPath without Parameters the service's answer is not known.
	if s.QueryLanguage == asl.JSONata && member(s.Node, "Arguments") == nil {
		d := c.report(s.Node, s.NameSpan, rules.MissingField, source.Error, "an integration of the AWS SDK must have the field \"Arguments\"")
		d.Expected, d.Suggestion = "the field \"Arguments\"", "add \"Arguments\": {}"
	}
}

// parametersOf returns the field of a Task state with the parameters of its call.
func parametersOf(s *asl.State) string {
	if s.QueryLanguage == asl.JSONata {
		return "Arguments"
	}
	return "Parameters"
}

// inTable checks the names of a service and an action against the table.
func (c *checker) inTable(n *source.Node, service, action string) {
	known, found := services.Find(service)
	if !found {
		if near := services.Nearest(service); near != "" {
			table := services.Dated(service)
			d := c.warn(n, rules.UnknownAction, "there is no service %q in the table (%s)", service, table)
			d.Found = service
			meant(d, service, near)
			c.narrow(d, n, ":"+service)
			return
		}
		c.notInTable(n, n.Span, service, "the service %q", service)
		return
	}
	if _, found := known.Operation(action); found {
		return
	}
	if near := known.Nearest(action); near != "" {
		table := services.Dated(service)
		d := c.warn(n, rules.UnknownAction, "%q has no action %q in the table (%s)", service, action, table)
		d.Found = action
		misspelt(d, action, near, known.Actions())
		c.narrow(d, n, ":"+action)
		return
	}
	c.notInTable(n, n.Span, service, "the action %q of %q", action, service)
}

// notInTable notes, if hints are wanted, that a name of a service could not be checked.
func (c *checker) notInTable(n *source.Node, span source.Span, service, format string, args ...any) {
	if !c.options.Hints {
		return
	}
	table := " is not in the table (" + services.Dated(service) + "): not checked"
	c.report(n, span, rules.NotInTable, source.Hint, format+table, args...).Suggestion = "a newer name may be right"
}

// serviceCalls returns the operations that a state calls: its own, or those that the states inside of it call. known is
// false where the table lacks one of them, or one sends its result with a task token: such a task
// raises errors of any name.
func serviceCalls(s *asl.State) (list []services.Call, known bool) {
	known = true
	add := func(more []services.Call, all bool) {
		list = append(list, more...)
		known = known && all
	}
	if s.Type == asl.Task {
		resource := s.Resource
		if strings.HasPrefix(resource, "arn:") && strings.Contains(resource, ":lambda:") && strings.Contains(resource, ":function:") {
			resource = "arn:aws:states:::lambda:invoke"
		}
		call, ok := services.CallOf(resource)
		if !ok || call.Service == nil {
			return nil, false
		}
		return []services.Call{call}, call.Pattern == "" && call.Action != "invoke" && call.Action != "startExecution"
	}
	scopes := s.Branches
	if s.Processor != nil {
		scopes = append(scopes[:len(scopes):len(scopes)], s.Processor)
	}
	for _, scope := range scopes {
		for _, inner := range scope.States {
			switch inner.Type {
			case asl.Task, asl.Map, asl.Parallel:
				add(serviceCalls(inner))
			case asl.Fail:
				known = false
			default:
			}
		}
	}
	return list, known
}

// serviceError notes an Error Name with the prefix of a service that the state calls, which none of its calls can
// raise.
func (c *checker) serviceError(s *asl.State, n *source.Node, name string) {
	prefix, rest, ok := strings.Cut(name, ".")
	if !ok || rest == "" {
		return
	}
	calls, known := serviceCalls(s)
	var of *services.Call
	sdk := true
	for i := range calls {
		call := &calls[i]
		if !strings.EqualFold(call.ErrorPrefix(), prefix) {
			continue
		}
		if call.Raises(rest) && (!call.SDK || call.ErrorPrefix() == prefix) {
			return
		}
		of = call
		sdk = sdk && call.SDK
	}
	if of == nil {
		return
	}
	near := ""
	switch {
	case of.SDK && of.Raises(rest):
		near = of.ErrorPrefix() + "." + rest // another letter case
	case of.NearestError(rest) != "":
		near = of.ErrorPrefix() + "." + of.NearestError(rest)
	case !sdk || !known || strings.HasSuffix(rest, "Exception"):
		return // the service may raise it: models do not name every error
	}
	d := c.warn(n, rules.UnknownServiceError, "%s raises no error %q", of.ServiceName, name)
	d.Found = name
	if near != "" {
		meant(d, name, near)
		d.Fix.Certain = wording.Clear(name, near, slices.Values([]string{near}))
	} else {
		d.Suggestion = "errors of the AWS SDK end in Exception; those that no model names are \"" + of.Service.BaseError() + "\""
	}
}
