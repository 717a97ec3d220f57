package figures

import (
	"iter"
	"math/big"
	"strconv"
	"strings"

	"asldb/engine/value"
	"asldb/internal/report"
)

// Version is the version of the JSON's form.
const Version = 1

// The JSON of the figures; times are seconds.
type (
	document struct {
		Version    int           `json:"version"`
		Definition string        `json:"definition,omitempty"`
		Executions int           `json:"executions"`
		Machines   []machineJSON `json:"machines"`
		Never      []Never       `json:"neverEntered,omitzero"` // as Unknown, with a definition
		Unknown    value.Value   `json:"unknown,omitempty"`
		Skipped    []Flaw        `json:"skipped"`
		LeftOut    value.Value   `json:"leftOut"`
		*report.ShardHead
		Merge *shardJSON `json:"merge,omitempty"`
	}
	nearJSON struct {
		File   string `json:"file,omitempty"`
		Events int64  `json:"events"`
	}
	machineJSON struct {
		Name             string      `json:"name"`
		Executions       int         `json:"executions"`
		Express          int         `json:"express"`
		Redriven         int         `json:"redriven"`
		Statuses         []Count     `json:"statuses"`
		Errors           []Count     `json:"errors"`
		Time             spreadJSON  `json:"time"`
		Events           spreadJSON  `json:"events"`
		EventQuota       int64       `json:"eventQuota"`
		NearEventQuota   int64       `json:"nearEventQuota"`
		NearEvents       []nearJSON  `json:"nearEvents"`
		Maps             []mapJSON   `json:"maps"`
		PayloadQuota     int64       `json:"payloadQuota"`
		NearPayloadQuota int64       `json:"nearPayloadQuota"`
		NearPayloads     []Payload   `json:"nearPayloads"`
		Truncated        int64       `json:"truncated"`
		States           []stateJSON `json:"states"`
		Usage            []usageJSON `json:"usage"`
		Unfinished       []Flaw      `json:"unfinished"`
		Damaged          []Flaw      `json:"damaged"`
	}
	// spreadJSON is a distribution. Sampled is the number of values that the percentiles are about; 0: all.
	spreadJSON struct {
		Count   int64       `json:"count"`
		Min     value.Value `json:"min,omitempty"`
		P50     value.Value `json:"p50,omitempty"`
		P90     value.Value `json:"p90,omitempty"`
		P99     value.Value `json:"p99,omitempty"`
		Max     value.Value `json:"max,omitempty"`
		MaxFile string      `json:"maxFile,omitempty"`
		Sampled int         `json:"sampled,omitempty"`
	}
	mapJSON struct {
		State          string      `json:"state,omitempty"`
		Place          string      `json:"place,omitempty"`
		Executions     int64       `json:"executions"`
		Items          int64       `json:"items"`
		PerItem        value.Value `json:"eventsPerItem"`
		Least          int64       `json:"least"`
		Most           int64       `json:"most"`
		MostItems      int64       `json:"mostItems"`
		MostItemsFile  string      `json:"mostItemsFile,omitempty"`
		QuotaReachedAt int64       `json:"quotaReachedAt"`
	}
	stateJSON struct {
		State    string      `json:"state,omitempty"`
		Type     string      `json:"type,omitempty"`
		Place    string      `json:"place,omitempty"`
		Visits   int64       `json:"visits"`
		NotLeft  int64       `json:"notLeft"`
		Attempts int64       `json:"attempts"`
		Retries  int64       `json:"retries"`
		Time     *spreadJSON `json:"time,omitempty"`
		Wait     *spreadJSON `json:"wait,omitempty"`
		Work     *spreadJSON `json:"work,omitempty"`
		Callback *spreadJSON `json:"callback,omitempty"`
		Backoff  *spreadJSON `json:"backoff,omitempty"`
		Errors   []*Failure  `json:"errors"`
		Payloads []Payload   `json:"payloads"`
	}
	usageJSON struct {
		Region      string `json:"region,omitempty"`
		Transitions int64  `json:"transitions"`
		Requests    int64  `json:"requests"`
		*expressJSON
		Cost *costJSON `json:"cost,omitempty"`
	}
	expressJSON struct {
		GBSeconds  value.Value `json:"gbSeconds"`
		WithoutEnd int64       `json:"withoutEnd"`
		Memory     string      `json:"memory"`
		MemoryMB   int64       `json:"memoryMB,omitempty"`
	}
	costJSON struct {
		Region      string      `json:"region,omitempty"`
		Currency    string      `json:"currency,omitempty"`
		Transitions value.Value `json:"transitions,omitempty"`
		Requests    value.Value `json:"requests,omitempty"`
		GBSeconds   value.Value `json:"gbSeconds,omitempty"`
		Total       value.Value `json:"total,omitempty"`
		Missing     string      `json:"missing,omitempty"`
	}
)

