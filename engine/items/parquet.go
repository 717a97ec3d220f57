package items

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"asldb/engine/value"
)

// The marks at both ends of a Parquet file; an encrypted footer has another one.
var (
	parquetMark   = []byte("PAR1")
	encryptedMark = []byte("PARE")
)

// rowsAtOnce is the number of rows that are decoded together.
const rowsAtOnce = 64

// parquetRows reads an object that is a Parquet file: each row becomes an object with the columns in the order of
// the schema. A JSON array is accepted too, so that fixtures can list the rows.
func parquetRows(r *Reading, from Object, body []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		return jsonArray(r, from, body)
	}
	switch {
	case bytes.HasSuffix(body, encryptedMark):
		return r.fault(from, "The Parquet file is encrypted")
	case len(body) < 12 || !bytes.HasPrefix(body, parquetMark):
		return r.fault(from, "The dataset is not a Parquet file: it does not begin with PAR1")
	case !bytes.HasSuffix(body, parquetMark):
		return r.fault(from, "The Parquet file is damaged: it does not end with PAR1")
	}
	if err := r.parquetFile(body); err != nil {
		var limit *value.LimitError
		if errors.As(err, &limit) {
			return r.fault(from, "The Parquet file is too large: %v", err)
		}
		return r.fault(from, "The Parquet file is damaged: %v", err)
	}
	return nil
}

// parquetFile adds the rows of a file until the limit. The library panics on some damaged files, also while it
// decodes a page; that is an error of the file.
func (r *Reading) parquetFile(body []byte) (err error) {
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
	file, err := parquet.OpenFile(bytes.NewReader(body), int64(len(body)), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	if err := bounded(file); err != nil {
		return err
	}
	root := newColumn(file.Root(), leaves(file), 0)
	if root.count == 0 {
		return errors.New("its schema has no columns")
	}
	row = 0
	for _, group := range file.RowGroups() {
		more, err := r.rowGroup(root, group, &row)
		if err != nil || !more {
			return err
		}
	}
	if want := file.NumRows(); row != want {
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
func (r *Reading) rowGroup(root *column, group parquet.RowGroup, row *int64) (more bool, err error) {
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
			if !r.add(item) {
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
