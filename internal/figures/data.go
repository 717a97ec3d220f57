package figures

import (
	"iter"
	"math/big"
	"strconv"
	"strings"

	"asldb/engine/value"
)

// Version is that of the JSON's form.
const Version = 1

// builder builds an object.
type builder struct{ value.ObjectBuilder }

func (b *builder) text(key, s string) {
	if s != "" {
		b.Set(key, value.String(s))
	}
}

func (b *builder) number(key string, n int64) { b.Set(key, value.Int(n)) }

func (b *builder) list(key string, items []value.Value) { b.Set(key, value.NewArray(items)) }

// data is the figures as one document.
func data(f *Figures, o ReportOptions) value.Value {
	var b builder
	b.number("version", Version)
	b.text("definition", f.Definition)
	b.number("executions", int64(f.Executions()))
	b.list("machines", value.Each(f.Machines, o.machine))
	if f.Definition != "" {
		var never []value.Value
		for _, s := range f.NeverEntered {
			var e builder
			e.text("state", s.Path())
			e.text("place", placeOf(s))
			never = append(never, e.Object())
		}
		b.list("neverEntered", never)
		b.Set("unknown", value.Texts(f.Unknown()))
	}
	b.list("skipped", value.Each(f.Skipped, flawValue))
	b.Set("leftOut", value.Texts(f.LeftOut))
	return b.Object()
}

func flawValue(flaw Flaw) value.Value {
	var b builder
	b.text("file", flaw.File)
	b.text("reason", flaw.Reason)
	return b.Object()
}

func countValue(c Count) value.Value {
	var b builder
	b.text("name", c.Name)
	b.number("count", c.Count)
	return b.Object()
}

func payloadValue(p Payload) value.Value {
	var b builder
	b.text("state", p.State)
	b.text("field", p.Field)
	b.number("bytes", p.Size)
	b.text("file", p.File)
	b.number("event", p.Event)
	return b.Object()
}

func (o *ReportOptions) machine(m *Machine) value.Value {
	var b builder
	b.Set("name", value.String(m.Name))
	b.number("executions", int64(m.Executions))
	b.number("express", int64(m.Express))
	b.number("redriven", int64(m.Redriven))
	b.list("statuses", value.Each(m.Statuses(), countValue))
	b.list("errors", value.Each(m.Errors(), countValue))
	b.Set("time", distributionValue(&m.Time, seconds))
	b.Set("events", distributionValue(&m.Events, whole))
	b.number("eventQuota", EventQuota())
	b.number("nearEventQuota", m.NearEventsCount)
	b.list("nearEvents", value.Each(m.NearEvents, func(n Near) value.Value {
		var e builder
		e.text("file", n.File)
		e.number("events", n.Count)
		return e.Object()
	}))
	b.list("maps", value.Each(m.Maps(), mapValue))
	b.number("payloadQuota", PayloadQuota())
	b.number("nearPayloadQuota", m.NearPayloadsCount)
	b.list("nearPayloads", value.Each(m.NearPayloads, payloadValue))
	b.number("truncated", m.Truncated)
	b.list("states", value.Each(m.States(), stateValue))
	b.list("usage", value.Each(m.Usage, o.usageValue))
	b.list("unfinished", value.Each(m.Unfinished, flawValue))
	b.list("damaged", value.Each(m.Damaged, flawValue))
	return b.Object()
}

func seconds(ns int64) value.Value { return value.Float(float64(ns) / 1e9) }

// distributionValue writes a distribution: times in seconds. sampled is the number of values of which the percentiles are; 0: of all.
func distributionValue(d *Distribution, of func(int64) value.Value) value.Value {
	var b builder
	b.number("count", d.Count)
	if d.Count > 0 {
		b.Set("min", of(d.Min))
		for _, p := range percentiles {
			b.Set("p"+strconv.FormatFloat(p, 'f', -1, 64), of(d.Percentile(p)))
		}
		b.Set("max", of(d.Max))
		b.text("maxFile", d.MaxAt.File)
	}
	if n := d.Sample(); n > 0 {
		b.number("sampled", int64(n))
	}
	return b.Object()
}

func mapValue(in *Map) value.Value {
	var b builder
	b.text("state", in.Path)
	b.text("place", placeOf(in.Of))
	b.number("executions", in.Executions)
	b.number("items", in.Items)
	b.Set("eventsPerItem", value.Float(in.PerItem()))
	b.number("least", in.Least)
	b.number("most", in.Most)
	b.number("mostItems", in.MostItems)
	b.text("mostItemsFile", in.MostAt.File)
	b.number("quotaReachedAt", in.Reaches())
	return b.Object()
}

