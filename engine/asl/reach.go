package asl

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// loss is a problem that leaves open where a state leads.
type loss struct {
	from       *State
	near       *State // to which the transition was probably meant to lead; nil where that is not known
	diagnostic int    // its place among the diagnostics; -1 where an unknown value isn't a problem
}

// The fields of a state with its transitions and Type, which says what fields it has; and those with End.
var (
	transitionFields = []string{"Next", "Default", "Choices", "Catch", "Type"}
	endingFields     = append(slices.Clone(transitionFields), "End")
)

// losses returns the problems of a scope that leave open where its states lead, by the fields with transitions.
func (r *resolver) losses(scope *Scope, fields []string) []loss {
	var list []loss
	at := make(map[string]*State, len(scope.States))
	for _, s := range scope.States {
		at[s.Pointer] = s
		if unknownTransition(s.Node) {
			list = append(list, loss{from: s, diagnostic: -1})
		}
	}
	for i := range r.diagnostics {
		d := &r.diagnostics[i]
		s, field := stateAt(at, d.Pointer)
		if s == nil || d.Severity != Error {
			continue
		}
		if open, name := opens(d, s, field, fields); open {
			l := loss{from: s, diagnostic: i}
			if name != "" {
				l.near = scope.Meant(name)
			}
			if d.Rule == rules.LeavesScope && scope.Container == nil {
				l.near = outer(r.machine.byName[name])
			}
			list = append(list, l)
		}
	}
	return list
}

// stateAt returns the state of the map at a pointer or at the one around it, with the rest of the pointer.
func stateAt(at map[string]*State, pointer string) (s *State, rest string) {
	for end := len(pointer); end >= 0; end = strings.LastIndexByte(pointer[:end], '/') {
		if s := at[pointer[:end]]; s != nil {
			return s, pointer[end:]
		}
	}
	return nil, ""
}

// opens reports whether a problem at a field of a state leaves open where the state leads, and returns the name that
// the field has.
func opens(d *Diagnostic, s *State, field string, fields []string) (open bool, name string) {
	_, n := s.Node.Find(field)
	parts := strings.Split(strings.TrimPrefix(field, "/"), "/")
	key := parts[len(parts)-1]
	if d.Fix != nil && d.Rule == rules.UnknownField {
		key = d.Fix.To
	}
	if n != nil && n.IsText() && (key == "Next" || key == "Default") {
		name = string(n.Value.(value.String))
	}
	inside := len(parts) > 1 && (parts[0] == "Choices" || parts[0] == "Catch")
	if d.Fix != nil && d.Rule == rules.UnknownField {
		return len(parts) == 1 && slices.Contains(fields, key) || len(parts) == 3 && inside && key == "Next", name
	}
	switch {
	case field == "":
		return d.Rule == rules.MissingTransition || d.Rule == rules.Type || d.Rule == rules.MissingField && (s.Type == Choice || s.Type == 0), ""
	case len(parts) == 1:
		return slices.Contains(fields, key), name
	case len(parts) == 2:
		return inside && (n == nil || n.Get("Next") == nil), ""
	}
	return len(parts) == 3 && inside && key == "Next", name
}

// unknownTransition reports whether a value that is known only after deployment says where a state leads.
func unknownTransition(n *Node) bool {
	if n == nil || n.Unknown {
		return true
	}
	for _, field := range transitionFields {
		v := n.Get(field)
		if v == nil {
			continue
		}
		if v.Unknown {
			return true
		}
		for _, item := range v.Items {
			if next := item.Get("Next"); item.Unknown || next != nil && next.Unknown {
				return true
			}
		}
	}
	return false
}

// Reached returns, by the states' Index, to which states of the scope a way leads from its first one, where that is known.
func (s *Scope) Reached() []bool {
	reached := make([]bool, len(s.States))
	if first := s.Meant(s.StartAt); first != nil {
		reached[first.Index] = true
		reach(reached, []*State{first})
	}
	return reached
}

// reach marks the states that can be reached from those that are pending.
func reach(reached []bool, pending []*State) {
	for len(pending) > 0 {
		s := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for _, e := range s.edges {
			if !reached[e.to.Index] {
				reached[e.to.Index] = true
				pending = append(pending, e.to)
			}
		}
	}
}

// followFrom returns the loss that keeps a state from being reached, for states that no other problem keeps from it:
// where it is known which state was meant, the states behind that; else all others.
func followFrom(scope *Scope, losses []loss, reached []bool) map[*State]loss {
	cause := make(map[*State]loss)
	known := slices.Clone(reached)
	follow := func(l loss) {
		for _, s := range scope.States {
			if known[s.Index] && !reached[s.Index] && cause[s].from == nil {
				cause[s] = l
			}
		}
	}
	for again := true; again; {
		again = false
		for _, l := range losses {
			if l.near == nil || !known[l.from.Index] || known[l.near.Index] {
				continue
			}
			known[l.near.Index], again = true, true
			reach(known, []*State{l.near})
			follow(l)
		}
	}
	for _, l := range losses {
		if l.near == nil && known[l.from.Index] {
			for i := range known {
				known[i] = true
			}
			follow(l)
		}
	}
	return cause
}

// ofStart returns the problem with StartAt as the cause for all states of the scope.
func (r *resolver) ofStart(scope *Scope, startAt *Node) map[*State]loss {
	cause := make(map[*State]loss)
	at := -1
	if !startAt.Unknown {
		at = slices.IndexFunc(r.diagnostics, func(d Diagnostic) bool { return d.Rule == rules.StartAt && d.Pointer == r.pointers[startAt] })
	}
	for _, s := range scope.States {
		cause[s] = loss{from: s, diagnostic: at}
	}
	return cause
}

