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

// errFrame says that a zstd frame is cut or damaged, errContent that it is there as a whole and says that it has more content than
// its blocks can have.
var (
	errFrame   = errors.New("the zstd frame is cut or damaged")
	errContent = errors.New("it says that it has more content than there is")
)

// maxBlock is the greatest content of one block (RFC 8878, section 3.1.1.2.4).
const maxBlock = 128 << 10

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
// say so. It reads the headers of the frame and of its blocks (RFC 8878, section 3.1.1), not their content. The
// error is errFrame where there is no whole frame; with errContent the length is right.
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
	most := int64(0) // of the content of its blocks
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
		case 0:
			most += stored
		case 1: // one byte, repeated
			most += stored
			stored = 1
		case 2:
			most += maxBlock
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
	if content > most {
		return at - offset, content, errContent
	}
	return at - offset, content, nil
}
