package recorder

import "os"

// nextData returns the offset of the next byte, from offset on, that is not in a hole of a sparse file.
func nextData(file *os.File, offset, size int64) int64 {
	const seekData = 3 // lseek(2)
	at, err := file.Seek(offset, seekData)
	if err != nil || at < offset {
		return max(offset, size) // there is none
	}
	return at
}
