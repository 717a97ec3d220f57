package figures

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/internal/executions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/work"
	"asldb/recorder/history"
)

// Options say which figures are gathered.
type Options struct {
	// Definition gives states their places; nil: they have none.
	Definition *asl.StateMachine
	// Memory is the memory of an Express execution in MB; 0: it is estimated from the payloads.
	Memory int64
	// Files reads the recordings.
	Files files.Files
	// Parallel is the number of files that are read at a time; 0: one for each core.
	Parallel int
	// Shard is the share of the files that is read; pages of one history belong to its first file.
	Shard report.Shard
	// Progress is called after each file, from one goroutine at a time; it may be nil.
	Progress func(done, all int)
}

// EmptyError says that there is no recorded execution.
type EmptyError struct {
	Names   []string
	Skipped []Flaw
}

// Error implements error.
func (e *EmptyError) Error() string {
	text := "there is no recorded execution in " + strings.Join(e.Names, " ")
	if len(e.Skipped) > 0 {
		text += fmt.Sprintf(": %s: %s", e.Skipped[0].File, e.Skipped[0].Reason)
		if n := len(e.Skipped) - 1; n > 0 {
			text += fmt.Sprintf(" (and %d more)", n)
		}
	}
	return text
}

// fits reports whether a file in a folder may hold recordings.
func fits(name string) bool { return executions.IsHistory(name) || executions.IsTrace(name) }

// Gather reads the histories and traces in the files and folders called names, and returns their figures. A file of a folder that has no
// recording is skipped. The error is an *[EmptyError], about a named file without a recording, or the context's.
func Gather(ctx context.Context, names []string, o Options) (*Figures, error) {
	found, err := executions.Find(names, fits)
	if err != nil {
		return nil, err
	}
	g := &gatherer{options: &o, files: found.Files, machines: make(map[string]*Machine), errs: make(map[int]error), pages: make(map[int]*history.Execution)}
	own := executions.Own(found.Files, o.Shard)
	one := func(k int) { g.file(own[k]) }
	work.Each(ctx, len(own), o.Parallel, work.Counting(len(own), one, o.Progress))
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	g.joinPages()
	inputs := executions.Inputs(found.Files)
	if o.Definition != nil {
		inputs = append(inputs, o.Definition.Source.Digest())
	}
	f := &Figures{LeftOut: found.LeftOut, Head: o.Shard.Head(inputs...)}
	for i, file := range found.Files {
		if err := g.errs[i]; err != nil {
			if file.Given {
				return nil, err
			}
			f.Skipped = append(f.Skipped, Flaw{file.Name, err.Error(), uint64(i) << fileBits})
		}
	}
	for _, m := range g.machines {
		f.Machines = append(f.Machines, m)
	}
	if len(f.Machines) == 0 && f.Head == nil {
		return nil, &EmptyError{names, f.Skipped}
	}
	f.finish()
	f.neverEntered(o.Definition)
	return f, nil
}

// neverEntered lists the states that no execution has entered.
func (f *Figures) neverEntered(definition *asl.StateMachine) {
	if definition == nil {
		return
	}
	f.Definition = definition.Source.Name
	entered := make(map[string]bool)
	for _, m := range f.Machines {
		for _, s := range m.states {
			entered[s.Path] = entered[s.Path] || s.Of != nil
		}
	}
	for state := range definition.All() {
		if !entered[state.Path()] {
			f.NeverEntered = append(f.NeverEntered, Never{state.Path(), statePlace(state)})
		}
	}
}

// gatherer adds up the figures of files.
type gatherer struct {
	options *Options
	files   []executions.File

	mutex    sync.Mutex
	machines map[string]*Machine
	errs     map[int]error
	pages    map[int]*history.Execution // of histories whose other pages may be in other files, by their files
}

// fileBits is the part of an order that counts within one file.
const fileBits = 40

