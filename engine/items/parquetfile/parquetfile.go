// Package parquetfile reads Parquet files for distributed Maps. A program that imports it can run Maps with the
// InputType PARQUET, as a program that imports image/png can decode PNG. It is apart from package items because its
// libraries depend on net, and the engine calls nothing outside.
//
// The footer, the headers of pages and the delta encodings are read by parts of github.com/parquet-go/parquet-go, the
// pages by this package: the library's own reader would add 5 MB to the program, as it can write files too, and reads
// them into any type of Go.
package parquetfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go/format"

	"asldb/engine/items"
	"asldb/engine/value"
)

// The marks at both ends of a Parquet file; an encrypted footer has another one.
var (
	parquetMark   = []byte("PAR1")
	encryptedMark = []byte("PARE")
)

func init() { items.RegisterParquet(Read) }

// Read calls add with each row of a Parquet file until it reports false. A row is an object with the columns in the
// order of the schema. The error is the cause of a failed
// ItemReader, but for the capital letter that it begins with there.
func Read(body []byte, add func(row value.Value) bool) error {
	switch {
	case bytes.HasSuffix(body, encryptedMark):
		return errors.New("the Parquet file is encrypted")
	case len(body) < 12 || !bytes.HasPrefix(body, parquetMark):
		return errors.New("the dataset is not a Parquet file: it does not begin with PAR1")
	case !bytes.HasSuffix(body, parquetMark):
		return errors.New("the Parquet file is damaged: it does not end with PAR1")
	}
	if err := file(body, add); err != nil {
		var limit *value.LimitError
		if errors.As(err, &limit) {
			return fmt.Errorf("the Parquet file is too large: %w", err)
		}
		return fmt.Errorf("the Parquet file is damaged: %w", err)
	}
	return nil
}

// file adds the rows of a file until the limit. The library panics on some damaged pages;
// that is an error of the file.
func file(body []byte, add func(value.Value) bool) (err error) {
	row := int64(-1)
	defer func() {
		switch fault := recover(); {
		case fault == nil:
		case row < 0:
			err = errors.New("its footer cannot be read")
		default:
			err = fmt.Errorf("row %d cannot be read", row)
		}
	}()
	footer, pages, err := footerOf(body)
	if err != nil {
		return err
	}
	if err := bounded(footer); err != nil {
		return err
	}
	tree := schema{elements: footer.Schema}
	root, err := tree.column(0, 0, 0)
	if err != nil {
		return err
	}
	if root.count == 0 {
		return errors.New("its schema has no columns")
	}
	row = 0
	for i := range footer.RowGroups {
		more, err := rowGroup(root, tree.leaves, &footer.RowGroups[i], pages, &row, add)
		if err != nil || !more {
			return err
		}
	}
	if want := footer.NumRows; row != want {
		return fmt.Errorf("it has %d rows, and its footer says %d", row, want)
	}
	return nil
}

// footerOf decodes the footer of a file, and returns it with all that is before it.
func footerOf(body []byte) (*format.FileMetaData, []byte, error) {
	end := len(body) - 8
	size := binary.LittleEndian.Uint32(body[end:])
	if int64(size) > int64(end-len(parquetMark)) {
		return nil, nil, errors.New("its footer is larger than the file")
	}
	start := end - int(size)
	footer, _, err := new(format.FooterDecoder).Decode(body[start:end])
	return footer, body[:start], err
}

// bounded reports the data that the footer announces where it exceeds the size of any document.
func bounded(footer *format.FileMetaData) error {
	var size int64
	for _, group := range footer.RowGroups {
		for i := range group.Columns {
			column := group.Columns[i].MetaData.TotalUncompressedSize
			if column < 0 {
				return errors.New("its footer has a negative size")
			}
			if size += column; size > value.DefaultBytes || size < 0 {
				return &value.LimitError{What: "bytes", Limit: value.DefaultBytes}
			}
		}
	}
	return nil
}

// rowGroup adds the rows of a group and counts them in row. more is false when the limit of items is reached.
func rowGroup(root *column, leaves []leaf, group *format.RowGroup, pages []byte, row *int64, add func(value.Value) bool) (more bool, err error) {
	if len(group.Columns) != len(leaves) {
		return false, fmt.Errorf("a group of rows has %d columns, and the schema %d", len(group.Columns), len(leaves))
	}
	chunks := make([]*chunk, len(leaves))
	for i := range chunks {
		if chunks[i], err = newChunk(&leaves[i], &group.Columns[i], pages); err != nil {
			return false, err
		}
	}
	cells := make([][]datum, len(leaves))
	for range group.NumRows {
		for i, c := range chunks {
			if cells[i], err = c.row(cells[i][:0]); err != nil {
				return false, fmt.Errorf("row %d: %w", *row, err)
			}
		}
		item, err := root.single(cells)
		if err != nil {
			return false, fmt.Errorf("row %d: %w", *row, err)
		}
		*row++
		if !add(item) {
			return false, nil
		}
	}
	for _, c := range chunks {
		if c.left > 0 || c.index < c.count {
			return false, fmt.Errorf("its column %s has more rows than its footer says", c.name)
		}
	}
	return true, nil
}
