package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/console"
	"asldb/engine/flow"
	"asldb/engine/lint"
	"asldb/engine/services"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/suite"
)

// maxItems bounds a list of completions.
const maxItems = 500

// complete answers with the words that fit at a position.
func (s *server) complete(ctx context.Context) func(p *positionParams) (any, error) {
	return func(p *positionParams) (any, error) {
		d, err := s.document(p.TextDocument.URI)
		if err != nil {
			return nil, err
		}
		list, offset := completionList{Items: []completionItem{}}, d.lines.offset(p.Position)
		l := &completions{document: d, snippets: s.snippets}
		beside := suite.IsSuite(d.name) || isFixtures(d.name)
		if !beside {
			l.cursor = s.cursorAt(d, offset)
		}
		switch c := l.cursor; {
		case beside:
			l.results(s, offset)
		case c == nil:
			return list, nil
		case len(c.path) == 0:
			if c.quote == "" {
				l.snippet("StartAt and States", "a new definition", "{\n  "+skeletonJSON+"\n}", "StartAt")
			}
		case c.isKey:
			l.keys()
		default:
			l.values(ctx, s)
		}
		if len(l.items) > maxItems {
			l.items, list.IsIncomplete = l.items[:maxItems], true
		}
		for i := range l.items {
			l.items[i].SortText = fmt.Sprintf("%04d", i)
		}
		list.Items = append(list.Items, l.items...)
		return list, nil
	}
}

// completions gathers the words that fit at a cursor.
type completions struct {
	*cursor
	document *document
	snippets bool
	items    []completionItem
}

// The beginnings of definitions, with the places to fill in as snippets have them.
const (
	skeletonJSON = `"StartAt": "${1:First}",
  "States": {
    "${1:First}": {
      "Type": "${2:Pass}",
      "End": true
    }
  }`
	skeletonYAML = `StartAt: ${1:First}
States:
  ${1:First}:
    Type: ${2:Pass}
    End: true
`
)

// add adds a word in place of the one that is typed.
func (l *completions) add(text string, kind int, detail, about string) {
	w := word{quote: l.quote}
	written, to := "", l.to
	switch {
	case l.bare:
		written = `"` + escaped(text) + `"`
	default:
		written = w.write(text)
	}
	if l.isKey && l.colon {
		if l.quote != "" && !l.bare {
			written, to = written+l.quote, to+len(l.quote)
		}
		written += ": "
	}
	at := l.document.lines.span(l.from, to)
	l.items = append(l.items, completionItem{
		Label: text, Kind: kind, Detail: detail, Documentation: about, TextEdit: &textEdit{Range: at, NewText: written},
		FilterText: strings.TrimSuffix(written, ": "),
	})
}

// keys adds the names of fields that the object at the cursor may have.
func (l *completions) keys() {
	object := l.root
	for _, key := range l.path[:len(l.path)-1] {
		object = child(object, key)
	}
	has := func(name string) bool { return object.Get(name) != nil }
	field := func(f *asl.Field) {
		if (f.In(l.language) || f.Language == 0) && !has(f.Name) {
			l.add(f.Name, kindField, contentText(f.Content), fieldText(f.Name))
		}
	}
	plain := func(names ...string) {
		for _, name := range names {
			if !has(name) {
				l.add(name, kindField, "", fieldText(name))
			}
		}
	}
	switch {
	case l.state == nil && len(l.fields) == 0:
		l.newStates()
	case l.state == nil && len(l.fields) == 1:
		plain("StartAt", "States", "Comment")
		if len(l.scopePath) == 0 {
			plain("QueryLanguage", "TimeoutSeconds", "Version")
			switch {
			case len(object.Members) > 1: // the word alone
			case l.document.isYAML():
				l.snippet("StartAt and States", "a new definition", skeletonYAML, "StartAt")
			default:
				l.snippet("StartAt and States", "a new definition", skeletonJSON, `"StartAt"`)
			}
		} else if l.scopePath[len(l.scopePath)-1] == "ItemProcessor" {
			plain("ProcessorConfig")
		}
	case l.state == nil && len(l.fields) == 2 && l.fields[0] == "ProcessorConfig":
		plain("Mode", "ExecutionType")
	case l.state == nil:
	case len(l.fields) == 1:
		t := l.stateType()
		if t == 0 {
			plain("Type", "Comment")
			return
		}
		for f := range asl.Fields() {
			if f.On(t) {
				field(f)
			}
		}
	default:
		l.keysInField(field, plain)
	}
}

// keysInField adds the names of fields within a field of a state.
func (l *completions) keysInField(field func(*asl.Field), plain func(...string)) {
	above := *l.cursor
	above.fields = l.fields[:len(l.fields)-1]
	f, rest := above.field()
	if f == nil {
		return
	}
	if len(rest) == 0 && f.Parts != nil {
		for i := range f.Parts {
			field(&f.Parts[i])
		}
		if f.Content == asl.ContentRules && l.language == asl.JSONPath {
			for operator := range asl.Operators() {
				plain(operator.Name)
				if operator.HasPath {
					plain(operator.Name + "Path")
				}
			}
		}
		return
	}
	switch makes := l.fields[0] == f.Name; {
	case makes && slices.Contains([]string{"Result", "ResultSelector", "Output"}, f.Name),
		makes && f.Name == "Parameters" && l.stateType() == asl.Pass:
		l.wanted(f, rest)
	case f.Name == "Parameters" || f.Name == "Arguments":
		l.parameters(rest)
	}
}

