// Package versions compares two versions of a definition over recorded executions: each is run again with both and its recorded
// results, and the runs are compared state by state. Differences that the old version has from itself, with other random numbers and
// another start, are taken off first.
package versions

import (
	"cmp"
	"context"
	"fmt"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/executions"
	"asldb/internal/files"
	"asldb/internal/report"
	"asldb/internal/wording"
	"asldb/internal/work"
	"asldb/recorder"
	"asldb/recorder/history"
)

// Verdict is the result of comparing the runs of one recorded execution.
type Verdict uint8

// The verdicts, the worst first.
const (
	// Outcome: the executions end in another status, with another output or another Error Name.
	Outcome Verdict = iota + 1
	// Path: the outcome is the same or cannot be judged, and another state was entered, or an error was handled in another way.
	Path
	// Payload: outcome and path are the same as far as they can be judged, and data on the way differ.
	Payload
	// Unjudged: one of the runs could not come to its end, and nothing differs before.
	Unjudged
	// Same: nothing differs.
	Same
)

var verdictNames = [...]string{Outcome: "outcome differs", Path: "path differs", Payload: "payload differs", Unjudged: "cannot be judged", Same: "same"}

var verdictKeys = [...]string{Outcome: "outcome", Path: "path", Payload: "payload", Unjudged: "unjudged", Same: "same"}

// Verdicts returns all verdicts, the worst first.
func Verdicts() []Verdict { return []Verdict{Outcome, Path, Payload, Unjudged, Same} }

// String returns the verdict in words.
func (v Verdict) String() string { return wording.KindName(verdictNames[:], v) }

// Key returns the verdict as one word, for JSON.
func (v Verdict) Key() string {
	if v > 0 && int(v) < len(verdictKeys) {
		return verdictKeys[v]
	}
	return v.String()
}

// Options say how versions are compared.
type Options struct {
	// Fixtures gives results for tasks without a recorded one; nil: nothing does.
	Fixtures *fixtures.File
	// Ignore are the parts of data that are not compared.
	Ignore []*Ignored
	// Redactions are the paths whose values are kept out of the result.
	Redactions []*recorder.Redaction
	// Files reads the recordings.
	Files files.Files
	// Renamed are states with another name in the new version, which is renamed already: they have the old names in both.
	Renamed []Renaming
	// Parallel is the number of recordings that run at a time; 0: one for each core.
	Parallel int
	// Shard is the share of the files that is compared; pages of one history belong to its first file.
	Shard report.Shard
	// Progress is called after each file, from one goroutine at a time; it may be nil.
	Progress func(done, all int)

	ctx context.Context // ends the runs; nil: nothing does
}

// context returns the context that ends the runs.
func (o *Options) context() context.Context {
	if o.ctx == nil {
		return context.Background()
	}
	return o.ctx
}

// Definition is one version of a definition.
type Definition struct {
	Name    string
	Machine *engine.Machine
}

// digest tells the definition apart from others.
func (d *Definition) digest() string { return d.Machine.Definition().Source.Digest() }

// Judged is the result for one recorded execution.
type Judged struct {
	// File is the name of the recording's file, Execution the execution's name where the file has several.
	File      string  `json:"file"`
	Execution string  `json:"execution,omitempty"`
	Verdict   Verdict `json:"verdict"`
	// First is the first difference, and Turn the first at which the ways part; nil where there is none.
	First *Difference `json:"first,omitempty"`
	Turn  *Difference `json:"turn,omitempty"`
	// Old and New are the ends of the two runs: "SUCCEEDED", "FAILED: Card.Declined".
	Old string `json:"old"`
	New string `json:"new"`
	// Output is the first difference of the outputs; nil where there is none.
	Output *Difference `json:"output,omitempty"`
	// Reason says why the execution cannot be judged, or what follows the difference cannot; else it is empty. Task is the state that the
	// reason is about, and Place its place in the new version.
	Reason string `json:"reason,omitempty"`
	Task   string `json:"task,omitempty"`
	Place  string `json:"place,omitempty"`
	// Noise is the number of differences that the old version has from itself.
	Noise int `json:"noise,omitempty"`
	// Differs is set where the old version's own run is not as it was recorded.
	Differs bool `json:"differs,omitempty"`

	pages []string // the files of the recording where it is in several
	at    int      // the index of its file among all
}

// Name returns the name of the recorded execution: the name of its file, with the execution where the file has several.
func (j *Judged) Name() string {
	if j.Execution == "" {
		return j.File
	}
	return j.File + " (" + j.Execution + ")"
}

