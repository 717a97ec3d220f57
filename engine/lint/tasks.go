package lint

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/services"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
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
	}
	c.arn(m.Node, arn)
	waits := activity || strings.Contains(action, services.Sync) || strings.Contains(action, services.Token)
	if waits && s.TimeoutSeconds == nil && s.HeartbeatSeconds == nil {
		c.hint(
			s.Node,
			s.NameSpan,
			rules.TaskTimeout,
			"%q waits for others and has no TimeoutSeconds: an answer that never comes leaves the execution hanging",
			s.Name,
		)
	}
}

// express notes features that Express machines lack, as a warning where the machine belongs to the executions of a Map
// Run: they lack them too (developer guide), but it is not known that the service refuses the definition.
func (c *checker) express(n *source.Node, message string) {
	if c.expressChild {
		text, of := strings.TrimSpace(message), "Express state machine"
		c.report(
			n,
			n.Span,
			rules.ExpressPattern,
			source.Warning,
			"%s",
			"an Express execution of a distributed Map"+strings.TrimPrefix(text, of),
		)
		return
	}
	if c.options.Express {
		d := c.report(n, n.Span, rules.ExpressPattern, source.Error, "%s", strings.TrimSpace(message))
		d.Service.Message = message
	}
}

// shapes are the ARNs that a Task calls beside the integrations', by their services. The table is never changed.
var shapes = map[string]struct{ kind, shape string }{
	"lambda": {"function", "arn:aws:lambda:REGION:ACCOUNT:function:NAME"},
	"states": {"activity", "arn:aws:states:REGION:ACCOUNT:activity:NAME"},
}

// regionName matches the name of a region; other texts in its place are often to be replaced.
var regionName = wording.Pattern(`^[a-z]+(-[a-z]+)+-\d+$`)

// written reports whether a text is in the file as it is: functions of a template put placeholders for values into
// others.
func (c *checker) written(n *source.Node, text string) bool {
	file := cmp.Or(n.Span.File, c.machine.Source)
	start, end := n.Span.Start.Offset, n.Span.End.Offset
	return file != nil && start <= end && end <= len(file.Data) && bytes.Contains(file.Data[start:end], []byte(text))
}

// arn checks the parts of an ARN that a Task calls. Texts with marks of placeholders are not looked at.
func (c *checker) arn(n *source.Node, arn string) {
	parts := strings.SplitN(arn, ":", 7)
	if parts[0] != "arn" || len(parts) < 3 || strings.ContainsAny(arn, "{}<>%") {
		return
	}
	warn := func(format string, args ...any) *source.Diagnostic {
		d := c.warn(n, rules.Resource, format, args...)
		d.Found = arn
		return d
	}
	known, isKnown := shapes[parts[2]]
	noPartition := !slices.ContainsFunc(
		asl.Partitions,
		func(p struct{ Name, Regions string }) bool { return p.Name == parts[1] },
	)
	written := c.written(n, arn)
	switch {
	case !isKnown && !written:
		return
	case noPartition && written:
		d := warn("AWS has no partition %q", parts[1])
		d.Expected = "aws, aws-cn or aws-us-gov"
		suggest(d, parts[1], []string{"aws", "aws-cn", "aws-us-gov"})
		return
	case strings.Contains(arn, ":states:::"):
		return
	case !isKnown:
		d := warn("a Task calls no ARN of the service %q", parts[2])
		d.Expected = "arn:aws:states:::SERVICE:ACTION, " + shapes["lambda"].shape + " or " + shapes["states"].shape
		suggest(d, parts[2], []string{"lambda", "states"})
		return
	case parts[2] == "states" && len(parts) < 7 && parts[3] == "":
		d := warn("this is not an ARN of an integration: %s", arn)
		d.Expected = "arn:aws:states:::SERVICE:ACTION"
		d.Suggestion = "did you mean \"arn:" + parts[1] + ":states:::" + strings.TrimLeft(
			strings.Join(parts[3:], ":"),
			":",
		) + "\"?"
		return
	case len(parts) == 7 && parts[2] == "states" && parts[5] != known.kind: // integrations are published with region and account, too
	case len(parts) < 7 || parts[5] != known.kind || parts[6] == "":
		warn("this is not an ARN of %s: %s", wording.A(known.kind), arn).Expected = known.shape
		return
	}
	if !written {
		return
	}
	region, account := parts[3], parts[4]
	home := asl.PartitionOf(region)
	switch {
	case region == "":
		warn("the ARN of %s has no region: %s", wording.A(known.kind), arn).Expected = known.shape
	case account == "":
		warn("the ARN of %s has no account: %s", wording.A(known.kind), arn).Expected = known.shape
	case strings.Trim(account, "0123456789") == "" && len(account) != 12:
		warn("an account has 12 digits, and %s has %d", account, len(account)).Expected = "an account of 12 digits"
	case regionName().MatchString(region) && home != parts[1]:
		warn("the region %s is in the partition %s, not in %s", region, home, parts[1]).Expected = "arn:" + home + ":…"
	}
}

