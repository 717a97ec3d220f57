package console

import (
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/jsonata"
	"asldb/engine/path"
	"asldb/engine/template"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// Candidate is a continuation of an expression.
type Candidate struct {
	// Text is the whole expression with the continuation, and Name the part of it that was being typed.
	Text, Name string
	// Within the arguments of a function, where nothing else can be said, Text stays as it is and Name is the function's usage.
	// Value is the value of a member or a variable, nil for a function; About describes a function, else it is "".
	Value value.Value
	About string
}

// MaxCandidates bounds the number of continuations of an expression.
const MaxCandidates = 200

// tail finds the reference at the end of an expression: a path, a variable, or a name.
var tail = wording.Pattern(`(?:\$\$?[\pL_][\pL\d_]*|\$\$?|[\pL_][\pL\d_]*)?(?:\.[\pL_][\pL\d_]*|\[(?:-?\d+|\*)\]|\['(?:[^'\\]|\\.)*'\])*\.?$`)

// Complete returns the ways in which an expression can continue, from the data at hand: members of the data, of the
// context object, of variables and of $states, functions of JSONata and intrinsic functions with their arguments, and
// the names of asldb's own expressions. variables are the names of the variables that there may be.
func Complete(text string, e *Env, variables []string) []Candidate {
	from := tail().FindStringIndex(text)[0]
	c := &completion{env: e, text: text, variables: variables, before: text[:from], inQuery: strings.LastIndex(text, "{%") > strings.LastIndex(text, "%}")}
	c.query = c.inQuery || e.Language == asl.JSONata
	reference := text[from:]
	if strings.Count(text[:from], `"`)%2 == 1 && !c.inQuery && !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return nil // in a string
	}
	switch dot := strings.LastIndex(reference, "."); {
	case strings.HasPrefix(reference, "States"):
		c.calls(reference)
	case dot >= 0 && strings.HasPrefix(reference, "$"):
		c.members(reference[:dot], reference[dot+1:])
	case strings.HasPrefix(reference, "$") && !strings.ContainsAny(reference, "['"):
		c.names(reference)
	case dot < 0 && (reference != "" || strings.TrimSpace(text) == ""):
		c.words(reference)
	}
	if len(c.list) == 0 {
		c.signature(text)
	}
	return c.list[:min(len(c.list), MaxCandidates)]
}

// completion gathers candidates.
type completion struct {
	env       *Env
	variables []string
	text      string
	before    string // the text before the reference
	// query: JSONata can be here; inQuery: it is between {% and %}.
	query, inQuery bool
	list           []Candidate
}

func (c *completion) add(name string, v value.Value, about string) {
	c.list = append(c.list, Candidate{Text: c.before + name, Name: name, Value: v, About: about})
}

// root returns the value of a reference without members, nil where there is none.
func (c *completion) root(name string) value.Value {
	switch {
	case name == "$" && !c.inQuery:
		return c.env.Data
	case name == "$$" && !c.inQuery:
		return c.env.Context
	case name == "$states" && c.env.States != nil:
		return c.env.States()
	case len(name) > 1 && c.env.Variables != nil:
		return c.env.Variables(name[1:])
	}
	return nil
}

// members adds the members of a value whose names begin with a part.
func (c *completion) members(parent, part string) {
	end := strings.IndexAny(parent, ".[")
	if end < 0 {
		end = len(parent)
	}
	v := c.root(parent[:end])
	if rest := parent[end:]; rest != "" && v != nil {
		p, err := path.Parse("$" + rest)
		if err != nil {
			return
		}
		v = p.Find(&path.Roots{Data: v})
	}
	if array, ok := v.(*value.Array); ok && (c.query || strings.Contains(parent, "[*]")) && array.Len() > 0 {
		v = array.At(0) // JSONata and [*] map over the items
	}
	object, ok := v.(*value.Object)
	if !ok {
		return
	}
	for name, member := range object.All() {
		if !hasPrefixFold(name, part) || len(c.list) > MaxCandidates {
			continue
		}
		step := path.Member(name)
		if c.query && !path.Plain(name) {
			step = ".`" + name + "`"
		}
		c.add(parent+step, member, "")
	}
}

// names adds the roots, variables and functions that begin with a reference.
func (c *completion) names(reference string) {
	if reference == "$" && !c.inQuery {
		if object, ok := c.env.Data.(*value.Object); ok && object.Len() > 0 {
			c.members("$", "")
		}
	}
	if strings.HasPrefix("$states", reference) && c.query && c.env.States != nil {
		c.add("$states", c.env.States(), "")
	}
	for _, name := range c.variables {
		if !hasPrefixFold("$"+name, reference) || c.env.Variables == nil {
			continue
		}
		if v := c.env.Variables(name); v != nil {
			c.add("$"+name, v, "")
		}
	}
	if reference == "$" && !c.inQuery && c.env.Context != nil {
		c.add("$$", c.env.Context, "")
	}
	if !c.query {
		return
	}
	for i := range functions {
		if f := &functions[i]; hasPrefixFold("$"+f.Name, reference) {
			c.add("$"+f.Name+"(", nil, f.Usage()+"  "+f.About)
		}
	}
}

