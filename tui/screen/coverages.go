package screen

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/internal/explore"
	"asldb/internal/suite"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/listing"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
	"asldb/tui/view/findings"
	"asldb/tui/view/states"
)

// Profile is the coverage of a definition by earlier runs.
type Profile struct {
	// File and Resource name the definition in profiles, see [coverage.Definition].
	File, Resource string
	// Earlier is the coverage by earlier runs; nil: there is none. Names are the names of its files.
	Earlier *coverage.Definition
	Names   string
}

// coverages show the coverage by the session, its what-ifs and earlier runs.
type coverages struct {
	contract
	profile Profile
	// write writes a new file; nil where there is nowhere to write to.
	write func(name string, data []byte) error
	title func() string
	// states is the graph; marks returns the marks of a state in the text.
	states *states.Pane
	marks  func(*asl.State) listing.Marks
}

func (cv *coverages) bindings() view.Bindings {
	return view.Bindings{{Action: keys.Coverage, Run: cv.run}}
}

// run opens the view, or saves a profile: save FILE.
func (cv *coverages) run(argument string) {
	word, name, _ := strings.Cut(strings.TrimSpace(argument), " ")
	switch {
	case word == "":
		cv.open()
	case word != "save":
		cv.Say(canvas.Bad, ":coverage shows the coverage, and :coverage save FILE saves it; found "+argument)
	case strings.TrimSpace(name) == "":
		fallback, _, _ := strings.Cut(filepath.Base(cv.title()), ".")
		p := dialog.NewPrompt(cv, "save the coverage as: ", fallback+".coverage.json", cv.save)
		p.About = "A new file: a profile for --coverage-in, and for asldb coverage."
		cv.Open(p)
	default:
		cv.save(name)
	}
}

// count returns the coverage of the session, its what-ifs and the earlier runs, and the number of runs of the session.
// The error says that they are of different definitions.
func (cv *coverages) count(kinds coverage.Options) (*coverage.Definition, int64, error) {
	machine := cv.Session().Machine()
	if earlier := cv.profile.Earlier; earlier != nil && earlier.Share(coverage.ConditionTrue, coverage.ConditionFalse).Total > 0 {
		kinds.Conditions = true
	}
	collector := coverage.NewCollector(machine.Definition(), kinds)
	forks := cv.Session().Forks()
	for _, fork := range forks.All() {
		run, ok := forks.Run(fork.ID)
		if !ok || run.Machine() != machine || fork.Events == 0 {
			continue
		}
		shared := 0
		if _, ok := forks.Run(fork.Parent); ok {
			shared = fork.Shared
		}
		collector.AddFrom(run, shared)
	}
	definition := machine.Definition().Source
	file := cmp.Or(cv.profile.File, definition.Name)
	all := &coverage.Profile{}
	own := collector.Definition(file, cv.profile.Resource, definition.Digest())
	if earlier := cv.profile.Earlier; earlier != nil {
		if err := errors.Join(all.Add(earlier), all.Add(&own)); err != nil {
			return nil, 0, err
		}
		return all.Find(earlier.File, earlier.Resource), own.Runs, nil
	}
	return &own, own.Runs, nil
}

func (cv *coverages) open() {
	_, runs, err := cv.count(coverage.Options{})
	if err != nil {
		cv.Say(canvas.Bad, err.Error())
		return
	}
	about := fmt.Sprintf("this session (%s)", wording.Count(int(runs), "run"))
	if earlier := cv.profile.Earlier; earlier != nil {
		about += fmt.Sprintf(" and %s (%s)", cv.profile.Names, wording.Count(int(earlier.Runs), "run"))
	}
	view, err := findings.NewCoverage(cv, findings.CoverageSubject{
		Definition: cv.Session().Machine().Definition(), Glyphs: cv.Glyphs(), Runs: about, Graph: cv.toState, Source: cv.toField,
		Of: func(kinds coverage.Options) (*coverage.Definition, error) {
			d, _, err := cv.count(kinds)
			return d, err
		},
	})
	if err != nil {
		cv.Say(canvas.Bad, err.Error())
		return
	}
	cv.Open(view)
}

// toState selects a state in the graph.
func (cv *coverages) toState(state *asl.State) {
	cv.states.Choose(state)
	cv.Focus(view.States)
}