// integration checks SERVICE:ACTION with its pattern.
func (c *checker) integration(s *asl.State, n *source.Node, arn, text string) {
	if strings.Contains(text, "${") {
		return
	}
	if strings.HasPrefix(text, "aws-sdk:") {
		c.sdk(s, n, arn, strings.TrimPrefix(text, "aws-sdk:"))
	} else {
		c.optimized(n, arn, text)
	}
	pattern := patternOf(text)
	switch pattern {
	case services.Sync, services.Sync2, services.Token:
		c.express(
			n,
			"Express state machine does not support '"+strings.TrimSuffix(pattern, ":2")+"' service integration ",
		)
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
		d := c.warn(
			n,
			rules.UnknownIntegration,
			"there is no optimized integration %q; every API of the AWS SDK is arn:aws:states:::aws-sdk:SERVICE:ACTION",
			service,
		)
		d.Found = text
		suggest(d, service, services.OptimizedServices())
		c.narrow(d, n, ":"+service)
		return
	}
	if !slices.Contains(actions, action) {
		d := c.warn(
			n,
			rules.UnknownIntegration,
			"the integration %q has no action %q; it has %s",
			service,
			action,
			strings.Join(actions, ", "),
		)
		d.Expected, d.Found = "one of "+strings.Join(actions, ", "), action
		if near := wording.Nearest(action, slices.Values(actions)); near != "" {
			misspelt(d, action, near, slices.Values(actions))
		} else {
			d.Suggestion = "the AWS SDK may have it: arn:aws:states:::aws-sdk:" + service + ":" + action
		}
		c.narrow(d, n, ":"+action)
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

// pattern checks the pattern against those that the action has. AWS gives an action new patterns: one that the table
// lacks is a warning. That there is no such pattern at all, that no action of the service has it, or that the AWS SDK
// has none but the callback, is sure.
func (c *checker) pattern(n *source.Node, arn, pattern string) {
	call, _ := services.CallOf(arn)
	has, known := call.Patterns()
	if pattern == "" || !known {
		return
	}
	severity := source.Warning
	switch {
	case call.Disputed():
		c.warn(
			n,
			rules.Pattern,
			"the developer guide contradicts itself: its table has %s for %s:%s, its page about the service does not",
			pattern,
			call.ServiceName,
			call.Action,
		)
		return
	case slices.Contains(has, pattern):
		return
	case call.SDK || !call.Patterned(pattern):
		severity = source.Error
	}
	d := c.report(n, n.Span, rules.Pattern, severity, "%s:%s has no %s", call.ServiceName, call.Action, pattern)
	d.Expected, d.Found = "no suffix", pattern
	if len(has) > 0 {
		d.Expected += ", " + strings.Join(has, ", ")
	}
	if suggest(d, pattern, has); d.Suggestion == "" {
		d.Suggestion = "remove the suffix: the state then continues when the request is answered"
	}
	c.narrow(d, n, pattern)
}

// tokenSent checks that a task that waits for its token sends it.
func (c *checker) tokenSent(s *asl.State) {
	payload := member(s.Node, parametersOf(s))
	if payload != nil && mentions(payload.Node, func(text string) bool {
		// The whole context object has the token in it, and so has a variable that was given it.
		return strings.Contains(text, "Task.Token") || strings.Contains(text, "['Task']") || strings.Contains(text, "context") ||
			text == "$$" || text == "$$.Task" || strings.HasPrefix(text, "{%") ||
			strings.Contains(text, "($$")
	}) {
		return
	}
	at := s.Node
	span := s.NameSpan
	if payload != nil {
		at, span = payload.Node, payload.KeySpan
	}
	d := c.report(
		at,
		span,
		rules.TaskToken,
		source.Warning,
		"%q waits for its task token to come back, but never sends it",
		s.Name,
	)
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
	c.reader(s)
	if s.Distributed() {
		if config := member(s.Node, "ItemProcessor"); config != nil {
			c.express(config.Node, "Express state machine does not support distributed Map states")
		}
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
	if s.MaxConcurrency == nil && s.Processor != nil &&
		slices.ContainsFunc(s.Processor.States, func(i *asl.State) bool { return i.Type == asl.Task }) {
		c.hint(
			s.Node,
			s.NameSpan,
			rules.Unbounded,
			"%q runs as many iterations at a time as the service allows: it has no MaxConcurrency",
			s.Name,
		)
	}
}
