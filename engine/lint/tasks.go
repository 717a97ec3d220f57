package lint

import (
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/services"
	"asldb/engine/source"
	"asldb/engine/value"
)

// task checks the Resource of a Task state, and the fields that depend on it.
func (c *checker) task(s *asl.State) {
	m := member(s.Node, "Resource")
	if s.Type != asl.Task || m == nil || !m.Node.IsText() {
		return
	}
	arn := string(m.Node.Value.(value.String))
	_, action, integrated := strings.Cut(arn, ":states:::")
	activity := strings.Contains(arn, ":activity:")
	switch {
	case integrated && strings.HasPrefix(arn, "arn:"):
		c.integration(s, m.Node, arn, action)
	case activity:
		c.express(m.Node, "Express state machine does not support Activity ARN")
		c.arnShape(m.Node, arn, "states", "activity", "arn:aws:states:REGION:ACCOUNT:activity:NAME")
	default:
		c.arnShape(m.Node, arn, "lambda", "function", "arn:aws:lambda:REGION:ACCOUNT:function:NAME")
	}
	waits := activity || strings.Contains(action, services.Sync) || strings.Contains(action, services.Token)
	if waits && s.TimeoutSeconds == nil && s.HeartbeatSeconds == nil {
		c.hint(s.Node, s.NameSpan, rules.TaskTimeout, "%q waits for others and has no TimeoutSeconds: an answer that never comes leaves the execution hanging", s.Name)
	}
}

// express notes features that Express machines lack.
func (c *checker) express(n *source.Node, message string) {
	if c.options.Express {
		d := c.report(n, n.Span, rules.ExpressPattern, source.Error, "%s", strings.TrimSpace(message))
		d.Service.Message = message
	}
}

// arnShape checks the number of parts of the ARN of a function or an activity.
func (c *checker) arnShape(n *source.Node, arn, service, kind, shape string) {
	parts := strings.Split(arn, ":")
	if len(parts) < 3 || parts[0] != "arn" || parts[2] != service || strings.Contains(arn, "${") {
		return
	}
	if len(parts) < 7 || parts[5] != kind || parts[6] == "" {
		d := c.warn(n, rules.Resource, "this is no ARN of %s: %s", article(kind), arn)
		d.Expected, d.Found = shape, arn
	}
}

func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// integration checks SERVICE:ACTION with its pattern.
func (c *checker) integration(s *asl.State, n *source.Node, arn, text string) {
	if strings.Contains(text, "${") {
		return
	}
	if strings.HasPrefix(text, "aws-sdk:") {
		c.sdk(n, arn, strings.TrimPrefix(text, "aws-sdk:"))
	} else {
		c.optimized(n, arn, text)
	}
	pattern := patternOf(text)
	switch pattern {
	case services.Sync, services.Sync2, services.Token:
		c.express(n, "Express state machine does not support '"+strings.TrimSuffix(pattern, ":2")+"' service integration ")
	}
	if pattern == services.Token {
		c.tokenSent(s)
	}
}

// patternOf returns the suffix of the action: "", ".sync", ".sync:2", ".waitForTaskToken", or something that
// there is not.
func patternOf(text string) string {
	if i := strings.IndexByte(text, '.'); i >= 0 {
		return text[i:]
	}
	return ""
}

func (c *checker) optimized(n *source.Node, arn, text string) {
	service, rest, ok := strings.Cut(text, ":")
	pattern := patternOf(rest)
	action := strings.TrimSuffix(rest, pattern)
	actions := services.OptimizedActions(service)
	if !ok || len(actions) == 0 {
		d := c.warn(n, rules.UnknownIntegration, "there is no optimized integration %q; every API of the AWS SDK is arn:aws:states:::aws-sdk:SERVICE:ACTION", service)
		d.Found = text
		suggest(d, service, services.OptimizedServices())
		return
	}
	if !slices.Contains(actions, action) {
		d := c.warn(n, rules.UnknownIntegration, "the integration %q has no action %q; it has %s", service, action, strings.Join(actions, ", "))
		d.Expected, d.Found = "one of "+strings.Join(actions, ", "), action
		if suggest(d, action, actions); d.Suggestion == "" {
			d.Suggestion = "the AWS SDK may have it: arn:aws:states:::aws-sdk:" + service + ":" + action
		}
		if service == "dynamodb" { // recorded; of other services it is not known
			d.Service.Message = unrecognized(arn)
		}
		return
	}
	c.pattern(n, arn, pattern)
}