// Result is the comparison over all recordings.
type Result struct {
	Old, New string
	Renamed  []Renaming
	// Judged are the recorded executions, in the order of their files.
	Judged []Judged
	// Skipped are files of folders that have no recording, with the reason.
	Skipped []Skip
	// LeftOut are the folders with executions that tasks and Map Runs started, in folders of "asldb fetch".
	LeftOut []string
	// Head is the head of the shard that the recordings are; nil: they are all.
	Head *report.ShardHead
}

// Skip is a file that is left out.
type Skip struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
	at     int    // the index of the file among all
}

// Count returns the number of executions with a verdict.
func (r *Result) Count(v Verdict) int {
	n := 0
	for i := range r.Judged {
		if r.Judged[i].Verdict == v {
			n++
		}
	}
	return n
}

// EmptyError says that there is no recording.
type EmptyError struct {
	Names   []string
	Skipped []Skip
	// Thing is what there is none of; empty: a recorded execution.
	Thing string
}

// Error implements error.
func (e *EmptyError) Error() string {
	text := "there is no " + cmp.Or(e.Thing, "recorded execution") + " in"
	for _, name := range e.Names {
		text += " " + name
	}
	if len(e.Skipped) > 0 {
		text += fmt.Sprintf(": %s: %s", e.Skipped[0].File, e.Skipped[0].Reason)
		if n := len(e.Skipped) - 1; n > 0 {
			text += fmt.Sprintf(" (and %d more)", n)
		}
	}
	return text
}

// Compare runs the recorded executions in the files and folders called names with both versions. The error is an
// *[EmptyError], about a named file without a recording, or the context's.
func Compare(ctx context.Context, old, fresh Definition, names []string, o Options) (*Result, error) {
	all, err := executions.Find(names, mayHoldRecordings)
	if err != nil {
		return nil, err
	}
	files := all.Files
	o.ctx = ctx
	own := executions.Own(files, o.Shard)
	found := make([]fromFile, len(files))
	judge := func(k int) { found[own[k]] = judgeFile(old.Machine, fresh.Machine, files[own[k]].Name, &o) }
	work.Each(ctx, len(own), o.Parallel, work.Counting(len(own), judge, o.Progress))
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	joined := judgePages(old.Machine, fresh.Machine, files, found, &o)
	inputs := append(executions.Inputs(files), old.digest(), fresh.digest())
	result := &Result{
		Old: old.Name, New: fresh.Name, Renamed: o.Renamed, LeftOut: all.LeftOut, Head: o.Shard.Head(inputs...),
	}
	for _, i := range own {
		switch f := &found[i]; {
		case f.err != nil && files[i].Given:
			return nil, f.err
		case f.err != nil:
			result.Skipped = append(result.Skipped, Skip{files[i].Name, f.err.Error(), i})
		case f.page != nil:
			result.add(i, joined[i])
		default:
			result.add(i, f.judged)
		}
	}
	if len(result.Judged) == 0 && result.Head == nil {
		return nil, &EmptyError{Names: names, Skipped: result.Skipped}
	}
	return result, nil
}

// add adds the results for a file by its index.
func (r *Result) add(i int, list []Judged) {
	for _, j := range list {
		j.at = i
		r.Judged = append(r.Judged, j)
	}
}

// fromFile are the results for the recordings of one file.
type fromFile struct {
	judged []Judged
	page   *history.Execution // the file has a page of a history; nil: it has whole ones
	err    error
}

// judgePages judges the histories whose pages are in several files. The result has them by the indexes of their first files.
func judgePages(old, fresh *engine.Machine, files []executions.File, found []fromFile, o *Options) map[int][]Judged {
	var pages []executions.Page
	at := make(map[string]int)
	var own []int
	for i := range found {
		if found[i].page != nil {
			own = append(own, i)
		}
	}
	for _, i := range executions.Others(files, own, o.Shard) {
		_, found[i].page, _ = open(files[i].Name, o) // the shard that has the file tells the error
	}
	for i := range found {
		if page := found[i].page; page != nil {
			pages = append(pages, executions.Page{File: files[i].Name, Execution: page})
			at[files[i].Name] = i
		}
	}
	joined := make(map[int][]Judged)
	for _, group := range executions.Pages(pages) {
		first := at[group[0].File]
		if !o.Shard.Has(first) {
			continue
		}
		x, err := executions.Join(group)
		if err != nil { // they adjoin, and each was read by itself
			found[first].page, found[first].err = nil, err
			continue
		}
		j := judge(old, fresh, newHistory(x, o), o)
		j.File = group[0].File
		for _, page := range group {
			j.pages = append(j.pages, page.File)
		}
		joined[first] = []Judged{j}
	}
	return joined
}

