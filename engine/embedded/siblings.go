package embedded

import "strings"

// Siblings is a Container that tells which of its machines the ARN in one of its definitions means.
type Siblings interface {
	// Sibling returns the machine's name; empty where the container lacks it, or several may be meant. The options are
	// the ones that the definition was read with.
	Sibling(arn string, o Options) (name string)
}

// only returns the one name of a list, or "".
func only(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return ""
}

// Sibling implements [Siblings].
func (t *Template) Sibling(arn string, o Options) string {
	var names []string
	for i := range t.resources {
		one := &t.resources[i]
		if kind := one.kind(); isMachine(kind) && newResolver(t, o).arn(kind, one.name) == arn {
			names = append(names, one.name)
		}
	}
	return only(names)
}

// Sibling implements [Siblings]: the machines of one module know each other.
func (m *Module) Sibling(arn string, o Options) string {
	machine, err := m.find(o.Resource)
	if err != nil {
		return ""
	}
	var found []string
	for i := range m.machines {
		one := &m.machines[i]
		name := one.name[strings.LastIndex(one.name, ".")+1:]
		names := []string{resourceType, name, "arn"}
		if one.module == machine.module && one.module.reader(one.address, o).deployed(names) == arn {
			found = append(found, one.name)
		}
	}
	return only(found)
}
