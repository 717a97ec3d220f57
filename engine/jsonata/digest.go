package jsonata

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
)

// Algorithms names the algorithms that Sum knows, for messages.
const Algorithms = "MD5, SHA-1, SHA-256, SHA-384 and SHA-512"

// Sum returns the digest of text in lower-case hexadecimal. ok is false when the algorithm is none of
// Algorithms.
func Sum(text, algorithm string) (sum string, ok bool) {
	var digest []byte
	switch data := []byte(text); algorithm {
	case "MD5":
		d := md5.Sum(data)
		digest = d[:]
	case "SHA-1":
		d := sha1.Sum(data)
		digest = d[:]
	case "SHA-256":
		d := sha256.Sum256(data)
		digest = d[:]
	case "SHA-384":
		d := sha512.Sum384(data)
		digest = d[:]
	case "SHA-512":
		d := sha512.Sum512(data)
		digest = d[:]
	default:
		return "", false
	}
	return hex.EncodeToString(digest), true
}

// UUID returns a random UUID, version 4 (RFC 9562), made of two numbers drawn.
func UUID(high, low uint64) string {
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], high)
	binary.BigEndian.PutUint64(id[8:], low)
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	text := hex.EncodeToString(id[:])
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}
