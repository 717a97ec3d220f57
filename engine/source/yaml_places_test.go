package source

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// Places are the same in whichever order they are asked for, in long lines and in short ones, and are those that
// counting the characters gives.
func TestPlacesInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var data []byte
		for range rapid.IntRange(1, 4).Draw(t, "lines") {
			part := rapid.SampledFrom([]string{"a", "é", "日本", "🎉x"}).Draw(t, "part")
			data = append(append(data, bytes.Repeat([]byte(part),
				rapid.SampledFrom([]int{0, 3, 200, 900}).Draw(t, "length"))...), '\n')
		}
		places, lines := newYAMLPlaces(data), bytes.Split(data, []byte{'\n'})
		for range 30 {
			line, col := rapid.IntRange(1, len(lines)).Draw(t, "line"), rapid.IntRange(1, 2000).Draw(t, "col")
			want := Position{Line: line, Col: 1}
			for _, before := range lines[:line-1] {
				want.Offset += len(before) + 1
			}
			for text := lines[line-1]; len(text) > 0 && want.Col < col; want.Col++ {
				_, size := utf8.DecodeRune(text)
				text, want.Offset = text[size:], want.Offset+size
			}
			if got := places.position(line, col); got != want {
				t.Fatalf("line %d, column %d is %+v, want %+v", line, col, got, want)
			}
		}
	})
}

// BenchmarkYAMLInOneLine: a document in one line takes as long for each of its members as a short one.
func BenchmarkYAMLInOneLine(b *testing.B) {
	data := append(append([]byte{'{'}, bytes.Repeat([]byte("key: [1, two, three], "), 5000)...), '}')
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if root, problem := ReadYAML(data, nil); root == nil {
			b.Fatal(problem)
		}
	}
}