// functions are the functions of JSONata in Step Functions.
var functions = jsonata.StepFunctions().FunctionTable()

// calls adds the intrinsic functions that begin with a reference.
func (c *completion) calls(reference string) {
	for i := range intrinsics {
		if f := &intrinsics[i]; hasPrefixFold(f.Name, reference) {
			c.add(f.Name+"(", nil, f.Usage()+"  "+f.About)
		}
	}
}

// opened finds the name of a function whose arguments are not closed, at the end of a text without the calls that are.
var opened = wording.Pattern(`((?:\$|States\.)?[\pL_][\pL\d_]*)\([^()]*$`)

// closed finds a call, or a text in quotes.
var closed = wording.Pattern(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\([^()"']*\)`)

// signature adds the function whose arguments are being typed.
func (c *completion) signature(text string) {
	if usage, about, _ := CallAt(text); usage != "" {
		c.list = append(c.list, Candidate{Text: c.text, Name: usage, About: about})
	}
}

// Tokens returns the parts of a path, an intrinsic function or an expression in JSONata, which an editor colours.
func Tokens(text string) []jsonata.Token { return jsonata.Tokens(text) }

// CallAt returns the function whose arguments are being typed at the end of a text: a call of it with the names of its
// arguments, what it returns, and the number of the argument, from 0. usage is "" where there is none.
func CallAt(text string) (usage, about string, argument int) {
	for {
		shorter := closed().ReplaceAllStringFunc(text, func(part string) string {
			if part[0] == '(' {
				return ""
			}
			return "0"
		})
		if shorter == text {
			break
		}
		text = shorter
	}
	found := opened().FindStringSubmatch(text)
	if found == nil {
		return "", "", 0
	}
	usage, about = usageOf(found[1])
	return usage, about, strings.Count(found[0], ",")
}

// usageOf returns a call of a function with the names of its arguments, and what it returns; both are "" for an unknown name.
func usageOf(name string) (usage, about string) {
	for i := range functions {
		if f := &functions[i]; "$"+f.Name == name {
			return f.Usage(), f.About
		}
	}
	for i := range intrinsics {
		if f := &intrinsics[i]; f.Name == name {
			return f.Usage(), f.About
		}
	}
	for _, f := range own {
		if f.name == name+"(" {
			usage, about, _ = strings.Cut(f.about, "  ")
			return usage, about
		}
	}
	return "", ""
}

// words adds the beginnings of expressions, and the names and functions of asldb's own expressions.
func (c *completion) words(reference string) {
	if reference == "" {
		if c.query && c.env.States != nil {
			c.add("$states", c.env.States(), "")
		}
		c.add("$", c.env.Data, "")
		return
	}
	for _, name := range own {
		if !hasPrefixFold(name.name, reference) || c.inQuery {
			continue
		}
		c.add(name.name, c.env.Fields[strings.TrimSuffix(name.name, "(")], name.about)
	}
	if hasPrefixFold("States.", reference) && !c.query {
		c.add("States.", nil, "an intrinsic function")
	}
}

func hasPrefixFold(name, part string) bool {
	return len(name) >= len(part) && strings.EqualFold(name[:len(part)], part)
}

// own are the names and the functions of asldb's own expressions.
var own = []struct{ name, about string }{
	{"state", "the name of the state"}, {"path", "the path of the state"}, {"visit", "the number of the visit"}, {"type", "the type of the event"},
	{"stage", "the stage"}, {"thread", "the number of the thread"}, {"seq", "the number of the event"}, {"error", "the Error Name"},
	{"cause", "the Cause"},
	{"len(", "len(value)  the length of a text, an array or an object"},
	{"lower(", "lower(text)  the text in lower case"}, {"upper(", "upper(text)  the text in upper case"},
	{"contains(", "contains(text, part)  whether the text has the part, or an array the item"},
	{"startsWith(", "startsWith(text, part)  whether the text begins with the part"},
	{"endsWith(", "endsWith(text, part)  whether the text ends with the part"},
	{"date(", "date(text)  the time of a timestamp"},
}

// intrinsics are the intrinsic functions.
var intrinsics = template.Functions()

// VariableNames returns the names of the variables that a definition assigns, in alphabetical order.
func VariableNames(definition *asl.StateMachine) []string {
	var names []string
	add := func(f *asl.TemplateField) {
		if f == nil {
			return
		}
		if object, ok := f.Value.(*value.Object); ok {
			for name := range object.All() {
				names = append(names, strings.TrimSuffix(name, template.Suffix))
			}
		}
	}
	for state := range definition.All() {
		add(state.Assign)
		for _, c := range state.Catch {
			add(c.Assign)
		}
		for _, r := range state.Choices {
			add(r.Assign)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
