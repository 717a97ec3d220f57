package flow

import (
	"slices"

	"asldb/engine/asl"
	"asldb/engine/jsonata"
	"asldb/engine/value"
)

// expression requires what an expression in JSONata reads, where something is required of its value.
func (v *backwardWalk) expression(m *asl.Move, d *Demand, wanted Decision) {
	(&querying{backwardWalk: v}).of(v.analysis.pass.compiled(m), d, wanted, nil)
}

// querying goes through an expression from its value to what it reads.
type querying struct {
	*backwardWalk
	depth int
}

// binding is a variable of an expression with what is required of it; without a name it is the context.
type binding struct {
	outer *binding
	name  string
	got   *Demand
}

func (b *binding) find(name string) *binding {
	for ; b != nil && b.name != name; b = b.outer {
	}
	return b
}

// bind requires something of a variable of the expression or of the execution.
func (q *querying) bind(b *binding, name string, d *Demand) {
	switch inner := b.find(name); {
	case inner != nil:
		inner.got = q.join(inner.got, d)
	case name == "states" || name == "eval":
		q.untold()
	case name != "" && name != "$":
		q.ask(asl.Ref{Register: asl.RegisterVariables, Variable: name}, d)
	}
}

// of requires what a part of an expression reads, of whose value something is required.
func (q *querying) of(t *jsonata.Tree, d *Demand, wanted Decision, b *binding) {
	if q.depth++; q.depth > maxDepth {
		q.depth--
		q.untold()
		return
	}
	defer func() { q.depth-- }()
	q.early-- // what is further behind is read later
	whole := t.Kind == jsonata.PathTree || t.Kind == jsonata.VariableTree || t.Kind == jsonata.NameTree
	if wanted != Undecided && whole {
		d = q.join(d, q.join(q.want(WantBool), q.limit("BooleanEquals", value.Bool(true), wanted)))
	}
	if whole && (d == nil || d.members == nil) { // its value may be taken apart
		d = q.join(d, everything)
	}
	d = q.filtered(t, d, b)
	switch t.Kind {
	case jsonata.NameTree:
		q.bind(b, "", q.within(t.Text, d))
	case jsonata.VariableTree:
		q.bind(b, t.Text, d)
	case jsonata.PathTree:
		q.path(t, d, b)
	case jsonata.BinaryTree:
		q.binary(t, wanted, b)
	case jsonata.NegateTree:
		q.all(t.Parts, q.want(WantNumber), b)
	case jsonata.ArrayTree:
		q.all(t.Parts, q.item(d), b)
	case jsonata.ObjectTree:
		q.object(t, q.elements(d), b)
	case jsonata.CallTree:
		q.call(t, d, wanted, b)
	case jsonata.ConditionTree:
		q.of(t.Parts[0], nil, Undecided, b)
		for _, branch := range t.Parts[1:] {
			q.of(branch, d, wanted, b)
		}
	case jsonata.BlockTree:
		q.block(t, d, wanted, b)
	case jsonata.LambdaTree:
		q.lambda(t, nil, Undecided, b)
	case jsonata.ApplyTree:
		q.apply(t, d, wanted, b)
	case jsonata.BindTree, jsonata.PartialTree, jsonata.OtherTree:
		q.all(t.Parts, nil, b)
	case jsonata.LiteralTree:
	}
}

// untold requires everything, where the reads of an expression cannot be told.
func (q *querying) untold() {
	for _, r := range []asl.Register{asl.RegisterRaw, asl.RegisterResult, asl.RegisterError, asl.RegisterVariables} {
		q.add(r, everything)
	}
}

func (q *querying) all(parts []*jsonata.Tree, d *Demand, b *binding) {
	for _, part := range parts {
		q.of(part, d, Undecided, b)
	}
}

// filtered goes through the predicates behind an expression, the last one first.
func (q *querying) filtered(t *jsonata.Tree, d *Demand, b *binding) *Demand {
	for _, f := range slices.Backward(t.Filters) {
		if number, ok := f.Literal.(value.Number); ok && f.Kind == jsonata.LiteralTree {
			n, _ := number.Int64()
			d = q.indexed(d, int(min(max(n, -1000), 1000)))
			continue
		}
		item := &binding{outer: b}
		q.of(f, nil, ToHold, item)
		d = q.array(q.join(q.elements(d), item.got), 1)
	}
	return d
}

