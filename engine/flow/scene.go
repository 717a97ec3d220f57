package flow

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/jsonata"
	"asldb/engine/path"
	"asldb/engine/value"
)

// A Scene is what is known where an expression of a field is evaluated, before it is.
type Scene struct {
	visit    *visit
	document asl.Register // that $ is
}

// Scene returns what is known where an expression of a field of a state is evaluated. Where no way leads to the state,
// nothing is known of its data, and its variables may be any.
func (a *Analysis) Scene(s *asl.State, f *asl.Field) *Scene {
	known, _ := a.visit(s)
	v := &visit{pass: a.pass, state: s, is: known, lenient: true}
	if in := a.pass.inputs[s]; in != nil {
		v.is[asl.RegisterVariables] = in.cells[0].variables // as they were at the entry
		for _, c := range in.cells[1:] {
			v.is[asl.RegisterVariables] = a.pass.space.Merge(v.is[asl.RegisterVariables], c.variables)
		}
	}
	for _, r := range []asl.Register{asl.RegisterEffective, asl.RegisterPlaced, asl.RegisterResult} {
		switch {
		case v.is[r] != nil: // else the state has an error, or fails before
		case r != asl.RegisterResult || !s.Type.Works():
			v.is[r] = known[asl.RegisterRaw]
		case s.Type == asl.Task:
			v.is[r] = v.answer()
		}
	}
	switch {
	case f.Reads == asl.ErrorOutput:
		v.lane = &asl.Lane{Kind: asl.LaneCaught}
		if v.is[asl.RegisterError] == nil && len(s.Catch) > 0 {
			v.is[asl.RegisterError] = v.errorOutput()
		}
	case f.Result:
		v.lane = &asl.Lane{Kind: asl.LaneDone}
	}
	return &Scene{v, s.Document(f)}
}

// Data returns an example of $, Context of the context object, and States of $states.
func (c *Scene) Data() value.Value    { return c.visit.is[c.document].Example() }
func (c *Scene) Context() value.Value { return c.visit.contextObject().Example() }
func (c *Scene) States() value.Value  { return c.visit.states().Example() }

// Variable returns an example of a variable; nil where no way assigns it.
func (c *Scene) Variable(name string) value.Value {
	switch s := c.visit.find(asl.Ref{Register: asl.RegisterVariables, Variable: name}); s.Kind() {
	case Absent:
		return nil
	default:
		return s.Example()
	}
}

// Fact returns what is known of the value of a path in the query language of the state; false where the text is
// none.
func (c *Scene) Fact(text string) (Fact, bool) {
	v := c.visit
	v.space.Refill(budget)
	if v.state.QueryLanguage == asl.JSONata {
		return c.query(text)
	}
	p, err := path.Parse(text)
	if err != nil {
		return Fact{}, false
	}
	_, refs := asl.ReadOf(c.document, p)
	return factOf(v.find(refs[0]).Cases(), v.always(refs[0]), text), true
}

// query is Fact of a path in JSONata. That a variable may be missing is part of it.
func (c *Scene) query(text string) (Fact, bool) {
	compiled, err := jsonata.Compile(text, jsonata.StepFunctions())
	if err != nil {
		return Fact{}, false
	}
	v, tree := c.visit, compiled.Tree()
	states := v.states()
	e := &evaluation{visit: v, node: v.state.Node, text: text, quiet: 1}
	cases := e.eval(tree, nil, &frame{names: map[string]*Shape{"states": states}}).Cases()
	if tree.Kind == jsonata.PathTree {
		tree = tree.Parts[0]
	}
	if tree.Kind == jsonata.VariableTree && tree.Text != "states" {
		for _, one := range v.find(asl.Ref{Register: asl.RegisterVariables, Variable: tree.Text}).Cases() {
			if one.Kind() == Absent {
				cases = append(cases[:len(cases):len(cases)], one)
			}
		}
	}
	names, plain := strings.CutPrefix(text, "$states.")
	return factOf(cases, plain && states.Certain(strings.Split(names, ".")), text), true
}

// A Fact is what is known of the value at one place.
type Fact struct {
	Kind    string // "number", "string or null"; "" where that is unknown
	Always  bool   // it certainly is there
	Made    string // "made by Price (line 2)", or ""
	Missing []string
}

// factOf gathers what is known of the alternatives of a value. certain: it is there, whatever it is.
func factOf(cases []*Shape, certain bool, text string) Fact {
	var f Fact
	var kinds []string
	unknown, absent := false, false
	for _, c := range cases {
		switch c.Kind() {
		case Absent:
			absent = true
			f.lacking(c.Lack(), text)
		case Unknown:
			unknown = true
		default:
			if word := c.word(); !slices.Contains(kinds, word) {
				kinds = append(kinds, word)
			}
			if steps := c.Steps(); len(steps) > 0 && steps[len(steps)-1].By != nil {
				last := steps[len(steps)-1]
				f.Made = "made by " + last.By.Name + " (line " + strconv.Itoa(last.Span.Start.Line) + ")"
			}
		}
	}
	f.Kind = strings.Join(kinds, " or ")
	if unknown && f.Kind != "" {
		f.Kind += ", or any other"
	}
	f.Always = certain || !unknown && !absent && len(kinds) > 0
	if absent && f.Missing == nil && len(kinds) > 0 { // for reasons outside of the definition
		f.Missing = []string{"may be missing"}
	}
	return f
}

// lacking adds why there is nothing on one way.
func (f *Fact) lacking(lack *Lack, text string) {
	if lack == nil || len(lack.Owner.Steps()) == 0 {
		return
	}
	step := decisive(lack.Owner, text)
	where := "missing: " + step.Text
	if step.Way && step.By != nil && step.catcher > 0 {
		where = "missing on the way by catcher " + strconv.Itoa(step.catcher) + " of " + step.By.Name
	}
	if !slices.Contains(f.Missing, where) {
		f.Missing = append(f.Missing, where)
	}
}

// word returns the kind of a shape without its article.
func (s *Shape) word() string {
	return strings.TrimPrefix(strings.TrimPrefix(s.Kind().String(), "an "), "a ")
}

// String returns the fact in words: "number; always; made by Price (line 2)".
func (f Fact) String() string {
	var parts []string
	for _, part := range []string{f.Kind, f.presence(), f.Made} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(append(parts, f.Missing...), "; ")
}

func (f Fact) presence() string {
	if f.Always {
		return "always"
	}
	return ""
}