// laterReads is the detail of a member for which a later state asks.
const laterReads = "a later state reads it"

// wanted adds the members that later states read of the value which a field makes, in the object at a path in it.
func (l *completions) wanted(f *asl.Field, path []string) {
	for _, m := range []*machine{l.document.sound[l.machine.definition.Resource], l.machine} {
		demands := m.demands()
		if demands == nil {
			continue
		}
		s := demands.Analysis().Machine().Lookup(l.statePath())
		if s == nil {
			continue
		}
		of := demands.Made(s, f.Stage)
		for _, name := range path {
			of = of.Member(strings.TrimSuffix(name, ".$"))
		}
		for _, member := range of.Members() {
			l.add(member.Name, kindProperty, laterReads, "")
			if l.language == asl.JSONPath && f.Stage != asl.StageResult {
				l.add(member.Name+".$", kindProperty, laterReads, "")
			}
		}
		return
	}
}

// parameters adds the parameters of the action that a task calls.
func (l *completions) parameters(path []string) {
	resource, _ := source.TextOf(l.state.Get("Resource"))
	call, ok := services.CallOf(resource)
	if !ok {
		return
	}
	names := value.Each(path, func(name string) string { return strings.TrimSuffix(name, ".$") })
	shape := call.Parameter(names)
	if shape == nil {
		return
	}
	for _, m := range call.MembersWith(shape, "") {
		detail := ""
		if m.Required {
			detail = "required"
		}
		l.add(call.Name(m), kindProperty, detail, "")
		if l.language == asl.JSONPath {
			l.add(call.Name(m)+".$", kindProperty, detail, "")
		}
	}
}

// values adds the values that a field may have.
func (l *completions) values(ctx context.Context, s *server) {
	if len(l.fields) == 0 {
		return
	}
	name, owner := l.fields[len(l.fields)-1], ""
	if len(l.fields) > 1 {
		owner = l.fields[len(l.fields)-2]
	}
	field, _ := l.field()
	switch {
	case isTarget(&l.where):
		l.states()
	case field != nil && field.Content == asl.ContentErrorNames || owner == "ErrorEquals":
		l.errors()
	case field != nil && field.Content == asl.ContentURI:
		l.resources()
	case field != nil && field.Content == asl.ContentWord || field == nil && (len(l.fields) == 1 || owner == "ProcessorConfig"):
		for _, text := range asl.Words(owner, name) {
			l.add(text, kindEnum, "", "")
		}
	case l.evaluates(l.before):
		l.expressions(ctx, s, field)
	}
}

// states adds the names of the states of the scope.
func (l *completions) states() {
	states := l.scope.Get("States")
	if states == nil {
		return
	}
	for i := range states.Members {
		m := &states.Members[i]
		if m.Key == l.name && l.fields[0] != "Catch" || strings.Contains(m.Key, marker) {
			continue
		}
		t, _ := source.TextOf(m.Node.Get("Type"))
		comment, _ := source.TextOf(m.Node.Get("Comment"))
		l.add(m.Key, kindReference, t, comment)
	}
}

// errors adds the Error Names that the state may have.
func (l *completions) errors() {
	resource, _ := source.TextOf(l.state.Get("Resource"))
	if call, ok := services.CallOf(resource); ok {
		for _, name := range call.ErrorNames() {
			l.add(name, kindEvent, call.ServiceName, "")
		}
	}
	for _, name := range lint.ErrorNames() {
		l.add(name, kindEvent, "", "")
	}
}

// The prefixes of the Resources of integrations.
const (
	optimized = "arn:aws:states:::"
	sdk       = optimized + "aws-sdk:"
)

// resources adds the Resources of integrations: of the AWS SDK, first the services, then the actions of one.
func (l *completions) resources() {
	if rest, found := strings.CutPrefix(l.before, sdk); found {
		name, _, named := strings.Cut(rest, ":")
		if !named {
			for service := range services.Names() {
				l.add(sdk+service+":", kindModule, "AWS SDK", "")
			}
			return
		}
		service, ok := services.Find(name)
		if !ok {
			return
		}
		for i := range service.Operations {
			l.add(sdk+name+":"+service.Operations[i].Name, kindFunction, service.ID, "")
		}
		return
	}
	l.add("arn:aws:lambda:us-east-1:123456789012:function:NAME", kindFunction, "a function", "")
	for _, service := range services.OptimizedServices() {
		for _, action := range services.OptimizedActions(service) {
			resource := optimized + service + ":" + action
			l.add(resource, kindFunction, service, "")
			if call, ok := services.CallOf(resource); ok {
				patterns, _ := call.Patterns()
				for _, pattern := range patterns {
					if pattern != "" {
						l.add(resource+pattern, kindFunction, service, "")
					}
				}
			}
		}
	}
	l.add(sdk, kindModule, "any action of the AWS SDK", "")
}

