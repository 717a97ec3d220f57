package flow

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
)

// Registers has what is known of each register.
type Registers[V any] [asl.RegisterFailure + 1]V

// A Domain gives each kind of move its meaning for one sort of knowledge of data: their shapes, or the wishes that
// later states have of them. Its registers belong to one visit.
type Domain[V any] interface {
	// Read returns the part of a register that a move reads.
	Read(m *asl.Move) V
	// Keep returns a value that goes from one register to another as it is.
	Keep(m *asl.Move, v V) V
	// Text returns what the text has, or the empty object of a path that is null.
	Text(m *asl.Move) V
	Fill(m *asl.Move) V
	// Put returns the base with a value at the place of the move, or the base alone where that is to be discarded.
	Put(m *asl.Move, base, v V) V
	// Bind returns variables with those that were assigned.
	Bind(variables, assigned V) V
	Item(m *asl.Move, items V) V
	Batch(m *asl.Move, item, input V) V
	// Begin enters a branch or the iterations with their input.
	Begin(m *asl.Move, input V)
	Collect(m *asl.Move) V
	// Ask returns the answer of something outside, or the Error Output.
	Ask(m *asl.Move) V
	// Use looks at what is read into an end.
	Use(m *asl.Move)
}

// Forward does moves, one after the other.
func Forward[V any](d Domain[V], is *Registers[V], moves []asl.Move) {
	for i := range moves {
		m := &moves[i]
		to := &is[m.To.Register]
		switch m.Kind {
		case asl.MoveKeep:
			switch from := m.From[0]; {
			case m.To.Register == asl.RegisterChildIn:
				d.Begin(m, is[from.Register])
			case from.Variable != "" || from.Register == asl.RegisterContext:
				*to = d.Read(m)
			default:
				*to = d.Keep(m, is[from.Register])
			}
		case asl.MoveSelect, asl.MoveGather:
			*to = d.Read(m)
		case asl.MoveClear, asl.MoveText:
			*to = d.Text(m)
		case asl.MoveFill:
			*to = d.Fill(m)
		case asl.MovePut, asl.MoveDiscard:
			*to = d.Put(m, is[m.Base.Register], is[m.From[0].Register])
		case asl.MoveBind:
			if m.To.Register == asl.RegisterAssigned {
				*to = d.Fill(m)
			} else {
				*to = d.Bind(is[m.Base.Register], is[m.From[0].Register])
			}
		case asl.MoveEach:
			*to = d.Item(m, is[m.From[0].Register])
		case asl.MoveBatch:
			*to = d.Batch(m, is[m.From[0].Register], *to)
		case asl.MoveCollect:
			*to = d.Collect(m)
		case asl.MoveAsk, asl.MoveCaught:
			*to = d.Ask(m)
		case asl.MoveRead:
			d.Use(m)
		case asl.MoveCall: // a part of another move
		}
	}
}

// A Filler makes the values of templates.
type Filler[V any] interface {
	Leaf(m *asl.Move) V
	Array(items []V) V
	Object(names []string, members []V) V
}

// Filled returns the value of a part of a template in a query language. The leaves come in the order of the text.
func Filled[V any](n *source.Node, language asl.QueryLanguage, leaves *[]asl.Move, f Filler[V]) V {
	if len(*leaves) > 0 && (*leaves)[0].Node == n {
		leaf := &(*leaves)[0]
		*leaves = (*leaves)[1:]
		return f.Leaf(leaf)
	}
	var list []V
	if n.Kind == value.KindArray {
		for _, inner := range n.Items {
			list = append(list, Filled(inner, language, leaves, f))
		}
		return f.Array(list)
	}
	var names []string
	for i := range n.Members {
		name := n.Members[i].Key
		if language == asl.JSONPath {
			name = strings.TrimSuffix(name, template.Suffix)
		}
		names = append(names, name)
		list = append(list, Filled(n.Members[i].Node, language, leaves, f))
	}
	return f.Object(names, list)
}

// Unmarked returns the text of an expression without its marks, as it is compiled.
func Unmarked(n *source.Node) string {
	text, _ := n.Value.(value.String)
	return strings.TrimSpace(string(text[2 : len(text)-2]))
}
