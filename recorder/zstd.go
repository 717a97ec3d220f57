package recorder

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxFrame is the greatest content of one zstd frame that a reader takes, in bytes: a trace that asldb compressed
// has small frames, unless one value is larger.
const maxFrame = MaxLine

var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// errFrame says that a zstd frame is cut or damaged.
var errFrame = errors.New("the zstd frame is cut or damaged")

// packer returns a function that appends a zstd frame with a block of lines.
func packer() (func(dst, block []byte) []byte, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	return func(dst, block []byte) []byte { return encoder.EncodeAll(block, dst) }, nil
}

// unpacker returns a function that appends the content of a zstd frame.
func unpacker() (func(dst, frame []byte) ([]byte, error), error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxFrame), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return func(dst, frame []byte) ([]byte, error) {
		unpacked, err := decoder.DecodeAll(frame, dst)
		if err != nil {
			return dst, err
		}
		return unpacked, nil
	}, nil
}

// frameLength returns how many bytes the zstd frame at offset has, and how many its content has, -1 where it does not
// say so. It reads the headers of the frame and of its blocks (RFC 8878, section 3.1.1), not what is in them. The
// error is errFrame where there is no whole frame.
func frameLength(r io.ReaderAt, offset, size int64) (length, content int64, err error) {
	start := make([]byte, zstd.HeaderMaxSize)
	n, err := r.ReadAt(start, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, 0, err
	}
	var header zstd.Header
	if err := header.Decode(start[:n]); err != nil {
		return 0, 0, errFrame
	}
	if header.Skippable {
		length = int64(header.HeaderSize) + int64(header.SkippableSize)
		if offset+length > size {
			return 0, 0, errFrame
		}
		return length, 0, nil
	}
	content = -1
	if header.HasFCS {
		content = int64(header.FrameContentSize)
	}
	at := offset + int64(header.HeaderSize)
	for {
		var block [4]byte
		if _, err := r.ReadAt(block[:3], at); err != nil {
			if errors.Is(err, io.EOF) {
				err = errFrame
			}
			return 0, 0, err
		}
		bits := binary.LittleEndian.Uint32(block[:])
		stored := int64(bits >> 3)
		switch bits >> 1 & 3 {
		case 1: // one byte, repeated
			stored = 1
		case 3:
			return 0, 0, errFrame
		}
		at += 3 + stored
		if bits&1 != 0 {
			break
		}
	}
	if header.HasCheckSum {
		at += 4
	}
	if at > size {
		return 0, 0, errFrame
	}
	return at - offset, content, nil
}
