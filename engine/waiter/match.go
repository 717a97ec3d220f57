package waiter

import (
	"fmt"

	"asldb/engine/value"
)

// Response is the result of one call of the operation: an output or an error.
type Response struct {
	// Input is the operation's input; nil means {}.
	Input value.Value
	// Output is nil where the call failed.
	Output value.Value
	// Error is the name of the error, with or without a namespace; empty where the call succeeded.
	Error string
}

// Verdict is the result of a matcher for a response.
type Verdict struct {
	Matched bool
	// Selected is the value that the path selected; nil where the matcher has no path, or where it was not evaluated.
	Selected value.Value
	// Reason says in words why the matcher matched or did not.
	Reason string
}

// Match looks at a response (section "Matcher union"). A value of another type than the comparator asks for does
// not match; neither does a response whose path cannot be evaluated.
func (m *Matcher) Match(r *Response) Verdict {
	failed := r.Error != ""
	switch m.Kind {
	case MatchSuccess:
		if m.Success != failed {
			return Verdict{true, nil, "the call " + how(failed)}
		}
		return Verdict{false, nil, "the call " + how(failed)}
	case MatchErrorType:
		switch {
		case !failed:
			return Verdict{false, nil, "there was no error"}
		case errorName(m.ErrorType) == errorName(r.Error):
			return Verdict{true, nil, "the error is " + errorName(r.Error)}
		}
		return Verdict{false, nil, "the error is " + errorName(r.Error)}
	case MatchOutput, MatchInputOutput:
	}
	if failed {
		return Verdict{false, nil, "an output is looked at only where the call succeeded, and it failed with " + errorName(r.Error)}
	}
	if m.path == nil {
		return Verdict{false, nil, "the path is not JMESPath"}
	}
	data := orEmpty(r.Output)
	if m.Kind == MatchInputOutput {
		data = value.ObjectOf(value.Member{Key: "input", Value: orEmpty(r.Input)}, value.Member{Key: "output", Value: data})
	}
	selected, err := m.path.search(data)
	if err != nil {
		return Verdict{false, nil, "the path cannot be evaluated: " + err.Error()}
	}
	matched, reason := m.compare(selected)
	return Verdict{matched, selected, reason}
}

func how(failed bool) string {
	if failed {
		return "failed"
	}
	return "succeeded"
}

func orEmpty(v value.Value) value.Value {
	if v == nil {
		return value.ObjectOf()
	}
	return v
}

// compare compares the value that the path selected (section "PathComparator enum").
func (m *Matcher) compare(selected value.Value) (matched bool, reason string) {
	expected := value.Value(value.String(m.Expected))
	switch m.Comparator {
	case BooleanEquals:
		expected = value.Bool(m.Expected == "true")
		if selected.Kind() != value.KindBool {
			return false, notA("a boolean", selected)
		}
	case StringEquals:
		if selected.Kind() != value.KindString {
			return false, notA("a string", selected)
		}
	case AllStringEquals, AnyStringEquals:
		list, ok := selected.(*value.Array)
		if !ok {
			return false, notA("an array", selected)
		}
		return m.compareList(list, expected)
	default:
		return false, "the matcher has no comparator"
	}
	if value.Equal(selected, expected) {
		return true, "it is " + value.Preview(selected, 60)
	}
	return false, "it is " + value.Preview(selected, 60)
}

func (m *Matcher) compareList(list *value.Array, expected value.Value) (matched bool, reason string) {
	equal := 0
	for i, item := range list.All() {
		switch {
		case value.Equal(item, expected):
			equal++
			if m.Comparator == AnyStringEquals {
				return true, fmt.Sprintf("item %d is %s", i, value.Preview(item, 60))
			}
		case m.Comparator == AllStringEquals:
			return false, fmt.Sprintf("item %d is %s", i, value.Preview(item, 60))
		}
	}
	switch {
	case list.Len() == 0:
		return false, "the array is empty"
	case m.Comparator == AllStringEquals:
		return true, fmt.Sprintf("all %d items are equal", equal)
	}
	return false, fmt.Sprintf("none of its %d items is", list.Len())
}

func notA(wanted string, v value.Value) string {
	if v.Kind() == value.KindNull {
		return "nothing is there: the path gives null, and the comparator takes " + wanted
	}
	return fmt.Sprintf("it is %s, not %s: %s", v.Kind(), wanted, value.Preview(v, 60))
}

// Step is the effect of a response on the waiter: the acceptor that decided, from 0, or -1 where the implicit rules
// did: an error that nothing matched is a failure, and a success that nothing matched is tried again (section
// "Waiter workflow").
func (w *Waiter) Step(r *Response) (acceptor int, state State) {
	r = w.typed(r)
	for i, a := range w.Acceptors {
		if a.Matcher.Match(r).Matched {
			return i, a.State
		}
	}
	if r.Error != "" {
		return -1, Failure
	}
	return -1, Retry
}
