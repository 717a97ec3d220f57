package parquetfile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

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
		out := make([]byte, size)
		if n, err := lz4.UncompressBlock(data, out); err != nil || n != size {
			return nil, errors.Join(errSize, err)
		}
		return out, nil
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
