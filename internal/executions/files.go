package executions

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/wording"
	"asldb/recorder/history"
)

// filesAtOnce is the number of files that are read for a page.
const filesAtOnce = 20

// Files lists the executions in files: histories and logs of Step Functions, and traces of asldb.
type Files struct {
	names []string
	files files.Files

	found  []File
	at     int    // the next of them
	pages  []Page // of histories whose pages are in separate files
	listed int
	others int // files that hold no execution
}

// NewFiles returns the list of the executions in files, in folders with all below them, and in the files that patterns
// match.
func NewFiles(names []string, reader files.Files) *Files {
	return &Files{names: names, files: reader}
}

// Title implements [Source].
func (f *Files) Title() string { return "Executions in " + strings.Join(f.names, ", ") }

// Local implements [Source].
func (f *Files) Local() bool { return true }

// Again implements [Source].
func (f *Files) Again() { f.found, f.at, f.pages, f.listed, f.others = nil, 0, nil, 0, 0 }

// LeftOut implements [Source].
func (f *Files) LeftOut() int { return f.others }

// Find looks for the files, without reading them. The error is about a name or pattern that leads to no file.
func (f *Files) Find() error {
	if f.found != nil {
		return nil
	}
	found, err := Find(f.names, fits)
	if err == nil {
		f.found = found.Files
	}
	return err
}

// Next implements [Source]. A file of a folder that holds no execution is left out; one that was named is an error.
func (f *Files) Next(ctx context.Context) (rows []Row, more bool, err error) {
	if err := f.Find(); err != nil {
		return nil, true, err
	}
	for range filesAtOnce {
		if f.at == len(f.found) || ctx.Err() != nil {
			break
		}
		file := f.found[f.at]
		list, err := f.rows(file.Name)
		switch {
		case err != nil && file.Given:
			return nil, true, err
		case err != nil:
			f.others++
		}
		f.at++
		rows = append(rows, list...)
	}
	if f.at == len(f.found) {
		joined, err := f.join()
		if err != nil {
			return nil, true, err
		}
		rows = append(rows, joined...)
	}
	f.listed += len(rows)
	if more = f.at < len(f.found); !more && f.listed == 0 {
		f.at, f.others = 0, 0
		return nil, true, fmt.Errorf("there is neither a history nor a trace of an execution in %s: %d files were looked at", strings.Join(f.names, ", "), len(f.found))
	}
	return rows, more, ctx.Err()
}

// rows returns the rows of the executions in a file. A page of a history is put by: its others may be in other files.
func (f *Files) rows(name string) (rows []Row, err error) {
	if isTrace(name) {
		row, err := traceRow(name)
		if err != nil {
			return nil, err
		}
		return []Row{row}, nil
	}
	list, err := f.read(name)
	if err != nil {
		return nil, err
	}
	if len(list) == 1 && list[0].Page() {
		f.pages = append(f.pages, Page{File: name, Execution: list[0]})
		return nil, nil
	}
	for _, x := range list {
		rows = append(rows, rowOf(x, []string{name}, len(list) > 1))
	}
	return rows, nil
}

// join returns the rows of the histories whose pages are in separate files.
func (f *Files) join() (rows []Row, err error) {
	for _, group := range Pages(f.pages) {
		x, err := Join(group)
		if err != nil {
			return nil, err
		}
		names := value.Each(group, func(page Page) string { return page.File })
		rows = append(rows, rowOf(x, names, false))
	}
	f.pages = nil
	return rows, nil
}

// read returns the executions of files.
func (f *Files) read(names ...string) ([]*history.Execution, error) {
	var texts []history.File
	for _, name := range names {
		if suite.IsSuite(name) {
			return nil, fmt.Errorf("%s is a suite: asldb debug --test opens one of its cases", name)
		}
		_, data, err := f.files.Read(name)
		if err != nil {
			return nil, err
		}
		texts = append(texts, history.File{Name: name, Data: data})
	}
	return history.Read(texts...)
}

