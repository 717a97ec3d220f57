package parquetfile_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"asldb/engine/asl"
	"asldb/engine/value"
)

// withFooter changes the footer of a file.
func withFooter(t *testing.T, body []byte, change func(*format.FileMetaData)) string {
	t.Helper()
	end := len(body) - 8
	start := end - int(binary.LittleEndian.Uint32(body[end:]))
	footer, _, err := new(format.FooterDecoder).Decode(body[start:end])
	if err != nil {
		t.Fatal(err)
	}
	change(footer)
	data, err := thrift.Marshal(new(thrift.CompactProtocol), footer)
	if err != nil {
		t.Fatal(err)
	}
	out := append(append([]byte(nil), body[:start]...), data...)
	return string(append(binary.LittleEndian.AppendUint32(out, uint32(len(data))), "PAR1"...))
}

// Files of older writers name the meaning of a column by a converted type alone.
func TestParquetConvertedTypes(t *testing.T) {
	for _, c := range []struct {
		node parquet.Node
		v    parquet.Value
		of   deprecated.ConvertedType
		want string
	}{
		{parquet.Leaf(parquet.ByteArrayType), parquet.ByteArrayValue([]byte("é")), deprecated.UTF8, `"é"`},
		{parquet.Leaf(parquet.ByteArrayType), parquet.ByteArrayValue([]byte("{}")), deprecated.Json, `"{}"`},
		{parquet.Leaf(parquet.ByteArrayType), parquet.ByteArrayValue([]byte("NEW")), deprecated.Enum, `"NEW"`},
		{parquet.Leaf(parquet.ByteArrayType), parquet.ByteArrayValue([]byte{0, 255}), deprecated.Bson, `"AP8="`},
		{parquet.Leaf(parquet.Int32Type), parquet.Int32Value(-5), deprecated.Decimal, `-0.05`},
		{parquet.Leaf(parquet.Int32Type), parquet.Int32Value(19782), deprecated.Date, `"2024-02-29"`},
		{parquet.Leaf(parquet.Int32Type), parquet.Int32Value(3723004), deprecated.TimeMillis, `"01:02:03.004"`},
		{parquet.Leaf(parquet.Int64Type), parquet.Int64Value(3723000004), deprecated.TimeMicros, `"01:02:03.000004"`},
		{parquet.Leaf(parquet.Int64Type), parquet.Int64Value(1709210096500), deprecated.TimestampMillis,
			`"2024-02-29T12:34:56.5Z"`},
		{parquet.Leaf(parquet.Int64Type), parquet.Int64Value(1709210096000001), deprecated.TimestampMicros,
			`"2024-02-29T12:34:56.000001Z"`},
		{parquet.Leaf(parquet.Int32Type), parquet.Int32Value(-1), deprecated.Uint32, `4294967295`},
		{parquet.Leaf(parquet.Int64Type), parquet.Int64Value(-1), deprecated.Uint64, `18446744073709551615`},
		{parquet.Leaf(parquet.Int32Type), parquet.Int32Value(-1), deprecated.Int8, `-1`},
	} {
		body := parquetOf(t, parquet.Group{"v": c.node}, parquet.Row{c.v.Level(0, 0, 0)})
		got, err := one(t, readsParquet, 0, withFooter(t, body, func(footer *format.FileMetaData) {
			element := &footer.Schema[1]
			element.LogicalType = format.LogicalType{}
			element.ConvertedType, element.Scale, element.Precision = thrift.New(c.of), thrift.New(int32(2)),
				thrift.New(int32(9))
		}))
		if want := `[{"v":` + c.want + `}]`; got != want || err != nil {
			t.Errorf("%v: %s %v, want %s", c.of, got, err, want)
		}
	}
	for of, want := range map[deprecated.ConvertedType]string{deprecated.List: `[{"v":[1,2]}]`,
		deprecated.MapKeyValue: `[{"v":{"list":[{"element":1},{"element":2}]}}]`} {
		number := func(repetition, n int) parquet.Value { return parquet.Int32Value(int32(n)).Level(repetition, 1, 0) }
		body := parquetOf(t, parquet.Group{"v": parquet.List(parquet.Int(32))}, parquet.Row{number(0, 1), number(1, 2)})
		got, err := one(t, readsParquet, 0, withFooter(t, body, func(footer *format.FileMetaData) {
			footer.Schema[1].LogicalType, footer.Schema[1].ConvertedType = format.LogicalType{}, thrift.New(of)
		}))
		if got != want || err != nil {
			t.Errorf("%v: %s %v, want %s", of, got, err, want)
		}
	}
}