func judgeFile(old, fresh *engine.Machine, name string, o *Options) fromFile {
	recordings, page, err := open(name, o)
	if err != nil || page != nil {
		return fromFile{page: page, err: err}
	}
	f := fromFile{judged: make([]Judged, len(recordings))}
	for i, r := range recordings {
		f.judged[i] = judge(old, fresh, r, o)
		f.judged[i].File, f.judged[i].Execution = name, r.name()
	}
	for _, r := range recordings {
		r.close()
	}
	return f
}

// judge runs one recording with both versions.
func judge(old, fresh *engine.Machine, r recording, o *Options) (j Judged) {
	a, err := r.run(old, variant{})
	if err != nil {
		return Judged{Verdict: Unjudged, Reason: err.Error()}
	}
	b, err := r.run(fresh, variant{fresh: true})
	if err != nil {
		return Judged{Verdict: Unjudged, Reason: err.Error()}
	}
	left, right := courseOf(a.log), courseOf(b.log)
	found := compareCourses(left, right, o.Ignore)
	found.untilWaits(a, b)
	j = Judged{Old: left.status(), New: right.status(), Differs: a.differs}
	if len(found.differences) > 0 || found.output != nil {
		if again, err := r.run(old, variant{other: true}); err == nil {
			noise := compareCourses(left, courseOf(again.log), nil)
			j.Noise = found.without(noise)
		}
	}
	j.First, j.Turn, j.Output = found.first(), found.turn(), found.output
	l := &locator{old.Definition(), fresh.Definition(), a.log, b.log}
	l.locate(j.First)
	l.locate(j.Output)
	j.decide(a, b, found)
	if len(o.Redactions) > 0 {
		j.redact(redactorOf(o.Redactions, a.log, b.log))
	}
	return j
}

// decide sets the verdict. Where a run does not come to its end, differences before are known.
func (j *Judged) decide(a, b *ran, found *runDifferences) {
	switch {
	case b.waits != nil:
		j.Reason, j.Task, j.Place = b.waits.reason, b.waits.task, b.waits.place
	case a.waits != nil:
		j.Reason, j.Task = "the old version does not come to its end: "+a.waits.reason, a.waits.task
	case found.random != "":
		j.Reason, j.Task = "the old version itself goes another way there with other random numbers or another start", found.random
	}
	switch {
	case found.random != "", j.Reason != "" && len(found.differences) == 0:
		j.Verdict = Unjudged
	case j.Reason == "" && (j.Old != j.New || j.Output != nil):
		j.Verdict = Outcome
	case j.Turn != nil:
		j.Verdict = Path
	case len(found.differences) > 0:
		j.Verdict = Payload
	default:
		j.Verdict = Same
	}
	if j.Verdict == Outcome && j.First == nil {
		j.First = j.Output
	}
}

func redactorOf(redactions []*recorder.Redaction, logs ...*runlog.Log) *recorder.Redactor {
	redactor := recorder.NewRedactor(redactions)
	for _, log := range logs {
		for event := range log.All() {
			redactor.Learn(event)
		}
	}
	return redactor
}

func (j *Judged) redact(r *recorder.Redactor) {
	j.Reason, j.Old, j.New = r.Text(j.Reason), r.Text(j.Old), r.Text(j.New)
	j.First.redact(r)
	if j.Turn != j.First {
		j.Turn.redact(r)
	}
	if j.Output != j.First {
		j.Output.redact(r)
	}
}

// hidden is a value that a redaction keeps out.
const hidden = value.String("[redacted]")

func (d *Difference) redact(r *recorder.Redactor) {
	if d == nil {
		return
	}
	d.WasTo, d.IsTo = r.Text(d.WasTo), r.Text(d.IsTo)
	if d.Member == "" {
		return
	}
	was, is := value.Value(hidden), value.Value(hidden)
	for _, other := range value.List(r.Value(d.wholeWas), r.Value(d.wholeIs)) {
		if other.Path == d.Path {
			was, is = other.Wanted, other.Found
		}
	}
	d.Was, d.Is = was, is
	d.wholeWas, d.wholeIs = nil, nil
}