// rowOf returns the row of an execution in files: its pages, or one that may have several.
func rowOf(x *history.Execution, names []string, several bool) Row {
	file := names[0]
	row := Row{ID: file, Name: strings.TrimSuffix(filepath.Base(file), Suffix), Status: statusOf(x), Failure: failureOf(x), About: strings.Join(names, ", "), files: names}
	if arn, err := ParseARN(x.ARN); err == nil {
		row.Name = arn.Name
	}
	if several {
		row.ID += " " + x.ARN
	}
	if started := x.Started(); started != nil {
		row.Start = time.Unix(0, started.Time)
	}
	if end := x.End(); end != nil {
		row.Stop = time.Unix(0, end.Time)
	}
	for i := range x.Events {
		if kind := x.Events[i].Kind(); kind.Family == history.OfExecution && kind.Phase == history.Redriven {
			row.Redrives++
		}
	}
	return row
}

// Read implements [Source].
func (f *Files) Read(_ context.Context, row *Row, _ func(events int)) (*Recorded, error) {
	if row.trace {
		return f.readTrace(row)
	}
	list, err := f.read(row.files...)
	if err != nil {
		return nil, err
	}
	for _, x := range list {
		if found := rowOf(x, row.files, len(list) > 1); found.ID == row.ID {
			return &Recorded{Row: found, History: x, Files: row.files, Definition: DefinitionOf(row.files[0])}, nil
		}
	}
	return nil, fmt.Errorf("%s does not have the execution %s any more", row.About, row.Name)
}

// readTrace returns a trace, which is opened by its name.
func (f *Files) readTrace(row *Row) (*Recorded, error) {
	found, err := traceRow(row.ID)
	if err != nil {
		return nil, err
	}
	return &Recorded{Row: found, Trace: row.ID}, nil
}

// Page is a page of a history in a separate file.
type Page struct {
	File      string
	Execution *history.Execution
}

// lastNumber is the last number in the name of a file: pages differ in it.
var lastNumber = wording.Pattern(`[0-9]+([^0-9]*)$`)

// numberless is the name of a file without the number in which the pages of a history differ.
func numberless(name string) string {
	return filepath.Join(filepath.Dir(name), lastNumber().ReplaceAllString(filepath.Base(name), "#$1"))
}

// Own returns the indexes of the files of a shard.
func Own(files []File, s report.Shard) (own []int) {
	for i := range files {
		if s.Has(i) {
			own = append(own, i)
		}
	}
	return own
}

// Others returns the indexes of the files of other shards that may have pages of the histories whose pages are in the
// files of a shard. The history belongs to the shard that has its first file.
func Others(files []File, pages []int, s report.Shard) (others []int) {
	names := make(map[string]bool)
	for _, i := range pages {
		names[numberless(files[i].Name)] = true
	}
	for i := range files {
		if len(names) > 0 && !s.Has(i) && names[numberless(files[i].Name)] {
			others = append(others, i)
		}
	}
	return others
}

// Inputs tells files apart, for the head of a shard.
func Inputs(files []File) []string { return value.Each(files, func(f File) string { return f.Name }) }

// Pages puts pages of the same history together: pages in files of one folder whose names differ only in their last
// number, with events whose ids continue from page to page, from 1. Pages that go with no others are alone. The result
// is in the order of the first pages of each history in the list.
func Pages(pages []Page) [][]Page {
	named := make(map[string][]int)
	var names []string
	for i, p := range pages {
		name := numberless(p.File)
		if named[name] == nil {
			names = append(names, name)
		}
		named[name] = append(named[name], i)
	}
	var all [][]Page
	for _, name := range names {
		group := value.Each(named[name], func(i int) Page { return pages[i] })
		if len(group) == 1 || !adjoin(group) {
			for _, p := range group {
				all = append(all, []Page{p})
			}
			continue
		}
		all = append(all, group)
	}
	return all
}

// adjoin reports whether the events of pages belong to one history from its first on, each once.
func adjoin(pages []Page) bool {
	sorted := slices.SortedFunc(slices.Values(pages), func(a, b Page) int {
		return cmp.Compare(a.Execution.Events[0].ID, b.Execution.Events[0].ID)
	})
	next, arn := int64(1), ""
	for _, p := range sorted {
		x := p.Execution
		if x.Events[0].ID != next || arn != "" && x.ARN != "" && x.ARN != arn {
			return false
		}
		next, arn = x.Events[len(x.Events)-1].ID+1, cmp.Or(arn, x.ARN)
	}
	return true
}

// Join puts pages that [Pages] has found together into one execution.
func Join(pages []Page) (*history.Execution, error) {
	executions := value.Each(pages, func(p Page) *history.Execution { return p.Execution })
	return history.Join(pages[0].File, executions...)
}
