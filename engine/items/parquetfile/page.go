package parquetfile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"asldb/engine/value"
)

// datum is a value of a leaf in a row, or its absence.
type datum struct {
	kind       format.Type
	null       bool
	repetition int
	definition int    // of null: how much of the way to the value is present
	number     uint64 // of booleans, integers, and the bits of floating-point numbers
	bytes      []byte // of byte arrays, and the 12 of 96-bit integers
}

// chunk reads the pages of a leaf in a row group.
type chunk struct {
	*leaf
	codec      format.CompressionCodec
	rest       []byte // of the file, from the next page on
	left       int64  // values that are not decoded
	dictionary *values

	// the present page
	values      values
	repetitions []uint8 // nil: all 0
	definitions []uint8 // nil: all 0
	count       int     // of its values, with those that are null
	index       int     // of the next value
	present     int     // index of the next value that is not null, in values
}

// maxPageValues bounds the values of a page, as most writers make pages of 20,000.
const maxPageValues = 1 << 24

// newChunk finds the pages of a leaf. body is the file without its footer.
func newChunk(l *leaf, about *format.ColumnChunk, body []byte) (*chunk, error) {
	meta := &about.MetaData
	switch {
	case about.CryptoMetadata.Value != nil:
		return nil, fmt.Errorf("its column %s is encrypted", l.name)
	case about.FilePath != "":
		return nil, fmt.Errorf("its column %s is in another file", l.name)
	}
	start := meta.DataPageOffset
	if d := meta.DictionaryPageOffset; d > 0 && d < start {
		start = d
	}
	if start < 0 || start > int64(len(body)) {
		return nil, fmt.Errorf("its column %s begins outside of the file", l.name)
	}
	return &chunk{leaf: l, codec: meta.Codec, rest: body[start:], left: meta.NumValues}, nil
}

// row appends the values that the leaf has in the next row.
func (c *chunk) row(out []datum) ([]datum, error) {
	for first := true; ; first = false {
		if c.index == c.count && c.left > 0 {
			if err := c.page(); err != nil {
				return nil, err
			}
		}
		switch {
		case c.index == c.count && first:
			return nil, fmt.Errorf("its column %s has too few rows", c.name)
		case c.index == c.count:
			return out, nil
		}
		repetition := 0
		if c.repetitions != nil {
			repetition = int(c.repetitions[c.index])
		}
		if !first && repetition == 0 {
			return out, nil
		}
		out = append(out, c.datum(repetition))
	}
}

// datum returns the next value of the page.
func (c *chunk) datum(repetition int) datum {
	d := datum{kind: c.kind, repetition: repetition}
	if c.definitions != nil {
		d.definition = int(c.definitions[c.index])
	}
	c.index++
	if d.null = d.definition < c.definition; d.null {
		return d
	}
	if c.values.bytes != nil {
		d.bytes = c.values.bytes[c.present]
	} else {
		d.number = c.values.numbers[c.present]
	}
	c.present++
	return d
}

// page decodes the next page with values.
func (c *chunk) page() error {
	for c.index == c.count {
		var header format.PageHeader
		reader := new(thrift.CompactProtocol).NewReaderFromBytes(c.rest)
		if err := thrift.NewDecoder(reader).Decode(&header); err != nil {
			return err
		}
		rest := c.rest[reader.BytesRead():]
		size := int(header.CompressedPageSize)
		if size < 0 || size > len(rest) || header.UncompressedPageSize < 0 {
			return io.ErrUnexpectedEOF
		}
		if header.UncompressedPageSize > value.DefaultBytes {
			return &value.LimitError{What: "bytes", Limit: value.DefaultBytes}
		}
		data := rest[:size:size]
		c.rest = rest[size:]
		if header.CRC != 0 && crc32.ChecksumIEEE(data) != uint32(header.CRC) {
			return errors.New("the checksum of a page is wrong")
		}
		if err := c.decodePage(&header, data); err != nil {
			return err
		}
	}
	return nil
}

func (c *chunk) decodePage(header *format.PageHeader, data []byte) error {
	size := int(header.UncompressedPageSize)
	switch {
	case header.Type == format.DictionaryPage && header.DictionaryPageHeader.Valid:
		count, err := countOf(header.DictionaryPageHeader.V.NumValues)
		if err != nil {
			return err
		}
		if data, err = decompress(c.codec, data, size); err != nil {
			return err
		}
		dictionary, err := c.plain(data, count)
		c.dictionary = &dictionary
		return err
	case header.Type == format.DataPage && header.DataPageHeader.Valid:
		return c.firstVersion(&header.DataPageHeader.V, data, size)
	case header.Type == format.DataPageV2 && header.DataPageHeaderV2.Valid:
		return c.secondVersion(&header.DataPageHeaderV2.V, data, size)
	}
	return nil // an index, or a page of a later version of the format
}

