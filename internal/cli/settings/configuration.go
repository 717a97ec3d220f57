package settings

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
)

// Config is the configuration. Settings that a file leaves out have their defaults.
type Config struct {
	// Theme is auto, dark or light; Colors replace the theme's by role.
	Theme  string
	Colors map[canvas.Style]canvas.Colors
	// Keys are the keys of the actions whose keys were changed; Table is the whole table with them.
	Keys  map[keys.Action][]string
	Table *keys.Map
	// Layout is how the screen is arranged at first.
	Layout Layout
	// Clock is skip, real, xN or hand.
	Clock        string
	ASCII, Mouse bool
	// Reload is ask or auto.
	Reload string
}

// Layout is how the screen is arranged at first. Widths and heights are in percent of the screen, 0 being the usual.
type Layout struct {
	GraphWidth, LowerHeight int
	// Density is auto, boxes, chips or rail; View is diff, side, before or after; Focus data, graph, events or side.
	Density, View, Focus string
}

// Default returns the configuration without a file.
func Default() *Config {
	return &Config{
		Theme: "auto", Colors: map[canvas.Style]canvas.Colors{}, Keys: map[keys.Action][]string{},
		Table:  keys.Default(),
		Layout: Layout{Density: "auto", View: "diff", Focus: "data"},
		Clock:  "skip", Mouse: true, Reload: "ask",
	}
}

// Path returns where the configuration file is looked for, after the XDG Base Directory Specification: under
// $XDG_CONFIG_HOME, else on Windows under %APPDATA%, else in .config of the home directory. It is "" where none is
// known.
func Path(getenv func(string) string) string {
	for _, name := range []string{"XDG_CONFIG_HOME", "APPDATA"} { // APPDATA is a path of Windows, and elsewhere none
		if dir := getenv(name); filepath.IsAbs(dir) {
			return filepath.Join(dir, "asldb", "config.yaml")
		}
	}
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, ".config", "asldb", "config.yaml")
	}
	return ""
}

// maxBytes bounds a configuration file.
const maxBytes = 1 << 20

// Load reads a file. The error comes from reading, or is Problems.
func Load(file string) (*Config, error) {
	data, err := files.Given(file, maxBytes)
	var size *files.SizeError
	switch {
	case errors.As(err, &size):
		return nil, Problems{{File: file, Message: "a configuration has at most 1 MiB"}}
	case err != nil:
		return nil, err
	}
	return Parse(file, data)
}

// setting is one thing that can be configured.
type setting struct {
	section, name string // section is "" at the top
	about         string
	read          func(r *reader, c *Config, n node)
	show          func(c *Config) string
}

// settings returns everything but colours and keys, in the order in which it is printed.
func settings() []setting {
	return []setting{
		words("", "theme", "the colours, for a dark or a light background; auto asks the terminal which it has",
			func(c *Config) *string { return &c.Theme }, "auto", "dark", "light"),
		flag("ascii", "draw with ASCII characters only", func(c *Config) *bool { return &c.ASCII }),
		flag("mouse", "use the mouse; false leaves it to the terminal, to select text with it",
			func(c *Config) *bool { return &c.Mouse }),
		{
			name: "clock", about: "how time goes at first: skip (to the next timer), real, x60 (or another factor), hand",
			read: readClock, show: func(c *Config) string { return c.Clock },
		},
		words("", "reload", "what happens when a file of the run changes: ask says so, and a key reads it again; auto does that at each save",
			func(c *Config) *string { return &c.Reload }, "ask", "auto"),
		percent("graph-width", "the graph's width, in percent of the screen; 0 is the usual",
			func(c *Config) *int { return &c.Layout.GraphWidth }),
		percent("lower-height", "the height of the open drawer, in percent; 0 is the usual",
			func(c *Config) *int { return &c.Layout.LowerHeight }),
		words("layout", "density", "how the graph is drawn; auto is the largest that has room",
			func(c *Config) *string { return &c.Layout.Density }, "auto", "boxes", "chips", "rail"),
		words("layout", "view", "which data is shown at first",
			func(c *Config) *string { return &c.Layout.View }, "diff", "side", "before", "after"),
		words("layout", "focus", "the pane that has the keys at first",
			func(c *Config) *string { return &c.Layout.Focus }, "data", "graph", "events", "side"),
	}
}

func readClock(r *reader, c *Config, n node) {
	text, ok := r.text(n, "skip, real, x60 (or another factor) or hand")
	if !ok {
		return
	}
	if _, err := debug.ParseClock(text); err != nil {
		r.expected(n, "skip, real, manual, or a factor above 0 such as x60", r.near(text, "skip", "real", "manual"))
		return
	}
	c.Clock = text
}

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
	b.WriteString("\n# Keys by action. A list replaces the usual keys; [] leaves an action to its command.\n")
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
