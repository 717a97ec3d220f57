package flow

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/template"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// faults returns the faults of the state.
func (s *sites) faults() []Fault {
	var list []Fault
	for _, one := range s.order {
		if len(one.lacks) == 0 && !one.guards && !one.decides {
			continue
		}
		switch all := len(one.lacks) == one.total; {
		case one.decides:
			if f, ok := s.settled(one); ok {
				list = append(list, f)
			}
		case one.guards:
			if f, ok := s.constant(one); ok {
				list = append(list, f)
			}
		case one.fault != "":
			if one.total >= s.cases {
				what := "this call can never work: "
				if one.operator {
					what = "this can never work: "
				}
				f := s.fault(one, rules.CallFails, what+one.fault)
				f.Certain, f.Found, f.Expected, f.Suggestion = true, one.text, one.usage, one.advice
				list = append(list, f)
			}
		case one.takes != nil && all:
			list = append(list, s.wrongType(one))
		case one.takes != nil:
		case all:
			if lack := one.lacks[0].Lack(); lack != nil && lack.variable {
				list = append(list, s.unassigned(one, lack))
			} else if lack != nil {
				list = append(list, s.missing(one))
			}
		case one.part:
		default:
			if f, ok := s.sometimes(one); ok {
				list = append(list, f)
			}
		}
	}
	return list
}

func (s *sites) fault(one *site, rule, message string) Fault {
	return Fault{State: s.state, Node: one.node, Span: one.span, Rule: rule, Message: message, Read: one.text}
}

// missing is a read that finds nothing on any way.
func (s *sites) missing(one *site) Fault {
	lack := one.usual()
	rule, where, because := s.whereabouts(one, lack)
	if step := one.discarded(); step != nil {
		rule, where, because = rules.NeverProvided, step.Text, cause{step: step}
	}
	advice, message := cmp.Or(one.inBranch(lack), one.deeper(lack)), one.isMissing(lack)
	near := wording.Nearest(lack.Name, slices.Values(lack.Owner.Names()))
	switch {
	case advice != "" && one.result != nil:
		rule = rules.NeverProvided
	case near != "" && rule == rules.NeverProvided:
		owner, rest := one.around(lack)
		message = path.Misspelt(one.all(), owner+path.Member(near)+rest)
	case advice == "":
		message += "; " + where
	}
	f := s.fault(one, rule, message)
	if f.Certain, f.cause = true, because; rule == rules.Discarded {
		f.Dropped = because.by
	}
	s.explain(&f, one, lack)
	for _, word := range []string{"$.Map.Item", "$.Execution.", "$.State.", "$.StateMachine.", "$.Task.Token"} {
		if strings.HasPrefix(one.text, word) {
			f.Suggestion, f.cause = "did you mean \"$"+one.text+"\"? The context object is $$", cause{} // another mistake
		}
	}
	f.Suggestion = cmp.Or(f.Suggestion, advice, wrapped(one.text, lack))
	return f
}

// whereabouts returns the rule that a read of missing data breaks, where the data are, in words, and the cause.
func (s *sites) whereabouts(one *site, lack *Lack) (rule, where string, because cause) {
	owner := lack.Owner
	part, _ := one.around(lack)
	because = cause{by: owner.By(), part: part}
	switch by := owner.By(); {
	case by == nil && len(owner.Steps()) > 0:
		return rules.NeverProvided, "the given input does not have it", cause{step: owner.Steps()[0]}
	case by == nil || by == s.state:
		return rules.NeverProvided, "nothing in this state provides it", cause{}
	default:
		where = by.Name + " does not provide it"
	}
	last, known := s.pass.lastWith(owner, namesIn(one.text, lack.Name))
	switch {
	case last != nil:
		return rules.Discarded, last.Name + " lost it", cause{by: last}
	case known:
		return rules.NeverProvided, "no data on its way had it", because
	case owner.Kind() == Object && wording.Nearest(lack.Name, slices.Values(owner.Names())) != "":
		return rules.NeverProvided, where, because
	}
	return rules.Discarded, where, because
}

