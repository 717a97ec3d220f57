package figures

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"asldb/engine/value"
	"asldb/internal/report"
)

// The part of the JSON of a shard that the whole is made of: all values that the figures are about.
type (
	shardJSON struct {
		Options  ReportOptions
		Machines []machinePart
		Skipped  []Flaw
	}
	machinePart struct {
		Machine
		Statuses, Errors map[string]int64
		States           map[string]statePart
		Maps             map[string]Map
	}
	statePart struct {
		State
		Errors  map[string]Failure
		Largest map[string]Payload
		First   uint64
	}
	distributionPart struct {
		Count, Min, Max int64
		MaxAt           Where
		Held            []byte // ranks and values
	}
)

// MarshalJSON implements json.Marshaler: it writes all values that are held, for a shard.
func (d Distribution) MarshalJSON() ([]byte, error) {
	part := distributionPart{d.Count, d.Min, d.Max, d.MaxAt, nil}
	for _, h := range d.held {
		part.Held = binary.AppendVarint(binary.BigEndian.AppendUint64(part.Held, h.rank), h.value)
	}
	return json.Marshal(part)
}

// UnmarshalJSON implements json.Unmarshaler. It refuses a count that does not fit the values.
func (d *Distribution) UnmarshalJSON(text []byte) error {
	var part distributionPart
	if err := json.Unmarshal(text, &part); err != nil {
		return err
	}
	*d = Distribution{Count: part.Count, Min: part.Min, Max: part.Max, MaxAt: part.MaxAt}
	for rest := part.Held; len(rest) > 0; {
		if len(rest) < 8 {
			return errors.New("a distribution is cut off")
		}
		v, n := binary.Varint(rest[8:])
		if n <= 0 {
			return errors.New("a distribution is cut off")
		}
		d.hold(ranked{binary.BigEndian.Uint64(rest), v})
		rest = rest[8+n:]
	}
	if d.Count < int64(len(d.held)) || d.Count > 0 && len(d.held) == 0 {
		return errors.New("a distribution has another number of values than it says")
	}
	return nil
}

// each returns a map with its values changed.
func each[A, B any](from map[string]A, as func(A) B) map[string]B {
	to := make(map[string]B, len(from))
	for key, v := range from {
		to[key] = as(v)
	}
	return to
}

func deref[T any](p *T) T { return *p }

// shardOf returns the part of the JSON for the whole; nil where the figures are about all.
func shardOf(f *Figures, o ReportOptions) *shardJSON {
	if f.Head == nil {
		return nil
	}
	return &shardJSON{o, value.Each(f.Machines, partOf), f.Skipped}
}

func partOf(m *Machine) machinePart {
	return machinePart{*m, m.statuses, m.errors, each(m.states, func(s *State) statePart {
		return statePart{*s, each(s.errors, deref[Failure]), s.largest, s.first}
	}), each(m.maps, deref[Map])}
}

// machine returns the machine that a part was made of.
func (p machinePart) machine() *Machine {
	m := p.Machine
	m.statuses, m.errors = each(p.Statuses, kept[int64]), each(p.Errors, kept[int64])
	m.states = each(p.States, func(of statePart) *State {
		s := of.State
		s.errors, s.largest = each(of.Errors, pointer[Failure]), each(of.Largest, kept[Payload])
		s.first = of.First
		return &s
	})
	m.maps = each(p.Maps, pointer[Map])
	return &m
}

func kept[T any](v T) T     { return v }
func pointer[T any](v T) *T { return &v }

// MergeShards puts the JSON of all shards of figures together.
func MergeShards(list []report.ShardFile) (*Figures, ReportOptions, error) {
	f, o := &Figures{}, ReportOptions{}
	heads := make([]*report.ShardHead, len(list))
	machines := make(map[string]*Machine)
	for i, file := range list {
		read, err := readShard(file)
		if err != nil {
			return nil, o, err
		}
		if heads[i] = read.ShardHead; i == 0 {
			o, f.Definition, f.LeftOut = read.Merge.Options, read.Definition, read.LeftOut
			f.NeverEntered = slices.Clone(read.Never)
		}
		if !reflect.DeepEqual(o, read.Merge.Options) {
			return nil, o, fmt.Errorf("%s and %s have other flags: --memory or --prices", list[0].Name, file.Name)
		}
		entered := func(n Never) bool { return !slices.Contains(read.Never, n) }
		f.NeverEntered = slices.DeleteFunc(f.NeverEntered, entered)
		f.Skipped = append(f.Skipped, read.Merge.Skipped...)
		for _, part := range read.Merge.Machines {
			if m := part.machine(); machines[m.Name] != nil {
				machines[m.Name].merge(m)
			} else {
				machines[m.Name] = m
				f.Machines = append(f.Machines, m)
			}
		}
	}
	if _, err := report.InOrder(list, heads); err != nil {
		return nil, o, err
	}
	if len(f.Machines) == 0 {
		names := value.Each(list, func(file report.ShardFile) string { return file.Name })
		return nil, o, &EmptyError{names, f.Skipped}
	}
	f.finish()
	return f, o, nil
}

// shardDocument is the JSON of a shard without the parts that are made anew.
type shardDocument struct {
	document
	Machines json.RawMessage `json:"machines"`
	Unknown  json.RawMessage `json:"unknown"`
	Skipped  json.RawMessage `json:"skipped"`
	LeftOut  []string        `json:"leftOut"`
}

func readShard(file report.ShardFile) (*shardDocument, error) {
	read := &shardDocument{}
	if err := value.Unmarshal(file.Data, read); err != nil {
		return nil, fmt.Errorf("%s: %w", file.Name, err)
	}
	if read.ShardHead == nil || read.Merge == nil {
		return nil, fmt.Errorf(
			"%s has the whole figures: --shard K/N of asldb history stats makes a shard", file.Name)
	}
	for _, part := range read.Merge.Machines {
		wrong := slices.Contains(part.Usage, nil)
		for _, of := range part.Maps {
			wrong = wrong || of.Items < 1
		}
		if wrong {
			return nil, fmt.Errorf("%s: the figures of %q are damaged", file.Name, part.Name)
		}
	}
	return read, nil
}
