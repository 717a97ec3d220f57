package lint

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// predefined are the Error Names that begin with "States." (language, "Predefined Error Names"; developer guide,
// "Error names"). Those of HTTP tasks have a status behind the prefix httpStatus.
var predefined = []string{
	"States.ALL", "States.Timeout", "States.HeartbeatTimeout", "States.TaskFailed", "States.Permissions", "States.Runtime",
	"States.ResultPathMatchFailure", "States.ParameterPathFailure", "States.BranchFailed", "States.NoChoiceMatched",
	"States.IntrinsicFailure", "States.DataLimitExceeded", "States.QueryEvaluationError", "States.ExceedToleratedFailureThreshold",
	"States.ItemReaderFailed", "States.ResultWriterFailed", "States.Http.Socket", "States.OutputMatchFailure",
}

// ErrorNames returns the Error Names that the language and the service define, which begin with "States.".
func ErrorNames() []string { return slices.Clone(predefined) }

const (
	all         = "States.ALL"
	taskFailed  = "States.TaskFailed"
	timeout     = "States.Timeout"
	reserved    = "States."
	httpStatus  = "States.Http.StatusCode."
	handlerList = "ErrorEquals"
)

// handlers checks the retriers and catchers of a state.
func (c *checker) handlers(s *asl.State) {
	for _, field := range []string{"Retry", "Catch"} {
		m := member(s.Node, field)
		if m == nil {
			continue
		}
		what := "retrier"
		if field == "Catch" {
			what = "catcher"
		}
		taken := make(map[string]int) // by Error Name, the number of the handler from 1
		for i, n := range m.Node.Items {
			list := n.Get(handlerList)
			if list == nil {
				continue
			}
			c.reached(n, list, what, taken)
			for _, name := range list.Items {
				text, ok := name.Value.(value.String)
				if !ok {
					continue
				}
				c.errorName(s, name, string(text))
				if taken[string(text)] == 0 {
					taken[string(text)] = i + 1
				}
			}
			if field == "Retry" {
				c.maxDelay(n)
			}
		}
	}
}

// reached notes the names of a handler that one before it takes.
func (c *checker) reached(n, list *source.Node, what string, taken map[string]int) {
	type repeat struct {
		node *source.Node
		name string
		by   int
	}
	var repeats []repeat
	for _, item := range list.Items {
		name, ok := item.Value.(value.String)
		if !ok {
			return
		}
		if by := takenBy(string(name), taken); by > 0 {
			repeats = append(repeats, repeat{item, string(name), by})
		}
	}
	if len(repeats) == 0 {
		return
	}
	if len(repeats) == len(list.Items) {
		d := c.warn(n, rules.UnreachableHandler, "this %s can never match: number %d takes %q before it", what, repeats[0].by, repeats[0].name)
		for _, r := range repeats {
			d.Reasons = append(d.Reasons, asl.Reason{Text: r.name + " goes to " + what + " " + strconv.Itoa(r.by), Span: r.node.Span})
		}
		return
	}
	for _, r := range repeats {
		c.warn(r.node, rules.UnreachableHandler, "%q never comes here: %s %d takes it before", r.name, what, r.by)
	}
}

// takenBy returns the number of the handler that takes an error before, or 0.
func takenBy(name string, taken map[string]int) int {
	if by := taken[name]; by > 0 {
		return by
	}
	if !strings.HasPrefix(name, reserved) { // the dialects differ in the reserved names that States.TaskFailed matches
		return taken[taskFailed]
	}
	return 0
}

// reportedName checks the Error of a Fail state.
func (c *checker) reportedName(s *asl.State) {
	n := s.Node.Get("Error")
	if s.Type != asl.Fail || n == nil {
		return
	}
	if name := n.Text(); strings.HasPrefix(name, reserved) && !slices.Contains(predefined, name) {
		const text = "%q begins with %s, as the predefined errors alone do: choose another name"
		c.warn(n, rules.UnknownError, text, name, reserved)
	}
}

// errorName checks one Error Name of a retrier or catcher.
func (c *checker) errorName(s *asl.State, n *source.Node, name string) {
	prefix, _, _ := strings.Cut(name, ".")
	known := slices.Contains(predefined, name) || strings.HasPrefix(name, httpStatus)
	switch folded := strings.ToLower(prefix); {
	case known:
		if why := neverRaised(s, name); why != "" {
			c.warn(n, rules.NeverRaised, "%q cannot come here: %s", name, why)
		}
	case c.raises(name): // a Fail state inside of this one
	case prefix == "States" || folded == "state" || folded == "states" || folded == "sates":
		d := c.warn(n, rules.UnknownError, "there is no predefined error %q: it matches nothing", name)
		d.Expected, d.Found = "a predefined Error Name", name
		if suggest(d, name, predefined); d.Fix != nil {
			d.Fix.Certain = wording.Clear(name, d.Fix.To, slices.Values(predefined))
		}
	default:
		c.serviceError(s, n, name)
	}
}

// raises reports whether a Fail state of the machine has that Error.
func (c *checker) raises(name string) bool {
	if c.raised == nil {
		c.raised = make(map[string]bool)
		for s := range c.machine.All() {
			if s.Error != nil {
				c.raised[s.Error.Literal] = true
			}
		}
	}
	return c.raised[name]
}

// neverRaised says why an error of that name cannot reach the handlers of a state, or "".
func neverRaised(s *asl.State, name string) string {
	task := s.Type == asl.Task
	switch name {
	case "States.Runtime":
		return "it is neither retried nor caught, not even by States.ALL"
	case "States.NoChoiceMatched", "States.BranchFailed":
		if task {
			return "a Task state does not raise it"
		}
	case "States.HeartbeatTimeout":
		if task && s.HeartbeatSeconds == nil {
			return "the state has no HeartbeatSeconds"
		}
	case "States.ExceedToleratedFailureThreshold", "States.ItemReaderFailed", "States.ResultWriterFailed":
		if task {
			return "only a Map state raises it"
		}
	case "States.QueryEvaluationError":
		if task && s.QueryLanguage == asl.JSONPath {
			return "it is JSONata's, and the query language of this state is JSONPath"
		}
	case "States.IntrinsicFailure":
		return "Step Functions fails with States.Runtime where an intrinsic function fails, which is neither retried nor caught"
	case "States.ParameterPathFailure", "States.ResultPathMatchFailure":
		if task && s.QueryLanguage == asl.JSONata {
			return "it is JSONPath's, and the query language of this state is JSONata"
		}
	}
	return ""
}

// maxDelay checks that the bound of a retrier's delays is above the first one.
func (c *checker) maxDelay(n *source.Node) {
	m := n.Get("MaxDelaySeconds")
	most, ok := wholeNumber(m)
	if !ok {
		return
	}
	interval, ok := wholeNumber(n.Get("IntervalSeconds"))
	if !ok {
		interval = 1
	}
	if most <= interval {
		d := c.warn(m, rules.MisplacedNumber, "MaxDelaySeconds (%d) is not greater than IntervalSeconds (%d): every delay is the same", most, interval)
		d.Expected, d.Found = "more than "+strconv.FormatInt(interval, 10), strconv.FormatInt(most, 10)
	}
}

// wholeNumber returns the whole number that n is.
func wholeNumber(n *source.Node) (int64, bool) {
	if n == nil {
		return 0, false
	}
	if v, ok := n.Value.(value.Number); ok {
		return v.Int64()
	}
	return 0, false
}
