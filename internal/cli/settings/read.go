package settings

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"asldb/engine/source"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
)

// node is a value of the file, and the name of its setting.
type node struct {
	ast.Node
	key string
	at  *token.Token // of the key
}

// reader reads one file and collects its problems.
type reader struct {
	file     string
	problems Problems
}

// Parse reads the text of a configuration file, whose name is only for messages. An empty text is the default
// configuration. The error is Problems.
func Parse(file string, data []byte) (*Config, error) {
	r, c := &reader{file: file}, Default()
	if body := r.body(data); body != nil {
		r.readTop(c, body)
	}
	if len(r.problems) > 0 {
		slices.SortStableFunc(r.problems, func(a, b Problem) int { return cmp.Or(a.Line-b.Line, a.Col-b.Col) })
		return nil, r.problems
	}
	return c, nil
}

func (r *reader) add(t *token.Token, format string, args ...any) {
	p := Problem{File: r.file, Message: fmt.Sprintf(format, args...)}
	if t != nil && t.Position != nil {
		p.Line, p.Col = max(t.Position.Line, 1), max(t.Position.Column, 1)
	}
	r.problems = append(r.problems, p)
}

// body returns the one document, or nil where there is none or it cannot be read.
func (r *reader) body(data []byte) (body ast.Node) {
	// The library has panicked on odd texts; that may not end the program.
	defer func() {
		if fault := recover(); fault != nil {
			r.add(nil, "this is not readable YAML: %v", fault)
			body = nil
		}
	}()
	tokens := lexer.Tokenize(string(data))
	if deep, err := source.TooDeep(tokens); err != nil {
		r.add(deep, "%v", err)
		return nil
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		var syntax yaml.Error
		if errors.As(err, &syntax) {
			r.add(syntax.GetToken(), "%s", syntax.GetMessage())
		} else {
			r.add(nil, "%v", err)
		}
		return nil
	}
	for _, document := range file.Docs {
		if document.Body == nil || document.Body.Type() == ast.CommentType || document.Body.Type() == ast.NullType {
			continue
		}
		if body != nil {
			r.add(document.Body.GetToken(), "a second YAML document begins here; a configuration is one")
			return nil
		}
		body = document.Body
	}
	return body
}

// members returns the members of a mapping; wanted names the kind of value, for an error.
func (r *reader) members(n ast.Node, t *token.Token, wanted string) []node {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	case *ast.NullNode:
		return nil
	default:
		r.add(t, "expected %s, found %s", wanted, found(n))
		return nil
	}
	var list []node
	seen := map[string]bool{}
	for _, v := range values {
		key, at := keyText(v.Key), v.Key.GetToken()
		if seen[key] {
			r.add(at, "%q is given twice", key)
			continue
		}
		seen[key] = true
		list = append(list, node{Node: v.Value, key: key, at: at})
	}
	return list
}

func keyText(n ast.MapKeyNode) string {
	if s, ok := n.(*ast.StringNode); ok {
		return s.Value
	}
	return n.GetToken().Value
}

// found describes a value, for messages.
func found(n ast.Node) string {
	switch n := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode:
		return strconv.Quote(n.Value)
	case *ast.NullNode:
		return "nothing"
	}
	return n.GetToken().Value
}

func (r *reader) readTop(c *Config, body ast.Node) {
	all := settings()
	for _, n := range r.members(body, body.GetToken(), "settings such as theme: dark") {
		switch n.key {
		case "colors":
			r.readColors(c, n)
		case "keys":
			r.readKeys(c, n)
		case "layout":
			for _, m := range r.members(n.Node, n.at, "a mapping with settings of the layout") {
				r.readSetting(c, all, "layout", m)
			}
		default:
			r.readSetting(c, all, "", n)
		}
	}
}

func (r *reader) readSetting(c *Config, all []setting, section string, n node) {
	if section == "layout" && n.key == "side-width" {
		return // of earlier versions: the pane has become a tab of the drawer
	}
	names := []string{}
	if section == "" {
		names = append(names, "colors", "keys", "layout")
	}
	for i := range all {
		if all[i].section != section {
			continue
		}
		if all[i].name == n.key {
			all[i].read(r, c, n)
			return
		}
		names = append(names, all[i].name)
	}
	kind := "setting"
	if section != "" {
		kind = "setting of " + section
	}
	r.add(n.at, "there is no %s %q%s", kind, n.key, r.near(n.key, names...))
}

// near is "; did you mean ...?" where a word is like one of names; else it lists them where they are few.
func (r *reader) near(word string, names ...string) string {
	if near := wording.Nearest(word, slices.Values(names)); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// expected reports a value of the wrong kind; hint is appended.
func (r *reader) expected(n node, wanted, hint string) {
	r.add(n.GetToken(), "%s: expected %s, found %s%s", n.key, wanted, found(n.Node), hint)
}

// text returns a scalar as it was written.
func (r *reader) text(n node, wanted string) (text string, ok bool) {
	switch v := n.Node.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return v.GetToken().Value, true
	}
	r.expected(n, wanted, "")
	return "", false
}