func unrecognized(arn string) string {
	return "The resource provided " + arn + " is not recognized. The value is not a valid resource ARN, or the resource is not available in this region."
}

// pattern checks the pattern against those that the action has. AWS gives an action new patterns: one that the table lacks is
// a warning. That there is no such pattern at all, or that the AWS SDK has none but the callback, is sure.
func (c *checker) pattern(n *source.Node, arn, pattern string) {
	call, _ := services.CallOf(arn)
	has, known := call.Patterns()
	if pattern == "" || !known {
		return
	}
	severity := source.Warning
	switch {
	case call.Disputed():
		c.warn(n, rules.Pattern, "the developer guide contradicts itself: its table has %s for %s:%s, its page about the service does not", pattern, call.ServiceName, call.Action)
		return
	case slices.Contains(has, pattern):
		return
	case call.SDK || !slices.Contains([]string{services.Sync, services.Sync2, services.Token}, pattern):
		severity = source.Error
	}
	d := c.report(n, n.Span, rules.Pattern, severity, "%s:%s has no %s", call.ServiceName, call.Action, pattern)
	d.Expected, d.Found = "no suffix", pattern
	if len(has) > 0 {
		d.Expected += ", " + strings.Join(has, ", ")
	}
	if severity == source.Error {
		d.Service.Message = unrecognized(arn)
	}
	if suggest(d, pattern, has); d.Suggestion == "" {
		d.Suggestion = "remove the suffix: the state then goes on when the request is answered"
	}
}

// tokenSent checks that a task that waits for its token sends it.
func (c *checker) tokenSent(s *asl.State) {
	payload := member(s.Node, "Parameters")
	if s.QueryLanguage == asl.JSONata {
		payload = member(s.Node, "Arguments")
	}
	if payload != nil && mentions(payload.Node, func(text string) bool {
		// The whole context object has the token in it, and so has a variable that was given it.
		return strings.Contains(text, "Task.Token") || strings.Contains(text, "['Task']") || strings.Contains(text, "context") ||
			text == "$$" || text == "$$.Task" || strings.HasPrefix(text, "{%") || strings.Contains(text, "($$")
	}) {
		return
	}
	at := s.Node
	span := s.NameSpan
	if payload != nil {
		at, span = payload.Node, payload.KeySpan
	}
	d := c.report(at, span, rules.TaskToken, source.Warning, "%q waits for its task token to come back, but never sends it", s.Name)
	d.Expected = "$$.Task.Token in Parameters"
	if s.QueryLanguage == asl.JSONata {
		d.Expected = "$states.context.Task.Token in Arguments"
	}
}

// mentions reports whether a string in n satisfies f.
func mentions(n *source.Node, f func(text string) bool) bool {
	if text, ok := n.Value.(value.String); ok {
		return f(string(text))
	}
	for i := range n.Members {
		if mentions(n.Members[i].Node, f) {
			return true
		}
	}
	return slices.ContainsFunc(n.Items, func(item *source.Node) bool { return mentions(item, f) })
}

// mapState checks the fields of a Map state that go together.
func (c *checker) mapState(s *asl.State) {
	if s.Type != asl.Map {
		return
	}
	if s.Distributed() {
		if config := member(s.Node, "ItemProcessor"); config != nil {
			c.express(config.Node, "Express state machine does not support distributed Map states")
		}
		c.reader(s)
	} else {
		for i := range s.Node.Members {
			m := &s.Node.Members[i]
			if f := asl.FieldOf(s.Type, m.Key); f != nil && f.Distributed {
				text := "%q is for a Map with the mode DISTRIBUTED, and this one is inline"
				if m.Key != "Label" {
					text += ": the state fails with States.Runtime"
				}
				d := c.report(m.Node, m.KeySpan, rules.InlineMap, source.Warning, text, m.Key)
				d.Expected = `"ProcessorConfig": {"Mode": "DISTRIBUTED", …} in ItemProcessor`
			}
		}
	}
	if s.MaxConcurrency == nil && s.Processor != nil && slices.ContainsFunc(s.Processor.States, func(i *asl.State) bool { return i.Type == asl.Task }) {
		c.hint(s.Node, s.NameSpan, rules.Unbounded, "%q runs as many iterations at a time as the service allows: it has no MaxConcurrency", s.Name)
	}
}
