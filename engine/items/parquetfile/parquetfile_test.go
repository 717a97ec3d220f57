package parquetfile_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"

	"asldb/engine/asl"
	"asldb/engine/items"
	"asldb/internal/testkit/runs"
)

var (
	one    = runs.ItemsOf
	expect = runs.NeedsObject
)

var readsParquet = asl.ReaderConfig{InputType: asl.InputParquet}

// parquetOf writes rows of values as a Parquet file with a schema.
func parquetOf(t *testing.T, schema parquet.Group, rows ...parquet.Row) []byte {
	t.Helper()
	var out bytes.Buffer
	w := parquet.NewWriter(&out, parquet.NewSchema("rows", schema), parquet.Compression(&parquet.Snappy))
	if _, err := w.WriteRows(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// structs writes Go structs as a Parquet file, in row groups of the given size.
func structs[T any](t *testing.T, group int64, rows ...T) []byte {
	t.Helper()
	var out bytes.Buffer
	w := parquet.NewGenericWriter[T](&out, parquet.MaxRowsPerRowGroup(group))
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Each type of a column becomes the JSON that says the same.
func TestParquetTypes(t *testing.T) {
	at := parquet.FixedLenByteArrayType
	uuid := []byte("\x12\x3e\x45\x67\xe8\x9b\x12\xd3\xa4\x56\x42\x66\x14\x17\x40\x00")
	for _, test := range []struct {
		name string
		node parquet.Node
		v    parquet.Value
		want string
	}{
		{"boolean", parquet.Leaf(parquet.BooleanType), parquet.BooleanValue(true), `true`},
		{"int32", parquet.Int(32), parquet.Int32Value(-7), `-7`},
		{"int64", parquet.Int(64), parquet.Int64Value(math.MinInt64), `-9223372036854775808`},
		{"plain int64", parquet.Leaf(parquet.Int64Type), parquet.Int64Value(9007199254740993), `9007199254740993`},
		{"uint32", parquet.Uint(32), parquet.Int32Value(-1), `4294967295`},
		{"uint64", parquet.Uint(64), parquet.Int64Value(-1), `18446744073709551615`},
		{"float", parquet.Leaf(parquet.FloatType), parquet.FloatValue(0.1), `0.1`},
		{"double", parquet.Leaf(parquet.DoubleType), parquet.DoubleValue(2.5), `2.5`},
		{"NaN", parquet.Leaf(parquet.DoubleType), parquet.DoubleValue(math.NaN()), `"NaN"`},
		{"infinity", parquet.Leaf(parquet.DoubleType), parquet.DoubleValue(math.Inf(1)), `"Infinity"`},
		{"negative infinity", parquet.Leaf(parquet.FloatType), parquet.FloatValue(float32(math.Inf(-1))),
			`"-Infinity"`},
		{"string", parquet.String(), parquet.ByteArrayValue([]byte("é\n")), `"é\n"`},
		{"enum", parquet.Enum(), parquet.ByteArrayValue([]byte("NEW")), `"NEW"`},
		{"JSON", parquet.JSON(), parquet.ByteArrayValue([]byte(`{"a":1}`)), `"{\"a\":1}"`},
		{"bytes", parquet.Leaf(parquet.ByteArrayType), parquet.ByteArrayValue([]byte{0, 255}), `"AP8="`},
		{"fixed bytes", parquet.Leaf(at(3)), parquet.FixedLenByteArrayValue([]byte{1, 2, 3}), `"AQID"`},
		{"UUID", parquet.UUID(), parquet.FixedLenByteArrayValue(uuid), `"123e4567-e89b-12d3-a456-426614174000"`},
		{"date", parquet.Date(), parquet.Int32Value(19782), `"2024-02-29"`},
		{"date before 1970", parquet.Date(), parquet.Int32Value(-1), `"1969-12-31"`},
		{"time in ms", parquet.Time(parquet.Millisecond), parquet.Int32Value(3723004), `"01:02:03.004"`},
		{"time in ns", parquet.Time(parquet.Nanosecond), parquet.Int64Value(1), `"00:00:00.000000001"`},
		{"timestamp in ms", parquet.Timestamp(parquet.Millisecond), parquet.Int64Value(1709210096500),
			`"2024-02-29T12:34:56.5Z"`},
		{"timestamp in µs", parquet.Timestamp(parquet.Microsecond), parquet.Int64Value(1709210096000001),
			`"2024-02-29T12:34:56.000001Z"`},
		{"timestamp in ns", parquet.Timestamp(parquet.Nanosecond), parquet.Int64Value(1709210096000000000),
			`"2024-02-29T12:34:56Z"`},
		{"local timestamp", parquet.TimestampAdjusted(parquet.Millisecond, false), parquet.Int64Value(0),
			`"1970-01-01T00:00:00"`},
		{"int96", parquet.Leaf(parquet.Int96Type), parquet.Int96Value(deprecated.Int96{1_000_000_000, 0, 2440589}),
			`"1970-01-02T00:00:01Z"`},
		{"decimal of int32", parquet.Decimal(2, 9, parquet.Int32Type), parquet.Int32Value(-5), `-0.05`},
		{"decimal of int64", parquet.Decimal(0, 18, parquet.Int64Type), parquet.Int64Value(120), `120`},
		{"decimal of bytes", parquet.Decimal(2, 38, at(16)),
			parquet.FixedLenByteArrayValue(append(bytes.Repeat([]byte{255}, 15), 0x9c)), `-1.00`},
		{"decimal of 20 digits", parquet.Decimal(3, 20, parquet.ByteArrayType),
			parquet.ByteArrayValue([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0}), `18446744073709551.616`},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := parquetOf(t, parquet.Group{"v": test.node, "w": parquet.Optional(test.node)},
				parquet.Row{test.v.Level(0, 0, 0), test.v.Level(0, 1, 1)},
				parquet.Row{test.v.Level(0, 0, 0), parquet.NullValue().Level(0, 0, 1)})
			got, err := one(t, readsParquet, 0, string(body))
			if want := `[{"v":` + test.want + `,"w":` + test.want + `},{"v":` + test.want +
				`,"w":null}]`; got != want || err != nil {
				t.Errorf("%s %v\nwant %s", got, err, want)
			}
		})
	}
}

type line struct {
	SKU   string   `parquet:"sku"`
	Count *int32   `parquet:"count,optional"`
	Tags  []string `parquet:"tags,list"`
}

type order struct {
	ID    int64            `parquet:"id"`
	To    *address         `parquet:"to,optional"`
	Lines []line           `parquet:"lines,list"`
	Marks []int32          `parquet:"marks"`
	Stock map[string]int64 `parquet:"stock"`
	Grid  [][]int32        `parquet:"grid,list"`
}

type address struct {
	City string  `parquet:"city"`
	Zip  *string `parquet:"zip,optional"`
}

func orders(t *testing.T, group int64) []byte {
	t.Helper()
	three, zip := int32(3), "1010"
	return structs(t, group,
		order{ID: 1, To: &address{"Wien", &zip}, Lines: []line{{"a", &three, []string{"x", "y"}}, {"b", nil, nil}},
			Marks: []int32{4, 5}, Stock: map[string]int64{"k": 9}, Grid: [][]int32{{1, 2}, {}, {3}}},
		order{ID: 2, To: &address{City: "Graz"}},
		order{ID: 3, Lines: []line{{SKU: "c", Tags: []string{"z"}}}})
}

const (
	order1 = `{"id":1,"to":{"city":"Wien","zip":"1010"},"lines":[{"sku":"a","count":3,"tags":["x","y"]},{"sku":"b","count":null,"tags":[]}],"marks":[4,5],"stock":{"k":9},"grid":[[1,2],[],[3]]`
	order2 = `{"id":2,"to":{"city":"Graz","zip":null},"lines":[],"marks":[],"stock":{},"grid":[]`
	order3 = `{"id":3,"to":null,"lines":[{"sku":"c","count":null,"tags":["z"]}],"marks":[],"stock":{},"grid":[]`
)

// Lists, groups and maps nest, in the order of the schema; a limit stops within and between row groups.
func TestParquetNested(t *testing.T) {
	for limit, want := range []string{
		`[` + order1 + `},` + order2 + `},` + order3 + `}]`,
		`[` + order1 + `}]`,
		`[` + order1 + `},` + order2 + `}]`,
	} {
		for _, group := range []int64{1, 2, 100} {
			got, err := one(t, readsParquet, int64(limit), string(orders(t, group)))
			if got != want || err != nil {
				t.Errorf("limit %d, groups of %d: %s %v\nwant %s", limit, group, got, err, want)
			}
		}
	}
}

// A list has its elements in the one repeated field, or is that field itself in files of older writers.
func TestParquetLists(t *testing.T) {
	number := func(repetition, definition, n int) parquet.Value {
		return parquet.Int32Value(int32(n)).Level(repetition, definition, 0)
	}
	row := parquet.Row{number(0, 1, 1), number(1, 1, 2)}
	for name, test := range map[string]struct {
		node parquet.Node
		want string
	}{
		"three levels":                   {parquet.List(parquet.Int(32)), `[1,2]`},
		"a repeated leaf without a list": {parquet.Repeated(parquet.Int(32)), `[1,2]`},
		"a repeated group":               {parquet.Repeated(parquet.Group{"n": parquet.Int(32)}), `[{"n":1},{"n":2}]`},
	} {
		got, err := one(t, readsParquet, 0, string(parquetOf(t, parquet.Group{"v": test.node}, row)))
		if got != `[{"v":`+test.want+`}]` || err != nil {
			t.Errorf("%s: %s %v, want %s", name, got, err, test.want)
		}
	}
}

// A file that is none, or is damaged at a byte, is an error of the object or gives items; it never ends the program.
func TestParquetDamaged(t *testing.T) {
	whole := orders(t, 2)
	for name, test := range map[string]struct{ body, want string }{
		"empty":     {"", "The dataset is not a Parquet file: it does not begin with PAR1"},
		"CSV":       {"id,total\n1,2\n3,4\n", "The dataset is not a Parquet file: it does not begin with PAR1"},
		"encrypted": {"PARE1234567890PARE", "The Parquet file is encrypted"},
		"cut off":   {string(whole[:len(whole)/2]), "The Parquet file is damaged: it does not end with PAR1"},
		"no footer": {"PAR1\x00\x00\x00\x00PAR1", "The Parquet file is damaged: "},
		"text that is not UTF-8": {string(parquetOf(t, parquet.Group{"v": parquet.String()},
			parquet.Row{parquet.ByteArrayValue([]byte{255}).Level(0, 0, 0)})),
			`The Parquet file is damaged: row 0: a text is not UTF-8: "\xff"`},
	} {
		_, err := one(t, readsParquet, 0, test.body)
		var fault *items.Error
		if !errors.As(err, &fault) || fault.Object == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
	failed := 0
	for i := 4; i < len(whole)-4; i += 5 {
		body := bytes.Clone(whole)
		body[i] ^= 0xff
		_, err := one(t, readsParquet, 0, string(body))
		var fault *items.Error
		switch {
		case err == nil:
		case errors.As(err, &fault) && strings.HasPrefix(err.Error(), "The Parquet file is "):
			failed++
		default:
			t.Errorf("byte %d: %v", i, err)
		}
	}
	if failed == 0 {
		t.Error("no damage was noticed")
	}
}

// Fixtures list the rows as JSON; a list of objects loads Parquet files one by one.
func TestParquetRowsAndLists(t *testing.T) {
	if got, err := one(t, readsParquet, 1, ` [{"id": 1.0}, {"id": 2}]`); got != `[{"id":1.0}]` || err != nil {
		t.Errorf("rows as JSON: %s, %v", got, err)
	}
	r, err := items.Start(&asl.ReaderConfig{InputType: asl.InputParquet, ManifestType: asl.ManifestAthena},
		items.Object{Action: items.GetObject, Bucket: "b", Key: "manifest.csv"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		N int32 `parquet:"n"`
	}
	expect(t, r, items.Object{Action: items.GetObject, Bucket: "b", Key: "manifest.csv"}, "s3://c/1\ns3://c/2\n")
	expect(t, r, items.Object{Action: items.GetObject, Bucket: "c", Key: "1"}, string(structs(t, 9, row{1}, row{2})))
	expect(t, r, items.Object{Action: items.GetObject, Bucket: "c", Key: "2"}, string(structs(t, 9, row{3})))
	if got, source := r.Items().Len(), r.Sources().Of(2); got != 3 || source != "s3://c/2" {
		t.Errorf("%d items, the last of %s", got, source)
	}
}
