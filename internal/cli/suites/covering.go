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
)

// covering counts the coverage of cases that run at the same time.
type covering struct {
	flags   *testFlags
	scopes  []*scope
	ignored map[*suiterun.Machine][]coverage.Ignored // by the suites and the project file

	mutex      sync.Mutex
	order      []*suiterun.Machine
	collectors map[*suiterun.Machine]*coverage.Collector
}

// scope are the definitions of one project, which has their bars.
type scope struct {
	project  *project.Project // nil: there is none
	machines map[*suiterun.Machine]bool
	bars     []coverage.Bar
	kinds    coverage.Options
}

// newCovering returns a counter of the coverage of definitions. Without --min the bars come from their project files.
func newCovering(f *testFlags, machines map[*suite.Suite]*suiterun.Machine) (*covering, error) {
	c := &covering{
		flags: f, collectors: map[*suiterun.Machine]*coverage.Collector{},
		ignored: map[*suiterun.Machine][]coverage.Ignored{},
	}
	if !f.covers() {
		return c, nil
	}
	projects := &project.Finder{}
	for _, s := range slices.SortedFunc(maps.Keys(machines), func(a, b *suite.Suite) int {
		return cmp.Compare(a.Name, b.Name)
	}) {
		m := machines[s]
		of, err := projects.For(m.Definition.File)
		if err != nil {
			return nil, err
		}
		if len(c.ignored[m]) == 0 {
			if c.ignored[m], err = ignoredBy(of, m); err != nil {
				return nil, err
			}
		}
		c.ignored[m] = append(c.ignored[m], s.Ignored...)
		if err := c.scope(of, m); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// ignoredBy are the parts of a definition that do not count by its project.
func ignoredBy(of *project.Project, m *suiterun.Machine) (list []coverage.Ignored, err error) {
	for _, i := range of.IgnoredCoverage(m.Definition.File) {
		entry := coverage.Ignored{State: i.State, Group: i.Kind, Reason: i.Reason}
		if err := entry.Check(); err != nil {
			return nil, fmt.Errorf("%s: coverage: %w", of.Source.Name, err)
		}
		list = append(list, entry)
	}
	return list, nil
}

// scope adds a definition to the ones of its project. With --min all are together.
func (c *covering) scope(of *project.Project, m *suiterun.Machine) error {
	at := slices.IndexFunc(c.scopes, func(s *scope) bool { return s.project == of || c.flags.minimum != "" })
	if at < 0 {
		at = len(c.scopes)
		one := &scope{project: of, machines: map[*suiterun.Machine]bool{}, bars: c.flags.bars}
		asked := one.bars
		if least := of.LeastCoverage(); least != "" && c.flags.minimum == "" {
			var err error
			if asked, err = coverage.ParseBars(least); err != nil {
				return fmt.Errorf("%s: coverage: %w", of.Source.Name, err)
			}
			if c.flags.coverage {
				one.bars = asked
			}
		}
		one.kinds = coverage.Options{Conditions: c.flags.conditions}.Asking(asked)
		c.scopes = append(c.scopes, one)
	}
	c.scopes[at].machines[m] = true
	return nil
}

func (c *covering) add(m *suiterun.Machine, run coverage.Run) {
	if run == nil || !c.flags.covers() {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	collector := c.collectors[m]
	if collector == nil {
		at := slices.IndexFunc(c.scopes, func(s *scope) bool { return s.machines[m] })
		collector = coverage.NewCollector(m.Definition.Machine, c.scopes[at].kinds)
		c.collectors[m] = collector
		c.order = append(c.order, m)
	}
	collector.Add(run)
}

// profile returns the coverage of all cases so far, the definitions in the order of their names.
func (c *covering) profile() *coverage.Profile {
	p, _ := c.counted(nil)
	return p
}

// measured returns the coverage of each scope so far.
func (c *covering) measured() (list []suite.Scope) {
	for _, s := range c.scopes {
		p, _ := c.counted(s)
		one := suite.Scope{Profile: p, Bars: s.bars}
		if s.project != nil {
			one.Project = s.project.Source.Name
		}
		list = append(list, one)
	}
	return list
}

// counted returns the profile, of one scope where that is not nil, and sentences about entries of ignored parts that
// are about none.
func (c *covering) counted(of *scope) (p *coverage.Profile, stale []string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	p = &coverage.Profile{}
	for _, m := range c.order {
		if of != nil && !of.machines[m] {
			continue
		}
		machine := m.Definition.Machine
		digest := machine.Source.Digest()
		d := c.collectors[m].Definition(machine.Source.Name, m.Definition.Resource, digest)
		for _, entry := range d.Ignore(c.ignored[m]) {
			stale = append(stale, fmt.Sprintf("coverage of %s is ignored (%s), and %s has no such part",
				entry.State, entry.Reason, d.File))
		}
		p.AddOrReplace(&d) // the same file may have other substitutions
	}
	p.Sort()
	return p, stale
}

// stale returns sentences about entries of ignored parts that are about none.
func (c *covering) stale() []string {
	_, stale := c.counted(nil)
	return stale
}

// done returns the coverage for the reports; nil: it was not asked for.
func (c *covering) done() *suite.Covered {
	if !c.flags.coverage && c.flags.minimum == "" {
		return nil
	}
	return suite.CoveredBy(c.measured(), c.flags.shard.N > 0)
}

// raise raises the bars in the project files to what the cases cover, where these have a key for them.
func (f *testFlags) raise(s *command.Streams, c *covering) error {
	for _, one := range c.scopes {
		if !one.project.KeepsCoverage() {
			continue
		}
		p, _ := c.counted(one)
		bars := coverage.BarsText(p.Raised(one.bars))
		changed, err := one.project.SetLeastCoverage(bars)
		if err != nil {
			return err
		}
		if changed {
			if err := s.Print(one.project.Source.Name + ": coverage: min: " + bars + "\n"); err != nil {
				return err
			}
		}
	}
	return nil
}
