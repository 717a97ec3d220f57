package project

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"asldb/engine/value"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// Beside is the verdict of Step Functions about a definition beside asldb's, in the form of [Reply].
type Beside struct {
	// Label names the machine.
	Label        string
	Service, Own *value.Object

	machine *Checked
}

// NewBeside puts the service's answer about a machine beside asldb's reply.
func NewBeside(m *Checked, answer []byte, o Options) (Beside, error) {
	read, err := value.Parse(answer, value.Limits{})
	reply, ok := read.(*value.Object)
	if err != nil || !ok {
		return Beside{}, fmt.Errorf("the answer of ValidateStateMachineDefinition cannot be read: %w",
			errors.Join(err, io.ErrUnexpectedEOF))
	}
	own, _ := Reply(m, o).(*value.Object)
	return Beside{Label: m.Label(), Service: reply, Own: own, machine: m}, nil
}

// Text is the definition as the service gets it: of a template or YAML as JSON, a text that cannot be read as it is.
func (m *Checked) Text() string {
	if m.Root == nil || m.Root.Value == nil {
		return string(m.Given.Data)
	}
	return value.Compact(m.Root.Value)
}

// Case is the JSON of a case of recorded behaviour with both verdicts, as record-case writes them of states.
func (b *Beside) Case() []byte {
	kind, definition := "STANDARD", value.Value(value.String(b.machine.Text()))
	if b.machine.Express {
		kind = "EXPRESS"
	}
	if b.machine.Root != nil && b.machine.Root.Value != nil {
		definition = b.machine.Root.Value
	}
	return wording.JSON([]byte(value.Pretty(value.ObjectOf(
		value.M("name", value.String("case")), value.M("kind", value.String("validate")),
		value.M("sureness", value.String("recorded")), value.M("type", value.String(kind)),
		value.M("definition", definition), value.M("expect", b.Service), value.M("asldb", b.Own),
	)) + "\n"))
}

// Agrees reports whether the two name the same problems: their severity, code and place, and the message where asldb
// knows the service's words.
func (b *Beside) Agrees() bool {
	return b.result(b.Service) == b.result(b.Own) && len(without(b.Service, b.Own)) == 0 &&
		len(without(b.Own, b.Service)) == 0
}

func (b *Beside) result(reply *value.Object) string { return named(reply, "result") }

func named(o *value.Object, key string) string {
	s, _ := o.Get(key).(value.String)
	return string(s)
}

// Diagnostics returns the problems of a reply.
func Diagnostics(reply *value.Object) (list []*value.Object) {
	if all, ok := reply.Get("diagnostics").(*value.Array); ok {
		for _, one := range all.All() {
			if d, ok := one.(*value.Object); ok {
				list = append(list, d)
			}
		}
	}
	return list
}

// without returns the problems of one reply that the other does not name.
func without(one, other *value.Object) (list []*value.Object) {
	rest := Diagnostics(other)
	for _, d := range Diagnostics(one) {
		if i := slices.IndexFunc(rest, func(o *value.Object) bool { return sameProblem(d, o) }); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		} else {
			list = append(list, d)
		}
	}
	return list
}

func sameProblem(a, b *value.Object) bool {
	for _, key := range []string{"severity", "code", "location"} {
		if named(a, key) != named(b, key) {
			return false
		}
	}
	ours := named(a, "wording") == wordsOfOwn || named(b, "wording") == wordsOfOwn
	return ours || named(a, "message") == named(b, "message")
}

// BesideAnswer is the report about the verdicts.
func BesideAnswer(all []Beside) *report.Answer {
	return &report.Answer{
		Name: "asldb validate --against-aws",
		Doc:  func(report.Look) *report.Doc { return besideDoc(all) },
		Data: func() any { return besideData(all) },
	}
}

func besideDoc(all []Beside) *report.Doc {
	doc := &report.Doc{}
	for i := range all {
		b := &all[i]
		if b.Agrees() {
			doc.Add(report.Para{Text: report.T(report.In(report.Good, "the same"), "  ", b.Label+": "+b.result(b.Own))})
			continue
		}
		doc.Add(report.Para{Text: report.T(report.In(report.Bad, "differs"), "  ", b.Label+": Step Functions "+
			b.result(b.Service)+", asldb "+b.result(b.Own))})
		table := &report.Table{
			Columns: []report.Column{{Name: "only"}, {Name: "severity"}, {Name: "code"}, {Name: "place"},
				{Name: "message", Wrap: true}},
		}
		for _, side := range []struct {
			name       string
			one, other *value.Object
		}{{"Step Functions", b.Service, b.Own}, {"asldb", b.Own, b.Service}} {
			for _, d := range without(side.one, side.other) {
				table.Add(report.Cells(side.name, named(d, "severity"), named(d, "code"), named(d, "location"),
					named(d, "message"))...)
			}
		}
		doc.Add(table)
	}
	return doc
}

// besideJSON is one verdict as JSON.
type besideJSON struct {
	Definition string        `json:"definition"`
	Agrees     bool          `json:"agrees"`
	Service    *value.Object `json:"service"`
	Own        *value.Object `json:"asldb"`
}

func besideData(all []Beside) any {
	list := make([]besideJSON, len(all))
	for i := range all {
		list[i] = besideJSON{all[i].Label, all[i].Agrees(), all[i].Service, all[i].Own}
	}
	return list
}
