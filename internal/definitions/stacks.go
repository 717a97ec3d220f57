package definitions

import (
	"path/filepath"
	"strings"

	"asldb/engine/value"
	"asldb/internal/files"
)

// nameStacks gives the definitions in folders that the CDK has written the names of their stacks.
func nameStacks(reader files.Files, list []Definition) {
	known := make(map[string]map[string]string) // by the folder
	for i := range list {
		folder, name := filepath.Split(list[i].File)
		if !strings.HasSuffix(name, ".template.json") {
			continue
		}
		if _, read := known[folder]; !read {
			known[folder] = stacksIn(reader, folder)
		}
		list[i].Stack = known[folder][name]
	}
}

// stacksIn returns the names of stacks by their templates, as the manifest.json of a cloud assembly has them: the name with its
// stages, which is the CDK's, else the stack's own, else the artifact's.
func stacksIn(reader files.Files, folder string) map[string]string {
	_, data, err := reader.ReadBeside(folder, "manifest.json")
	if err != nil {
		return nil
	}
	parsed, err := value.Parse(data, value.Limits{})
	manifest, ok := parsed.(*value.Object)
	if err != nil || !ok {
		return nil
	}
	artifacts, ok := manifest.Get("artifacts").(*value.Object)
	if !ok {
		return nil
	}
	stacks := make(map[string]string)
	for id, held := range artifacts.All() {
		artifact, _ := held.(*value.Object)
		if artifact == nil || artifact.Get("type") != value.Value(value.String("aws:cloudformation:stack")) {
			continue
		}
		properties, _ := artifact.Get("properties").(*value.Object)
		if properties == nil {
			continue
		}
		template, _ := properties.Get("templateFile").(value.String)
		name := id
		for _, named := range []value.Value{properties.Get("stackName"), artifact.Get("displayName")} {
			if text, ok := named.(value.String); ok && text != "" {
				name = string(text)
			}
		}
		stacks[string(template)] = name
	}
	return stacks
}