// countOf checks the number of values that a header names.
func countOf(n int32) (int, error) {
	if n < 0 || n > maxPageValues {
		return 0, fmt.Errorf("a page has %d values; asldb reads up to %d", n, maxPageValues)
	}
	return int(n), nil
}

// firstVersion decodes a page that is compressed with its levels.
func (c *chunk) firstVersion(header *format.DataPageHeader, data []byte, size int) error {
	count, err := countOf(header.NumValues)
	if err != nil {
		return err
	}
	if data, err = decompress(c.codec, data, size); err != nil {
		return err
	}
	repetitions, data, err := levelsBefore(data, header.RepetitionLevelEncoding, c.repetition, count)
	if err != nil {
		return err
	}
	definitions, data, err := levelsBefore(data, header.DefinitionLevelEncoding, c.definition, count)
	if err != nil {
		return err
	}
	return c.begin(count, repetitions, definitions, header.Encoding, data)
}

// secondVersion decodes a page whose levels are before the compressed data.
func (c *chunk) secondVersion(header *format.DataPageHeaderV2, data []byte, size int) error {
	count, err := countOf(header.NumValues)
	if err != nil {
		return err
	}
	first, second := int(header.RepetitionLevelsByteLength), int(header.DefinitionLevelsByteLength)
	if first < 0 || second < 0 || first > len(data) || second > len(data)-first || first+second > size {
		return io.ErrUnexpectedEOF
	}
	var repetitions, definitions []uint8
	if c.repetition > 0 {
		if repetitions, err = levels(data[:first], c.repetition, count); err != nil {
			return err
		}
	}
	if c.definition > 0 {
		if definitions, err = levels(data[first:first+second], c.definition, count); err != nil {
			return err
		}
	}
	data, size = data[first+second:], size-first-second
	if !header.IsCompressed.Valid || header.IsCompressed.V {
		if data, err = decompress(c.codec, data, size); err != nil {
			return err
		}
	}
	return c.begin(count, repetitions, definitions, header.Encoding, data)
}

// begin decodes the values of a page and makes it the present one.
func (c *chunk) begin(count int, repetitions, definitions []uint8, encoding format.Encoding, data []byte) error {
	if c.left -= int64(count); c.left < 0 {
		return fmt.Errorf("its column %s has too many values", c.name)
	}
	present := count
	for _, d := range definitions {
		if int(d) < c.definition {
			present--
		}
	}
	decoded, err := c.decode(encoding, data, present, c.dictionary)
	if err != nil {
		return err
	}
	if n := len(decoded.numbers) + len(decoded.bytes); n != present {
		return fmt.Errorf("a page of the column %s has %d values, and its header says %d", c.name, n, present)
	}
	c.values, c.repetitions, c.definitions = decoded, repetitions, definitions
	c.count, c.index, c.present = count, 0, 0
	return nil
}

// errSize is the error of data that are not as long as their header says.
var errSize = errors.New("a page does not have the size that its header names")

// decompress returns data without compression; size is their length, to the byte.
func decompress(codec format.CompressionCodec, data []byte, size int) ([]byte, error) {
	switch codec {
	case format.Uncompressed:
		if len(data) != size {
			return nil, errSize
		}
		return data, nil
	case format.Snappy:
		if n, err := snappy.DecodedLen(data); err != nil || n != size {
			return nil, errors.Join(errSize, err)
		}
		return snappy.Decode(nil, data)
	case format.Lz4Raw:
		return lz4(data, size)
	case format.Gzip:
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		return read(r, size)
	case format.Brotli:
		return read(brotli.NewReader(bytes.NewReader(data)), size)
	case format.Zstd:
		r, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return read(r, size)
	}
	return nil, fmt.Errorf("its pages are compressed by %s, which asldb does not read", codec)
}

// lz4 decodes a block of LZ4 by way of the S2 block with the same content, since modules with a decoder of LZ4
// are a third of the first download.
func lz4(data []byte, size int) ([]byte, error) {
	const spare = 64 // the converter stops a few bytes before the end of its space
	block := binary.AppendUvarint(make([]byte, 0, s2.MaxEncodedLen(size)+spare), uint64(size))
	block, n, err := new(s2.LZ4Converter).ConvertBlock(block, data)
	if err != nil || n != size {
		return nil, errors.Join(errSize, err)
	}
	return s2.Decode(nil, block)
}

// read reads all that r has, which is size bytes.
func read(r io.Reader, size int) ([]byte, error) {
	out := make([]byte, size)
	if _, err := io.ReadFull(r, out); err != nil {
		return nil, errors.Join(errSize, err)
	}
	if n, err := io.Copy(io.Discard, io.LimitReader(r, 1)); n > 0 || err != nil {
		return nil, errors.Join(errSize, err)
	}
	return out, nil
}
