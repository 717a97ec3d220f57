package suites

import (
	"sync"

	"asldb/engine/coverage"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/recorder"
)

// covering counts the coverage of cases that run at the same time.
type covering struct {
	flags *testFlags

	mutex      sync.Mutex
	order      []*suiterun.Machine
	collectors map[*suiterun.Machine]*coverage.Collector
}

func newCovering(f *testFlags) *covering {
	return &covering{flags: f, collectors: make(map[*suiterun.Machine]*coverage.Collector)}
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
	c.mutex.Lock()
	defer c.mutex.Unlock()
	p := &coverage.Profile{}
	for _, m := range c.order {
		machine := m.Definition.Machine
		d := c.collectors[m].Definition(machine.Source.Name, m.Definition.Resource, recorder.DigestOf(machine.Source.Data))
		if err := p.Add(&d); err != nil { // the same file with other substitutions
			p.Replace(&d)
		}
	}
	p.Sort()
	return p
}

// done returns the coverage for the reports; nil: it was not asked for.
func (c *covering) done() *suite.Covered {
	if !c.flags.coverage && c.flags.minimum == 0 {
		return nil
	}
	return &suite.Covered{Profile: c.profile(), Minimum: c.flags.minimum}
}
