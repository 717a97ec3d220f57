package flow

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// A Fault is a problem of the data flow.
type Fault struct {
	State *asl.State
	Node  *source.Node
	Span  source.Span
	Rule  string
	// Certain tells that it is so on every way to the state; else on one of several.
	Certain         bool
	Message         string
	Expected, Found string
	Reasons         []asl.Reason
	// Name is the word that was not found, Names are those that are there.
	Name  string
	Names []string
	// Suggestion is another advice than one of the Names, or "".
	Suggestion string
	// Read is the text of the path or expression; Also are the reads that fail because of the same.
	Read string
	Also []Also
	// Catcher is the state with the catcher that has put its Error Output in place of the data, Number is the
	// catcher's, from 1; nil and 0 of other faults.
	Catcher *asl.State
	Number  int
	cause   cause
}

// cause is what data are missing because of; zero where that is not known.
type cause struct {
	by   *asl.State // the state that has lost them
	step *Step      // that of the way that lacks them
	part string     // of the data that should have them
}

// Also is a further place of a Fault.
type Also struct {
	State *asl.State
	Read  string
	Span  source.Span
}

// together makes one fault of those with one cause: of the reads of data that one state has lost, and of those behind
// it that lack the same.
func together(faults []Fault) []Fault {
	var list []Fault
	for _, f := range faults {
		i := slices.IndexFunc(list, func(first Fault) bool { return first.covers(&f) })
		if i < 0 {
			list = append(list, f)
			continue
		}
		list[i].Also = append(list[i].Also, Also{f.State, f.Read, f.Span})
	}
	return list
}

// covers reports whether another fault is there because of the same.
func (f *Fault) covers(other *Fault) bool {
	switch {
	case f.Rule != other.Rule || other.cause == cause{}:
		return false
	case f.cause == other.cause:
		return f.Rule != rules.NeverProvided || f.Read == other.Read
	}
	behind := other.cause.by == f.State || slices.ContainsFunc(f.Also, func(a Also) bool { return other.cause.by == a.State })
	return behind && f.Read == other.Read
}

// use is one place where a state uses a value.
type use struct {
	node  *source.Node
	span  source.Span
	field string
	text  string // of the path or expression
	shape *Shape
	// place says what takes the value ("a Map state iterates over"), and takes the kinds that it takes.
	place   string
	takes   []Kind
	numeric bool // a string with a whole number is taken too
	// bound says which constants of those kinds are taken; nil: all.
	bound *bound
	// compares: a value of another kind is no failure, but the comparison never holds; nor does it with a word that
	// only seems to be one of those that the value can be.
	compares bool
	word     value.Value
	// part: in a larger expression, where it may be intended that there is nothing on some ways.
	part bool
	// result is of a Parallel state, if the path leads into it, and whole is the path to its end.
	result *Shape
	whole  string
	// fault is the message of a call that cannot work, usage how it is called.
	fault, usage string
}

// site gathers the uses at one place.
type site struct {
	use
	total int
	lacks []*Shape // where there is nothing, or a value of the wrong kind
	found []*Shape // all, where that is asked for
	// guards: it is the test of a Choice whether there is something; held counts the data for which there always is.
	guards bool
	held   int
	// decides: it is another test of a Choice; held counts the data for which it holds, failed those for which it does not.
	decides bool
	failed  int
	// operator: an operator fails, not a call; advice says what to do, or is empty.
	operator bool
	advice   string
}

type siteKey struct {
	node  *source.Node
	text  string
	place string
}

// sites are the uses of one state.
type sites struct {
	pass  *pass
	state *asl.State
	cases int // of the input
	by    map[siteKey]*site
	order []*site
}

func newSites(p *pass, s *asl.State, cases int) *sites {
	return &sites{pass: p, state: s, cases: cases, by: make(map[siteKey]*site)}
}

func (s *sites) at(u *use) *site {
	key := siteKey{u.node, u.text, u.place}
	one := s.by[key]
	if one == nil {
		one = &site{use: *u}
		s.by[key] = one
		s.order = append(s.order, one)
	}
	return one
}

