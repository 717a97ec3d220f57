package suites

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"asldb/engine/value"
	"asldb/internal/cli/command"
	"asldb/internal/files"
	"asldb/internal/project"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
	"asldb/tui/view/pages"
)

// watching is the state of test --watch: the suites as they were last read, with the outcomes of their cases.
type watching struct {
	Setup
	watcher *files.Watcher

	suites []*watchedSuite
	wrong  string // the errors that were last reported
	// rejected has the changes that the user has rejected, and what they are about.
	rejected map[changeKey]string
}

// watchedSuite is one suite.
type watchedSuite struct {
	selection suiterun.Selection
	// suite and machine are nil where they are wrong.
	suite   *suite.Suite
	machine *suiterun.Machine
	// files are the suite's files, by the names of changes.
	files map[string]bool
	// changed is set where it has changed since its cases ran.
	changed  bool
	outcomes map[string]*suite.Outcome // by the name of the case
}

// concerned reports whether a change is about a file of the suite, or about one in a folder that is the definition.
func (w *watchedSuite) concerned(change *files.Change) bool {
	return slices.ContainsFunc(change.Files, func(name string) bool {
		return w.files[name] || w.files[filepath.Dir(name)] || filepath.Base(name) == project.FileName
	})
}

// add adds files to the suite's.
func (w *watchedSuite) add(names []string) {
	for _, file := range names {
		for _, name := range files.Names(file) {
			w.files[name] = true
		}
	}
}

// reach is the choice of the cases that a round runs.
type reach uint8

// The reaches.
const (
	ofChanged reach = iota // the cases of the suites that have changed
	ofAll
	ofFailed
)

// round is a run of some cases.
type round struct {
	// text is the report, or the errors for which nothing ran.
	text string
	// about has the names of the files whose change the round is about, as the user would write them.
	about []string
	// stopped is set where the run was ended before its end.
	stopped bool
}

// about returns the files of a change that belong to suites, or suites themselves.
func (w *watching) about(change *files.Change) []string {
	if change == nil {
		return nil
	}
	var names []string
	for _, name := range change.Files {
		one := &files.Change{Files: []string{name}}
		if slices.ContainsFunc(w.suites, func(s *watchedSuite) bool { return s.concerned(one) }) {
			names = append(names, shortName(name))
		}
	}
	return names
}

// round reads what a change is about, nil for everything, and runs cases. It returns nil where there is nothing to run and to say. The
// error ends the watching.
func (w *watching) round(ctx context.Context, change *files.Change, r reach, progress func(string)) (*round, error) {
	concerned, err := w.refresh(change)
	if err != nil {
		return nil, err
	}
	about := w.about(change)
	problems := w.read()
	if problems != "" {
		if !concerned && problems == w.wrong {
			return nil, w.follow()
		}
		w.wrong = problems
		return &round{text: problems + "Nothing was run.\n", about: about}, w.follow()
	}
	w.wrong = ""
	if err := w.follow(); err != nil {
		return nil, err
	}
	done, err := w.run(ctx, r, progress)
	if done != nil {
		done.about = about
	}
	return done, err
}

// refresh notes which suites a change concerns, and finds those that are new. It reports whether there is any.
func (w *watching) refresh(change *files.Change) (concerned bool, err error) {
	if change == nil || change.Lost || w.mayHoldSuites(change) {
		found, err := suiterun.Find(w.Names)
		switch {
		case err == nil:
			w.take(found)
		case len(w.suites) == 0 && change == nil:
			return false, command.OneLine(err)
		default: // they are gone for now, in the middle of a checkout perhaps
			w.suites = nil
		}
	}
	for _, one := range w.suites {
		if change == nil || change.Lost || one.concerned(change) {
			one.suite, concerned = nil, true
		}
	}
	return concerned, nil
}

// mayHoldSuites reports whether a change is about suites or folders that came or went.
func (w *watching) mayHoldSuites(change *files.Change) bool {
	if !change.Structure {
		return false
	}
	for _, name := range change.Files {
		info, err := os.Stat(name)
		if suite.IsSuite(name) || err == nil && info.IsDir() || err != nil && filepath.Ext(name) == "" {
			return true
		}
	}
	return false
}

