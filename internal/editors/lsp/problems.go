package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"asldb/engine/source"
	"asldb/internal/project"
	"asldb/internal/wording"
)

// publish sends the problems of the open documents that have changed. An editor that asks for them is told that there
// are others.
func (s *server) publish(ctx context.Context) {
	lists := make(map[string]*publishParams)
	for _, d := range s.openDocuments() {
		if ctx.Err() != nil {
			return
		}
		s.list(d, lists)
	}
	for uri := range s.published {
		if lists[uri] == nil {
			lists[uri] = &publishParams{URI: uri, Diagnostics: []diagnostic{}}
		}
	}
	changed := false
	for _, uri := range slices.Sorted(maps.Keys(lists)) {
		content, err := json.Marshal(lists[uri])
		if err != nil || bytes.Equal(content, s.published[uri]) {
			continue
		}
		if changed = true; !s.pulled {
			_ = s.conn.Notify(s.ctx, "textDocument/publishDiagnostics", json.RawMessage(content))
		}
		s.published[uri] = content
		if s.documents[uri] == nil && len(lists[uri].Diagnostics) == 0 {
			delete(s.published, uri)
		}
	}
	if changed && s.refreshes {
		_, _ = s.conn.DispatchCall(s.ctx, "workspace/diagnostic/refresh", nil)
	}
}

// list adds the problems of a document to the lists of the files where they are.
func (s *server) list(d *document, lists map[string]*publishParams) {
	version := d.version
	if lists[d.uri] == nil {
		lists[d.uri] = &publishParams{URI: d.uri, Version: &version, Diagnostics: []diagnostic{}}
	}
	for _, p := range s.problems(d) {
		uri := s.uriOf(p.File, d)
		if lists[uri] == nil {
			lists[uri] = &publishParams{URI: uri, Diagnostics: []diagnostic{}}
		}
		if one := s.diagnostic(&p, d); uri == d.uri || s.documents[uri] == nil {
			lists[uri].Diagnostics = append(lists[uri].Diagnostics, one)
		}
	}
}

// The kinds of a report.
const (
	reportFull      = "full"
	reportUnchanged = "unchanged"
)

// pull answers with the problems of a document, and of the files that its definitions are in besides.
func (s *server) pull(p *pullParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	lists := make(map[string]*publishParams)
	s.list(d, lists)
	one := report{Kind: reportFull}
	for uri, list := range lists {
		content, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		switch {
		case uri == d.uri:
			one.Items = &list.Diagnostics
			s.published[uri] = content
		case s.documents[uri] == nil:
			if one.RelatedDocuments == nil {
				one.RelatedDocuments = make(map[string]report)
			}
			one.RelatedDocuments[uri] = report{Kind: reportFull, Items: &list.Diagnostics}
			s.published[uri] = content
		}
	}
	content, err := json.Marshal([]any{one.Items, one.RelatedDocuments})
	if err != nil {
		return nil, err
	}
	one.ResultID = strconv.FormatUint(uint64(crc32.ChecksumIEEE(content)), 16) + "-" + strconv.Itoa(len(content))
	if one.ResultID == p.PreviousResultID {
		return report{Kind: reportUnchanged, ResultID: one.ResultID}, nil
	}
	return one, nil
}

// problems returns the problems of a document that the editor shows. A fault of asldb in one document leaves the others
// theirs.
func (s *server) problems(d *document) (list []source.Diagnostic) {
	defer func() {
		if fault := recover(); fault != nil {
			list = nil
		}
	}()
	read := s.read(d)
	if !read.checked {
		read.checked = true
		files, told := s.files(), make(map[string]bool)
		for _, m := range read.machines {
			for _, p := range problemsOf(files, m) {
				key := fmt.Sprint(s.uriOf(p.File, d), p.Span.Start.Offset, p.Rule, p.Message)
				if !told[key] { // a file may be the definition of several machines
					read.problems = append(read.problems, p)
				}
				told[key] = true
			}
		}
	}
	for _, p := range read.problems {
		if p.Severity != source.Hint || s.hints {
			list = append(list, p)
		}
	}
	return list
}

// uriOf returns the URI of a file: the document's own where it is that.
func (s *server) uriOf(file *source.File, d *document) string {
	if file == nil || file.Name == d.name {
		return d.uri
	}
	for _, other := range s.documents {
		if other.name == file.Name {
			return other.uri
		}
	}
	return uriOf(file.Name)
}