// file adds the executions of a file.
func (g *gatherer) file(i int) {
	name := g.files[i].Name
	list, page, err := read(name, g.options.Files)
	if err != nil || page != nil {
		g.mutex.Lock()
		defer g.mutex.Unlock()
		if g.errs[i] = err; page != nil {
			g.pages[i] = page
		}
		return
	}
	g.add(i, list)
}

func (g *gatherer) add(i int, list []*recording) {
	names := &naming{definition: g.options.Definition}
	order := uint64(i) << fileBits
	for _, r := range list {
		var m *Machine
		m, order = count(r, names, g.options, order)
		g.mutex.Lock()
		if known := g.machines[m.Name]; known != nil {
			known.merge(m)
		} else {
			m.shorten()
			g.machines[m.Name] = m
		}
		g.mutex.Unlock()
	}
}

// joinPages adds the histories whose pages are in several files.
func (g *gatherer) joinPages() {
	var pages []executions.Page
	at := make(map[string]int)
	for _, i := range executions.Others(g.files, slices.Collect(maps.Keys(g.pages)), g.options.Shard) {
		_, g.pages[i], _ = read(g.files[i].Name, g.options.Files) // the shard that has the file tells the error
	}
	for i, file := range g.files {
		if page := g.pages[i]; page != nil {
			pages = append(pages, executions.Page{File: file.Name, Execution: page})
			at[file.Name] = i
		}
	}
	for _, group := range executions.Pages(pages) {
		i := at[group[0].File]
		if !g.options.Shard.Has(i) {
			continue
		}
		x, err := executions.Join(group)
		if err != nil { // they adjoin, and each was read by itself
			g.errs[i] = err
			continue
		}
		g.add(i, []*recording{ofHistory(group[0].File, x)})
	}
}

// read reads the recordings in a file; page is set instead where it has a page of a history whose others may be in other files.
func read(name string, reader files.Files) (list []*recording, page *history.Execution, err error) {
	_, data, err := reader.Read(name)
	if err != nil {
		return nil, nil, err
	}
	if executions.HasTrace(data) {
		r, err := ofTrace(name)
		return []*recording{r}, nil, err
	}
	executions, err := history.Read(history.File{Name: name, Data: data})
	if err != nil {
		return nil, nil, err
	}
	if len(executions) == 1 && executions[0].Page() {
		return nil, executions[0], nil
	}
	for _, x := range executions {
		r := ofHistory(name, x)
		if len(executions) > 1 {
			r.file += " (" + x.ARN + ")"
		}
		list = append(list, r)
	}
	return list, nil, nil
}

func ofHistory(name string, x *history.Execution) *recording {
	r := &recording{file: name, events: x.Events, arn: x.ARN, express: x.Express()}
	if x.Page() && x.End() == nil && x.Started() != nil {
		r.flaw = "its later pages are not there"
	}
	return r
}

// ofTrace reads the last fork of a trace as the history that the service would have of it.
func ofTrace(name string) (*recording, error) {
	flaw := ""
	trace, err := launch.OpenTrace(name, func(w files.Warning) {
		flaw = cmp.Or(flaw, w.Text)
	})
	if err != nil {
		return nil, err
	}
	defer trace.Close() // it was only read
	run, unread := trace.Last().Recording()
	if unread != nil && flaw == "" {
		flaw = unread.Error()
	}
	events := history.Of(func(yield func(*engine.Event) bool) {
		for i := range run.Events {
			if !yield(&run.Events[i]) {
				return
			}
		}
	})
	if len(events) == 0 {
		return nil, fmt.Errorf("%s: the trace has no events", name)
	}
	return &recording{file: name, events: events, arn: contextARN(trace.Header().Context), express: trace.Header().Express, flaw: flaw, trace: true}, nil
}

// contextARN returns the ARN of an execution in its context object; empty where it has none.
func contextARN(context value.Value) string {
	o, _ := context.(*value.Object)
	if o == nil {
		return ""
	}
	execution, _ := o.Get("Execution").(*value.Object)
	if execution == nil {
		return ""
	}
	id, _ := execution.Get("Id").(value.String)
	return string(id)
}
