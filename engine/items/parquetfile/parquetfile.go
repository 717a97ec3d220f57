// Package parquetfile reads Parquet files for distributed Maps. A program that imports it can run Maps with the
// InputType PARQUET, as a program that imports image/png can decode PNG. It stands apart from package items because its
// library depends on net, and the engine calls nothing outside.
package parquetfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"asldb/engine/items"
	"asldb/engine/value"
)

// The marks at both ends of a Parquet file; an encrypted footer has another one.
var (
	parquetMark   = []byte("PAR1")
	encryptedMark = []byte("PARE")
)

// rowsAtOnce is the number of rows that are decoded together.
const rowsAtOnce = 64

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

// file adds the rows of a file until the limit. The library panics on some damaged files, also while it
// decodes a page; that is an error of the file.
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
	opened, err := parquet.OpenFile(bytes.NewReader(body), int64(len(body)), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	if err := bounded(opened); err != nil {
		return err
	}
	root := newColumn(opened.Root(), leaves(opened), 0)
	if root.count == 0 {
		return errors.New("its schema has no columns")
	}
	row = 0
	for _, group := range opened.RowGroups() {
		more, err := rowGroup(root, group, &row, add)
		if err != nil || !more {
			return err
		}
	}
	if want := opened.NumRows(); row != want {
		return fmt.Errorf("it has %d rows, and its footer says %d", row, want)
	}
	return nil
}

// bounded reports the data that the footer announces where it exceeds the size of any document.
func bounded(file *parquet.File) error {
	var size int64
	for _, group := range file.Metadata().RowGroups {
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
func rowGroup(root *column, group parquet.RowGroup, row *int64, add func(value.Value) bool) (more bool, err error) {
	rows := group.Rows()
	defer func() { err = errors.Join(err, rows.Close()) }()
	var buffer [rowsAtOnce]parquet.Row
	cells := make([][]parquet.Value, root.count)
	for {
		n, err := rows.ReadRows(buffer[:])
		for _, one := range buffer[:n] {
			for i := range cells {
				cells[i] = nil
			}
			one.Range(func(i int, values []parquet.Value) bool {
				cells[i] = values
				return true
			})
			item, err := root.single(cells)
			if err != nil {
				return false, fmt.Errorf("row %d: %w", *row, err)
			}
			*row++
			if !add(item) {
				return false, nil
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return true, nil
		case err != nil:
			return false, fmt.Errorf("row %d: %w", *row, err)
		case n == 0:
			return false, fmt.Errorf("row %d: %w", *row, io.ErrNoProgress)
		}
	}
}
