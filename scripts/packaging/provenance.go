package main

import (
	"encoding/json"
	"io"
	"runtime"
	"strings"
)

// The provenance is an in-toto statement with the predicate of SLSA 1.0, https://slsa.dev/spec/v1.0/provenance. It has
// no signature: who publishes a release signs it.
type (
	statement struct {
		Type      string     `json:"_type"`
		Subject   []subject  `json:"subject"`
		Predicate string     `json:"predicateType"`
		Content   provenance `json:"predicate"`
	}
	subject struct {
		Name   string            `json:"name"`
		Digest map[string]string `json:"digest"`
	}
	provenance struct {
		Definition struct {
			Type       string            `json:"buildType"`
			Parameters map[string]string `json:"externalParameters"`
			Sources    []source          `json:"resolvedDependencies"`
		} `json:"buildDefinition"`
		Run struct {
			Builder struct {
				ID      string            `json:"id"`
				Version map[string]string `json:"version"`
			} `json:"builder"`
		} `json:"runDetails"`
	}
	source struct {
		URI    string            `json:"uri"`
		Digest map[string]string `json:"digest"`
	}
)

// provenance writes the commit, the version and the compiler that the files of the release were made from.
func (r *release) provenance(sums []checksum) error {
	s := statement{Type: "https://in-toto.io/Statement/v1", Predicate: "https://slsa.dev/provenance/v1"}
	for _, c := range sums {
		s.Subject = append(s.Subject, subject{c.name, map[string]string{"sha256": c.sum}})
	}
	build := &s.Content.Definition
	build.Type = homepage + "/blob/" + r.commit + "/docs/releases.md"
	build.Parameters = map[string]string{"version": r.version}
	if r.dirty {
		build.Parameters["allow-dirty"] = "true" // the files are not of the commit alone
	}
	build.Sources = []source{{"git+" + homepage, map[string]string{"gitCommit": r.commit}}}
	s.Content.Run.Builder.ID = homepage + "/blob/" + r.commit + "/scripts/release"
	s.Content.Run.Builder.Version = map[string]string{"go": strings.TrimPrefix(runtime.Version(), "go")}
	return r.file("asldb_"+r.version+".provenance.json", func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(s)
	})
}
