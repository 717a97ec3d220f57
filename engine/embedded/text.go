package embedded

import (
	"bytes"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"asldb/engine/source"
	"asldb/engine/value"
)

// piece is a text with the file that its places belong to.
type piece struct {
	*source.Text
	file *source.File
}

// text returns the content of an expression that gives a text. It is not ok where only Terraform knows it.
func (r *reader) text(expr hclsyntax.Expression, in *scope) (piece, bool) {
	if !r.enter() {
		r.leave()
		return piece{}, false
	}
	defer r.leave()
	p := piece{&source.Text{}, r.fileOf(expr)}
	switch e := expr.(type) {
	case *hclsyntax.ParenthesesExpr:
		return r.text(e.Expression, in)
	case *hclsyntax.TemplateWrapExpr:
		return r.text(e.Wrapped, in)
	case *hclsyntax.TemplateExpr:
		r.template(&p, e, in)
		return p, r.written <= maxRendered && r.err == nil
	case *hclsyntax.LiteralValueExpr:
		if e.Val.IsKnown() && !e.Val.IsNull() && e.Val.Type() == cty.String { // a part of a template
			r.literal(&p, e.SrcRange, e.Val.AsString())
			return p, true
		}
	case *hclsyntax.ConditionalExpr:
		return r.text(r.chosen(e, in), in)
	case *hclsyntax.FunctionCallExpr:
		if found, is, ok := r.textCall(e, in); is {
			return found, ok
		}
	case *hclsyntax.ScopeTraversalExpr:
		if found, is, ok := r.textOf(e, in); is {
			return found, ok
		}
	}
	v, ok := r.evaluated(expr, in)
	if _, repeats := expr.(*hclsyntax.TemplateJoinExpr); repeats && !ok { // %{ for }: its parts have no separate text
		r.standIns = true
		v, ok = r.evaluated(expr, in)
		if r.standIns = false; !ok {
			r.err = &SkipError{"the template repeats a part for a value that only Terraform can evaluate; " + r.printed()}
		}
	}
	if ok {
		if text, ok := scalar(v); ok {
			r.insert(&p, text, expr.Range())
			return p, true
		}
	}
	return piece{}, false
}

// insert adds a text in place of an expression.
func (r *reader) insert(p *piece, text string, at hcl.Range) {
	r.written += len(text)
	if r.written <= maxRendered {
		p.Insert(text, r.module.span(at).Start)
	}
}

// template adds the parts of a template.
func (r *reader) template(p *piece, e *hclsyntax.TemplateExpr, in *scope) {
	for _, part := range e.Parts {
		if l, ok := part.(*hclsyntax.LiteralValueExpr); ok && l.Val.Type() == cty.String && l.Val.IsKnown() && !l.Val.IsNull() {
			r.literal(p, l.SrcRange, l.Val.AsString())
			continue
		}
		text, ok := r.text(part, in)
		switch {
		case !ok:
			r.insert(p, r.reference(part, in), part.Range())
		default:
			r.insert(p, string(text.Data), part.Range())
		}
	}
}

// textOf returns the text of a reference: a local value, a variable, a name of the template, or a data source template_file.
func (r *reader) textOf(e *hclsyntax.ScopeTraversalExpr, in *scope) (found piece, is, ok bool) {
	names := traversal(e)
	if text, known := r.given(reference(e, "")); known {
		p := piece{&source.Text{}, r.fileOf(e)}
		r.insert(&p, text, e.Range())
		return p, true, true
	}
	if in != nil {
		if v := in.values[names[0]]; v != nil && len(names) == 1 {
			found, ok = r.text(v, in.outer)
			if !ok && r.err == nil { // a reference in a template is shown by the name that the configuration has for it
				found = piece{&source.Text{}, r.fileOf(e)}
				r.insert(&found, r.reference(v, in.outer), e.Range())
				ok = true
			}
			return found, true, ok
		}
		return piece{}, false, false
	}
	if target, pointer, known := r.target(e, in); known && pointer == "" {
		r.within(names, func() { found, ok = r.text(target, nil) })
		return found, true, ok
	}
	if len(names) == 4 && names[0] == "data" && names[1] == "template_file" && names[3] == "rendered" && r.module.templates[names[2]] != nil {
		attributes := r.module.templates[names[2]]
		template, vars := attributes["template"], attributes["vars"]
		if template == nil {
			return piece{}, false, false
		}
		text, ok := r.text(template, nil)
		if !ok {
			return text, true, false
		}
		found, ok = r.rendered(r.asFile(text, names[2]), r.scope(vars, nil))
		return found, true, ok
	}
	return piece{}, false, false
}