// data is the figures as one document.
func data(f *Figures, o ReportOptions) *document {
	d := &document{Version: Version, Definition: f.Definition, Executions: f.Executions(),
		Machines: value.Each(f.Machines, o.machine), Skipped: value.Each(f.Skipped, Flaw.shown),
		LeftOut:   value.Texts(f.LeftOut),
		ShardHead: f.Head, Merge: shardOf(f, o)}
	if f.Definition != "" {
		d.Never = value.NotNil(f.NeverEntered)
		d.Unknown = value.Texts(f.Unknown())
	}
	return d
}

func (o *ReportOptions) machine(m *Machine) machineJSON {
	return machineJSON{
		m.Name, m.Executions, m.Express, m.Redriven, value.NotNil(m.Statuses()), value.NotNil(m.Errors()),
		spreadOf(&m.Time, seconds), spreadOf(&m.Events, value.Int), EventQuota(), m.NearEventsCount,
		value.Each(m.NearEvents, func(n Near) nearJSON { return nearJSON{n.File, n.Count} }),
		value.Each(m.Maps(), mapOf), PayloadQuota(), m.NearPayloadsCount,
		value.Each(m.NearPayloads, Payload.shown), m.Truncated,
		value.Each(m.States(), stateOf), value.Each(m.Usage, o.usageOf), value.Each(m.Unfinished, Flaw.shown),
		value.Each(m.Damaged, Flaw.shown),
	}
}

func seconds(ns int64) value.Value { return value.Float(float64(ns) / 1e9) }

// spreadOf has the values of a distribution in a unit.
func spreadOf[V value.Value](d *Distribution, in func(int64) V) spreadJSON {
	s := spreadJSON{Count: d.Count, Sampled: d.Sample()}
	if d.Count > 0 {
		s.Min, s.P50, s.P90, s.P99 = in(d.Min), in(d.Percentile(50)), in(d.Percentile(90)), in(d.Percentile(99))
		s.Max, s.MaxFile = in(d.Max), d.MaxAt.File
	}
	return s
}

func mapOf(in *Map) mapJSON {
	return mapJSON{in.Path, in.Of.place(), in.Executions, in.Items, value.Float(in.PerItem()), in.Least, in.Most,
		in.MostItems, in.MostAt.File, in.Reaches()}
}

func stateOf(s *State) stateJSON {
	times := func(d *Distribution) *spreadJSON {
		if d.Count == 0 {
			return nil
		}
		spread := spreadOf(d, seconds)
		return &spread
	}
	return stateJSON{s.Path, s.Type, s.Of.place(), s.Visits, s.NotLeft, s.Attempts, s.Retries,
		times(&s.Time), times(&s.Wait), times(&s.Work), times(&s.Callback), times(&s.Backoff),
		value.NotNil(s.Errors()), value.Each(s.Payloads(), Payload.shown)}
}

func (o *ReportOptions) usageOf(u *Usage) usageJSON {
	usage := usageJSON{Region: u.Region, Transitions: u.Transitions, Requests: u.Requests}
	if u.Requests > 0 {
		usage.expressJSON = &expressJSON{decimal(u.GBSeconds()), u.Unfinished, "estimated", o.Memory}
		if o.Memory > 0 {
			usage.Memory = "given"
		}
	}
	if o.Prices != nil {
		c := o.Prices.Cost(u)
		usage.Cost = &costJSON{c.Region, o.Prices.Currency, decimal(c.Transitions), decimal(c.Requests),
			decimal(c.GBSeconds),
			decimal(c.Total), c.Missing}
	}
	return usage
}

// decimal writes a number with at most twelve digits after the point; nil where there is none.
func decimal(r *big.Rat) value.Value {
	if r == nil {
		return nil
	}
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
	row := []string{m.Name, s.Path, s.Type, s.Of.place()}
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

// cells are the cells of a distribution of times.
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
