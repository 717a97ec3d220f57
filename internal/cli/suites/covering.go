package suites

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"asldb/engine/coverage"
	"asldb/internal/cli/command"
	"asldb/internal/project"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/recorder"
)

// covering counts the coverage of cases that run at the same time.
type covering struct {
	flags   *testFlags
	project *project.Project                         // of the working folder
	ignored map[*suiterun.Machine][]coverage.Ignored // by the suites and the project file

	mutex      sync.Mutex
	order      []*suiterun.Machine
	collectors map[*suiterun.Machine]*coverage.Collector
}

// newCovering returns a counter of the coverage of definitions. Without --min the bars come from the project file.
func newCovering(f *testFlags, machines map[*suite.Suite]*suiterun.Machine) (*covering, error) {
	c := &covering{
		flags: f, collectors: map[*suiterun.Machine]*coverage.Collector{},
		ignored: map[*suiterun.Machine][]coverage.Ignored{},
	}
	if !f.covers() {
		return c, nil
	}
	var err error
	if c.project, err = (&project.Finder{}).For(""); err != nil {
		return nil, err
	}
	if least := c.project.LeastCoverage(); least != "" && f.minimum == "" && f.coverage {
		if f.bars, err = coverage.ParseBars(least); err != nil {
			return nil, fmt.Errorf("%s: coverage: %w", c.project.Source.Name, err)
		}
	}
	for _, s := range slices.SortedFunc(maps.Keys(machines), func(a, b *suite.Suite) int {
		return cmp.Compare(a.Name, b.Name)
	}) {
		m := machines[s]
		if len(c.ignored[m]) == 0 {
			for _, i := range c.project.IgnoredCoverage(m.Definition.File) {
				entry := coverage.Ignored{State: i.State, Group: i.Kind, Reason: i.Reason}
				if err := entry.Check(); err != nil {
					return nil, fmt.Errorf("%s: coverage: %w", c.project.Source.Name, err)
				}
				c.ignored[m] = append(c.ignored[m], entry)
			}
		}
		c.ignored[m] = append(c.ignored[m], s.Ignored...)
	}
	return c, nil
}

func (c *covering) add(m *suiterun.Machine, run coverage.Run) {
	if run == nil || !c.flags.covers() {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	collector := c.collectors[m]
	if collector == nil {
		collector = coverage.NewCollector(m.Definition.Machine, coverage.Options{Conditions: c.flags.conditions})
		c.collectors[m] = collector
		c.order = append(c.order, m)
	}
	collector.Add(run)
}

// profile returns the coverage of all cases so far, the definitions in the order of their names.
func (c *covering) profile() *coverage.Profile {
	p, _ := c.counted()
	return p
}

// counted returns the profile, and sentences about entries of ignored parts that are about none.
func (c *covering) counted() (p *coverage.Profile, stale []string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	p = &coverage.Profile{}
	for _, m := range c.order {
		machine := m.Definition.Machine
		digest := recorder.DigestOf(machine.Source.Data)
		d := c.collectors[m].Definition(machine.Source.Name, m.Definition.Resource, digest)
		for _, entry := range d.Ignore(c.ignored[m]) {
			stale = append(stale, fmt.Sprintf("coverage of %s is ignored (%s), and %s has no such part",
				entry.State, entry.Reason, d.File))
		}
		if err := p.Add(&d); err != nil { // the same file with other substitutions
			p.Replace(&d)
		}
	}
	p.Sort()
	return p, stale
}

// stale returns sentences about entries of ignored parts that are about none.
func (c *covering) stale() []string {
	_, stale := c.counted()
	return stale
}

// done returns the coverage for the reports; nil: it was not asked for.
func (c *covering) done() *suite.Covered {
	if !c.flags.coverage && c.flags.minimum == "" {
		return nil
	}
	return &suite.Covered{Profile: c.profile(), Minimum: coverage.Least(c.flags.bars), Bars: c.flags.bars}
}

// raise raises the bars in the project file to what the cases cover, where it has a key for them.
func (f *testFlags) raise(s *command.Streams, c *covering) error {
	if !c.project.KeepsCoverage() {
		return nil
	}
	bars := coverage.BarsText(c.profile().Raised(f.bars))
	changed, err := c.project.SetLeastCoverage(bars)
	if err != nil || !changed {
		return err
	}
	return s.Print(c.project.Source.Name + ": coverage: min: " + bars + "\n")
}
