package main

import (
	"debug/buildinfo"
	"encoding/json"
	"io"
	"net/url"
	"strings"
	"time"
)

// The bill of materials is CycloneDX 1.5 in JSON, https://cyclonedx.org/docs/1.5/json/. It has no serial number, so that
// the same program has the same bill.
type (
	bill struct {
		Format       string       `json:"bomFormat"`
		Spec         string       `json:"specVersion"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Timestamp string    `json:"timestamp"`
		Component component `json:"component"`
	}
	component struct {
		Ref        string     `json:"bom-ref"`
		Type       string     `json:"type"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		URL        string     `json:"purl"`
		Properties []property `json:"properties,omitempty"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependency struct {
		Ref string   `json:"ref"`
		On  []string `json:"dependsOn,omitempty"`
	}
)

// bill writes the bill of materials of a program: the modules that the Go tool stamped into it.
func (r *release) bill(p platform, binary string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	program := module("application", info.Main.Path, "v"+r.version)
	program.Name = "asldb"
	program.Properties = []property{{"asldb:commit", r.commit}, {"asldb:platform", p.String()}}
	b := bill{Format: "CycloneDX", Spec: "1.5", Version: 1, Metadata: metadata{r.time.Format(time.RFC3339), program}}
	b.Components = append(b.Components, module("library", "std", strings.TrimPrefix(info.GoVersion, "go")))
	for _, m := range info.Deps {
		for m.Replace != nil {
			m = m.Replace
		}
		c := module("library", m.Path, m.Version)
		if m.Sum != "" {
			c.Properties = []property{{"go:sum", m.Sum}}
		}
		b.Components = append(b.Components, c)
	}
	all := dependency{Ref: program.Ref}
	for _, c := range b.Components {
		all.On = append(all.On, c.Ref)
	}
	b.Dependencies = []dependency{all}
	return r.file(r.base(p)+".cdx.json", func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(b)
	})
}

// module returns a module of Go as a component.
func module(kind, path, version string) component {
	name := "pkg:golang/" + path + "@" + url.PathEscape(version)
	return component{Ref: name, Type: kind, Name: path, Version: version, URL: name}
}
