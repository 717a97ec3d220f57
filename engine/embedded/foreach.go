package embedded

import (
	"strings"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// resource is a resource of a template.
type resource struct {
	name  string
	node  *source.Node
	loops *loop // around it
}

func (r *resource) kind() string {
	if r == nil {
		return ""
	}
	return r.node.Get("Type").Text()
}

// resource returns the resource of that name, or nil.
func (t *Template) resource(name string) *resource {
	for i := range t.resources {
		if t.resources[i].name == name {
			return &t.resources[i]
		}
	}
	return nil
}

// loop is a variable of Fn::ForEach with its value, inside of others. Nil: none.
type loop struct {
	name, text string
	around     *loop
}

// value returns the value of a variable.
func (l *loop) value(name string) (string, bool) {
	for ; l != nil; l = l.around {
		if l.name == name {
			return l.text, true
		}
	}
	return "", false
}

// key returns a key with the values of the variables: ${Name}, or &{Name} for its letters and digits alone.
func (l *loop) key(key string) string {
	for ; l != nil; l = l.around {
		key = strings.ReplaceAll(key, "${"+l.name+"}", l.text)
		key = strings.ReplaceAll(key, "&{"+l.name+"}", notAlphanumeric().ReplaceAllString(l.text, ""))
	}
	return key
}

var notAlphanumeric = wording.Pattern(`[^A-Za-z0-9]`)

const forEachPrefix = "Fn::ForEach::"

// maxTurns bounds the turns of all loops of a template, which multiply where one is inside of another: Step Functions and
// CloudFormation allow far fewer.
const maxTurns = 10_000

// addResources adds the resources of a section, or of the body of a loop in it.
func (t *Template) addResources(section *source.Node, loops *loop, turns *int) {
	if section == nil {
		return
	}
	for _, m := range section.Members {
		if !strings.HasPrefix(m.Key, forEachPrefix) {
			t.resources = append(t.resources, resource{loops.key(m.Key), m.Node, loops})
			continue
		}
		r := newResolver(t, Options{})
		r.loops, r.turns = loops, turns
		r.each(m.Node, func(body *source.Node, inner *loop) { t.addResources(body, inner, turns) })
	}
}

// each goes through the items of a loop: its argument is the variable's name, the items, and an object. Where the items are
// known only after deployment it goes through the body once, with the variable itself as its value.
func (r *resolver) each(argument *source.Node, visit func(body *source.Node, loops *loop)) {
	if argument == nil || len(argument.Items) != 3 || argument.Items[2].Kind != value.KindObject || r.depth > maxDepth {
		return
	}
	name := argument.Items[0].Text()
	for _, item := range r.items(argument.Items[1], name) {
		if *r.turns++; *r.turns > maxTurns {
			return
		}
		r.depth++
		visit(argument.Items[2], &loop{name, item, r.loops})
		r.depth--
	}
}

// items returns the items of a loop's list.
func (r *resolver) items(n *source.Node, variable string) []string {
	if function, argument := intrinsicFunction(n); function == "Ref" {
		text := r.ref(argument.Text(), n.Span)
		if !strings.Contains(text, "${") {
			return trimmed(strings.Split(text, ","))
		}
		return []string{variable}
	}
	list := r.resolve(n)
	if list.Kind != value.KindArray {
		return []string{variable}
	}
	var items []string
	for _, item := range list.Items {
		if function, _ := intrinsicFunction(item); function != "" || item.Kind == value.KindArray {
			continue
		}
		items = append(items, value.Plain(item.Value))
	}
	return items
}

func trimmed(items []string) []string {
	for i := range items {
		items[i] = strings.TrimSpace(items[i])
	}
	return items
}

// repeated returns an object with its loops carried out.
func (r *resolver) repeated(n *source.Node) *source.Node {
	var members []source.NodeMember
	for _, m := range n.Members {
		if !strings.HasPrefix(m.Key, forEachPrefix) {
			members = append(members, m)
			continue
		}
		r.each(m.Node, func(body *source.Node, loops *loop) {
			around := r.loops
			r.loops = loops
			for _, inner := range r.part(body).Members {
				inner.Key = loops.key(inner.Key)
				members = append(members, inner)
			}
			r.loops = around
		})
	}
	return source.NewObject(members, n.Span)
}
