package figures

import (
	"cmp"
	"fmt"
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// summary are the lines about a state machine before its tables; the first is the title.
func (o *ReportOptions) summary(m *Machine) []string {
	title := name(m) + ": " + wording.Count(int64(m.Executions), "execution")
	for _, part := range []struct {
		n    int
		text string
	}{{m.Express, "Express"}, {m.Redriven, "redriven"}, {len(m.Unfinished), "unfinished"}, {len(m.Damaged), "damaged"}} {
		if part.n > 0 {
			title += fmt.Sprintf(", %s %s", grouped(int64(part.n)), part.text)
		}
	}
	lines := []string{title, mostFrequent("status", m.Statuses())}
	if errors := m.Errors(); len(errors) > 0 {
		lines = append(lines, mostFrequent("ended with", errors))
	}
	if d := &m.Time; d.Count > 0 {
		lines = append(lines, fmt.Sprintf("time: p50 %s, p90 %s, p99 %s, from %s to %s (%s)",
			duration(d.Percentile(50)), duration(d.Percentile(90)), duration(d.Percentile(99)), duration(d.Min), duration(d.Max), d.MaxAt.File))
	}
	lines = append(lines, events(m)...)
	if p := m.Largest; p.Size > 0 {
		state := cmp.Or(p.State, "the execution")
		lines = append(lines, fmt.Sprintf("payloads: at most %s of %s: %s of %s (%s)",
			bytes(p.Size), bytes(PayloadQuota()), p.Field, state, where(p.Where)))
	}
	if m.Truncated > 0 {
		lines = append(lines, wording.Count(m.Truncated, "payload")+" cut off by the service: the sizes are not known")
	}
	return append(lines, o.usage(m)...)
}

// mostFrequent names the most frequent of counts, and how many others there are, with the sum of those.
func mostFrequent(head string, counts []Count) string {
	named := counts[:min(len(counts), maxErrors)]
	parts := value.Each(named, func(c Count) string { return c.Name + " " + grouped(c.Count) })
	text := head + ": " + strings.Join(parts, ", ")
	if others := counts[len(named):]; len(others) > 0 {
		sum := int64(0)
		for _, c := range others {
			sum += c.Count
		}
		text += fmt.Sprintf(" and %s %s", wording.Count(int64(len(others)), "other"), grouped(sum))
	}
	return text
}

// events are the lines about the quota of events.
func events(m *Machine) []string {
	d := &m.Events
	if d.Count == 0 {
		return nil
	}
	lines := []string{fmt.Sprintf("events: p50 %s, p99 %s, at most %s of %s (%s)",
		grouped(d.Percentile(50)), grouped(d.Percentile(99)), grouped(d.Max), grouped(EventQuota()), d.MaxAt.File)}
	if m.NearEventsCount > 0 {
		line := wording.Count(m.NearEventsCount, "execution") + " over 80 % of the quota of events:"
		for i, near := range m.NearEvents {
			if i == maxListed {
				line += " ..."
				break
			}
			line += fmt.Sprintf(" %s (%s)", near.File, grouped(near.Count))
		}
		lines = append(lines, line)
	}
	for _, in := range m.Maps() {
		lines = append(lines, perItem(in))
	}
	return lines
}

// perItem says how many events an item of a Map state needs, and how many items the quota allows.
func perItem(in *Map) string {
	spread := ""
	if in.Least != in.Most {
		spread = fmt.Sprintf(" (%s to %s)", grouped(in.Least), grouped(in.Most))
	}
	return fmt.Sprintf("Map %s: %.1f events an item%s; the quota is reached at %s (at most %s so far, %s)",
		in.Path, in.PerItem(), spread, wording.Count(in.Reaches(), "item"), grouped(in.MostItems), in.MostAt.File)
}

// usage are the lines about the units by which the service is paid for, with their prices.
func (o *ReportOptions) usage(m *Machine) []string {
	var lines []string
	for _, u := range m.Usage {
		in := ""
		if u.Region != "" {
			in = " in " + u.Region
		}
		if u.Transitions > 0 {
			lines = append(lines, fmt.Sprintf("state transitions (Standard)%s: %s", in, grouped(u.Transitions)))
		}
		if u.Requests > 0 {
			line := fmt.Sprintf("Express%s: %s, %s GB-seconds with %s", in, wording.Count(u.Requests, "request"), u.GBSeconds().FloatString(3), o.memory())
			if u.Unfinished > 0 {
				line += fmt.Sprintf("; %s without an end not counted in", grouped(u.Unfinished))
			}
			lines = append(lines, line)
		}
		if o.Prices != nil && u.Transitions+u.Requests > 0 {
			lines = append(lines, o.cost(u))
		}
	}
	return lines
}

// memory says which memory of Express executions was taken.
func (o *ReportOptions) memory() string {
	if o.Memory > 0 {
		return fmt.Sprintf("%d MB as given", o.Memory)
	}
	return "memory estimated from payloads"
}

func (o *ReportOptions) cost(u *Usage) string {
	c := o.Prices.Cost(u)
	if c.Missing != "" {
		return "cost: not known: " + c.Missing
	}
	return fmt.Sprintf("cost in %s: %s %s, without free units and steps of prices", c.Region, Amount(c.Total), o.Prices.Currency)
}

// notes are lines about the figures as a whole.
func notes(f *Figures) []string {
	var lines []string
	if len(f.NeverEntered) > 0 {
		parts := make([]string, len(f.NeverEntered))
		for i, s := range f.NeverEntered {
			parts[i] = s.State
			if s.Place != "" {
				parts[i] += " (" + s.Place + ")"
			}
		}
		lines = append(lines, "never entered: "+strings.Join(parts, ", "))
	}
	if unknown := f.Unknown(); len(unknown) > 0 {
		lines = append(lines, "not in "+f.Definition+": "+strings.Join(unknown, ", "))
	}
	for _, m := range f.Machines {
		lines = append(lines, flaws("unfinished", m.Unfinished)...)
		lines = append(lines, flaws("damaged", m.Damaged)...)
		for _, s := range m.States() {
			for _, d := range distributions(s) {
				if n := d.of.Sample(); n > 0 {
					lines = append(lines, fmt.Sprintf("sample: the percentiles of the %s of %s are from %s of %s values",
						d.name, s.Path, grouped(int64(n)), grouped(d.of.Count)))
				}
			}
		}
		if n := m.Time.Sample(); n > 0 {
			lines = append(lines, fmt.Sprintf("sample: the percentiles of the time of executions are from %s of %s values", grouped(int64(n)), grouped(m.Time.Count)))
		}
	}
	lines = append(lines, flaws("skipped", f.Skipped)...)
	if len(f.LeftOut) > 0 {
		lines = append(lines, "left out, as executions that tasks and Map Runs started: "+strings.Join(f.LeftOut, ", "))
	}
	return lines
}

// named is a distribution of a state with its name in JSON and in texts.
type named struct {
	name string
	of   *Distribution
}

// distributions are the distributions of a state.
func distributions(s *State) []named {
	return []named{{"time", &s.Time}, {"wait", &s.Wait}, {"work", &s.Work}, {"callback", &s.Callback}, {"backoff", &s.Backoff}}
}

func flaws(head string, list []Flaw) []string {
	var lines []string
	for i, flaw := range list {
		if i == maxListed {
			lines = append(lines, fmt.Sprintf("%s: %s more", head, grouped(int64(len(list)-i))))
			break
		}
		reason, _, _ := strings.Cut(flaw.Reason, "\n")
		if !strings.HasPrefix(reason, flaw.File+":") {
			reason = flaw.File + ": " + reason
		}
		lines = append(lines, head+": "+reason)
	}
	return lines
}
