package versions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"asldb/engine/value"
	"asldb/internal/report"
)

// jsonShard is what the JSON of a shard has for the whole: each execution, and not only their groups.
type jsonShard struct {
	FailOn  FailOn       `json:"failOn"`
	Renamed []Renaming   `json:"renamed"`
	Judged  []jsonJudged `json:"judged"`
	Skipped []jsonSkip   `json:"skipped"`
}

// jsonAt is the index of a file among the files of all shards.
type jsonAt struct {
	At int `json:"at"`
}

type jsonJudged struct {
	jsonAt
	Judged
}

type jsonSkip struct {
	jsonAt
	Skip
}

// shardOf returns the part of the JSON for the whole; nil where the result is the whole.
func shardOf(r *Result, on FailOn) *jsonShard {
	if r.Head == nil {
		return nil
	}
	return &jsonShard{
		on, value.NotNil(r.Renamed),
		value.Each(r.Judged, func(j Judged) jsonJudged { return jsonJudged{jsonAt{j.at}, j} }),
		value.Each(r.Skipped, func(s Skip) jsonSkip { return jsonSkip{jsonAt{s.at}, s} }),
	}
}

// MergeShards puts the JSON of all shards of a comparison together.
func MergeShards(list []report.ShardFile) (*Result, FailOn, error) {
	shards := make([]*jsonShard, len(list))
	heads := make([]*report.ShardHead, len(list))
	r := &Result{}
	for i, file := range list {
		var read struct { // without the parts that are made anew
			jsonReport
			Verdicts json.RawMessage `json:"verdicts"`
			Groups   json.RawMessage `json:"groups"`
		}
		if err := value.Unmarshal(file.Data, &read); err != nil {
			return nil, FailOn{}, fmt.Errorf("%s: %w", file.Name, err)
		}
		if read.ShardHead == nil || read.Merge == nil {
			return nil, FailOn{}, fmt.Errorf(
				"%s has the whole comparison: --shard K/N of asldb compare makes a shard", file.Name)
		}
		shards[i], heads[i] = read.Merge, read.ShardHead
		r.Old, r.New, r.LeftOut, r.Renamed = read.Old, read.New, read.LeftOut, read.Merge.Renamed
		if first := shards[0]; first.FailOn != read.Merge.FailOn || !slices.Equal(first.Renamed, read.Merge.Renamed) {
			return nil, FailOn{}, fmt.Errorf(
				"%s and %s have other flags: --fail-on or --renamed", list[0].Name, file.Name)
		}
		for _, j := range read.Merge.Judged {
			if j.Verdict < Outcome || j.Verdict > Same {
				return nil, FailOn{}, fmt.Errorf("%s: the verdict on %s is not known", file.Name, j.Name())
			}
			r.add(j.At, []Judged{j.shared()})
		}
		for _, s := range read.Merge.Skipped {
			s.Skip.at = s.At
			r.Skipped = append(r.Skipped, s.Skip)
		}
	}
	if _, err := report.InOrder(list, heads); err != nil {
		return nil, FailOn{}, err
	}
	slices.SortStableFunc(r.Judged, func(a, b Judged) int { return cmp.Compare(a.at, b.at) })
	slices.SortStableFunc(r.Skipped, func(a, b Skip) int { return cmp.Compare(a.at, b.at) })
	if len(r.Judged) == 0 {
		names := value.Each(list, func(f report.ShardFile) string { return f.Name })
		return nil, FailOn{}, &EmptyError{Names: names, Skipped: r.Skipped}
	}
	return r, shards[0].FailOn, nil
}

// shared returns the result with the turn and the output that are the first difference as that.
func (j Judged) shared() Judged {
	for _, d := range []**Difference{&j.Turn, &j.Output} {
		if reflect.DeepEqual(*d, j.First) {
			*d = j.First
		}
	}
	return j
}