// path goes through the steps of a path, the last one first.
func (q *querying) path(t *jsonata.Tree, d *Demand, b *binding) {
	first := t.Parts[0]
	for i := len(t.Parts) - 1; i > 0; i-- {
		step := t.Parts[i]
		if step.Kind != jsonata.NameTree {
			list := d.Kind() == WantArray
			item := &binding{outer: b}
			q.of(step, d, Undecided, item)
			if d = item.got; step.Kind == jsonata.OtherTree {
				d = q.join(d, everything)
			}
			if list {
				d = q.array(d, 1)
			}
			continue
		}
		d = q.filtered(step, d, b)
		if i == 1 && first.Kind == jsonata.VariableTree && first.Text == "states" && b.find("states") == nil {
			q.states(step.Text, d)
			return
		}
		d = q.within(step.Text, d)
	}
	q.of(first, d, Undecided, b)
}

// states requires something of a member of $states.
func (q *querying) states(name string, d *Demand) {
	switch name {
	case "input":
		q.add(asl.RegisterRaw, d)
	case "result":
		q.add(asl.RegisterResult, d)
	case "errorOutput":
		q.add(asl.RegisterError, d)
	case "context":
		q.context(d)
	}
}

func (q *querying) binary(t *jsonata.Tree, wanted Decision, b *binding) {
	var of *Demand
	switch t.Text {
	case "and", "or":
		q.of(t.Parts[0], nil, wanted, b)
		q.of(t.Parts[1], nil, wanted, b)
		return
	case "+", "-", "*", "/", "%", "..":
		of = q.want(WantNumber)
	case "=", "!=", "<", "<=", ">", ">=":
		for i, side := range t.Parts {
			other := t.Parts[1-i]
			if side.Kind == jsonata.LiteralTree && side.Literal != nil && other.Kind != jsonata.LiteralTree {
				q.of(other, q.relation(t.Text, side.Literal, i == 0, wanted), Undecided, b)
				return
			}
		}
	}
	q.all(t.Parts, of, b)
}

// relation requires a value that is in a relation to a literal, which is first where the operands are exchanged.
func (q *querying) relation(sign string, literal value.Value, first bool, wanted Decision) *Demand {
	k := wantedOf(literal)
	left := asl.Operand(max(0, slices.Index(operandsWanted[:], k)))
	if sign == "!=" {
		sign, wanted = "=", wanted.not()
	}
	o := asl.Comparing(left, sign)
	if left == 0 || o == nil {
		return nil
	}
	if first {
		o = o.Mirrored()
	}
	if wanted == Undecided {
		return q.want(k)
	}
	return q.join(q.want(k), q.limit(o.Name, literal, wanted))
}

func (q *querying) object(t *jsonata.Tree, d *Demand, b *binding) {
	for i := 0; i+1 < len(t.Parts); i += 2 {
		var inner *Demand
		if name, ok := t.Parts[i].Literal.(value.String); ok {
			inner = q.share(d, d.Member(string(name)))
		}
		q.of(t.Parts[i], nil, Undecided, b)
		q.of(t.Parts[i+1], inner, Undecided, b)
	}
}

// block goes through its expressions, the last one first: it is the value, and those before it bind variables.
func (q *querying) block(t *jsonata.Tree, d *Demand, wanted Decision, b *binding) {
	of := make(map[*jsonata.Tree]*binding)
	for _, part := range t.Parts {
		if part.Kind == jsonata.BindTree {
			b = &binding{outer: b, name: part.Text}
			of[part] = b
		}
	}
	for i, part := range slices.Backward(t.Parts) {
		switch {
		case of[part] != nil:
			q.all(part.Parts, of[part].got, b)
		case i == len(t.Parts)-1:
			q.of(part, d, wanted, b)
		default:
			q.of(part, nil, Undecided, b)
		}
	}
}

