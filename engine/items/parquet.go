package items

import (
	"bytes"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/value"
)

// readParquet reads Parquet files; nil in a program without package parquetfile.
var readParquet func(body []byte, add func(row value.Value) bool) error

// RegisterParquet sets the reader of Parquet files. It calls add with each row until add reports false; its error is
// the cause of the failure. Package parquetfile calls it when the program begins.
func RegisterParquet(read func(body []byte, add func(row value.Value) bool) error) {
	readParquet = read
}

// parquetRows reads an object that is a Parquet file. A JSON array is accepted too, so that fixtures can list the rows.
func parquetRows(r *Reading, from Object, body []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		return jsonArray(r, from, body)
	}
	if readParquet == nil {
		return &UnsupportedError{Format: asl.InputParquet.String()}
	}
	if err := readParquet(body, r.add); err != nil {
		text := err.Error()
		return r.fault(from, "%s", strings.ToUpper(text[:1])+text[1:]) // a Cause is a sentence
	}
	return nil
}
