package parquetfile_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding"
)

// sample is a type of a column with its n-th value, and the JSON of that.
type sample struct {
	typ  parquet.Type
	nth  func(n int) (parquet.Value, string)
	fits []encoding.Encoding // beside Plain and RLEDictionary
}

func samples() map[string]sample {
	fixed := func(n int) []byte { return []byte{byte(n), 'x', byte(n >> 8)} }
	return map[string]sample{
		"boolean": {parquet.BooleanType, func(n int) (parquet.Value, string) {
			return parquet.BooleanValue(n%3 == 0), strconv.FormatBool(n%3 == 0)
		}, []encoding.Encoding{&parquet.RLE}},
		"int32": {parquet.Int32Type, func(n int) (parquet.Value, string) {
			v := int32(n*n*n) - 40
			return parquet.Int32Value(v), strconv.Itoa(int(v))
		}, []encoding.Encoding{&parquet.DeltaBinaryPacked, &parquet.ByteStreamSplit}},
		"int64": {parquet.Int64Type, func(n int) (parquet.Value, string) {
			v := int64(n)*1_000_000_000_000 - 7
			return parquet.Int64Value(v), strconv.FormatInt(v, 10)
		}, []encoding.Encoding{&parquet.DeltaBinaryPacked, &parquet.ByteStreamSplit}},
		"float": {parquet.FloatType, func(n int) (parquet.Value, string) {
			return parquet.FloatValue(float32(n) + 0.25), fmt.Sprintf("%d.25", n)
		}, []encoding.Encoding{&parquet.ByteStreamSplit}},
		"double": {parquet.DoubleType, func(n int) (parquet.Value, string) {
			return parquet.DoubleValue(float64(n) + 0.5), fmt.Sprintf("%d.5", n)
		}, []encoding.Encoding{&parquet.ByteStreamSplit}},
		"string": {parquet.String().Type(), func(n int) (parquet.Value, string) {
			text := strings.Repeat("row ", n%5) + strconv.Itoa(n)
			return parquet.ByteArrayValue([]byte(text)), strconv.Quote(text)
		}, []encoding.Encoding{&parquet.DeltaLengthByteArray, &parquet.DeltaByteArray}},
		"fixed": {parquet.FixedLenByteArrayType(3), func(n int) (parquet.Value, string) {
			return parquet.FixedLenByteArrayValue(fixed(n)), strconv.Quote(base64.StdEncoding.EncodeToString(fixed(n)))
		}, []encoding.Encoding{&parquet.DeltaByteArray, &parquet.ByteStreamSplit}},
	}
}

// Every encoding of every type is read as it was written: from columns that are required, optional and repeated, from
// pages of both versions, under every compression.
func TestParquetEncodings(t *testing.T) {
	codecs := []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Gzip, &parquet.Brotli, &parquet.Zstd,
		&parquet.Lz4Raw}
	at := 0
	for name, s := range samples() {
		for _, e := range append([]encoding.Encoding{&parquet.Plain, &parquet.RLEDictionary}, s.fits...) {
			for version := 1; version <= 2; version++ {
				for range 3 { // each case with half of the codecs, each codec in many cases
					codec := codecs[at%len(codecs)]
					at++
					t.Run(fmt.Sprintf("%s/%s/%d/%s", name, e, version, codec), func(t *testing.T) {
						body, want := encoded(t, s, e, version, codec)
						if got, err := one(t, readsParquet, 0, body); err != nil || got != want {
							t.Errorf("%v\n%.300s\nwant\n%.300s", err, got, want)
						}
					})
				}
				at++
			}
		}
	}
}

// encoded writes a file of small pages, and its rows as JSON.
func encoded(t *testing.T, s sample, e encoding.Encoding, version int, codec compress.Codec) (body, want string) {
	t.Helper()
	node := func() parquet.Node { return parquet.Encoded(parquet.Leaf(s.typ), e) }
	schema := parquet.Group{"a": node(), "b": parquet.Optional(node()), "c": parquet.Repeated(node())}
	var rows []parquet.Row
	var lines []string
	for n := range 300 {
		v, text := s.nth(n)
		row := parquet.Row{v.Level(0, 0, 0)}
		line := `{"a":` + text + `,"b":`
		if n%3 == 1 {
			row, line = append(row, parquet.NullValue().Level(0, 0, 1)), line+"null"
		} else {
			row, line = append(row, v.Level(0, 1, 1)), line+text
		}
		if n%4 == 0 {
			row = append(row, parquet.NullValue().Level(0, 0, 2))
		}
		var elements []string
		for k := range n % 4 {
			v, text := s.nth(n + k)
			row, elements = append(row, v.Level(min(k, 1), 1, 2)), append(elements, text)
		}
		rows, lines = append(rows, row), append(lines, line+`,"c":[`+strings.Join(elements, ",")+`]}`)
	}
	var out bytes.Buffer
	w := parquet.NewWriter(&out, parquet.NewSchema("rows", schema), parquet.Compression(codec),
		parquet.DataPageVersion(version), parquet.PageBufferSize(200), parquet.MaxRowsPerRowGroup(170))
	if _, err := w.WriteRows(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String(), "[" + strings.Join(lines, ",") + "]"
}