// lambda goes through a function, and returns what it requires of its first argument.
func (q *querying) lambda(t *jsonata.Tree, d *Demand, wanted Decision, b *binding) *Demand {
	var first *binding
	for i, name := range t.Names {
		b = &binding{outer: b, name: name}
		if i == 0 {
			first = b
		}
	}
	for _, body := range t.Parts {
		q.of(body, d, wanted, b)
	}
	if first == nil {
		return nil
	}
	return first.got
}

// apply is a call whose first argument comes before the function.
func (q *querying) apply(t *jsonata.Tree, d *Demand, wanted Decision, b *binding) {
	if call := t.Applied(); call != nil {
		q.call(call, d, wanted, b)
	}
}

// call requires what a function does of its arguments.
func (q *querying) call(t *jsonata.Tree, d *Demand, wanted Decision, b *binding) {
	callee, arguments := t.Parts[0], t.Parts[1:]
	if callee.Text == "eval" {
		q.untold()
	}
	if callee.Kind != jsonata.VariableTree || b.find(callee.Text) != nil {
		q.of(callee, nil, Undecided, b)
		q.all(arguments, nil, b)
		return
	}
	for i, argument := range arguments {
		inner := d
		if argument.Kind == jsonata.LambdaTree {
			continue // with the list
		}
		for _, f := range arguments[i+1:] {
			if i == 0 && f.Kind == jsonata.LambdaTree {
				inner = q.callback(callee.Text, f, d, b)
			}
		}
		q.argument(callee.Text, i, argument, inner, wanted, b)
	}
}

// callback returns what is required of a list whose items a function gets.
func (q *querying) callback(name string, f *jsonata.Tree, d *Demand, b *binding) *Demand {
	switch name {
	case "map":
		return q.array(q.lambda(f, q.elements(d), Undecided, b), 1)
	case "filter", "single":
		return q.array(q.join(q.lambda(f, nil, ToHold, b), q.elements(d)), 1)
	}
	q.lambda(f, nil, Undecided, b)
	return nil
}

// argument requires what a function takes as an argument, where something is required of its result.
func (q *querying) argument(name string, i int, t *jsonata.Tree, d *Demand, wanted Decision, b *binding) {
	decision := Undecided
	var of *Demand
	switch name {
	case "exists":
		if wanted != Undecided {
			of = q.present(wanted == ToHold)
		}
	case "not", "boolean":
		if decision = wanted; name == "not" {
			decision, of = wanted.not(), q.want(WantBool)
		}
	case "map", "filter", "single", "reverse", "sort", "distinct", "shuffle", "append":
		if of = q.want(WantArray); i == 0 || name == "append" {
			of = q.join(d, q.array(nil, 1))
		}
	case "number":
		of = q.sample(value.String("1"))
	case "parse":
		of = q.document(d)
	case "base64decode":
		of = q.sample(value.String("e30="))
	case "hash":
		if i == 1 {
			of = q.join(q.want(WantText), q.sample(value.String("SHA-256")))
		}
	case "merge":
		of = q.array(q.join(d, q.want(WantObject)), 1)
	case "toMillis":
		of = q.want(WantTime)
	case "keys", "lookup", "each", "spread":
		if i == 0 {
			of = q.want(WantObject)
		}
	default:
		of = q.parameter(name, i)
	}
	q.of(t, of, decision, b)
}

// parameter requires the type that a function's signature has.
func (q *querying) parameter(name string, i int) *Demand {
	f := functions()[name]
	if f == nil || i >= len(f.Parameters) {
		return nil
	}
	if p := &f.Parameters[i]; p.Single {
		return q.array(q.want(typesWanted[p.Items]), 1)
	}
	return q.want(typesWanted[f.Parameters[i].Types&^jsonata.TypeFunction])
}

// typesWanted has what is wanted where a function takes one type. The table is never changed.
var typesWanted = map[jsonata.Types]Wanted{
	jsonata.TypeString: WantText, jsonata.TypeNumber: WantNumber, jsonata.TypeBoolean: WantBool,
	jsonata.TypeArray: WantArray, jsonata.TypeObject: WantObject,
}
