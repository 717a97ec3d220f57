package value

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// UTF8 returns a text in UTF-8. One that begins with the byte order mark of UTF-16, as the shell of Windows writes it into a file, is
// converted; half a surrogate pair becomes U+FFFD. Any other text is returned as it is.
func UTF8(data []byte) []byte {
	order := orderOfUTF16(data)
	if order == nil || len(data)%2 != 0 {
		return data
	}
	units := make([]uint16, 0, len(data)/2)
	for i := 2; i < len(data); i += 2 {
		units = append(units, order.Uint16(data[i:]))
	}
	out := make([]byte, 0, len(units))
	for _, c := range utf16.Decode(units) {
		out = utf8.AppendRune(out, c)
	}
	return out
}

// IsUTF16 reports whether a text begins with the byte order mark of UTF-16.
func IsUTF16(data []byte) bool { return orderOfUTF16(data) != nil }

// orderOfUTF16 returns the order of the bytes that a mark names, nil where there is none.
func orderOfUTF16(data []byte) binary.ByteOrder {
	switch {
	case len(data) < 2:
	case data[0] == 0xFF && data[1] == 0xFE:
		return binary.LittleEndian
	case data[0] == 0xFE && data[1] == 0xFF:
		return binary.BigEndian
	}
	return nil
}