func stateValue(s *State) value.Value {
	var b builder
	b.text("state", s.Path)
	b.text("type", s.Type)
	b.text("place", placeOf(s.Of))
	b.number("visits", s.Visits)
	b.number("notLeft", s.NotLeft)
	b.number("attempts", s.Attempts)
	b.number("retries", s.Retries)
	for _, d := range distributions(s) {
		if d.of.Count > 0 {
			b.Set(d.name, distributionValue(d.of, seconds))
		}
	}
	b.list("errors", value.Each(s.Errors(), func(e *Failure) value.Value {
		var f builder
		f.text("name", e.Name)
		f.number("count", e.Count)
		f.number("retried", e.Retried)
		f.number("caught", e.Caught)
		f.number("notHandled", e.Passed)
		return f.Object()
	}))
	b.list("payloads", value.Each(s.Payloads(), payloadValue))
	return b.Object()
}

func (o *ReportOptions) usageValue(u *Usage) value.Value {
	var b builder
	b.text("region", u.Region)
	b.number("transitions", u.Transitions)
	b.number("requests", u.Requests)
	if u.Requests > 0 {
		b.Set("gbSeconds", decimal(u.GBSeconds()))
		b.number("withoutEnd", u.Unfinished)
		if o.Memory > 0 {
			b.text("memory", "given")
			b.number("memoryMB", o.Memory)
		} else {
			b.text("memory", "estimated")
		}
	}
	if o.Prices != nil {
		c := o.Prices.Cost(u)
		var cost builder
		cost.text("region", c.Region)
		cost.text("currency", o.Prices.Currency)
		for _, part := range []struct {
			key string
			of  *big.Rat
		}{{"transitions", c.Transitions}, {"requests", c.Requests}, {"gbSeconds", c.GBSeconds}, {"total", c.Total}} {
			if part.of != nil {
				cost.Set(part.key, decimal(part.of))
			}
		}
		cost.text("missing", c.Missing)
		b.Set("cost", cost.Object())
	}
	return b.Object()
}

// decimal writes a number with at most twelve digits after the point.
func decimal(r *big.Rat) value.Value {
	v, err := value.ParseNumber(strings.TrimRight(strings.TrimRight(r.FloatString(12), "0"), "."))
	if err != nil {
		return value.Null{}
	}
	return v
}

// rows has a row for each execution's machine and each state, with times in seconds.
func rows(f *Figures) ([]string, iter.Seq[[]string]) {
	heads := []string{"machine", "state", "type", "place", "visits", "not_left", "attempts", "retries", "errors"}
	for _, d := range distributions(&State{}) {
		for _, part := range []string{"count", "min", "p50", "p90", "p99", "max", "sampled"} {
			heads = append(heads, d.name+"_"+part)
		}
	}
	heads = append(heads, "largest_field", "largest_bytes")
	return heads, func(yield func([]string) bool) {
		for _, m := range f.Machines {
			row := []string{m.Name, "", "", "", strconv.Itoa(m.Executions), strconv.Itoa(len(m.Unfinished)), "", "", ""}
			row = append(row, cells(&m.Time)...)
			for len(row) < len(heads)-2 {
				row = append(row, "")
			}
			if !yield(append(row, m.Largest.Field, strconv.FormatInt(m.Largest.Size, 10))) {
				return
			}
			for _, s := range m.States() {
				if !yield(stateRow(m, s)) {
					return
				}
			}
		}
	}
}

func stateRow(m *Machine, s *State) []string {
	row := []string{m.Name, s.Path, s.Type, placeOf(s.Of)}
	for _, n := range []int64{s.Visits, s.NotLeft, s.Attempts, s.Retries, s.Failures()} {
		row = append(row, strconv.FormatInt(n, 10))
	}
	for _, d := range distributions(s) {
		row = append(row, cells(d.of)...)
	}
	field, size := "", int64(0)
	if list := s.Payloads(); len(list) > 0 {
		field, size = list[0].Field, list[0].Size
	}
	return append(row, field, strconv.FormatInt(size, 10))
}

// cells are those of a distribution of times.
func cells(d *Distribution) []string {
	list := []string{strconv.FormatInt(d.Count, 10)}
	for _, n := range []int64{d.Min, d.Percentile(50), d.Percentile(90), d.Percentile(99), d.Max} {
		if d.Count == 0 {
			list = append(list, "")
			continue
		}
		list = append(list, value.Compact(seconds(n)))
	}
	return append(list, strconv.Itoa(d.Sample()))
}

func whole(n int64) value.Value { return value.Int(n) }
