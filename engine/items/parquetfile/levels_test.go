package parquetfile

import (
	"slices"
	"testing"
)

// The examples of https://parquet.apache.org/docs/file-format/data-pages/encodings/, and runs made by hand.
func TestHybrid(t *testing.T) {
	upTo7 := []uint32{0, 1, 2, 3, 4, 5, 6, 7}
	for _, c := range []struct {
		name         string
		data         []byte
		width, count int
		want         []uint32
	}{
		{"packed", []byte{1<<1 | 1, 0b10001000, 0b11000110, 0b11111010}, 3, 8, upTo7},
		{"packed, cut off", []byte{1<<1 | 1, 0b10001000, 0b11000110, 0b11111010}, 3, 3, upTo7[:3]},
		{"a run", []byte{5 << 1, 6}, 3, 5, []uint32{6, 6, 6, 6, 6}},
		{"a run that is longer than the page", []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1}, 1, 3,
			[]uint32{1, 1, 1}},
		{"a run of two bytes", []byte{2 << 1, 0x34, 0x12}, 13, 2, []uint32{0x1234, 0x1234}},
		{"two runs", []byte{1 << 1, 2, 1<<1 | 1, 0xff}, 1, 3, []uint32{2, 1, 1}},
		{"without bits", []byte{4 << 1}, 0, 4, []uint32{0, 0, 0, 0}},
		{"packed without bits", []byte{1<<1 | 1}, 0, 8, make([]uint32, 8)},
		{"32 bits", []byte{1<<1 | 1, 1, 2, 3, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
			0, 0, 0, 0, 0}, 32, 2, []uint32{0xff030201, 0}},
	} {
		if got, err := hybrid(c.data, c.width, c.count); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v (%v), want %v", c.name, got, err, c.want)
		}
	}
	for name, data := range map[string][]byte{"nothing": {}, "a run without its number": {5 << 1},
		"half a header": {0xff}, "packed, too short": {2<<1 | 1, 1},
		"packed, far too long": {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1}} {
		if got, err := hybrid(data, 3, 8); err == nil {
			t.Errorf("%s: %v", name, got)
		}
	}
	if _, err := hybrid([]byte{2, 1}, 33, 1); err == nil {
		t.Error("33 bits are read")
	}
}

func TestPackedFromTop(t *testing.T) {
	got, rest, err := levelsBefore([]byte{0b00000101, 0b00111001, 0b01110111, 9}, 4, 7, 8)
	if want := []uint8{0, 1, 2, 3, 4, 5, 6, 7}; err != nil || !slices.Equal(got, want) || len(rest) != 1 {
		t.Errorf("%v, %v and %v, want %v", got, rest, err, want)
	}
	if _, _, err := levelsBefore([]byte{1, 2}, 4, 7, 8); err == nil {
		t.Error("levels are read that are not there")
	}
	if _, _, err := levelsBefore([]byte{0b00000101, 0b00111001, 0b01110111}, 4, 6, 8); err == nil {
		t.Error("a level above the highest is read")
	}
}
