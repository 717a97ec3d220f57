package items_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/items"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

var (
	start  = runs.ReadItems
	one    = runs.ItemsOf
	expect = runs.NeedsObject
)

// The rules for delimited text: the recorded ones, and the developer guide's.
func TestCSV(t *testing.T) {
	given := func(headers ...string) asl.ReaderConfig {
		return asl.ReaderConfig{InputType: asl.InputCSV, CSVHeaderLocation: asl.HeaderGiven, CSVHeaders: headers}
	}
	first := asl.ReaderConfig{InputType: asl.InputCSV, CSVHeaderLocation: asl.HeaderFirstRow}
	with := func(delimiter asl.Delimiter) asl.ReaderConfig {
		c := first
		c.CSVDelimiter = delimiter
		return c
	}
	for _, test := range []struct {
		name   string
		config asl.ReaderConfig
		body   string
		want   string
	}{
		{"every cell is a string", first, "a,b\n1,true\nnull,x\n", `[{"a":"1","b":"true"},{"a":"null","b":"x"}]`},
		{"a short row", first, "a,b,c\n1\n", `[{"a":"1","b":"","c":""}]`},
		{"a long row", first, "a\n1,2,3\n", `[{"a":"1"}]`},
		{"a row of white space", first, "a,b\n   \n", `[{"a":"   ","b":""}]`},
		{"an empty line", first, "a\n\n1\n\n\n", `[{"a":"1"}]`},
		{"an empty header", first, "a,\n1,2,3\n", `[{"a":"1","":"2"}]`},
		{"given headers", given("x", "y"), "1,2\n3,4", `[{"x":"1","y":"2"},{"x":"3","y":"4"}]`},
		{"no text", first, "", `[]`},
		{"a header only", first, "a,b\n", `[]`},
		{"a byte order mark", first, "\ufeffa\n1\n", `[{"a":"1"}]`},
		{"line breaks of Windows", first, "a,b\r\n1,2\r\n", `[{"a":"1","b":"2"}]`},
		{"quotation marks", first, "a,b\n\"1,\n2\",\"say \"\"hi\"\"\"\n", `[{"a":"1,\n2","b":"say \"hi\""}]`},
		{"doubled ones in a bare cell", first, "a\n{\"\"k\"\":\"\"v\"\"}\n", `[{"a":"{\"k\":\"v\"}"}]`},
		{"an empty quoted cell", first, "a,b\n\"\",x\n", `[{"a":"","b":"x"}]`},
		{"backslashes", first, "path,size\nC:\\\\Program Files\\\\MyApp.exe,6534512\n",
			`[{"path":"C:\\Program Files\\MyApp.exe","size":"6534512"}]`},
		{"a backslash before the delimiter", first, "a,b\n1\\,2,3\n", `[{"a":"1,2","b":"3"}]`},
		{"a backslash before anything else", first, "a\nx\\y\\\n", `[{"a":"xy"}]`},
		{"single quotation marks", first, "a,b\n'x,y'\n", `[{"a":"'x","b":"y'"}]`},
		{"tab", with(asl.DelimiterTab), "a\tb\n1,2\t3\n", `[{"a":"1,2","b":"3"}]`},
		{"pipe", with(asl.DelimiterPipe), "a|b\n1|2\n", `[{"a":"1","b":"2"}]`},
		{"semicolon", with(asl.DelimiterSemicolon), "a;b\n1;2\n", `[{"a":"1","b":"2"}]`},
		{"space", with(asl.DelimiterSpace), "a b\n1 2\n", `[{"a":"1","b":"2"}]`},
		{"comma", with(asl.DelimiterComma), "a,b\n1,2\n", `[{"a":"1","b":"2"}]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := one(t, test.config, 0, test.body)
			if err != nil || !value.Equal(value.Must(test.want), parsed(got)) {
				t.Errorf("items %s, %v\n want %s", got, err, test.want)
			}
		})
	}
	for _, config := range []asl.ReaderConfig{first, given("a", "b", "a")} {
		if _, err := one(t, config, 0, "a,b,a\n1,2,3\n"); err == nil ||
			err.Error() != "CSV headers cannot contain duplicates." {
			t.Errorf("duplicate headers: %v", err)
		}
	}
}

func parsed(text string) value.Value {
	v, err := value.ParseString(text)
	if err != nil {
		return nil
	}
	return v
}

func TestJSON(t *testing.T) {
	for _, test := range []struct {
		name   string
		config asl.ReaderConfig
		limit  int64
		body   string
		want   string // or, with a !, the cause
	}{
		{"an array", asl.ReaderConfig{InputType: asl.InputJSON}, 0, `[1, "x", {"a": 2}]`, `[1,"x",{"a":2}]`},
		{"without an InputType", asl.ReaderConfig{}, 0, `[1]`, `[1]`},
		{"an object", asl.ReaderConfig{InputType: asl.InputJSON}, 0, `{"Hello": "world"}`,
			"!Attempting to map over non-iterable node."},
		{"no JSON", asl.ReaderConfig{InputType: asl.InputJSON}, 0, `[1`, "!The dataset is not JSON: line 1, column 3"},
		{"a pointer", asl.ReaderConfig{InputType: asl.InputJSON, ItemsPointer: "/a~1b/1/c~0"}, 0,
			`{"a/b": [0, {"c~": [7]}]}`, `[7]`},
		{"a pointer to nothing", asl.ReaderConfig{InputType: asl.InputJSON, ItemsPointer: "/a/01"}, 0, `{"a": [1, 2]}`,
			`!The ItemsPointer "/a/01" points to nothing in the dataset`},
		{"a pointer to a string", asl.ReaderConfig{InputType: asl.InputJSON, ItemsPointer: "/a"}, 0, `{"a": "x"}`,
			"!Attempting to map over non-iterable node."},
		{"fewer than there are", asl.ReaderConfig{InputType: asl.InputJSON}, 2, `[1,2,3]`, `[1,2]`},
		{"more than there are", asl.ReaderConfig{InputType: asl.InputJSON}, 100_000_001, `[1]`, `[1]`},
		{"lines", asl.ReaderConfig{InputType: asl.InputJSONL}, 0, "{\"a\": 1}\n\n  \n[2]\r\n3", `[{"a":1},[2],3]`},
		{"a wrong line", asl.ReaderConfig{InputType: asl.InputJSONL}, 0, "1\n\nx",
			"!Line 3, column 1 of the dataset is not JSON"},
		{"lines up to a bound", asl.ReaderConfig{InputType: asl.InputJSONL}, 1, "1\nx", `[1]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := one(t, test.config, test.limit, test.body)
			if err != nil {
				got = "!" + err.Error()
				var fault *items.Error
				if !errors.As(err, &fault) || fault.Object == nil || fault.Object.Key != "k" {
					t.Errorf("the error %#v does not name the object", err)
				}
			}
			if got != test.want && (err == nil || !strings.HasPrefix(got, test.want)) {
				t.Errorf("items %s\n want %s", got, test.want)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	first := items.Object{Action: items.GetObject, Bucket: "b", Key: "k"}
	var unsupported *items.UnsupportedError
	if _, err := items.Start(&asl.ReaderConfig{InputType: asl.InputCSV}, first, -1); err == nil ||
		err.Error() != "field MaxItems must be positive" {
		t.Errorf("MaxItems -1: %v", err)
	}
	r := start(t, asl.ReaderConfig{InputType: asl.InputManifest}, 0)
	if err := r.Add([]byte(`{"fileFormat": "ORC", "fileSchema": "Bucket, Key", "files": []}`)); !errors.As(err,
		&unsupported) {
		t.Errorf("an inventory in ORC: %v", err)
	}
}

func get(bucket, key string) items.Object {
	return items.Object{Action: items.GetObject, Bucket: bucket, Key: key}
}

func wantItems(t *testing.T, r *items.Reading, want string, sources ...string) {
	t.Helper()
	if object, more := r.Next(); more {
		t.Fatalf("it needs %v besides", object)
	}
	if got := value.Compact(r.Items()); got != want {
		t.Errorf("items %s\n want %s", got, want)
	}
	for i, source := range sources {
		if got := r.Sources().Of(i); got != source {
			t.Errorf("item %d comes from %q, want %q", i, got, source)
		}
	}
}

func TestList(t *testing.T) {
	list := items.Object{Action: items.ListObjectsV2, Bucket: "b", Key: "in/"}
	for _, body := range []string{`{"Contents": [{"Key": "in/a", "Size": 1}, {"Key": "in/b"}]}`,
		`[{"Key": "in/a", "Size": 1}, {"Key": "in/b"}]`} {
		r, err := items.Start(&asl.ReaderConfig{}, list, 0)
		if err != nil {
			t.Fatal(err)
		}
		expect(t, r, list, body)
		wantItems(t, r, `[{"Key":"in/a","Size":1},{"Key":"in/b"}]`, "s3://b", "s3://b")
	}
	r, err := items.Start(&asl.ReaderConfig{InputType: asl.InputJSONL, Transformation: asl.LoadFlatten}, list, 3)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, list, `{"Contents": [{"Key": "in/"}, {"Key": "in/a"}, {"Key": "in/b"}, {"Key": "in/c"}]}`)
	expect(t, r, get("b", "in/a"), "1\n2\n")
	expect(t, r, get("b", "in/b"), "3\n4\n")
	wantItems(t, r, `[1,2,3]`, "s3://b/in/a", "s3://b/in/a", "s3://b/in/b")
}

func TestManifests(t *testing.T) {
	r := start(t, asl.ReaderConfig{InputType: asl.InputCSV, CSVHeaderLocation: asl.HeaderFirstRow,
		ManifestType: asl.ManifestAthena}, 0)
	expect(t, r, get("b", "k"), "s3://b/one.csv\n\ns3://other/dir/two.csv\n")
	expect(t, r, get("b", "one.csv"), "a\n1\n")
	expect(t, r, get("other", "dir/two.csv"), "a\n2\n")
	wantItems(t, r, `[{"a":"1"},{"a":"2"}]`, "s3://b/one.csv", "s3://other/dir/two.csv")

	var packed bytes.Buffer
	packer := gzip.NewWriter(&packed)
	if _, err := packer.Write([]byte("\"src\",\"a.txt\",\"12\"\n")); err != nil {
		t.Fatal(err)
	}
	if err := packer.Close(); err != nil {
		t.Fatal(err)
	}
	r = start(t, asl.ReaderConfig{InputType: asl.InputManifest}, 0)
	expect(t, r, get("b", "k"), `{"sourceBucket": "src", "destinationBucket": "arn:aws:s3:::dst", "fileFormat": "CSV",
		"fileSchema": "Bucket, Key, Size", "files": [{"key": "data/1.csv.gz", "size": 40}, {"key": "data/2.csv"}]}`)
	expect(t, r, get("dst", "data/1.csv.gz"), packed.String())
	expect(t, r, get("dst", "data/2.csv"), "src,b.txt,3\n")
	wantItems(t, r, `[{"Bucket":"src","Key":"a.txt","Size":"12"},{"Bucket":"src","Key":"b.txt","Size":"3"}]`,
		"s3://dst/data/1.csv.gz")

	r = start(t, asl.ReaderConfig{ManifestType: asl.ManifestInventory}, 0) // rows as a list, as fixtures may have them
	expect(t, r, get("b", "k"), `{"fileFormat": "Parquet", "fileSchema": "message s3.inventory { required binary key (STRING); }", "files": [{"key": "1.parquet"}]}`)
	expect(t, r, get("b", "1.parquet"), `[{"key": "a.txt"}]`)
	wantItems(t, r, `[{"key":"a.txt"}]`, "s3://b/1.parquet")

	for _, test := range []struct {
		kind asl.ManifestType
		body string
	}{
		{asl.ManifestAthena, "http://x"}, {asl.ManifestAthena, "s3://bucket"},
		{asl.ManifestInventory, "[]"}, {asl.ManifestInventory, "x"},
		{asl.ManifestInventory, `{"fileFormat": "CSV"}`},
		{asl.ManifestInventory, `{"fileFormat": "CSV", "fileSchema": "Key"}`},
		{asl.ManifestInventory, `{"fileFormat": "CSV", "fileSchema": "Key", "files": [1]}`},
	} {
		r := start(t, asl.ReaderConfig{InputType: asl.InputCSV, ManifestType: test.kind}, 0)
		var fault *items.Error
		if err := r.Add([]byte(test.body)); !errors.As(err, &fault) {
			t.Errorf("the %s manifest %q gave %v", test.kind, test.body, err)
		}
	}
}

// A clone is independent.
func TestClone(t *testing.T) {
	r := start(t, asl.ReaderConfig{InputType: asl.InputJSON, ManifestType: asl.ManifestAthena}, 0)
	expect(t, r, get("b", "k"), "s3://b/1\ns3://b/2\n")
	expect(t, r, get("b", "1"), `["x"]`)
	c := r.Clone()
	expect(t, r, get("b", "2"), `["r"]`)
	expect(t, c, get("b", "2"), `["c"]`)
	wantItems(t, r, `["x","r"]`)
	wantItems(t, c, `["x","c"]`)
}

// No text makes the decoders panic, and every item of delimited text has every header.
func FuzzDelimited(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2", "\"", "\\", "a\n\"\"\"", "\r\n,\n", "a,a"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, kind := range []asl.InputType{asl.InputCSV, asl.InputJSON, asl.InputJSONL, asl.InputManifest} {
			r := start(t, asl.ReaderConfig{InputType: kind}, 0)
			if r.Add(body) != nil || kind != asl.InputCSV {
				continue
			}
			for i := 1; i < r.Items().Len(); i++ {
				if a, b := r.Items().At(0).(*value.Object), r.Items().At(i).(*value.Object); a.Len() != b.Len() {
					t.Errorf("rows with %d and %d cells", a.Len(), b.Len())
				}
			}
		}
	})
}

// TestCompressed: objects with text may be compressed with gzip; other formats are named.
func TestCompressed(t *testing.T) {
	var packed bytes.Buffer
	packer := gzip.NewWriter(&packed)
	if _, err := packer.Write([]byte("a\n1\n")); err != nil {
		t.Fatal(err)
	}
	if err := packer.Close(); err != nil {
		t.Fatal(err)
	}
	csv := asl.ReaderConfig{InputType: asl.InputCSV, CSVHeaderLocation: asl.HeaderFirstRow}
	r := start(t, csv, 0)
	expect(t, r, get("b", "k"), packed.String())
	wantItems(t, r, `[{"a":"1"}]`, "s3://b/k")
	for want, body := range map[string]string{
		"The object k cannot be unpacked: unexpected EOF":                                         packed.String()[:20],
		"The object k is a Parquet file, and the InputType is CSV":                                "PAR1....PAR1",
		"datasets in the format CSV compressed with Zstandard cannot be read here: decompress it": "\x28\xb5\x2f\xfd....",
	} {
		if err := start(t, csv, 0).Add([]byte(body)); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if err := start(t, asl.ReaderConfig{}, 0).Add([]byte("PAR1....PAR1")); err == nil ||
		!strings.Contains(err.Error(), "InputType is JSON") {
		t.Errorf("without an InputType: %v", err)
	}
}

func TestActionOf(t *testing.T) {
	for resource, want := range map[string]string{"arn:aws:states:::s3:getObject": "getObject",
		"arn:aws-cn:states:::s3:listObjectsV2": "listObjectsV2", "arn:aws:states:::s3:putObject": "", "s3": ""} {
		action, ok := items.ActionOf(resource)
		if ok != (want != "") || ok && action.String() != want {
			t.Errorf("%s is %v, %v", resource, action, ok)
		}
	}
}