// asFile returns the text of the data source template_file of a name as a file, whose places are places in the text.
func (r *reader) asFile(p piece, name string) *source.File {
	if r.module.whole[p.file] == p.Text { // a file as it is
		return p.file
	}
	inner := &source.File{Name: p.file.Name + "#template_file." + name, Data: p.Data}
	r.module.files[inner.Name], r.module.outer[inner], r.module.whole[inner] = inner, p.file, p.Text
	return inner
}

// textCall returns the text that a function gives; is is false where it is not one of those that read files or keep places.
func (r *reader) textCall(e *hclsyntax.FunctionCallExpr, in *scope) (found piece, is, ok bool) {
	switch {
	case e.Name == "file" && len(e.Args) == 1:
		file := r.open(e.Args[0], in)
		if file == nil {
			return piece{}, true, false
		}
		return piece{r.module.text(file), file}, true, true
	case e.Name == "templatefile" && len(e.Args) == 2:
		file := r.open(e.Args[0], in)
		if file == nil {
			return piece{}, true, false
		}
		found, ok = r.rendered(file, r.scope(e.Args[1], in))
		return found, true, ok
	case (e.Name == "trimspace" || e.Name == "chomp" || e.Name == "tostring" || e.Name == "nonsensitive") && len(e.Args) == 1:
		found, ok = r.text(e.Args[0], in)
		return found, ok, ok
	case e.Name == "replace" && len(e.Args) == 3:
		old, known := literal(e.Args[1])
		text, known2 := r.text(e.Args[2], in)
		if !known || !known2 || len(old) == 0 || old[0] == '/' { // a regular expression
			return piece{}, false, false
		}
		if found, ok = r.text(e.Args[0], in); ok {
			found.Text = found.Replace(old, string(text.Data))
		}
		return found, true, ok
	case e.Name == "jsonencode" && len(e.Args) == 1:
		found = piece{&source.Text{}, r.fileOf(e)}
		r.insert(&found, value.Compact(r.node(e.Args[0], in).Value), e.Range())
		return found, true, true
	}
	return piece{}, false, false
}

// open reads the file that an expression names; nil with r.err or r.unnamed.
func (r *reader) open(expr hclsyntax.Expression, in *scope) *source.File {
	name, ok := r.fileName(expr, in)
	if !ok || r.options.Open == nil {
		advice := r.printed()
		for _, t := range expr.Variables() {
			if names := steps(t); len(names) > 1 && names[0] != "path" {
				advice = "give the value with --substitute " + names[0] + "." + names[1] + "=..."
			}
		}
		r.unnamed = &SkipError{"the name of the file is " + r.shown(expr) + ", which only Terraform can evaluate; " + advice}
		return nil
	}
	file, err := r.options.Open(name)
	if err != nil {
		r.err = err
		return nil
	}
	if known := r.module.files[file.Name]; known != nil {
		return known
	}
	r.module.files[file.Name] = file
	return file
}

