package asl

import (
	"fmt"

	"asldb/engine/rules"
	"asldb/engine/value"
)

// The defaults and bounds of a retrier.
const (
	defaultInterval = 1
	defaultAttempts = 3
	defaultBackoff  = 2.0
	maxMaxDelay     = 31_622_400
)

// statesAll is the Error Name that matches every error which can be caught.
const statesAll = "States.ALL"

// misplacedAll is the service's message about States.ALL with other names, or before the end.
const misplacedAll = "States.ALL must appear alone and at end of list"

// retry reads the Retry field of a state.
func (b *builder) retry(s *State, m *NodeMember) {
	b.eachHandler(m, "a retrier", func(n *Node, _ int, last bool) {
		s.Retry = append(s.Retry, b.retrier(n, last))
	})
}

// catch reads the Catch field of a state.
func (b *builder) catch(s *State, m *NodeMember) {
	b.eachHandler(m, "a catcher", func(n *Node, i int, last bool) {
		s.Catch = append(s.Catch, b.catcher(s, n, i, last))
	})
}

// eachHandler calls read for every member of Retry or Catch that is an object.
func (b *builder) eachHandler(m *NodeMember, owner string, read func(n *Node, i int, last bool)) {
	if !b.kind(m, value.KindArray) {
		return
	}
	for i, n := range m.Node.Items {
		if n.Kind != value.KindObject {
			b.report(n, n.Span, rules.Type, "%s must be an object, but is %s", owner, describe(n))
			continue
		}
		read(n, i, i == len(m.Node.Items)-1)
		if n.Get("ErrorEquals") == nil {
			b.missing(n, owner, "ErrorEquals")
		}
	}
}

func (b *builder) retrier(n *Node, last bool) *Retrier {
	r := &Retrier{
		IntervalSeconds: defaultInterval, MaxAttempts: defaultAttempts, BackoffRate: defaultBackoff,
		JitterStrategy: JitterNone, Span: n.Span,
	}
	for i := range n.Members {
		switch m := &n.Members[i]; m.Key {
		case "ErrorEquals":
			r.ErrorEquals = b.errorEquals(m, last)
		case "IntervalSeconds":
			r.IntervalSeconds, _ = b.whole(m, 1, maxSeconds)
		case "MaxAttempts":
			r.MaxAttempts, _ = b.whole(m, 0, maxSeconds)
		case "BackoffRate":
			r.BackoffRate = b.backoffRate(m)
		case "MaxDelaySeconds":
			r.MaxDelaySeconds, _ = b.whole(m, 1, maxMaxDelay)
		case "JitterStrategy":
			r.JitterStrategy = wordIn(b.reporter, m, jitterStrategies)
		case "Comment":
			r.Comment = b.comment(m)
		default:
			b.unknown(m, "a retrier", namesOf(retrierFields))
		}
	}
	return r
}

func (b *builder) backoffRate(m *NodeMember) float64 {
	if !b.kind(m, value.KindNumber) {
		return 0
	}
	number := m.Node.Value.(value.Number)
	rate := number.Float64()
	if rate < 1 || rate > maxSeconds {
		b.wrong(m, rules.Range, "\"BackoffRate\" must be at least 1.0, but is %s", number.Text())
	}
	return rate
}

func (b *builder) catcher(s *State, n *Node, index int, last bool) *Catcher {
	c := &Catcher{Span: n.Span}
	for i := range n.Members {
		m := &n.Members[i]
		f := partOf(catcherFields, m.Key)
		switch m.Key {
		case "ErrorEquals":
			c.ErrorEquals = b.errorEquals(m, last)
		case "Next":
			if name, ok := b.text(m); ok {
				c.Next = name
				b.transition(s, EdgeCatch, len(s.Catch), m, name)
			}
		case "ResultPath":
			if b.allowed(s, m, f.Language) {
				c.ResultPath = b.resultPath(m)
			}
		case "Assign":
			c.Assign = b.assign(s, m, fmt.Sprintf("Catch[%d]/", index), f)
		case "Output":
			if b.allowed(s, m, f.Language) {
				c.Output = b.query(s, m, fmt.Sprintf("Catch[%d]/Output", index), f)
			}
		case "Comment":
			c.Comment = b.comment(m)
		default:
			b.unknown(m, "a catcher", namesOf(catcherFields))
		}
	}
	if n.Get("Next") == nil {
		b.missing(n, "a catcher", "Next")
	}
	return c
}

// errorEquals reads the Error Names that a retrier or catcher matches. last reports whether it is the last one
// of its state, the only one that may have States.ALL.
func (b *builder) errorEquals(m *NodeMember, last bool) []string {
	if !b.kind(m, value.KindArray) {
		return nil
	}
	if len(m.Node.Items) == 0 {
		b.wrong(m, rules.EmptyArray, "\"ErrorEquals\" must have at least one Error Name").Service.Message = emptyMessage
	}
	names := make([]string, 0, len(m.Node.Items))
	for _, n := range m.Node.Items {
		name, ok := n.Value.(value.String)
		if !ok {
			b.report(n, n.Span, rules.Type, "an Error Name must be a string, but is %s", describe(n))
			continue
		}
		names = append(names, string(name))
		if name != statesAll {
			continue
		}
		if len(m.Node.Items) > 1 {
			b.wrong(m, rules.StatesAll, "\"States.ALL\" must be the only Error Name in its \"ErrorEquals\"").Service.Message = misplacedAll
		}
		if !last {
			b.wrong(m, rules.StatesAll, "\"States.ALL\" may stand only in the last retrier or catcher, since it matches every error").Service.Message = misplacedAll
		}
	}
	return names
}