// words makes a setting that is one of a few words.
func words(section, name, about string, at func(*Config) *string, list ...string) setting {
	wanted := strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
	return setting{
		section: section, name: name, about: about + ": " + strings.Join(list, ", "),
		read: func(r *reader, c *Config, n node) {
			text, ok := r.text(n, wanted)
			if ok && !slices.Contains(list, text) {
				r.expected(n, wanted, r.near(text, list...))
				return
			}
			if ok {
				*at(c) = text
			}
		},
		show: func(c *Config) string { return *at(c) },
	}
}

func flag(name, about string, at func(*Config) *bool) setting {
	return setting{
		name: name, about: about + ": true or false",
		read: func(r *reader, c *Config, n node) {
			v, ok := n.Node.(*ast.BoolNode)
			if !ok {
				r.expected(n, "true or false", "")
				return
			}
			*at(c) = v.Value
		},
		show: func(c *Config) string { return strconv.FormatBool(*at(c)) },
	}
}

func percent(name, about string, at func(*Config) *int) setting {
	return setting{
		section: "layout", name: name, about: about,
		read: func(r *reader, c *Config, n node) {
			v, ok := n.Node.(*ast.IntegerNode)
			if ok {
				number, err := strconv.Atoi(v.GetToken().Value)
				if ok = err == nil && number >= 0 && number <= 90; ok {
					*at(c) = number
				}
			}
			if !ok {
				r.expected(n, "a whole number from 0 to 90", "")
			}
		},
		show: func(c *Config) string { return strconv.Itoa(*at(c)) },
	}
}

func (r *reader) readColors(c *Config, n node) {
	for _, m := range r.members(n.Node, n.at, "a mapping of roles to colours, such as added: \"#8fd19e\"") {
		style, ok := canvas.RoleNamed(m.key)
		if !ok {
			r.add(m.at, "there is no role %q%s", m.key, r.near(m.key, slices.Collect(canvas.Roles())...))
			continue
		}
		colors := canvas.Colors{}
		if _, scalar := m.Node.(ast.ScalarNode); scalar {
			colors.Text = r.color(m)
			c.Colors[style] = colors
			continue
		}
		for _, part := range r.members(m.Node, m.at, `a colour such as "#8fd19e", or {text: ..., background: ...}`) {
			switch part.key {
			case "text":
				colors.Text = r.color(part)
			case "background":
				colors.Background = r.color(part)
			default:
				r.add(part.at, "a role has text and background, and no %q%s", part.key, r.near(part.key, "text", "background"))
			}
		}
		c.Colors[style] = colors
	}
}

func (r *reader) color(n node) canvas.Color {
	text, ok := r.text(n, `a colour such as "#8fd19e"`)
	if ok && !canvas.Color(text).Valid() {
		r.expected(n, `a colour: "#rrggbb" in quotes, or a number from 0 to 255`, "")
	}
	return canvas.Color(text)
}

func (r *reader) readKeys(c *Config, n node) {
	all, at := keys.Default(), map[keys.Action]node{}
	for _, m := range r.members(n.Node, n.at, "a mapping of actions to keys, such as step-stage: [i, f7]") {
		a := all.Named(m.key)
		switch {
		case a == keys.None:
			near := r.near(m.key, slices.Collect(all.Names)...)
			r.add(m.at, "there is no action %q%s; asldb keys --all lists them", m.key, near)
		case at[a].Node != nil:
			r.add(m.at, "%q is another name of %s, which is given already", m.key, all.Binding(a).Names[0])
		default:
			if list, ok := r.keyList(m); ok {
				c.Keys[a], at[a] = list, m
			}
		}
	}
	table, err := all.With(c.Keys)
	var wrong *keys.KeyError
	if errors.As(err, &wrong) {
		place := n.at
		if m, ok := at[wrong.Action]; ok {
			place = m.GetToken()
		}
		r.add(place, "%s: %v", all.Binding(wrong.Action).Names[0], wrong)
		return
	}
	c.Table = table
}

// keyList reads one key or a list of keys.
func (r *reader) keyList(n node) (list []string, ok bool) {
	const wanted = "a key or a list of keys, such as [i, f7]"
	items := []ast.Node{n.Node}
	if sequence, isList := n.Node.(*ast.SequenceNode); isList {
		items = sequence.Values
	} else if _, empty := n.Node.(*ast.NullNode); empty {
		r.expected(n, wanted+" ([] for none)", "")
		return nil, false
	}
	list = []string{}
	for _, item := range items {
		text, ok := r.text(node{Node: item, key: n.key, at: n.at}, wanted)
		if !ok {
			return nil, false
		}
		if text == "space" {
			text = " "
		}
		list = append(list, text)
	}
	return list, true
}

// Problem is something in a configuration file that is wrong.
type Problem struct {
	File string
	// Line and Col count from 1; they are 0 where the whole file is meant.
	Line, Col int
	// Message describes the expected and the actual value, and perhaps suggests one.
	Message string
}

// String is "FILE:LINE:COL: MESSAGE".
func (p *Problem) String() string {
	at := wording.Line(p.File)
	if p.Line > 0 {
		at += ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
	}
	return at + ": " + p.Message
}

// Problems is everything that is wrong in a file, from top to bottom. There is at least one.
type Problems []Problem

// Error implements error: one line for each.
func (list Problems) Error() string {
	lines := make([]string, len(list))
	for i := range list {
		lines[i] = list[i].String()
	}
	return strings.Join(lines, "\n")
}