// diagnostic returns a problem as the editor shows it.
func (s *server) diagnostic(p *source.Diagnostic, d *document) diagnostic {
	one := diagnostic{
		Range:    rangeIn(p.File, p.Span, d),
		Severity: severityError,
		Code:     p.Rule,
		Source:   "asldb",
		Message:  p.Message,
	}
	switch p.Severity {
	case source.Warning:
		one.Severity = severityWarning
	case source.Hint, source.Note:
		one.Severity = severityHint
	case source.Error, source.Danger:
	}
	if page := project.PageOf(p.Rule); page != "" {
		one.CodeDescription = &codeDescription{page}
	}
	if p.Suggestion != "" {
		one.Message += "\n" + p.Suggestion
	}
	for _, reason := range p.Reasons {
		if reason.Span.Start.Line == 0 {
			one.Message += "\n" + reason.Text
			continue
		}
		one.Related = append(one.Related, related{
			Message:  reason.Text,
			Location: location{URI: s.uriOf(reason.File, d), Range: rangeIn(reason.File, reason.Span, d)},
		})
	}
	return one
}

// rangeIn returns the range of a stretch of a file, which may be a document's. A place alone becomes the word
// there.
func rangeIn(file *source.File, at source.Span, d *document) span {
	l := d.lines
	if file != nil && file.Name != d.name {
		l = linesOf(file.Data)
	}
	if at.Start.Line == 0 {
		return span{}
	}
	from, to := at.Start.Offset, at.End.Offset
	if to <= from {
		to = from + wordAt(l.data, from)
	}
	return l.span(from, to)
}

// wordAt returns the length of the word that begins at an offset; of another character, 1, and 0 at the end of a line.
func wordAt(data []byte, from int) (n int) {
	for from+n < len(data) {
		r, size := utf8.DecodeRune(data[from+n:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			if n == 0 && r != '\n' && r != '\r' {
				n = size
			}
			break
		}
		n += size
	}
	return n
}

func quoted(text string) string { return strconv.Quote(text) }

// codeActions answers with the corrections of the problems in a range.
func (s *server) codeActions(p *codeActionParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	actions := []codeAction{}
	wants := func(kinds ...string) bool {
		return slices.ContainsFunc(p.Context.Only, func(kind string) bool { return slices.Contains(kinds, kind) })
	}
	if wants("source", fixAll) {
		actions = append(actions, s.allFixes(d)...)
	}
	if len(p.Context.Only) > 0 && !wants("quickfix", "") {
		return actions, nil
	}
	problems := s.problems(d)
	for i := range problems {
		edit, ok := problems[i].Edit()
		if !ok {
			continue
		}
		shown := s.diagnostic(&problems[i], d)
		at := rangeIn(edit.File, edit.Span, d)
		if !touches(shown.Range, p.Range) && !touches(at, p.Range) || s.uriOf(edit.File, d) != d.uri {
			continue
		}
		old := edit.File.Data[edit.Span.Start.Offset:edit.Span.End.Offset]
		title := "Change " + quoted(string(old)) + " to " + quoted(edit.Text)
		if problems[i].Fix.Into != nil {
			title = wording.Sentence(problems[i].Fix.String())
		}
		actions = append(actions, codeAction{
			Title: title, Kind: "quickfix", Diagnostics: []diagnostic{shown},
			IsPreferred: problems[i].Fix.Certain, Edit: workspaceEdit{Changes: map[string][]textEdit{d.uri: {{Range: at, NewText: edit.Text}}}},
		})
	}
	return actions, nil
}

// fixAll is the kind of the action that makes all certain corrections, as asldb validate --fix does.
const fixAll = "source.fixAll"

// allFixes returns the action that makes all certain corrections of a document; none where there are none.
func (s *server) allFixes(d *document) []codeAction {
	var edits []textEdit
	problems := s.problems(d)
	for i := range problems {
		edit, ok := problems[i].Edit()
		if !ok || !problems[i].Fix.Certain || s.uriOf(edit.File, d) != d.uri {
			continue
		}
		one := textEdit{Range: rangeIn(edit.File, edit.Span, d), NewText: edit.Text}
		if !slices.ContainsFunc(edits, func(other textEdit) bool { return touches(other.Range, one.Range) }) {
			edits = append(edits, one)
		}
	}
	if len(edits) == 0 {
		return nil
	}
	return []codeAction{{
		Title: "Make all certain corrections", Kind: fixAll,
		Edit: workspaceEdit{Changes: map[string][]textEdit{d.uri: edits}},
	}}
}

// touches reports whether two ranges have a place in common, ends included.
func touches(a, b span) bool { return !before(a.End, b.Start) && !before(b.End, a.Start) }

func before(a, b position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}
