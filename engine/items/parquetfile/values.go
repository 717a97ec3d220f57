package parquetfile

import (
	"asldb/engine/value"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/format"
)

// values are the values of a page or of a dictionary: numbers, or bytes.
type values struct {
	numbers []uint64 // booleans, integers, and the bits of floating-point numbers
	bytes   [][]byte // of byte arrays, and the 12 of 96-bit integers
}

// at returns the values at indexes, each once.
func (v values) at(indexes []uint32) (values, error) {
	var out values
	for _, i := range indexes {
		if int(i) >= len(v.numbers)+len(v.bytes) {
			return values{}, errors.New("a page names a value that its dictionary does not have")
		}
		if v.bytes != nil {
			out.bytes = append(out.bytes, v.bytes[i])
		} else {
			out.numbers = append(out.numbers, v.numbers[i])
		}
	}
	return out, nil
}

// size is the number of bytes of a value; 0 where it varies, or is a bit.
func (l *leaf) size() int {
	switch l.kind {
	case format.Int32, format.Float:
		return 4
	case format.Int64, format.Double:
		return 8
	case format.Int96:
		return 12
	case format.FixedLenByteArray:
		return l.length
	case format.Boolean, format.ByteArray:
	}
	return 0
}

// fixed reports whether values are bytes of one length.
func (l *leaf) fixed() bool { return l.kind == format.FixedLenByteArray || l.kind == format.Int96 }

// decode decodes count values. The dictionary is the column's, where it has one.
func (l *leaf) decode(encoding format.Encoding, data []byte, count int, dictionary *values) (values, error) {
	if count == 0 {
		return values{}, nil
	}
	switch encoding {
	case format.Plain:
		return l.plain(data, count)
	//lint:ignore SA1019 older writers use PlainDictionary
	case format.PlainDictionary, format.RLEDictionary:
		if dictionary == nil || len(data) == 0 {
			return values{}, errors.New("a page needs a dictionary, and its column has none")
		}
		indexes, err := hybrid(data[1:], int(data[0]), count)
		if err != nil {
			return values{}, err
		}
		return dictionary.at(indexes)
	case format.RLE:
		if l.kind == format.Boolean {
			part, _, err := sized(data)
			if err != nil {
				return values{}, err
			}
			bits, err := hybrid(part, 1, count)
			return values{numbers: widened(bits)}, err
		}
	case format.DeltaBinaryPacked, format.DeltaLengthByteArray, format.DeltaByteArray:
		return l.delta(encoding, data, count)
	case format.ByteStreamSplit:
		if size := l.size(); size > 0 {
			return l.split(data, size, count)
		}
	}
	return values{}, fmt.Errorf("a page of the type %s is encoded by %s, which asldb does not read", l.kind, encoding)
}

// widened returns numbers with 64 bits.
func widened[N int32 | int64 | uint32](numbers []N) []uint64 {
	return value.Each(numbers, func(n N) uint64 { return uint64(n) })
}

func (l *leaf) plain(data []byte, count int) (values, error) {
	switch size := l.size(); {
	case l.kind == format.Boolean:
		if (count+7)/8 > len(data) {
			return values{}, io.ErrUnexpectedEOF
		}
		return values{numbers: widened(unpack(make([]uint32, 0, count), data, 1, count))}, nil
	case l.kind == format.ByteArray:
		var out values
		for range count {
			part, rest, err := sized(data)
			if err != nil {
				return values{}, err
			}
			out.bytes, data = append(out.bytes, part), rest
		}
		return out, nil
	case size <= 0 || size > len(data) || count > len(data)/size:
		return values{}, io.ErrUnexpectedEOF
	default:
		return l.pieces(data, size, count), nil
	}
}

// pieces cuts values of one size.
func (l *leaf) pieces(data []byte, size, count int) values {
	if l.fixed() {
		out := values{bytes: make([][]byte, count)}
		for i := range out.bytes {
			out.bytes[i] = data[i*size : (i+1)*size]
		}
		return out
	}
	out := values{numbers: make([]uint64, count)}
	for i := range out.numbers {
		if piece := data[i*size:]; size == 4 {
			out.numbers[i] = uint64(binary.LittleEndian.Uint32(piece))
		} else {
			out.numbers[i] = binary.LittleEndian.Uint64(piece)
		}
	}
	return out
}

// split decodes values whose first bytes are together, then their second ones, and so on.
func (l *leaf) split(data []byte, size, count int) (values, error) {
	if count > len(data)/size {
		return values{}, io.ErrUnexpectedEOF
	}
	whole, stream := make([]byte, size*count), len(data)/size
	for i := range count {
		for k := range size {
			whole[i*size+k] = data[k*stream+i]
		}
	}
	return l.pieces(whole, size, count), nil
}

// delta decodes values that are written as differences from the ones before them.
func (l *leaf) delta(encoding format.Encoding, data []byte, count int) (values, error) {
	if n := deltas(data); n != uint64(count) {
		return values{}, fmt.Errorf("a page has %d values, and its header says %d", n, count)
	}
	var (
		whole   []byte
		offsets []uint32
		err     error
	)
	switch {
	case encoding == format.DeltaBinaryPacked && l.kind == format.Int32:
		numbers, err := new(delta.BinaryPackedEncoding).DecodeInt32(nil, data)
		return values{numbers: widened(numbers)}, err
	case encoding == format.DeltaBinaryPacked && l.kind == format.Int64:
		numbers, err := new(delta.BinaryPackedEncoding).DecodeInt64(nil, data)
		return values{numbers: widened(numbers)}, err
	case encoding == format.DeltaLengthByteArray && l.kind == format.ByteArray:
		whole, offsets, err = new(delta.LengthByteArrayEncoding).DecodeByteArray(nil, data, nil)
	case encoding == format.DeltaByteArray && l.kind == format.ByteArray:
		whole, offsets, err = new(delta.ByteArrayEncoding).DecodeByteArray(nil, data, nil)
	case encoding == format.DeltaByteArray && l.kind == format.FixedLenByteArray && l.length > 0:
		whole, err = new(delta.ByteArrayEncoding).DecodeFixedLenByteArray(nil, data, l.length)
		if err != nil || len(whole) != l.length*count {
			return values{}, errors.Join(errSize, err)
		}
		return l.pieces(whole, l.length, count), nil
	default:
		return values{}, fmt.Errorf("a page of the type %s is encoded by %s, which asldb does not read", l.kind, encoding)
	}
	if err != nil || len(offsets) != count+1 {
		return values{}, errors.Join(errSize, err)
	}
	out := values{bytes: make([][]byte, count)}
	for i := range out.bytes {
		out.bytes[i] = whole[offsets[i]:offsets[i+1]]
	}
	return out, nil
}

// deltas returns the number of values that the header of a block of differences names: its third number.
func deltas(data []byte) (total uint64) {
	for range 3 {
		n, size := binary.Uvarint(data)
		if size <= 0 {
			return 0
		}
		total, data = n, data[size:]
	}
	return total
}
