package versions

import (
	"fmt"

	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/internal/executions"
	"asldb/internal/files"
	"asldb/recorder/history"
)

// Pair has the runs of one recorded execution with both versions.
type Pair struct {
	// Old is the run of the old version, New the session of the new one, which has run.
	Old *runlog.Log
	New *debug.Session
	// OldAt and NewAt are the indexes of the events at which the runs first differ; -1 where there is none.
	OldAt, NewAt int

	recording recording
}

// Close closes the files of the recording.
func (p *Pair) Close() { p.recording.close() }

// Open runs a recorded execution again with both versions, as [Compare] has done. The pair is to be closed.
func Open(old, fresh Definition, j *Judged, o Options) (*Pair, error) {
	r, err := openJudged(j, &o)
	if err != nil {
		return nil, err
	}
	p := &Pair{recording: r, OldAt: -1, NewAt: -1}
	if j.First != nil {
		p.OldAt, p.NewAt = j.First.OldAt, j.First.NewAt
	}
	a, err := r.run(old.Machine, variant{})
	if err != nil {
		r.close()
		return nil, fmt.Errorf("with the old version: %w", err)
	}
	b, err := r.run(fresh.Machine, variant{fresh: true})
	if err != nil {
		r.close()
		return nil, fmt.Errorf("with the new version: %w", err)
	}
	p.Old, p.New = a.log, b.session
	return p, nil
}

// openJudged opens the recording of one execution.
func openJudged(j *Judged, o *Options) (recording, error) {
	if len(j.pages) > 1 {
		return openPages(j.pages, o)
	}
	list, page, err := open(j.File, o)
	switch {
	case err != nil:
		return nil, err
	case page != nil:
		return newHistory(page, o), nil
	}
	var found recording
	for _, r := range list {
		if found == nil && r.name() == j.Execution {
			found = r
			continue
		}
		r.close()
	}
	if found == nil {
		return nil, fmt.Errorf("%s is not there any more", j.Name())
	}
	return found, nil
}

// openPages reads a history whose pages are in several files.
func openPages(names []string, o *Options) (recording, error) {
	var pages []executions.Page
	for _, name := range names {
		x, err := readPage(name, o.Files)
		if err != nil {
			return nil, err
		}
		pages = append(pages, executions.Page{File: name, Execution: x})
	}
	x, err := executions.Join(pages)
	if err != nil {
		return nil, err
	}
	return newHistory(x, o), nil
}

func readPage(name string, reader files.Files) (*history.Execution, error) {
	_, data, err := reader.Read(name)
	if err != nil {
		return nil, err
	}
	list, err := history.Read(history.File{Name: name, Data: data})
	if err != nil {
		return nil, err
	}
	return list[0], nil
}