// noteRead notes the result of a read.
func (v *visit) noteRead(u *use) {
	if v.sites == nil {
		return
	}
	one := v.sites.at(u)
	for _, c := range u.shape.Cases() {
		one.total++
		if v.known != nil {
			one.found = append(one.found, c)
		}
		if c.Kind() == Absent {
			one.lacks = append(one.lacks, c)
		}
	}
}

// guard notes a test whether there is something, which there may be for all data.
func (s *sites) guard(u *use, always bool) {
	u.place = "IsPresent"
	one := s.at(u)
	one.guards = true
	one.total++
	if u.shape.Kind() == Absent {
		one.lacks = append(one.lacks, u.shape)
	} else if always {
		one.held++
	}
}

// decided notes another test of a Choice, which may have one outcome for all data.
func (s *sites) decided(u *use, held, failed bool) {
	one := s.at(u)
	one.decides = true
	one.total++
	switch {
	case held:
		one.held++
	case failed:
		one.failed++
	}
}

// noteFault notes a call that fails whenever it is made.
func (v *visit) noteFault(n *source.Node, field, text, message, usage string) {
	if v.sites == nil {
		return
	}
	one := v.sites.at(&use{node: n, span: n.Span, field: field, text: text, place: message, fault: message, usage: usage})
	one.total++
	one.lacks = append(one.lacks, nil)
}

// typed notes the use of a value where only some kinds are taken. Where no alternative is of them, the state fails.
func (v *visit) typed(u *use) {
	wrong := 0
	cases := u.shape.Cases()
	for _, c := range cases {
		if !u.suits(c) {
			wrong++
		}
	}
	if wrong == len(cases) && !u.compares {
		v.stop()
	}
	if v.sites == nil {
		return
	}
	one := v.sites.at(u)
	for _, c := range cases {
		one.total++
		if !u.suits(c) {
			one.lacks = append(one.lacks, c)
		}
	}
}

// suits reports whether the place takes the value.
func (u *use) suits(s *Shape) bool {
	if k := s.Kind(); k == Unknown || k == Absent {
		return true
	}
	if s.misspelt(u.word) != "" {
		return false
	}
	kind := u.numeric && s.Kind() == String || slices.Contains(u.takes, s.Kind())
	return kind && (u.bound == nil || s.Constant() == nil || u.bound.takes(s.Constant()))
}

// misspelt returns the word that is meant, where a string is one of some words, and another is only like one of them.
// Words that are like none may be newer than the table of services.
func (s *Shape) misspelt(with value.Value) string {
	text, ok := with.(value.String)
	if !ok || s.words == nil || slices.Contains(s.words, string(text)) {
		return ""
	}
	return wording.Within(string(text), slices.Values(s.words), 2)
}

// bound is the part of a kind that a field takes.
type bound struct {
	words string
	takes func(value.Value) bool
}

// The bounds of fields.
var (
	timestamps = &bound{"a timestamp such as 2024-03-14T01:59:00Z", func(v value.Value) bool { _, ok := asl.ParseTimestamp(value.Plain(v)); return ok }}
	counts     = &bound{"a whole number from 0", func(v value.Value) bool {
		n, err := strconv.ParseInt(value.Plain(v), 10, 64)
		return err == nil && n >= 0
	}}
	percentages = &bound{"a number from 0 to 100", func(v value.Value) bool {
		f, err := strconv.ParseFloat(value.Plain(v), 64)
		return err == nil && f >= 0 && f <= 100
	}}
)