// take replaces the suites by those that were found. One that was there keeps its outcomes.
func (w *watching) take(found []suiterun.Selection) {
	known := map[string]*watchedSuite{}
	for _, one := range w.suites {
		known[one.selection.File] = one
	}
	w.suites = nil
	for _, selection := range found {
		one := known[selection.File]
		if one == nil {
			one = &watchedSuite{files: map[string]bool{}}
			one.add([]string{selection.File})
		}
		one.selection = selection
		w.suites = append(w.suites, one)
	}
}

// read reads the suites that have changed or were wrong, and their definitions. It returns the errors, as a text of lines.
func (w *watching) read() string {
	var text bytes.Buffer
	errs := &command.Streams{In: strings.NewReader(""), Out: &text, Err: &text, Now: w.Streams.Now}
	report := func(err error) {
		if err != nil {
			fmt.Fprintln(&text, wording.Text(err.Error()))
		}
	}
	var read []*suite.Suite
	var of []*watchedSuite
	for _, one := range w.suites {
		if one.suite != nil {
			continue
		}
		one.changed = true
		suites, err := suiterun.ReadSuites([]suiterun.Selection{one.selection})
		report(err)
		var wrong *suite.Error
		if errors.As(err, &wrong) {
			one.add([]string{wrong.Name})
			for i := range wrong.Problems {
				if file := wrong.Problems[i].File; file != "" {
					one.add([]string{file})
				}
			}
		}
		if len(suites) == 1 && err == nil {
			read, of = append(read, suites[0]), append(of, one)
		}
	}
	settings, err := w.Settings()
	if err != nil {
		report(err)
		return text.String()
	}
	machines, err := command.OpenMachines(errs, read, w.Definition, settings)
	report(err)
	for i, one := range of {
		clear(one.files)
		machine := machines[read[i]]
		one.add(suiterun.Files(read[i], machine))
		if w.Definition != "" {
			one.add([]string{w.Definition})
		}
		if machine != nil {
			one.suite, one.machine = read[i], machine
		}
	}
	return text.String()
}

// follow watches the folders of all files, and those in which new suites are looked for.
func (w *watching) follow() error {
	var folders []string
	for _, one := range w.suites {
		for name := range one.files {
			folders = append(folders, filepath.Dir(name))
			if info, err := os.Stat(name); err == nil && info.IsDir() {
				folders = append(folders, name)
			}
		}
	}
	names := w.Names
	if len(names) == 0 {
		names = []string{"."}
	}
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			name = filepath.Dir(name)
		}
		folders = append(folders, name)
	}
	return w.watcher.Follow(folders)
}

// run runs cases of the suites, all are right.
func (w *watching) run(ctx context.Context, r reach, progress func(string)) (*round, error) {
	options := w.Options
	var suites []*suite.Suite
	var selected []suiterun.Selection
	machines := map[*suite.Suite]*suiterun.Machine{}
	byName := map[string]*watchedSuite{}
	for _, one := range w.suites {
		if r == ofAll {
			one.changed = true
		}
		if r != ofFailed && !one.changed {
			continue
		}
		suites, selected = append(suites, one.suite), append(selected, one.selection)
		machines[one.suite], byName[one.selection.File] = one.machine, one
	}
	only := suiterun.Chosen(selected)
	options.Only = func(c *suite.Case) bool {
		if r != ofFailed {
			return only(c)
		}
		last := byName[c.Suite.Name].outcomes[c.Name]
		return only(c) && last != nil && last.Kind.Bad()
	}
	chosen := suiterun.Choose(suites, options)
	if len(chosen) == 0 {
		return w.none(r, suites), nil
	}
	run, err := w.Prepare(chosen, machines)
	if err != nil {
		return &round{text: wording.Text(err.Error()) + "\nNothing was run.\n"}, nil
	}
	var text bytes.Buffer
	shown := w.Report
	shown.Progress = progress
	if total(chosen) > maxPassed {
		shown.Failed = true
	}
	outcomes := &outcomesOf{}
	if err := run(ctx, suiterun.All(suiterun.Text(&text, shown), w.Failed, outcomes), options); err != nil {
		return &round{stopped: true}, nil // its end was asked for
	}
	w.merge(outcomes, byName, r)
	if w.Remember != nil {
		w.Remember(&text, w.Failed)
	}
	return &round{text: text.String()}, nil
}

