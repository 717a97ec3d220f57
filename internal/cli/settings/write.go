package settings

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
)

// Text returns the configuration as a file that has every setting, each with its description. Parsed, it gives the
// same configuration.
func (c *Config) Text() string {
	var b strings.Builder
	b.WriteString("# The configuration of asldb. Settings left out have their defaults.\n")
	all, def := settings(), Default()
	section := ""
	for i := range all {
		s := &all[i]
		indent := ""
		if s.section != "" {
			indent = "  "
			if section != s.section {
				b.WriteString("\n" + s.section + ":\n")
			}
		} else {
			b.WriteByte('\n')
		}
		section = s.section
		b.WriteString(indent + "# " + s.about)
		if s.show(c) != s.show(def) {
			b.WriteString(" (without this file: " + s.show(def) + ")")
		}
		b.WriteString("\n" + indent + s.name + ": " + s.show(c) + "\n")
	}
	c.writeColors(&b)
	c.writeKeys(&b)
	return b.String()
}

func (c *Config) writeColors(b *strings.Builder) {
	b.WriteString("\n# Colours by role, such as  added: \"#8fd19e\"  or  bar: {text: \"#ffffff\", background: \"24\"}.\n# The roles are: ")
	b.WriteString(strings.Join(slices.Collect(canvas.Roles()), ", ") + ".\n")
	if len(c.Colors) == 0 {
		b.WriteString("colors: {}\n")
		return
	}
	b.WriteString("colors:\n")
	names := slices.Collect(canvas.Roles())
	for _, style := range slices.Sorted(maps.Keys(c.Colors)) {
		var parts []string
		if text := c.Colors[style].Text; text != "" {
			parts = append(parts, "text: "+strconv.Quote(string(text)))
		}
		if background := c.Colors[style].Background; background != "" {
			parts = append(parts, "background: "+strconv.Quote(string(background)))
		}
		b.WriteString("  " + names[style] + ": {" + strings.Join(parts, ", ") + "}\n")
	}
}

// writeKeys writes the keys that were changed, and all others as comments, so that they can be taken over.
func (c *Config) writeKeys(b *strings.Builder) {
	b.WriteString("\n# Keys by action. A list takes the place of the usual keys; [] leaves an action to its command.\n")
	if len(c.Keys) == 0 {
		b.WriteString("keys: {}\n")
	} else {
		b.WriteString("keys:\n")
	}
	for _, row := range c.Table.Bindings() {
		lead := "  # "
		if _, changed := c.Keys[row.Action]; changed {
			lead = "  "
		}
		b.WriteString(lead + row.Names[0] + ": " + keyList(&row) + "\n")
	}
}

// keyList writes keys as a list of YAML.
func keyList(row *keys.Binding) string {
	quoted := value.Each(append(slices.Clone(row.Keys), row.Earlier...), strconv.Quote)
	return "[" + strings.Join(quoted, ", ") + "]"
}
