package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"asldb/engine/lint"
	"asldb/engine/rules"
	"asldb/engine/source"
)

// TestReaderConfig has the fields of an ItemReader that do not go together, by the service's page about it.
func TestReaderConfig(t *testing.T) {
	const get, list = "getObject", "listObjectsV2"
	for _, tt := range []struct{ action, config, want string }{
		{get, `"InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW", "CSVDelimiter": "TAB", "MaxItems": 10`, ""},
		{get, `"InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["a", "b"]`, ""},
		{get, `"InputType": "JSON", "ItemsPointer": "/a"`, ""},
		{get, `"InputType": "JSONL"`, ""},
		{get, `"InputType": "PARQUET"`, ""},
		{get, `"InputType": "MANIFEST"`, ""},
		{get, `"ManifestType": "S3_INVENTORY"`, ""},
		{get, `"InputType": "MANIFEST", "ManifestType": "S3_INVENTORY", "CSVDelimiter": "COMMA"`, ""},
		{get, `"InputType": "CSV", "ManifestType": "ATHENA_DATA", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["a"]`, ""},
		{list, ``, ""},
		{list, `"Transformation": "NONE", "MaxItems": 3`, ""},
		{list, `"Transformation": "LOAD_AND_FLATTEN", "InputType": "JSONL"`, ""},

		{get, `"InputType": "CSV"`, "the InputType CSV needs the CSVHeaderLocation"},
		{get, `"InputType": "CSV", "CSVHeaders": ["a"]`, "the InputType CSV needs the CSVHeaderLocation"},
		{get, `"InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["a", "b", "a"]`, "the column \"a\" is there twice"},
		{get, `"InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": []`, "every item is an empty object"},
		{get, `"InputType": "JSON", "CSVHeaderLocation": "FIRST_ROW"`, "\"CSVHeaderLocation\": it belongs to the InputType CSV, and the InputType is JSON"},
		{get, `"InputType": "JSONL", "CSVDelimiter": "PIPE"`, "\"CSVDelimiter\": it has no effect"},
		{get, `"InputType": "CSV", "ManifestType": "S3_INVENTORY"`, "the InputType CSV needs the CSVHeaderLocation"},
		{get, `"InputType": "PARQUET", "CSVDelimiter": "PIPE"`, "\"CSVDelimiter\": it has no effect, since the InputType is PARQUET"},
		{get, `"CSVDelimiter": "PIPE"`, "there is no InputType, and the dataset is read as JSON"},
		{get, `"InputType": "MANIFEST", "CSVHeaderLocation": "FIRST_ROW"`, "in its manifest"},
		{get, `"InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW", "ItemsPointer": "/a"`, "\"ItemsPointer\": it has no effect"},
		{get, `"InputType": "JSON", "Transformation": "LOAD_AND_FLATTEN"`, "LOAD_AND_FLATTEN belongs to s3:listObjectsV2"},
		{get, `"InputType": "JSON", "ManifestType": "S3_INVENTORY"`, "no manifest names objects of the InputType JSON"},
		{get, `"InputType": "JSONL", "ManifestType": "S3_INVENTORY"`, "leave out the InputType"},
		{get, `"InputType": "JSON", "ManifestType": "ATHENA_DATA"`, "no manifest names objects of the InputType JSON"},
		{get, `"InputType": "MANIFEST", "ManifestType": "ATHENA_DATA"`, "found MANIFEST"},
		{get, `"ManifestType": "ATHENA_DATA"`, "needs the InputType"},
		{list, `"InputType": "JSON"`, "\"InputType\": it has no effect: the items are the descriptions"},
		{list, `"Transformation": "NONE", "ItemsPointer": "/a"`, "\"ItemsPointer\": it has no effect: the items are the descriptions"},
		{list, `"Transformation": "LOAD_AND_FLATTEN"`, "LOAD_AND_FLATTEN needs the InputType"},
		{list, `"Transformation": "LOAD_AND_FLATTEN", "InputType": "MANIFEST"`, "s3:listObjectsV2 reads no manifest"},
		{list, `"ManifestType": "ATHENA_DATA", "InputType": "CSV"`, "s3:listObjectsV2 reads no manifest"},
	} {
		got := readerProblems(t, tt.action, tt.config, "")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) || strings.Count(got, "\n") > 1 {
			t.Errorf("%s {%s}: %q, want %q", tt.action, tt.config, got, tt.want)
		}
	}
	if got := readerProblems(t, get, `"InputType": "PARQUET"`, `, "VersionId": "1"`); !strings.Contains(got, "\"VersionId\"") {
		t.Errorf("a version of a Parquet file: %q", got)
	}
}

// readerProblems returns the messages about an ItemReader.
func readerProblems(t *testing.T, action, config, parameters string) string {
	t.Helper()
	file := &source.File{Name: "f.json", Data: []byte(`{"StartAt": "M", "States": {"M": {"Type": "Map", "End": true, "MaxConcurrency": 1,
		"ItemReader": {"Resource": "arn:aws:states:::s3:` + action + `", "ReaderConfig": {` + config + `}, "Parameters": {"Bucket": "b", "Key": "k"` + parameters + `}},
		"ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}}}}`)}
	root, problem := source.Read(file, nil)
	if problem != nil {
		t.Fatal(problem.Format())
	}
	var messages strings.Builder
	for _, d := range lint.All(file, root, lint.Options{}) {
		if d.Rule == rules.ReaderConfig || d.Severity == source.Error {
			messages.WriteString(d.Message + "\n")
		}
	}
	return messages.String()
}

// An action that no ItemReader has is an error in an inline Map too, where the engine refuses it as well.
func TestReaderActionOfAnInlineMap(t *testing.T) {
	const text = `{"StartAt": "M", "States": {"M": {"Type": "Map", "End": true, "ItemReader": {"Resource": %q,
		"Parameters": {"Bucket": "b", "Key": "k"}, "ReaderConfig": {"InputType": "JSON"}},
		"ItemProcessor": {"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}}}}}`
	for resource, want := range map[string]bool{"arn:aws:states:::s3:getObject": false, "x": true} {
		found := false
		file := &source.File{Name: "m.json", Data: fmt.Appendf(nil, text, resource)}
		root, problem := source.Read(file, nil)
		if problem != nil {
			t.Fatal(problem.Format())
		}
		for _, d := range lint.All(file, root, lint.Options{}) {
			found = found || d.Severity == source.Error && d.Rule == rules.Resource
		}
		if found != want {
			t.Errorf("%s: an error is found: %t, want %t", resource, found, want)
		}
	}
}
