package lsp

import (
	"bytes"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// stateSnippet is a state to fill in, in both query languages where they differ: JSON with places as snippets have.
type stateSnippet struct{ about, path, query string }

// stateSnippets are the states to fill in.
var stateSnippets = []stateSnippet{
	{
		"Task: a Lambda function",
		`{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Parameters":{"FunctionName":"${2:function}",
		"Payload.$":"$"},"ResultSelector":{"payload.$":"$.Payload"},"Next":"${3:Next}"}`,
		`{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Arguments":{"FunctionName":"${2:function}",
		"Payload":"{% $states.input %}"},"Output":"{% $states.result.Payload %}","Next":"${3:Next}"}`,
	},
	{"Pass", `{"Type":"Pass","Parameters":{"${2:name}.$":"$.${3:path}"},"Next":"${4:Next}"}`,
		`{"Type":"Pass","Output":{"${2:name}":"{% $states.input.${3:path} %}"},"Next":"${4:Next}"}`},
	{
		"Choice",
		`{"Type":"Choice","Choices":[{"Variable":"$.${2:path}","IsPresent":true,"Next":"${3:Next}"}],
		"Default":"${4:Otherwise}"}`,
		`{"Type":"Choice","Choices":[{"Condition":"{% $states.input.${2:path} = 1 %}","Next":"${3:Next}"}],
		"Default":"${4:Otherwise}"}`,
	},
	{"Wait", `{"Type":"Wait","Seconds":10,"Next":"${2:Next}"}`, ``},
	{
		"Parallel",
		`{"Type":"Parallel","Branches":[{"StartAt":"${2:First}","States":{"${2:First}":{"Type":"Pass","End":true}}}],
		"Next":"${3:Next}"}`,
		``,
	},
	{
		"Map",
		`{"Type":"Map","ItemsPath":"$.${2:items}","ItemProcessor":{"ProcessorConfig":{"Mode":"INLINE"},
		"StartAt":"${3:Each}",		"States":{"${3:Each}":{"Type":"Pass","End":true}}},"Next":"${4:Next}"}`,
		`{"Type":"Map","Items":"{% $states.input.${2:items} %}","ItemProcessor":{"ProcessorConfig":{"Mode":"INLINE"},
		"StartAt":"${3:Each}","States":{"${3:Each}":{"Type":"Pass","End":true}}},"Next":"${4:Next}"}`,
	},
	{"Succeed", `{"Type":"Succeed"}`, ``},
	{"Fail", `{"Type":"Fail","Error":"${2:Error.Name}","Cause":"${3:the reason}"}`, ``},
}

// newStates adds states to fill in, in place of the key that is typed.
func (l *completions) newStates() {
	for _, one := range stateSnippets {
		text := one.path
		if l.language == asl.JSONata && one.query != "" {
			text = one.query
		}
		v, err := value.Parse([]byte(text), value.Limits{})
		if err != nil {
			continue
		}
		kind, _, _ := strings.Cut(one.about, ":")
		name := "${1:" + kind + "}"
		if l.document.isYAML() {
			text = name + ":\n" + yamlOf(v, "  ")
		} else {
			text = `"` + name + `": ` + value.Pretty(v)
		}
		l.snippet(one.about, "a new state", text, l.quote+kind)
	}
}

// dollars are the dollar signs of a text that mark nothing to fill in: paths, and the names of fields that end in .$.
var dollars = wording.Pattern(`\$(?:[^{]|$)`)

// places are the places to fill in.
var places = wording.Pattern(`\$\{\d+:([^}]*)\}`)

// snippet adds a text with places to fill in, in place of the word that is typed and its quotes. The editor compares
// the word with filter.
func (l *completions) snippet(label, detail, text, filter string) {
	from, to := l.from-len(l.quote), l.to
	if rest := l.document.lines.data[to:]; l.quote != "" && bytes.HasPrefix(rest, []byte(l.quote)) {
		to += len(l.quote)
	}
	item := completionItem{Label: label, Kind: kindSnippet, Detail: detail, FilterText: filter}
	if l.snippets {
		item.InsertTextFormat = snippet
		text = dollars().ReplaceAllStringFunc(text, func(found string) string { return `\` + found })
	} else {
		text = places().ReplaceAllString(text, "$1")
	}
	item.TextEdit = &textEdit{Range: l.document.lines.span(from, to), NewText: text}
	l.items = append(l.items, item)
}

// yamlOf writes a value as a block of YAML.
func yamlOf(v value.Value, indent string) string {
	var b strings.Builder
	switch v := v.(type) {
	case *value.Object:
		for key, member := range v.All() {
			b.WriteString(indent + yamlWord(key) + ":" + yamlBelow(member, indent))
		}
	case *value.Array:
		for _, item := range v.All() {
			text := strings.TrimPrefix(yamlBelow(item, indent), " ")
			b.WriteString(indent + "- " + strings.TrimPrefix(text, "\n"+indent+"  "))
		}
	}
	return b.String()
}

// yamlBelow writes a value behind its key.
func yamlBelow(v value.Value, indent string) string {
	switch v := v.(type) {
	case *value.Object, *value.Array:
		return "\n" + yamlOf(v, indent+"  ")
	case value.String:
		return " " + yamlWord(string(v)) + "\n"
	default:
		return " " + value.Compact(v) + "\n"
	}
}

// yamlWord writes a text as YAML, plain where a name is.
func yamlWord(text string) string {
	if shown := places().ReplaceAllString(text, "$1"); plainName().MatchString(shown) {
		return text
	}
	return `"` + escaped(text) + `"`
}