// maxUnreached is the greatest number of states that a problem names as not reachable because of it.
const maxUnreached = 5

// named returns the names that the transitions of a scope lead to, also of states that must not have them: to the
// service a state among them is reachable, whether or not a way leads there.
func named(scope *Scope) map[string]bool {
	names := map[string]bool{scope.StartAt: true}
	for _, s := range scope.States {
		for to := range Transitions(s.Node) {
			if name, ok := to.Value.(value.String); ok {
				names[string(name)] = true
			}
		}
	}
	return names
}

// Transitions yields the values that name the states to which a state in the text leads.
func Transitions(state *Node) iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		all := []*Node{state.Get("Next"), state.Get("Default")}
		for _, field := range []string{"Choices", "Catch"} {
			if list := state.Get(field); list != nil {
				all = append(all, value.Each(list.Items, func(item *Node) *Node { return item.Get("Next") })...)
			}
		}
		for _, to := range all {
			if to != nil && !yield(to) {
				return
			}
		}
	}
}

// unreachable reports every state of the scope that no transition names, as the service does, and warns of the others to which no way
// leads from the first one. Where the first one is unknown, only names count.
func (r *resolver) unreachable(scope *Scope, first *State, startAt *Node) {
	u := unreached{resolver: r, names: named(scope), done: make([]bool, len(scope.States)), count: make(map[int]int)}
	var cause map[*State]loss
	if first == nil {
		cause = r.ofStart(scope, startAt)
	} else {
		u.done[first.Index] = true
		if reach(u.done, []*State{first}); u.names[first.Name] && !slices.Contains(u.done, false) {
			return
		}
		cause = followFrom(scope, r.losses(scope, transitionFields), u.done)
		if !u.names[first.Name] { // only meant by StartAt
			cause[first], u.done[first.Index] = r.ofStart(scope, startAt)[first], false
		}
	}
	for _, s := range scope.States {
		if first == nil && u.names[s.Name] || scope.State(s.Name) != s || s.Node.Unknown {
			u.done[s.Index] = true
		} else if l := cause[s]; l.from != nil && !u.done[s.Index] {
			u.report(s, l.diagnostic)
		}
	}
	for _, named := range []bool{false, true} { // from the named ones that are left, a way leads round
		for _, s := range scope.States {
			if !u.done[s.Index] && u.names[s.Name] == named {
				u.from(s)
			}
		}
	}
	for at, n := range u.count {
		if more := n - maxUnreached; more > 0 {
			because := &r.diagnostics[at]
			because.Reasons = append(because.Reasons, source.Reason{Text: "so " + others(more) + " not reachable"})
		}
	}
}

// unreached reports the states of a scope that are not reachable.
type unreached struct {
	*resolver
	names map[string]bool // see [named]
	done  []bool          // the states that are reached, or reported
	count map[int]int     // how many states follow from the diagnostic at a place
}

// itself is the cause of a state that is not reachable because of no other problem; below 0 no other cause is a problem.
const itself = math.MaxInt

// report reports a state that is not reachable, as what follows from the diagnostic at a place.
func (u *unreached) report(s *State, cause int) {
	u.done[s.Index] = true
	if cause < 0 {
		return
	}
	if u.names[s.Name] {
		d := u.resolver.report(s.Node, s.NameSpan, rules.NoWayFromStart, "no way leads from \"StartAt\" to %s", quote(s.Name))
		d.Severity, d.Expected = Warning, "a transition to it from a state that can be reached"
	} else {
		d := u.resolver.report(s.Node, s.NameSpan, rules.Unreachable, "State %s is not reachable", quote(s.Name))
		d.Expected = "a transition to it from a state that can be reached"
		d.Service.Message = fmt.Sprintf("State \"%s\" is not reachable.", s.Name)
	}
	if cause == itself {
		return
	}
	u.implied(cause)
	if s.Scope.StartAt != s.Name && s == s.Scope.Meant(s.Scope.StartAt) {
		return // the suggestion names it
	}
	if u.count[cause]++; u.count[cause] <= maxUnreached {
		because := &u.diagnostics[cause]
		because.Reasons = append(because.Reasons, source.Reason{Text: "so state " + quote(s.Name) + " is not reachable", Span: s.NameSpan})
	}
}

// from reports a state, and as its consequence those that only it leads to.
func (u *unreached) from(s *State) {
	u.report(s, itself)
	cause := len(u.diagnostics) - 1
	for pending := []*State{s}; len(pending) > 0; {
		s, pending = pending[len(pending)-1], pending[:len(pending)-1]
		for _, e := range s.edges {
			if !u.done[e.to.Index] {
				u.report(e.to, cause)
				pending = append(pending, e.to)
			}
		}
	}
}

func others(n int) string {
	if n == 1 {
		return "1 more state is"
	}
	return strconv.Itoa(n) + " more states are"
}

// noTerminal reports that no state of the scope ends, which a problem with a transition can be the cause of.
func (r *resolver) noTerminal(scope *Scope, states *NodeMember) {
	losses := r.losses(scope, endingFields)
	if slices.ContainsFunc(losses, func(l loss) bool { return l.diagnostic < 0 }) {
		return
	}
	d := r.wrongKey(states, rules.NoTerminal, "no state ends here: there must be a state with \"End\": true, a Succeed or a Fail")
	d.Service = source.Reply{Message: "Workflow has no terminal state", Nowhere: true}
	if len(losses) > 0 {
		l := losses[max(0, slices.IndexFunc(losses, func(l loss) bool { return l.near == nil }))] // the others lead to states that do not end
		r.implied(l.diagnostic)
		because := &r.diagnostics[l.diagnostic]
		because.Reasons = append(because.Reasons, source.Reason{Text: "so no state ends here", Span: states.KeySpan})
	}
}