// boundOf returns the bound of a field that takes a quantity.
func boundOf(field string) *bound {
	switch strings.TrimSuffix(field, "Path") {
	case "Timestamp":
		return timestamps
	case "ToleratedFailurePercentage":
		return percentages
	}
	return counts
}

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
	owner := lack.Owner
	rule, where, because := s.whereabouts(one, lack)
	if branch, suggested := one.branch(); branch != "" {
		f := s.fault(one, rules.NeverProvided, one.text+" cannot be there: the result is an array; "+branch)
		f.Certain, f.Suggestion = true, "did you mean \""+suggested+"\"?"
		s.explain(&f, one, lack)
		return f
	}
	if step := one.discarded(); step != nil {
		rule, where, because = rules.NeverProvided, step.Text, cause{step: step}
	}
	f := s.fault(one, rule, one.text+" cannot be there: "+where+"; "+ownerText(one.text, lack)+" "+owner.Has())
	f.Certain, f.cause = true, because
	s.explain(&f, one, lack)
	for _, word := range []string{"$.Map.Item", "$.Execution.", "$.State.", "$.StateMachine.", "$.Task.Token"} {
		if strings.HasPrefix(one.text, word) {
			f.Suggestion, f.cause = "did you mean \"$"+one.text+"\"? The context object is $$", cause{} // a mistake of its own
		}
	}
	if f.Suggestion == "" {
		f.Suggestion = wrapped(one.text, lack)
	}
	return f
}

// whereabouts returns the rule that a read of missing data breaks, where the data are, in words, and the cause.
func (s *sites) whereabouts(one *site, lack *Lack) (rule, where string, because cause) {
	owner := lack.Owner
	because = cause{by: owner.By(), part: ownerText(one.text, lack)}
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
		return rules.Discarded, last.Name + " has dropped it", cause{by: last}
	case known:
		return rules.NeverProvided, "no state before provides it", because
	case owner.Kind() == Object && wording.Nearest(lack.Name, slices.Values(owner.Names())) != "":
		return rules.NeverProvided, where, because
	}
	return rules.Discarded, where, because
}

// branch says which branch of a Parallel state has the end of a path, and the path to it; empty where none has.
func (s *site) branch() (text, instead string) {
	if s.result.Kind() != Array {
		return "", ""
	}
	names := strings.Split(s.whole, ".")[2:]
	for from := range names {
		for i, item := range s.result.items {
			there, _ := lookup(item, names[from:])
			if there != no && item.Kind() == Object && item.members.get(names[from]) != nil {
				end := strings.Join(names[from:], ".")
				return "branch " + strconv.Itoa(i+1) + " has " + end, "$states.result[" + strconv.Itoa(i) + "]." + end
			}
		}
	}
	return "", ""
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
	if i := strings.LastIndex(text, "."+lack.Name); i >= 0 {
		if at := deeper(lack.Owner, lack.Name, deepest); len(at) == 1 {
			return "did you mean \"" + text[:i] + at[0] + text[i+len(lack.Name)+1:] + "\"?"
		}
	}
	return ""
}

// deepest is the number of members below each other in which a name is looked for.
const deepest = 4

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

// usual returns why the read finds nothing, rather on the usual way than on that of a catcher.
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
		from := "on one way"
		if step.By != nil && step.By != s.state {
			from = "when the data come from " + step.By.Name
		}
		why := step.Text
		if !step.Way {
			why = ownerText(one.text, lack) + " " + lack.Owner.Has()
		}
		f := s.fault(one, rules.MissingOnWay, one.text+" is missing "+from+": "+why)
		f.cause = cause{step: step, part: ownerText(one.text, lack)}
		s.explain(&f, one, lack)
		return f, true
	}
	return Fault{}, false
}

// decisive returns the step that says best why a value lacks something: that of a catcher, else the last one. A catcher
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

// ownerText names the value that lacks a member: the part of the path before it.
func ownerText(text string, lack *Lack) string {
	for _, end := range []string{"." + lack.Name, lack.Name, "['" + lack.Name + "']"} {
		i := strings.LastIndex(text, end)
		if i < 0 {
			continue
		}
		switch text[:i] {
		case "", "$", "$states.input", "$states.result", "$states":
		default:
			return text[:i]
		}
		break
	}
	return "the data"
}

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
	rule, message := rules.WrongValue, one.place+" "+wants+", and "+one.text+" "+found
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
