// Package sourcetest checks implementations of [outcome.Source], as testing/fstest checks implementations of fs.FS.
package sourcetest

import (
	"fmt"
	"slices"
	"testing"

	"asldb/engine"
	"asldb/engine/interrupt"
	"asldb/engine/outcome"
	"asldb/engine/value"
)

// Test checks that sources returned by create, which are all at their beginning, keep to the protocol when they are asked
// these. The asks should lead the source through its sequences and beyond their ends. No call that a source puts off is
// begun. Test reports errors through t.
func Test(t testing.TB, create func() outcome.Source, asks ...outcome.Ask) {
	t.Helper()
	c := &check{TB: t, create: create, asks: asks}
	c.replies = c.askAll(create(), asks)
	c.kinds()
	c.seek()
	c.first()
}

// Func is a source of tasks' outcomes whose replies depend on the request alone.
type Func func(*engine.TaskRequest) outcome.Reply

// Ask implements [outcome.Source].
func (f Func) Ask(ask outcome.Ask) outcome.Reply {
	if task, ok := ask.(outcome.Task); ok {
		return f(task.Request)
	}
	return outcome.Reply{}
}

// Seek implements [outcome.Source].
func (f Func) Seek(asked []outcome.Ask) (left []outcome.Ask) { return outcome.Again(f, asked) }

type check struct {
	testing.TB
	create  func() outcome.Source
	asks    []outcome.Ask
	replies []outcome.Reply // of a source that is asked all of them
}

func (c *check) askAll(source outcome.Source, asks []outcome.Ask) []outcome.Reply {
	return value.Each(asks, source.Ask)
}

// kinds checks that each reply is one of those that its ask allows, with all that belongs to it.
func (c *check) kinds() {
	c.Helper()
	for i, reply := range c.replies {
		if wrong := wrongKind(c.asks[i], reply); wrong != "" {
			c.Errorf("ask %d (%s): %s", i, askText(c.asks[i]), wrong)
		}
	}
}

func wrongKind(ask outcome.Ask, reply outcome.Reply) string {
	_, task := ask.(outcome.Task)
	_, object := ask.(outcome.Object)
	fits := true
	switch reply.Kind() {
	case outcome.KindGiven:
		fits = !object
	case outcome.KindContent, outcome.KindRefusal:
		fits = object
	case outcome.KindLater:
		fits = task
	case outcome.KindFault:
		if interrupt.Is(reply.Err()) {
			return "the source was interrupted"
		}
	case outcome.KindNone:
	}
	switch {
	case !fits:
		return fmt.Sprintf("a %s is not a reply to this ask", reply.Kind())
	case !reply.Complete():
		return show(reply) + " is not complete: a reply has an origin, either an output or an error, and a call has a beginning"
	}
	return ""
}

// seek checks that a source which seeks replies as one that was asked, at whatever place it was before.
func (c *check) seek() {
	c.Helper()
	one := c.create()
	for to := range len(c.asks) + 1 {
		fresh, asked := c.create(), slices.Clone(c.asks[:to])
		for name, source := range map[string]outcome.Source{"a new source": fresh, "a source that was asked everything": one} {
			left := source.Seek(asked)
			if !sameAsks(asked, c.asks[:to]) {
				c.Fatalf("Seek to ask %d changes the asks", to)
			}
			if want := c.left(to); !sameAsks(left, want) {
				c.Errorf("%s that seeks to ask %d leaves %s, and replies None to %s", name, to, list(left), list(want))
			}
			for i, reply := range c.askAll(source, c.asks[to:]) {
				if !equal(reply, c.replies[to+i]) {
					c.Errorf("%s that seeks to ask %d replies %s to ask %d, and one that was asked %s",
						name, to, show(reply), to+i, show(c.replies[to+i]))
				}
			}
		}
	}
}

// left returns the asks before number to that get None.
func (c *check) left(to int) (left []outcome.Ask) {
	for i, reply := range c.replies[:to] {
		if reply.Kind() == outcome.KindNone {
			left = append(left, c.asks[i])
		}
	}
	return left
}

// first checks that the source is the same beside one that has nothing.
func (c *check) first() {
	c.Helper()
	empty := outcome.Without(nil)
	for name, source := range map[string]outcome.Source{
		"First(empty, source)": outcome.First(empty, c.create()), "First(source, empty)": outcome.First(c.create(), empty),
	} {
		for i, reply := range c.askAll(source, c.asks) {
			if !equal(reply, c.replies[i]) {
				c.Errorf("%s replies %s to ask %d, and the source %s", name, show(reply), i, show(c.replies[i]))
			}
		}
	}
}

// sameAsks reports whether two lists have the same asks.
func sameAsks(a, b []outcome.Ask) bool {
	return slices.EqualFunc(a, b, func(a, b outcome.Ask) bool { return key(a) == key(b) })
}

// key identifies an ask.
func key(ask outcome.Ask) any {
	switch ask := ask.(type) {
	case outcome.Task:
		return ask.Request
	case outcome.Object:
		return ask.Request
	case outcome.MapRun:
		return ask
	}
	return nil
}

// equal reports whether two replies say the same. Calls are equal, and errors are compared by their text.
func equal(a, b outcome.Reply) bool { return show(a) == show(b) }

func show(reply outcome.Reply) string {
	switch reply.Kind() {
	case outcome.KindGiven:
		o := reply.Outcome()
		return fmt.Sprintf("Given{%s %q %q, submitted %s, after %v, a heartbeat every %v, by %s}",
			text(o.Output), o.Error, o.Cause, text(o.Submitted), o.After, o.HeartbeatEvery, reply.Origin())
	case outcome.KindContent:
		return fmt.Sprintf("Content{%q %s}", reply.Body(), reply.Origin())
	case outcome.KindRefusal:
		return fmt.Sprintf("Refusal{%v %s}", reply.Refused(), reply.Origin())
	case outcome.KindLater:
		return "Later"
	case outcome.KindFault, outcome.KindNone:
	}
	return fmt.Sprintf("%s{%v}", reply.Kind(), reply.Err())
}

// text is a value as JSON; nil is "none".
func text(v value.Value) string {
	if v == nil {
		return "none"
	}
	return value.Compact(v)
}

func list(asks []outcome.Ask) string {
	texts := value.Each(asks, askText)
	return fmt.Sprint(texts)
}

func askText(ask outcome.Ask) string {
	switch ask := ask.(type) {
	case outcome.Task:
		return fmt.Sprintf("task %d", ask.Request.ID)
	case outcome.Object:
		return fmt.Sprintf("object %d", ask.Request.ID)
	case outcome.MapRun:
		return fmt.Sprintf("Map Run %d of %s", ask.Attempt, ask.Visit.Path())
	}
	return "nothing"
}