// maxPassed is the greatest number of cases of a round whose passed ones are listed.
const maxPassed = 15

func total(chosen [][]*suite.Case) (n int) {
	for _, cases := range chosen {
		n += len(cases)
	}
	return n
}

// none returns the reason why no case runs; nil: nothing has changed.
func (w *watching) none(r reach, suites []*suite.Suite) *round {
	switch {
	case r == ofFailed:
		return &round{text: "No case has failed.\n"}
	case len(w.suites) == 0:
		return &round{text: suiterun.ErrNoSuite.Error() + "\n"}
	case len(suites) == 0:
		return nil
	}
	w.merge(&outcomesOf{}, map[string]*watchedSuite{}, r)
	return &round{text: w.NoCase(suites).Error() + "\n"}
}

// merge takes the outcomes of a round. Those of suites that ran as a whole replace all of the last ones.
func (w *watching) merge(o *outcomesOf, ran map[string]*watchedSuite, r reach) {
	for _, one := range w.suites {
		if r != ofFailed {
			if one.changed || one.outcomes == nil {
				one.outcomes = nil
			}
			one.changed = false
		}
		if one.outcomes == nil {
			one.outcomes = map[string]*suite.Outcome{}
		}
	}
	for _, c := range o.cases {
		ran[c.Suite.File].outcomes[c.Name] = c
	}
}

// outcomesOf collects outcomes.
type outcomesOf struct{ cases []*suite.Outcome }

// Send implements [result.Sink].
func (o *outcomesOf) Send(event suite.Event) error {
	if e, ok := event.(suite.CaseEnded); ok {
		o.cases = append(o.cases, e.Case)
	}
	return nil
}

// cases returns the last outcomes that a condition holds for, in the order of the files.
func (w *watching) cases(holds func(*suite.Outcome) bool) []*suite.Outcome {
	var list []*suite.Outcome
	for _, one := range w.suites {
		if one.suite == nil {
			continue
		}
		for _, c := range one.suite.Cases {
			if outcome := one.outcomes[c.Name]; outcome != nil && holds(outcome) {
				list = append(list, outcome)
			}
		}
	}
	return list
}

// summary counts the last outcomes of all suites.
func (w *watching) summary() suite.Summary {
	var s suite.Summary
	for _, c := range w.cases(func(*suite.Outcome) bool { return true }) {
		s.Add(c)
	}
	return s
}

// isBad holds for cases that failed.
func isBad(c *suite.Outcome) bool { return c.Kind.Bad() && c.Debug != "" }

// pending are the changes of cases that the user has not rejected.
func (w *watching) pending() []pages.Change {
	return slices.DeleteFunc(
		pages.ChangesOf(w.cases(func(*suite.Outcome) bool { return true })),
		func(c pages.Change) bool {
			rejected := w.rejected[keyOf(c)]
			return rejected != "" && rejected == contentOf(c)
		},
	)
}

// reject notes that the user does not want a change.
func (w *watching) reject(c pages.Change) {
	if w.rejected == nil {
		w.rejected = map[changeKey]string{}
	}
	w.rejected[keyOf(c)] = contentOf(c)
}

// propose returns what a change writes.
func (w *watching) propose(ctx context.Context, c pages.Change) (*suiterun.Proposal, error) {
	for _, one := range w.suites {
		if one.selection.File == c.Case.Suite.File && one.suite != nil {
			return propose(ctx, c, one.suite.Cases, one.machine, w.Redact)
		}
	}
	return nil, errors.New("the suite is wrong, or was removed")
}

// changeKey names a change.
type changeKey struct {
	file, name string
	snapshot   bool
}

func keyOf(c pages.Change) changeKey { return changeKey{c.Case.Suite.File, c.Case.Name, c.Snapshot} }

// contentOf is what a change is about, to tell it from a later one.
func contentOf(c pages.Change) string {
	if c.Snapshot {
		return value.Compact(c.Case.Snapshot)
	}
	var b strings.Builder
	for i := range c.Case.Findings {
		f := &c.Case.Findings[i]
		fmt.Fprintln(&b, f.Expectation, suiterun.Differences(f))
	}
	return b.String()
}