// A footer that contradicts its file is an error that says where.
func TestParquetFooters(t *testing.T) {
	whole := orders(t, 2)
	for name, c := range map[string]struct {
		change func(*format.FileMetaData)
		want   string
	}{
		"fewer rows in all": {func(f *format.FileMetaData) { f.NumRows = 2 }, "it has 3 rows, and its footer says 2"},
		"more rows in a group": {func(f *format.FileMetaData) { f.RowGroups[0].NumRows = 3 },
			"row 2: its column id has too few rows"},
		"fewer rows in a group": {func(f *format.FileMetaData) { f.RowGroups[0].NumRows = 1 },
			"its column id has more rows than its footer says"},
		"a column less": {func(f *format.FileMetaData) { f.RowGroups[0].Columns = f.RowGroups[0].Columns[1:] },
			"a group of rows has 9 columns, and the schema 10"},
		"an encrypted column": {func(f *format.FileMetaData) {
			f.RowGroups[0].Columns[1].CryptoMetadata.Value = &format.EncryptionWithFooterKey{}
		}, "its column city is encrypted"},
		"a column elsewhere": {func(f *format.FileMetaData) { f.RowGroups[0].Columns[0].FilePath = "other.parquet" },
			"its column id is in another file"},
		"pages after the end": {func(f *format.FileMetaData) { f.RowGroups[0].Columns[0].MetaData.DataPageOffset = 1 << 40 }, "its column id begins outside of the file"},
		"fewer values": {func(f *format.FileMetaData) { f.RowGroups[0].Columns[0].MetaData.NumValues = 1 },
			"row 0: its column id has too many values"},
		"a negative size": {func(f *format.FileMetaData) { f.RowGroups[0].Columns[0].MetaData.TotalUncompressedSize = -1 }, "its footer has a negative size"},
		"a schema that ends": {func(f *format.FileMetaData) { f.Schema[0].NumChildren.V = 9 },
			"its schema ends too early"},
		"no columns": {func(f *format.FileMetaData) { f.Schema[0].NumChildren.V = 0 }, "its schema has no columns"},
		"a deep schema": {func(f *format.FileMetaData) {
			f.Schema = nil
			for range 1000 {
				f.Schema = append(f.Schema, format.SchemaElement{Name: "g", NumChildren: thrift.New(int32(1))})
			}
		}, "its schema is nested more than 255 levels deep"},
	} {
		_, err := one(t, readsParquet, 0, withFooter(t, whole, c.change))
		if err == nil || err.Error() != "The Parquet file is damaged: "+c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	compressed := parquetOf(t, parquet.Group{"v": parquet.Leaf(parquet.Int32Type)},
		parquet.Row{parquet.Int32Value(1).Level(0, 0, 0)})
	_, err := one(t, readsParquet, 0, withFooter(t, compressed,
		func(f *format.FileMetaData) { f.RowGroups[0].Columns[0].MetaData.Codec = format.LZO }))
	if err == nil || !strings.HasSuffix(err.Error(),
		"row 0: its pages are compressed by LZO, which asldb does not read") {
		t.Errorf("%v", err)
	}
	_, err = one(t, readsParquet, 0, withFooter(t, whole, func(f *format.FileMetaData) {
		f.RowGroups[0].Columns[0].MetaData.TotalUncompressedSize = value.DefaultBytes + 1
	}))
	if err == nil || !strings.HasPrefix(err.Error(), "The Parquet file is too large") {
		t.Errorf("%v", err)
	}
	if _, err := one(t, asl.ReaderConfig{InputType: asl.InputParquet}, 0, "PAR1"+"\xff\xff\xff\x7fPAR1"); err == nil ||
		!strings.Contains(err.Error(), "its footer is larger than the file") {
		t.Errorf("%v", err)
	}
}

func TestParquetHalfPrecision(t *testing.T) {
	for bits, want := range map[string]string{"\x00\xc1": "-2.5", "\x01\x00": "5.960464477539063e-08",
		"\x00\x7c": `"Infinity"`, "\x01\x7c": `"NaN"`} {
		body := parquetOf(t, parquet.Group{"v": parquet.Leaf(parquet.FixedLenByteArrayType(2))},
			parquet.Row{parquet.FixedLenByteArrayValue([]byte(bits)).Level(0, 0, 0)})
		got, err := one(t, readsParquet, 0, withFooter(t, body,
			func(f *format.FileMetaData) { f.Schema[1].LogicalType.Value = &format.Float16Type{} }))
		if got != `[{"v":`+want+`}]` || err != nil {
			t.Errorf("%q: %s %v, want %s", bits, got, err, want)
		}
	}
}
