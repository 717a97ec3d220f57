package lint

import (
	"fmt"
	"slices"

	"asldb/engine/asl"
	"asldb/engine/items"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// reader checks that the fields of an ItemReader go together: each is read for some formats only, and the others ignore
// it.
func (c *checker) reader(s *asl.State) {
	n := s.Node.Get("ItemReader")
	if s.ItemReader == nil || n == nil {
		return
	}
	action, known := items.ActionOf(s.ItemReader.Resource)
	if !known {
		c.readerAction(n.Get("Resource"), s.ItemReader.Resource)
	}
	if !known || !s.Distributed() {
		return
	}
	r := &readerCheck{checker: c, config: s.ItemReader.Config, node: n.Get("ReaderConfig")}
	if r.node == nil {
		r.node = source.NewObject(nil, n.Span)
	}
	r.listing = action == items.ListObjectsV2
	r.loads = r.config.Transformation == asl.LoadFlatten
	r.sources()
	if !r.listing || r.loads {
		r.columns()
		r.pointer()
	}
	if r.config.InputType == asl.InputParquet {
		for _, name := range []string{"Parameters", "Arguments"} {
			parameters := n.Get(name)
			for _, key := range []string{"VersionId", "VersionId.$"} {
				if parameters == nil {
					continue
				}
				if m := member(parameters, key); m != nil {
					c.readerField(m, "a Parquet file is read without it: Step Functions does not support VersionId for the InputType PARQUET")
				}
			}
		}
	}
}

// readerAction notes an ItemReader that reads with another action than those that Step Functions has for it.
func (c *checker) readerAction(n *source.Node, resource string) {
	if n == nil || !n.IsText() {
		return
	}
	d := c.report(n, n.Span, rules.Resource, source.Error, "an ItemReader reads with s3:getObject or s3:listObjectsV2, not with %q", resource)
	d.Expected, d.Found = "arn:aws:states:::s3:getObject or arn:aws:states:::s3:listObjectsV2", resource
	suggest(d, resource, []string{"arn:aws:states:::s3:getObject", "arn:aws:states:::s3:listObjectsV2"})
}

// readerCheck checks the ReaderConfig of an ItemReader.
type readerCheck struct {
	*checker
	config *asl.ReaderConfig
	node   *source.Node
	// listing: the reader lists objects; loads: it reads those that it lists.
	listing, loads bool
}

// readerField reports a field that has no effect, or contradicts another one.
func (c *checker) readerField(m *source.NodeMember, format string, args ...any) *source.Diagnostic {
	return c.report(m.Node, m.KeySpan, rules.ReaderConfig, source.Warning, "%q: %s", m.Key, fmt.Sprintf(format, args...))
}

// field reports one of the fields of the ReaderConfig, where it is there.
func (r *readerCheck) field(name, format string, args ...any) *source.Diagnostic {
	if m := member(r.node, name); m != nil {
		return r.readerField(m, format, args...)
	}
	return &source.Diagnostic{}
}

// refused is field for one with which the service refuses the definition.
func (r *readerCheck) refused(name, format string, args ...any) {
	d := r.field(name, format, args...)
	d.Service = source.Reply{Message: "Field '" + name + "' is not supported", Location: r.pointers[r.node]}
}

// missing reports that the ReaderConfig lacks a field, without which the service refuses it.
func (r *readerCheck) missing(name, message string) *source.Diagnostic {
	if r.node.Get(name) != nil { // and is wrong
		return &source.Diagnostic{}
	}
	d := r.report(r.node, r.node.Span, rules.ReaderConfig, source.Warning, "%s", message)
	d.Expected, d.Service.Message = "the field "+name+" in ReaderConfig", "The field '"+name+"' is required"
	return d
}

// sources checks the fields that say which objects have the items.
func (r *readerCheck) sources() {
	c := r.config
	switch {
	case r.listing && c.ManifestType != 0:
		r.field("ManifestType", "s3:listObjectsV2 reads no manifest; s3:getObject does")
	case r.listing && r.loads && c.InputType == 0:
		r.missing("InputType", "LOAD_AND_FLATTEN needs the InputType of the objects that are read")
	case r.listing && c.InputType == asl.InputManifest:
		r.field("InputType", "s3:listObjectsV2 reads no manifest; s3:getObject does")
	case r.listing && !r.loads:
		for _, name := range []string{"InputType", "CSVHeaderLocation", "CSVHeaders", "CSVDelimiter", "ItemsPointer"} {
			r.field(name, "it has no effect: the items are the descriptions of the objects, which \"Transformation\": \"LOAD_AND_FLATTEN\" would read")
		}
	case !r.listing && r.loads:
		r.field("Transformation", "LOAD_AND_FLATTEN belongs to s3:listObjectsV2; s3:getObject always reads its object")
	}
	if r.listing {
		return
	}
	switch {
	case c.ManifestType != 0 && c.InputType == asl.InputJSON:
		r.refused("ManifestType", "no manifest names objects of the InputType JSON")
	case c.ManifestType == asl.ManifestInventory && c.InputType == asl.InputCSV && c.CSVHeaderLocation == 0: // see columns
	case c.ManifestType == asl.ManifestInventory && c.InputType != 0 && c.InputType != asl.InputManifest:
		r.field("InputType", "an S3 inventory has its format in its manifest; leave out the InputType")
	case c.ManifestType == asl.ManifestAthena && c.InputType == 0:
		d := r.missing("InputType", "the ManifestType ATHENA_DATA needs the InputType of the objects that the manifest names")
		d.Service.Message = "" // not measured
	case c.ManifestType == asl.ManifestAthena && !slices.Contains([]asl.InputType{asl.InputCSV, asl.InputJSONL, asl.InputParquet}, c.InputType):
		r.field("InputType", "data of Athena are CSV, JSONL or PARQUET; found %s", c.InputType)
	}
}

// columns checks the fields about delimited text.
func (r *readerCheck) columns() {
	c := r.config
	inventory := c.ManifestType == asl.ManifestInventory || c.InputType == asl.InputManifest && c.ManifestType == 0
	switch {
	case c.InputType == asl.InputCSV && c.CSVHeaderLocation == 0:
		d := r.missing("CSVHeaderLocation", "the InputType CSV needs the CSVHeaderLocation, FIRST_ROW or GIVEN")
		switch {
		case r.node.Get("CSVHeaders") != nil:
			d.Suggestion = "add \"CSVHeaderLocation\": \"GIVEN\""
		case inventory:
			d.Suggestion = "leave out the InputType: an S3 inventory has its format in its manifest"
		}
	case c.InputType != asl.InputCSV || inventory:
		about := "the InputType is " + c.InputType.String()
		switch {
		case inventory:
			about = "an S3 inventory has the names of its columns in its manifest"
		case c.InputType == 0:
			about = "there is no InputType, and the dataset is read as JSON"
		}
		for _, name := range []string{"CSVHeaderLocation", "CSVHeaders", "CSVDelimiter"} {
			switch {
			case inventory && name == "CSVDelimiter":
			case (c.InputType == asl.InputJSON || c.InputType == asl.InputJSONL) && name != "CSVDelimiter":
				r.refused(name, "it belongs to the InputType CSV, and %s", about)
			default:
				r.field(name, "it has no effect, since %s", about)
			}
		}
		return
	}
	headers := r.node.Get("CSVHeaders")
	if headers == nil {
		return
	}
	seen := make(map[value.Value]bool)
	for _, item := range headers.Items {
		if text, ok := item.Value.(value.String); ok && seen[text] {
			r.report(item, item.Span, rules.ReaderConfig, source.Warning, "the column %s is there twice, and the Map Run fails: CSV headers cannot contain duplicates", value.Compact(text))
		}
		if item.Kind == value.KindString {
			seen[item.Value] = true
		}
	}
	if headers.Kind == value.KindArray && len(headers.Items) == 0 {
		r.field("CSVHeaders", "there are no columns, so that every item is an empty object")
	}
}

// pointer checks the ItemsPointer.
func (r *readerCheck) pointer() {
	if t := r.config.InputType; t != asl.InputJSON && t != 0 {
		r.field("ItemsPointer", "it has no effect: only a dataset with the InputType JSON has it, and this one is %s", t)
	}
}