// expressions adds the continuations of a path, an intrinsic function or a JSONata expression.
func (l *completions) expressions(ctx context.Context, s *server, field *asl.Field) {
	text := l.before
	query := l.language == asl.JSONata
	switch {
	case query && strings.Contains(text, "%}"):
		return
	case !query && text == "":
		text = "$"
	}
	var run *console.Env
	m := l.document.sound[l.machine.definition.Resource] // as it was at the last pause
	if m == nil {
		m = s.soundMachine(l.document, l.machine.definition.Resource)
	}
	if data := s.data(ctx, m); data != nil {
		run, _ = data.env(l.statePath(), l.stage(field), field.Reads)
	}
	scene, variables := l.scene(m, field)
	env := l.environment(scene, run)
	for _, c := range console.Complete(text, env, variables) {
		if !strings.HasPrefix(c.Name, "$") && !strings.HasPrefix(c.Name, "States.") && !query {
			continue // names of conditions of breakpoints
		}
		if !strings.HasSuffix(c.Text, c.Name) {
			continue // the usage of a function
		}
		l.continuation(c, scene, run)
	}
	if begin := strings.LastIndex(text, "{%"); query && scene != nil && begin >= 0 {
		l.inside(scene, text[begin+len("{%"):])
	}
}

// inside adds the members of the value to which the name that is typed belongs, in predicates and functions of JSONata.
func (l *completions) inside(scene *flow.Scene, text string) {
	if slices.ContainsFunc(l.items, func(item completionItem) bool { return strings.Contains(item.Label, ".") }) {
		return // a path with its root
	}
	typed := text[len(strings.TrimRightFunc(text, flow.IsNamePart)):]
	if strings.HasSuffix(strings.TrimSuffix(text, typed), "$") {
		return
	}
	for _, m := range scene.Inside(text) {
		if strings.HasPrefix(m.Name, typed) {
			l.insert(completionItem{Label: m.Name, Kind: kindProperty, Detail: m.Fact.String()}, typed)
		}
	}
}

// continuation adds a continuation of an expression: its value in the run, and what the definition says about it.
func (l *completions) continuation(c console.Candidate, scene *flow.Scene, run *console.Env) {
	begin := len(c.Text) - len(c.Name)
	if begin > len(l.before) {
		begin = 0
	}
	item := completionItem{Label: c.Name, Kind: kindProperty, Documentation: c.About}
	switch {
	case c.About != "" || strings.HasSuffix(c.Name, "("):
		item.Kind = kindFunction
	case strings.Count(c.Name, ".") == 0:
		item.Kind = kindVariable
	}
	if scene != nil && item.Kind != kindFunction {
		if fact, known := scene.Fact(c.Name); known {
			item.Detail = fact.String()
		}
	}
	if v := valueIn(run, l.language, c.Name); v != nil {
		item.Detail, item.Documentation = value.Preview(v, 60), item.Detail
	}
	l.insert(item, l.before[begin:])
}

// insert adds an item, whose label is written in place of the text that is typed.
func (l *completions) insert(item completionItem, typed string) {
	from := l.to - len(l.after) - len(escaped(typed))
	before := string(l.document.lines.data[:l.to-len(l.after)])
	if from < 0 || !strings.HasSuffix(before, typed) && !strings.HasSuffix(before, escaped(typed)) {
		return
	}
	written := item.Label
	if l.quote != "'" {
		written = escaped(written)
	}
	if l.bare {
		written = `"` + written + `"`
	}
	item.FilterText = written
	item.TextEdit = &textEdit{Range: l.document.lines.span(from, l.to-len(l.after)), NewText: written}
	if !slices.ContainsFunc(l.items, func(other completionItem) bool { return other.Label == item.Label }) {
		l.items = append(l.items, item)
	}
}

// valueIn returns the value of a reference in a run in memory; nil where there is none.
func valueIn(run *console.Env, language asl.QueryLanguage, text string) value.Value {
	if run == nil {
		return nil
	}
	env := *run
	env.Language = language
	if language == asl.JSONata {
		text = "{% " + text + " %}"
	}
	compiled, err := console.Compile(text)
	if err != nil {
		return nil
	}
	v, err := compiled.Look(&env)
	if err != nil {
		return nil
	}
	return v
}

// contentText returns the kind of text that a field holds, in a word or two.
func contentText(c asl.Content) string {
	switch c {
	case asl.ContentName:
		return "name of a state"
	case asl.ContentPath, asl.ContentItemsPath, asl.ContentQuantityPath, asl.ContentTextPath, asl.ContentResultPath:
		return "path"
	case asl.ContentTemplate, asl.ContentPayload, asl.ContentAssign, asl.ContentRole:
		return "payload template"
	case asl.ContentFlag:
		return "true or false"
	case asl.ContentCount, asl.ContentPercentage, asl.ContentNumber:
		return "number"
	default:
		return ""
	}
}
