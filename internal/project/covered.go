package project

import (
	"bytes"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/files"
)

// IgnoredPart is an entry of parts that do not count as coverage.
type IgnoredPart struct{ State, Kind, Reason string }

// KeepsCoverage reports whether the file has the key coverage, so that its bar is kept. A nil Project has none.
func (p *Project) KeepsCoverage() bool { return p != nil && p.covers != nil }

// LeastCoverage returns the bar of the coverage as it is written; empty: there is none.
func (p *Project) LeastCoverage() string {
	if !p.KeepsCoverage() {
		return ""
	}
	least := p.covers.Get("min")
	switch {
	case least == nil:
		return ""
	case least.IsText():
		return least.Text()
	}
	return value.Compact(least.Value)
}

// IgnoredCoverage returns the parts of the definition in a file that do not count.
func (p *Project) IgnoredCoverage(file string) (list []IgnoredPart) {
	if !p.KeepsCoverage() || p.covers.Get("ignore") == nil {
		return nil
	}
	for _, item := range p.covers.Get("ignore").Items {
		if p.matches(member(item, "path"), file) {
			list = append(list, IgnoredPart{member(item, "state"), member(item, "kind"), member(item, "reason")})
		}
	}
	return list
}

// SetLeastCoverage writes the bar of the coverage into the file, which has the key coverage, and reports whether that
// changed it. All else stays as it is.
func (p *Project) SetLeastCoverage(bars string) (changed bool, err error) {
	data, written := p.Source.Data, value.Quote(bars)
	var text []byte
	if least := p.covers.Get("min"); least != nil {
		at := least.Span
		text = bytes.Join([][]byte{data[:at.Start.Offset], []byte(written), data[at.End.Offset:]}, nil)
	} else {
		text = withMember(data, p.covers, "min: "+written)
	}
	if bytes.Equal(text, data) {
		return false, nil
	}
	if _, err := Parse(&source.File{Name: p.Source.Name, Data: text}); err != nil {
		return false, err
	}
	return true, files.Replace(p.Source.Name, 0o666, text)
}

// withMember puts a member first into an object of YAML.
func withMember(data []byte, object *source.Node, member string) []byte {
	at := object.Span.Start.Offset
	if data[at] != '{' {
		line := bytes.LastIndexByte(data[:at], '\n') + 1
		indent := bytes.Repeat([]byte(" "), at-line)
		return bytes.Join([][]byte{data[:at], []byte(member + "\n"), indent, data[at:]}, nil)
	}
	if len(object.Members) > 0 {
		member += ", "
	}
	return bytes.Join([][]byte{data[:at+1], []byte(member), data[at+1:]}, nil)
}