// toField shows a field of a state in the definition's text.
func (cv *coverages) toField(state *asl.State, field string) {
	definition := cv.Session().Machine().Definition()
	if definition.Origin != nil {
		cv.Say(canvas.Warn, "This definition was generated and has no text.")
		return
	}
	marks := cv.marks(state)
	marks.Field = field
	cv.Open(states.NewText(cv, definition.Source.Name, listing.New(definition.Source, definition), marks))
}

// save writes the coverage as a profile.
func (cv *coverages) save(name string) {
	name = strings.TrimSpace(name)
	d, _, err := cv.count(coverage.Options{})
	if err == nil && cv.write == nil {
		err = errors.New("this session cannot save files")
	}
	var text bytes.Buffer
	if err == nil {
		p := &coverage.Profile{}
		err = errors.Join(p.Add(d), p.Write(&text))
	}
	if err == nil {
		err = cv.write(name, text.Bytes())
	}
	if err != nil {
		cv.Say(canvas.Bad, "Not saved: "+err.Error())
		return
	}
	share := d.Share()
	cv.Say(canvas.Good, fmt.Sprintf("Saved the coverage, %d %% (%d of %d), as %s.", share.Percent(), share.Covered, share.Total, name))
}

// explorations show the outcome of every fault of the definition.
type explorations struct {
	contract
	find   findings.Find // nil: the session cannot explore
	result *explore.Result
	nest   *nesting
	slices *slicing
	covers *coverages // shows texts
	// write writes a new file; nil where there is nowhere to write to.
	write func(name string, data []byte) error
}

func (ex *explorations) bindings() view.Bindings {
	return view.Bindings{{Action: keys.Explore, Run: ex.run, Disabled: func() string {
		if ex.find == nil {
			return "only the definition that asldb was opened with can be explored"
		}
		return ""
	}}}
}

// run opens the view, or saves the cases of the findings as a suite: save FILE.
func (ex *explorations) run(argument string) {
	word, name, _ := strings.Cut(strings.TrimSpace(argument), " ")
	switch {
	case word == "":
		ex.open()
	case word != "save":
		ex.Say(canvas.Bad, ":explore shows the faults, and :explore save FILE saves the findings; found "+argument)
	case ex.result == nil:
		ex.Say(canvas.Warn, "Nothing is explored yet: "+ex.Key(keys.Explore)+" explores.")
	case strings.TrimSpace(name) == "":
		fallback, _, _ := strings.Cut(filepath.Base(ex.nest.title), ".")
		p := dialog.NewPrompt(ex, "save the cases as: ", fallback+".faults.test.yaml", ex.save)
		p.About = "A new suite: the case of a bug fails until the bug is mended; the others say what the definition does now."
		ex.Open(p)
	default:
		ex.save(name)
	}
}

func (ex *explorations) open() {
	subject := findings.FaultsSubject{
		Definition: ex.Session().Machine().Definition(), Glyphs: ex.Glyphs(), Open: ex.show, Source: ex.covers.toField,
		Found: func(r *explore.Result) { ex.result = r },
	}
	if ex.result != nil {
		ex.Open(findings.NewFaults(ex, subject, ex.result))
		return
	}
	view := findings.Begin(ex, subject, ex.find)
	ex.Open(view)
	ex.slices.begin(view, view.Advance, view.Stop)
}

// show opens a run on a screen over this one, which continues to show the view.
func (ex *explorations) show(r *explore.Result, run *explore.Run, event int) {
	if ex.nest.openBehind(run) {
		return
	}
	session, err := r.Session(run)
	if err != nil {
		ex.Say(canvas.Bad, err.Error())
		return
	}
	if event >= 0 {
		session.GoTo(event + 1)
	}
	ex.nest.openExplored(session, run)
}

// save writes the cases of the findings as a suite.
func (ex *explorations) save(name string) {
	name = strings.TrimSpace(name)
	text, cases, err := ex.suite(name)
	if err == nil {
		err = ex.write(name, text)
	}
	if err != nil {
		ex.Say(canvas.Bad, "Not saved: "+err.Error())
		return
	}
	ex.Say(canvas.Good, fmt.Sprintf("Saved %s as %s.", wording.Count(cases, "case"), name))
}

func (ex *explorations) suite(name string) ([]byte, int, error) {
	switch {
	case ex.write == nil:
		return nil, 0, errors.New("this session cannot save files")
	case !suite.IsSuite(name):
		return nil, 0, errors.New("the name of a suite ends in .test.yaml")
	}
	saved, err := ex.result.Suite(context.Background(), name)
	if err != nil {
		return nil, 0, err
	}
	return saved.Text, saved.Cases, nil
}
