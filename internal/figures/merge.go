package figures

import (
	"cmp"
	"slices"
)

// merge adds the figures of other executions.
func (m *Machine) merge(other *Machine) {
	m.Executions += other.Executions
	m.Express += other.Express
	m.Redriven += other.Redriven
	m.Unfinished = append(m.Unfinished, other.Unfinished...)
	m.Damaged = append(m.Damaged, other.Damaged...)
	m.Time.merge(&other.Time)
	m.Events.merge(&other.Events)
	m.NearEventsCount += other.NearEventsCount
	m.NearEvents = append(m.NearEvents, other.NearEvents...)
	m.NearPayloadsCount += other.NearPayloadsCount
	m.NearPayloads = append(m.NearPayloads, other.NearPayloads...)
	m.shorten()
	m.Largest = larger(m.Largest, other.Largest)
	m.Truncated += other.Truncated
	for _, u := range other.Usage {
		m.usage(u.Region).merge(u)
	}
	for name, n := range other.statuses {
		m.statuses[name] += n
	}
	for name, n := range other.errors {
		m.errors[name] += n
	}
	for path, s := range other.states {
		if known := m.states[path]; known != nil {
			known.merge(s)
		} else {
			m.states[path] = s
		}
	}
	for path, o := range other.maps {
		if known := m.maps[path]; known != nil {
			known.merge(o)
		} else {
			m.maps[path] = o
		}
	}
}

// shorten drops all but the first of long lists.
func (m *Machine) shorten() {
	slices.SortFunc(m.NearEvents, func(a, b Near) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Order, b.Order))
	})
	m.NearEvents = m.NearEvents[:min(len(m.NearEvents), maxNear)]
	slices.SortFunc(m.NearPayloads, Payload.compare)
	m.NearPayloads = m.NearPayloads[:min(len(m.NearPayloads), maxNear)]
}

func larger(a, b Payload) Payload {
	if b.Size > 0 && (a.Size == 0 || b.compare(a) < 0) {
		return b
	}
	return a
}

func (s *State) merge(other *State) {
	s.Visits += other.Visits
	s.NotLeft += other.NotLeft
	s.Attempts += other.Attempts
	s.Retries += other.Retries
	s.Time.merge(&other.Time)
	s.Wait.merge(&other.Wait)
	s.Work.merge(&other.Work)
	s.Callback.merge(&other.Callback)
	s.Backoff.merge(&other.Backoff)
	for name, e := range other.errors {
		known := s.failure(name)
		known.Count += e.Count
		known.Retried += e.Retried
		known.Caught += e.Caught
		known.Passed += e.Passed
	}
	for field, p := range other.largest {
		s.largest[field] = larger(s.largest[field], p)
	}
	if other.first < s.first { // state machines without a name may have states of other types by the same name
		s.first, s.Type, s.Of = other.first, other.Type, other.Of
	}
}

func (s *State) failure(name string) *Failure {
	known := s.errors[name]
	if known == nil {
		known = &Failure{Name: name}
		s.errors[name] = known
	}
	return known
}

func (m *Map) merge(other *Map) {
	m.Executions += other.Executions
	m.Items += other.Items
	m.Events += other.Events
	m.Least, m.Most = min(m.Least, other.Least), max(m.Most, other.Most)
	m.Outside.merge(&other.Outside)
	if other.MostItems > m.MostItems || other.MostItems == m.MostItems && other.MostAt.Order < m.MostAt.Order {
		m.MostItems, m.MostAt = other.MostItems, other.MostAt
	}
}

// finish puts everything into the order of the files.
func (f *Figures) finish() {
	slices.SortFunc(f.Machines, func(a, b *Machine) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortStableFunc(f.Skipped, func(a, b Flaw) int { return cmp.Compare(a.Order, b.Order) })
	for _, m := range f.Machines {
		for _, list := range [][]Flaw{m.Unfinished, m.Damaged} {
			slices.SortStableFunc(list, func(a, b Flaw) int { return cmp.Compare(a.Order, b.Order) })
		}
		slices.SortFunc(m.Usage, func(a, b *Usage) int { return cmp.Compare(a.Region, b.Region) })
		m.Time.finish()
		m.Events.finish()
		for _, s := range m.states {
			for _, d := range []*Distribution{&s.Time, &s.Wait, &s.Work, &s.Callback, &s.Backoff} {
				d.finish()
			}
		}
		for _, o := range m.maps {
			o.Outside.finish()
		}
	}
}
