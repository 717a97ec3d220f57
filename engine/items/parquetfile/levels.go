package parquetfile

import (
	"encoding/binary"
	"errors"
	"io"
	"math/bits"

	"github.com/parquet-go/parquet-go/format"
)

// hybrid decodes count numbers of a width in bits, in runs of one number and in packed runs of eight, as
// https://parquet.apache.org/docs/file-format/data-pages/encodings/ has them. The memory that it takes depends on count
// alone.
func hybrid(data []byte, width, count int) ([]uint32, error) {
	if width > 32 {
		return nil, errors.New("a page has numbers of more than 32 bits")
	}
	out := make([]uint32, 0, count)
	for len(out) < count {
		header, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, io.ErrUnexpectedEOF
		}
		data = data[n:]
		run, size := header>>1, uint64((width+7)/8)
		packed := header&1 == 1
		if packed {
			if run > uint64(len(data)) && width > 0 {
				return nil, io.ErrUnexpectedEOF
			}
			run, size = run*8, run*uint64(width)
		}
		if size > uint64(len(data)) {
			return nil, io.ErrUnexpectedEOF
		}
		run = min(run, uint64(count-len(out)))
		if packed {
			out = unpack(out, data, width, int(run))
		} else {
			out = repeat(out, data[:size], int(run))
		}
		data = data[size:]
	}
	return out, nil
}

// repeat appends the number that is in the bytes, the lowest first, n times.
func repeat(out []uint32, number []byte, n int) []uint32 {
	var word [4]byte
	copy(word[:], number)
	v := binary.LittleEndian.Uint32(word[:])
	for range n {
		out = append(out, v)
	}
	return out
}

// unpack appends n numbers of a width in bits, the lowest bits first.
func unpack(out []uint32, data []byte, width, n int) []uint32 {
	var word uint64
	have, next, mask := 0, 0, uint64(1)<<width-1
	for range n {
		for have < width {
			word |= uint64(data[next]) << have
			next, have = next+1, have+8
		}
		out = append(out, uint32(word&mask))
		word, have = word>>width, have-width
	}
	return out
}

// packedFromTop returns n numbers of a width in bits, the highest bits first: the levels of the oldest writers.
func packedFromTop(data []byte, width, n int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		for at := i * width; at < (i+1)*width; at++ {
			out[i] = out[i]<<1 | uint32(data[at/8]>>(7-at%8)&1)
		}
	}
	return out
}

// levels decodes count levels up to highest.
func levels(data []byte, highest, count int) ([]uint8, error) {
	numbers, err := hybrid(data, bits.Len(uint(highest)), count)
	if err != nil {
		return nil, err
	}
	return asLevels(numbers, highest)
}

func asLevels(numbers []uint32, highest int) ([]uint8, error) {
	out := make([]uint8, len(numbers))
	for i, n := range numbers {
		if n > uint32(highest) {
			return nil, errors.New("a level is too high")
		}
		out[i] = uint8(n)
	}
	return out, nil
}

// sized cuts data that their length precedes.
func sized(data []byte) (part, rest []byte, err error) {
	if len(data) < 4 {
		return nil, nil, io.ErrUnexpectedEOF
	}
	n := binary.LittleEndian.Uint32(data)
	if data = data[4:]; uint64(n) > uint64(len(data)) {
		return nil, nil, io.ErrUnexpectedEOF
	}
	return data[:n], data[n:], nil
}

// levelsBefore decodes the levels at the beginning of a page of the first version, and returns what follows them.
// Without levels all are 0.
func levelsBefore(data []byte, encoding format.Encoding, highest, count int) (_ []uint8, rest []byte, err error) {
	if highest == 0 {
		return nil, data, nil
	}
	if encoding == format.BitPacked {
		width := bits.Len(uint(highest))
		size := (width*count + 7) / 8
		if size > len(data) {
			return nil, nil, io.ErrUnexpectedEOF
		}
		out, err := asLevels(packedFromTop(data, width, count), highest)
		return out, data[size:], err
	}
	part, rest, err := sized(data)
	if err != nil {
		return nil, nil, err
	}
	out, err := levels(part, highest, count)
	return out, rest, err
}
