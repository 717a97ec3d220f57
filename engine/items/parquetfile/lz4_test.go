package parquetfile

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// A block is decoded whatever the lengths of its literals and matches are, and a damaged one is an error, or has the
// size that was asked for.
func TestBlocksOfLZ4(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 400 {
		var text []byte
		for len(text) < n*n/3+1 {
			if len(text) > 8 && random.IntN(2) == 0 { // a match
				at := random.IntN(len(text) - 4)
				text = append(text, text[at:min(len(text), at+4+random.IntN(1+n))]...)
				continue
			}
			for range 1 + random.IntN(1+n%40) {
				text = append(text, byte(random.IntN(256)))
			}
		}
		block, err := parquet.Lz4Raw.Encode(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := lz4(block, len(text))
		if err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%d bytes: %v", len(text), err)
		}
		if _, err := lz4(block, len(text)+1); err == nil {
			t.Fatalf("%d bytes: a wrong size is accepted", len(text))
		}
		block[random.IntN(len(block))] ^= byte(1 + random.IntN(255))
		if got, err := lz4(block[:1+random.IntN(len(block))], len(text)); err == nil && len(got) != len(text) {
			t.Fatalf("a damaged block has %d bytes in place of %d", len(got), len(text))
		}
	}
}
