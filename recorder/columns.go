package recorder

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/expr"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// Columns are expressions over events, whose values make the cells of a table. The names are a [Query]'s, time, and the
// members' of the events' types.
type Columns struct{ columns []*expr.Expression }

// detailNames are the names of the members that only some types of events have.
var detailNames = []string{
	"time", "attempt", "resource", "request", "invocation", "next", "rule", "retrier", "catcher", "delaySeconds", "due", "until", "length", "maxConcurrency", "index", "field",
}

// ParseColumns reads a list of expressions with commas between them. The error is an *[expr.SyntaxError], or says that a name is not
// one of events.
func ParseColumns(text string) (*Columns, error) {
	c := &Columns{}
	for _, part := range splitList(text) {
		if strings.TrimSpace(part) == "" {
			return nil, fmt.Errorf("%q has an empty column", text)
		}
		x, err := expr.Compile(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		for _, name := range x.Names() {
			if !slices.Contains(Names, name) && !slices.Contains(detailNames, name) {
				return nil, fmt.Errorf("events have no %q; the names are %s, and a path into the data begins with $", name, strings.Join(slices.Concat(Names, detailNames), ", "))
			}
		}
		c.columns = append(c.columns, x)
	}
	return c, nil
}

// splitList cuts a text at its commas outside of brackets and quotes.
func splitList(text string) []string {
	var parts []string
	depth, start := 0, 0
	var quote rune
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'' || r == '`':
			quote = r
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth--
		case r == ',' && depth == 0:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

// Names returns the texts of the columns.
func (c *Columns) Names() []string {
	return value.Each(c.columns, (*expr.Expression).String)
}

// Of returns the cells of an event: strings as they are, other values as JSON, and an empty text for null. The error is
// about the first cell that cannot be evaluated, which is empty.
func (c *Columns) Of(e *engine.Event) (cells []string, fault error) {
	data := cmp.Or(e.After, e.Before)
	fields := queryFields(e)
	for _, name := range detailNames {
		fields[name] = runlog.Member(e, name)
	}
	fields["time"] = value.String(e.At().Format(time.RFC3339Nano))
	for _, x := range c.columns {
		v, err := x.Eval(&expr.Env{Data: data, Fields: fields})
		cell := ""
		switch v := v.(type) {
		case value.String:
			cell = string(v)
		case nil, value.Null:
		default:
			cell = value.Compact(v)
		}
		if err != nil && fault == nil {
			fault = &MatchError{Event: e.Seq, Err: err}
		}
		cells = append(cells, cell)
	}
	return cells, fault
}