// scope returns the names that an object gives to a template.
func (r *reader) scope(vars hclsyntax.Expression, in *scope) *scope {
	s := &scope{values: make(map[string]hclsyntax.Expression), outer: in}
	if vars == nil {
		return s
	}
	if t, ok := vars.(*hclsyntax.ScopeTraversalExpr); ok {
		if target, pointer, ok := r.target(t, in); ok && pointer == "" {
			vars = target
		}
	}
	if p, ok := vars.(*hclsyntax.ParenthesesExpr); ok {
		vars = p.Expression
	}
	call, isCall := vars.(*hclsyntax.FunctionCallExpr)
	objects := []hclsyntax.Expression{vars}
	if isCall && call.Name == "merge" {
		objects = call.Args
	}
	for _, expr := range objects {
		object, ok := expr.(*hclsyntax.ObjectConsExpr)
		if !ok {
			s.open = true
			continue
		}
		for _, item := range object.Items {
			key := r.key(item.KeyExpr, in)
			s.values[key] = item.ValueExpr
			s.names = append(s.names, key)
		}
	}
	return s
}

// rendered returns a template with its names replaced.
func (r *reader) rendered(file *source.File, in *scope) (piece, bool) {
	expr, problems := hclsyntax.ParseTemplate(file.Data, file.Name, hcl.InitialPos)
	if problems.HasErrors() {
		d := r.module.syntax(problems)
		d.File = r.module.real(file)
		d.Message = "the template cannot be read: " + d.Message
		r.problems = append(r.problems, *d)
		return piece{}, false
	}
	text, ok := r.text(expr, in)
	if ok {
		text.file = r.module.real(file)
	}
	return text, ok
}

// literal adds a piece of a file as the text that it spells: escapes are resolved, and a heredoc's indentation is left out.
func (r *reader) literal(p *piece, at hcl.Range, text string) {
	r.written += len(text)
	if r.written > maxRendered {
		return
	}
	file := r.module.files[at.Filename]
	spelt := file.Data[at.Start.Byte:at.End.Byte]
	whole := r.module.text(file)
	base := len(file.Data) - len(whole.Data)
	quoted := at.Start.Byte > 0 && file.Data[at.Start.Byte-1] == '"'
	i, lineStart := 0, true
	for j := 0; j < len(text); {
		if lineStart {
			i += indentation(spelt[i:], text[j:])
			lineStart = false
		}
		from := i
		start := j
		for i < len(spelt) && j < len(text) && spelt[i] == text[j] && !escapes(spelt[i:], quoted) {
			lineStart = spelt[i] == '\n'
			i++
			j++
			if lineStart {
				break
			}
		}
		p.Add(whole, at.Start.Byte+from-base, at.Start.Byte+from-base+j-start)
		if lineStart || j == len(text) {
			continue
		}
		n, m := escape(spelt[i:], text[j:])
		if n == 0 { // another spelling: the rest has the place of the last character
			p.Insert(text[j:], whole.Position(at.Start.Byte+i-base))
			return
		}
		p.Insert(text[j:j+m], whole.Position(at.Start.Byte+i-base))
		i, j = i+n, j+m
	}
}

// indentation returns how many bytes of a line's indentation a heredoc leaves out.
func indentation(spelt []byte, text string) int {
	count := func(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }
	return max(0, count(spelt)-count([]byte(text)))
}

// escapes reports whether an escape begins here.
func escapes(spelt []byte, quoted bool) bool {
	return quoted && spelt[0] == '\\' || bytes.HasPrefix(spelt, []byte("$${")) || bytes.HasPrefix(spelt, []byte("%%{"))
}

// escape returns the lengths of an escape and of the text that it spells; 0 where there is none.
func escape(spelt []byte, text string) (n, m int) {
	if len(spelt) < 2 {
		return 0, 0
	}
	_, size := utf8.DecodeRuneInString(text)
	switch {
	case spelt[0] == '$' || spelt[0] == '%':
		return 2, 1
	case spelt[0] != '\\':
		return 0, 0
	case spelt[1] == 'u' && len(spelt) >= 6:
		return 6, size
	case spelt[1] == 'U' && len(spelt) >= 10:
		return 10, size
	}
	return 2, 1
}