// inBranch says where the end of a path is in the results of a Parallel state, whose array it takes for an object; empty
// where no branch has it.
func (s *site) inBranch(lack *Lack) string {
	list := lack.Owner
	owner, rest := s.around(lack)
	if s.result.Kind() == Array {
		list, owner, rest = s.result, "$states.result", s.all()[len("$states.result"):]
	} else {
		rest = path.Member(lack.Name) + rest
	}
	if list.Kind() != Array || !plainPath().MatchString("$"+rest) {
		return ""
	}
	names := strings.Split(rest[1:], ".")
	for from := range names {
		for i, item := range list.items {
			there, _ := lookup(item, names[from:])
			if there == no || item.Kind() != Object || item.members.get(names[from]) == nil {
				continue
			}
			at := owner + "[" + strconv.Itoa(i) + "]." + strings.Join(names[from:], ".")
			if there == perhaps {
				return "did you mean \"" + at + "\"?"
			}
			branch := "branch " + strconv.Itoa(i+1)
			if by := item.By(); by != nil {
				branch += ", " + by.Name
			}
			return path.ItIsAt + at + " (" + branch + ")"
		}
	}
	return ""
}

// wrappers are the members in which integrations put the data that they bring, with the member of a value that is still
// to be named. The table is never changed.
var wrappers = []struct{ name, rest string }{{"Payload", ""}, {"Item", ".S"}, {"Output", ""}, {"ResponseBody", ""}, {"Body", ""}}

// wrapped returns the advice for a path in which the member of an integration's result was left out, or "".
func wrapped(text string, lack *Lack) string {
	if wording.Nearest(lack.Name, slices.Values(lack.Owner.Names())) != "" {
		return ""
	}
	for _, w := range wrappers {
		for _, m := range lack.Owner.Members() {
			i := strings.LastIndex(text, "."+lack.Name)
			if m.Name == w.name && i >= 0 && !m.Shape.Kind().Scalar() {
				return "did you mean \"" + text[:i] + "." + w.name + text[i:] + w.rest + "\"?"
			}
		}
	}
	return ""
}

// deepest is the number of members below each other in which a name is looked for.
const deepest = 4

// deeper says where the name that is missing is in the members of what lacks it; empty where it is not at one place, or
// another name there is like it.
func (s *site) deeper(lack *Lack) string {
	owner, rest := s.around(lack)
	at := deeper(lack.Owner, lack.Name, deepest)
	if len(at) != 1 || wording.Nearest(lack.Name, slices.Values(lack.Owner.Names())) != "" {
		return ""
	}
	return path.ItIsAt + owner + at[0] + rest
}

// deeper returns the ways to the members of a name in the members of a shape, such as ".Payload.id".
func deeper(s *Shape, name string, depth int) (list []string) {
	for _, m := range s.Members() {
		if depth == 0 || !path.Plain(m.Name) || m.Shape.Kind() != Object {
			continue
		}
		if there, _ := lookup(m.Shape, []string{name}); there == yes {
			list = append(list, "."+m.Name+"."+name)
			continue
		}
		for _, at := range deeper(m.Shape, name, depth-1) {
			list = append(list, "."+m.Name+at)
		}
	}
	return list
}

// usual returns why the read finds nothing, rather on the usual way than on a catcher's.
func (s *site) usual() *Lack {
	for _, c := range s.lacks {
		if l := c.Lack(); l != nil && !slices.ContainsFunc(l.Owner.Steps(), func(step *Step) bool { return step.Way }) {
			return l
		}
	}
	return s.lacks[0].Lack()
}

// sometimes is a read that finds nothing on some ways.
func (s *sites) sometimes(one *site) (Fault, bool) {
	for _, c := range one.lacks {
		lack := c.Lack()
		if lack != nil && lack.variable {
			return s.onWay(one, lack)
		}
		if lack == nil || len(lack.Owner.Steps()) == 0 {
			continue
		}
		step := decisive(lack.Owner, one.text)
		message := one.isMissing(lack)
		switch {
		case step.catcher > 0:
			message += ", on the way by catcher " + strconv.Itoa(step.catcher) + " of " + step.By.Name
		case step.By != nil && step.By != s.state:
			message += ", when the data come from " + step.By.Name
		default:
			message += ", on one way"
		}
		if step.discards {
			message += ": " + step.Text
		}
		f := s.fault(one, rules.MissingOnWay, message)
		part, _ := one.around(lack)
		f.cause = cause{step: step, part: part}
		s.explain(&f, one, lack)
		return f, true
	}
	return Fault{}, false
}

// decisive returns the step that says best why a value lacks something: a catcher's, else the last one. A catcher
// that leaves the Error Output out is worth its word where that is read.
func decisive(s *Shape, text string) *Step {
	steps := s.Steps()
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i].Way && (!steps[i].discards || aboutError(text)) {
			return steps[i]
		}
	}
	return steps[len(steps)-1]
}

// aboutError reports whether a path seems to lead into an Error Output.
func aboutError(text string) bool {
	return strings.HasSuffix(text, ".Cause") || strings.HasSuffix(text, ".Error") || strings.Contains(strings.ToLower(text), ".error")
}

