// Package merging has the command merge, which puts the results of all shards of a run together.
package merging

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine/coverage"
	"asldb/engine/value"
	"asldb/internal/cli/command"
	"asldb/internal/figures"
	"asldb/internal/files"
	"asldb/internal/report"
	"asldb/internal/suiterun"
	"asldb/internal/versions"
)

// kind is a kind of results that can be merged.
type kind struct {
	name string
	// member is one of its JSON, by which it is recognised.
	member string
	// merge returns the report of the whole and the exit status of its command.
	merge func([]report.ShardFile) (*report.Answer, int, error)
	// width is the width of the text on a terminal of a width; nil: the same.
	width func(terminal int) int
}

func kinds() []kind {
	return []kind{
		{"a coverage profile", "definitions", profiles, nil},
		{"the JSON of asldb test", "event", cases, nil},
		{"the JSON of asldb compare", "verdicts", comparisons, nil},
		{"the JSON of asldb history stats", "machines", statistics, figures.TextWidth},
	}
}

// NewMerge returns the command "merge".
func NewMerge(s *command.Streams) *cobra.Command {
	r := &command.Reports{}
	cmd := &cobra.Command{
		Use:   "merge FILE...",
		Short: "Merge the results of shards, or coverage profiles",
		RunE:  func(_ *cobra.Command, args []string) error { return merge(s, r, args) },
	}
	forms := report.FormsOf(report.OfDoc|report.OfFindings|report.OfData|report.OfRows, "tap")
	at := slices.Index(forms, report.JSONForm)
	r.AddTo(cmd, slices.Concat(forms[at:at+1], forms[:at], forms[at+1:]))
	return cmd
}

func merge(s *command.Streams, r *command.Reports, names []string) error {
	of, list, err := read(names)
	if err != nil {
		return command.OneLine(err)
	}
	if of.width != nil {
		r.Width = of.width(command.WidthOf(s.Out))
	}
	sinks, err := r.Open(s)
	if err != nil {
		return err
	}
	defer sinks.Drop()
	answer, status, err := of.merge(list)
	if err != nil {
		return command.OneLine(err)
	}
	for _, t := range sinks.Targets {
		if !answer.Has(t.Form) {
			return fmt.Errorf("%s has no form %s", of.name, t.Form)
		}
	}
	if err := sinks.Write(answer); err != nil || status == command.StatusOK {
		return err
	}
	return command.Exit(status, nil)
}

// read reads files, which are all of one kind.
func read(names []string) (of kind, list []report.ShardFile, err error) {
	if len(names) == 0 {
		return of, nil, fmt.Errorf("which results? --shard K/N of asldb test with --format json writes one")
	}
	for _, name := range names {
		data, err := files.Given(name, value.DefaultBytes)
		if err != nil {
			return of, nil, err
		}
		is, err := kindOf(data)
		switch {
		case err != nil:
			return of, nil, fmt.Errorf("%s: %w", name, err)
		case len(list) > 0 && is.name != of.name:
			return of, nil, fmt.Errorf("%s is %s, and %s is %s", names[0], of.name, name, is.name)
		}
		of, list = is, append(list, report.ShardFile{Name: name, Data: data})
	}
	return of, list, nil
}

// kindOf recognises what a text is.
func kindOf(data []byte) (kind, error) {
	var members map[string]json.RawMessage
	read := json.NewDecoder(bytes.NewReader(data)).Decode(&members) // of lines the first
	for _, k := range kinds() {
		if read == nil && members[k.member] != nil {
			return k, nil
		}
	}
	all := value.Each(kinds(), func(k kind) string { return k.name })
	return kind{}, fmt.Errorf("it is neither %s", strings.Join(all, " nor "))
}

// profiles merges coverage profiles.
func profiles(list []report.ShardFile) (*report.Answer, int, error) {
	p, err := command.MergeProfiles(list)
	return coverage.Answer(p, coverage.CoverageOptions{Max: 100}, "asldb "+command.Version()), command.StatusOK, err
}

// cases merges runs of cases.
func cases(list []report.ShardFile) (*report.Answer, int, error) {
	run, err := suiterun.MergeShards(list)
	switch {
	case err != nil:
		return nil, 0, err
	case run.Failed():
		return run.Answer(), command.StatusFailed, nil
	case !run.Reached():
		return run.Answer(), command.StatusCoverage, nil
	}
	return run.Answer(), command.StatusOK, nil
}

// statistics merges figures over executions.
func statistics(list []report.ShardFile) (*report.Answer, int, error) {
	found, o, err := figures.MergeShards(list)
	if err != nil {
		return nil, 0, err
	}
	return figures.Answer(found, o), command.StatusOK, nil
}

// comparisons merges comparisons of versions.
func comparisons(list []report.ShardFile) (*report.Answer, int, error) {
	result, on, err := versions.MergeShards(list)
	switch {
	case err != nil:
		return nil, 0, err
	case len(result.Failing(on)) > 0:
		return versions.Answer(result, on), command.StatusDiffers, nil
	}
	return versions.Answer(result, on), command.StatusOK, nil
}