// discarded returns the step of a catcher that leaves out the Error Output that is read; nil where there is none.
func (s *site) discarded() *Step {
	for _, c := range s.lacks {
		if l := c.Lack(); l != nil && len(l.Owner.Steps()) > 0 {
			if step := decisive(l.Owner, s.text); step.discards {
				return step
			}
		}
	}
	return nil
}

// explain adds to a fault the steps that made the value that lacks something.
func (s *sites) explain(f *Fault, one *site, lack *Lack) {
	f.Expected, f.Found = lack.Name, lack.Owner.Has()
	for _, step := range lack.Owner.Steps() {
		f.Reasons = append(f.Reasons, asl.Reason{Text: step.Text, Span: step.Span})
		if step.catcher > 0 {
			f.Catcher, f.Number = step.By, step.catcher
		}
	}
	f.Reasons = append(f.Reasons, asl.Reason{Text: one.field + " of " + s.state.Name + " reads " + one.text, Span: one.span})
	if lack.Owner.Kind() == Object {
		f.Name, f.Names = lack.Name, lack.Owner.Names()
	}
	if lack.Owner.Kind() == String {
		f.Reasons = append(f.Reasons, asl.Reason{Text: "a string has no members, even where it holds JSON: States.StringToJson makes a value of it ($parse in JSONata)"})
	}
}

// around returns the parts of the path before and behind the name that is missing.
func (s *site) around(lack *Lack) (owner, rest string) {
	for _, end := range []string{"." + lack.Name, lack.Name, "['" + lack.Name + "']"} {
		i := strings.LastIndex(s.text, end)
		if i <= 0 {
			continue
		}
		if rest = s.text[i+len(end):]; rest == "" || strings.ContainsAny(rest[:1], ".[") {
			return s.text[:i], rest + s.all()[len(s.text):]
		}
	}
	return "the data", ""
}

// isMissing is the sentence on a read that finds nothing.
func (s *site) isMissing(lack *Lack) string {
	owner, _ := s.around(lack)
	if s.result.Kind() == Array {
		return path.IsMissing(s.all(), "$states.result "+path.IsOther(Array.String(), false))
	}
	return path.IsMissing(s.all(), owner+" "+lack.instead())
}

// all is the whole path, also behind the name that is missing.
func (s *site) all() string { return cmp.Or(s.whole, s.text) }

// wrongType is a value of a kind that its place does not take.
func (s *sites) wrongType(one *site) Fault {
	kinds := value.Each(one.takes, Kind.String)
	wants := strings.Join(kinds, " or ")
	lack := one.lacks[0]
	found := "is " + lack.Kind().String()
	if one.bound != nil {
		wants = one.bound.words
	}
	switch {
	case lack.Kind() == String:
		found = lack.Has()
	case one.bound != nil && lack.Kind() == Number && lack.Constant() != nil:
		found = "is " + value.Compact(lack.Constant())
	}
	rule, message := rules.WrongValue, one.text+" "+found+", and "+one.place+" "+wants
	if one.argument > 0 {
		message = one.place + template.MustBe(one.argument-1, wants, lack.is())
		if advice := template.AdviceOn(lack.Constant(), wants); advice != "" {
			message += "; " + advice
		}
	}
	if meant := lack.misspelt(one.word); meant != "" {
		message = one.text + " " + lack.Has() + "; " + value.Compact(one.word) + " is none of them: the comparison never holds"
		f := s.fault(one, rules.NeverHolds, message)
		f.Certain, f.Expected, f.Found = true, meant, value.Compact(one.word)
		f.Name, f.Names = value.Plain(one.word), lack.words
		return f
	}
	if one.compares {
		rule, message = rules.NeverHolds, one.place+" with "+wants+", and "+one.text+" "+found+": the comparison never holds"
		message = strings.Replace(message, "compares with", "compares", 1)
	}
	f := s.fault(one, rule, message)
	f.Certain, f.Expected, f.Found = true, wants, strings.TrimPrefix(found, "is ")
	for _, step := range one.lacks[0].Steps() {
		f.Reasons = append(f.Reasons, asl.Reason{Text: step.Text, Span: step.Span})
	}
	if lack.attribute() {
		switch {
		case slices.Contains(one.takes, String) || one.numeric:
			f.Suggestion = "did you mean \"" + one.text + attributeMember(one.numeric) + "\"?"
		case slices.Contains(one.takes, Number):
			f.Suggestion = "an attribute of DynamoDB has its number as a text: a Pass with States.StringToJson(" +
				one.text + ".N) before makes it one"
		}
	}
	return f
}
