package value

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Span is a part of a text, in bytes.
type Span struct{ From, To int }

// Bounds of what is compared by go-diff, whose work grows with the length and the number of differences: a longer stretch differs as a
// whole.
const (
	maxCharacters = 600
	maxLines      = 20_000
	maxLineWork   = 50_000_000 // lines times those that only one text has
	maxJSON       = 1 << 20
)

// Changed returns the parts of text that other does not have.
func Changed(other, text string) []Span {
	head := Common(other, text)
	was, is := other[head:], text[head:]
	tail := 0
	for tail < min(len(was), len(is)) && was[len(was)-1-tail] == is[len(is)-1-tail] {
		tail++
	}
	for tail > 0 && !utf8.RuneStart(is[len(is)-tail]) {
		tail--
	}
	was, is = was[:len(was)-tail], is[:len(is)-tail]
	switch {
	case is == "":
		return nil
	case max(len(was), len(is)) > maxCharacters || !utf8.ValidString(was) || !utf8.ValidString(is):
		return []Span{{head, head + len(is)}}
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // the result must not depend on the machine
	var spans []Span
	at := head
	for _, part := range dmp.DiffCleanupSemantic(dmp.DiffMain(was, is, false)) {
		if part.Type == diffmatchpatch.DiffDelete {
			continue
		}
		if part.Type == diffmatchpatch.DiffInsert {
			spans = append(spans, Span{at, at + len(part.Text)})
		}
		at += len(part.Text)
	}
	return spans
}

// Common returns how many bytes two texts have in common at their beginning, no part of a character among them.
func Common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for n > 0 && (n < len(a) && !utf8.RuneStart(a[n]) || n < len(b) && !utf8.RuneStart(b[n])) {
		n--
	}
	return n
}

// Before returns the byte that is n characters before a byte of a text.
func Before(text string, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	return at
}

// start returns the byte from which on two texts are shown, so that their first difference is among the first room characters: 0
// where it is so from the beginning.
func start(a, b string, room int) int {
	at := Common(a, b)
	if utf8.RuneCountInString(a[:at]) < max(room/2, 1) {
		return 0
	}
	return Before(a, at, min(room/4, 16))
}

// seen is how many characters of a value are surely on the screen.
const seen = 60

// Window returns two texts with at most limit characters of each, the first difference among them.
func Window(a, b string, limit int) (was, is string) {
	from := start(a, b, min(limit, seen))
	return clip(a, from, limit), clip(b, from, limit)
}

func clip(text string, from, limit int) string {
	if from > 0 {
		text = "…" + text[from:]
	}
	if len(text) <= limit || utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text[:min(len(text), 4*limit)])[:max(limit-1, 0)]) + "…"
}

// Pair returns two values as JSON on one line, with at most limit characters of each and the first difference among them. Of JSON
// inside of texts that is the first difference as data. An absent value is "nothing".
func Pair(a, b Value, limit int) (was, is string) {
	if a == nil || b == nil {
		return preview(a, limit), preview(b, limit)
	}
	if x, y, ok := Unpack(a, b); ok {
		list := List(x, y)
		was, is = Pair(list[0].Wanted, list[0].Found, limit)
		more := ""
		if n := len(list) - 1; n > 0 {
			more = fmt.Sprintf(", %d more", n)
		}
		with := func(v Value, text string) string {
			if v == nil {
				return "JSON without " + list[0].Path
			}
			return "JSON with " + list[0].Path + " = " + text
		}
		return with(list[0].Wanted, was), with(list[0].Found, is) + more
	}
	x, left := a.(String)
	y, right := b.(String)
	if !left || !right {
		return Window(Compact(a), Compact(b), limit)
	}
	from := start(string(x), string(y), min(limit, seen))
	if from == 0 {
		return preview(a, limit), preview(b, limit)
	}
	return `"…` + preview(x[from:], limit-1)[1:], `"…` + preview(y[from:], limit-1)[1:]
}

func preview(v Value, limit int) string {
	if v == nil {
		return "nothing"
	}
	return Preview(v, limit)
}

// Unpack reads the objects or arrays that two texts have inside as JSON. ok is false where one has none, or where they do not
// differ as data.
func Unpack(a, b Value) (x, y Value, ok bool) {
	x, y = unpacked(a), unpacked(b)
	return x, y, x != nil && y != nil && !Equal(x, y)
}

func unpacked(v Value) Value {
	s, _ := v.(String)
	text := strings.TrimSpace(string(s))
	if len(text) > maxJSON || !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return nil
	}
	inside, err := ParseString(text)
	if err != nil {
		return nil
	}
	return inside
}

// Hunk is a stretch of lines of two texts, with their line feeds: lines that both have, or lines of the one and lines
// of the other in their place.
type Hunk struct {
	Same          bool
	Before, After []string
}

// TextLines compares two texts line by line.
func TextLines(before, after string) []Hunk {
	a, b := lines(before), lines(after)
	head, tail := 0, 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var hunks []Hunk
	if head > 0 {
		hunks = append(hunks, Hunk{true, a[:head], b[:head]})
	}
	hunks = append(hunks, middle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	if tail > 0 {
		hunks = append(hunks, Hunk{true, a[len(a)-tail:], b[len(b)-tail:]})
	}
	return hunks
}

// middle compares lines whose first and last differ.
func middle(a, b []string) (hunks []Hunk) {
	switch {
	case len(a)+len(b) == 0:
		return nil
	case len(a)+len(b) > maxLines:
		return []Hunk{{false, a, b}}
	}
	numbers, shared := make(map[string]rune), 0
	numbered := func(list []string) []rune {
		runes := make([]rune, len(list))
		for i, line := range list {
			if numbers[line] == 0 {
				numbers[line] = rune(len(numbers) + 1) // at most maxLines: no surrogate
			}
			runes[i] = numbers[line]
		}
		return runes
	}
	was := numbered(a)
	known := rune(len(numbers))
	is := numbered(b)
	for _, n := range is {
		if n <= known {
			shared++
		}
	}
	if total := len(a) + len(b); total*max(total-2*shared, 0) > maxLineWork {
		return []Hunk{{false, a, b}}
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0
	for _, part := range dmp.DiffMainRunes(was, is, false) {
		n, same := utf8.RuneCountInString(part.Text), part.Type == diffmatchpatch.DiffEqual
		if last := len(hunks) - 1; last < 0 || same || hunks[last].Same {
			hunks = append(hunks, Hunk{Same: same})
		}
		h := &hunks[len(hunks)-1]
		if part.Type != diffmatchpatch.DiffInsert {
			h.Before, a = append(h.Before, a[:n]...), a[n:]
		}
		if part.Type != diffmatchpatch.DiffDelete {
			h.After, b = append(h.After, b[:n]...), b[n:]
		}
	}
	return hunks
}

func lines(text string) []string {
	list := strings.SplitAfter(text, "\n")
	if list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}

// context is how many lines around a change the unified format has.
const context = 3

// Unified returns the difference of two texts in the unified format, as "git apply" and "patch" read it; it is empty where they are
// the same.
func Unified(nameBefore, before, nameAfter, after string) []byte {
	before, after, skipped := around(before, after)
	return unified(nameBefore, nameAfter, rowsOf(TextLines(before, after)), skipped)
}

// unified writes rows, before which both texts have as many lines as are skipped.
func unified(nameBefore, nameAfter string, rows []row, skipped int) []byte {
	var out bytes.Buffer
	a, b := skipped, skipped // the lines of each text before the rows that are left
	for {
		first := slices.IndexFunc(rows, func(r row) bool { return r.sign != ' ' })
		if first < 0 {
			return out.Bytes()
		}
		if out.Len() == 0 {
			fmt.Fprintf(&out, "--- %s\n+++ %s\n", nameBefore, nameAfter)
		}
		end := first + 1
		for i := end; i < len(rows) && i <= end+2*context; i++ {
			if rows[i].sign != ' ' {
				end = i + 1
			}
		}
		start := max(first-context, 0)
		end = min(end+context, len(rows))
		a, b = a+start, b+start
		body, removed, added := hunk(rows[start:end])
		fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@\n%s", a+min(removed, 1), removed, b+min(added, 1), added, body)
		a, b, rows = a+removed, b+added, rows[end:]
	}
}

// around leaves out of two texts the lines that both begin and end with, but for the context of a diff, and returns
// how many lines are left out at the beginning.
func around(a, b string) (fromA, fromB string, skipped int) {
	const step = 256
	n := min(len(a), len(b))
	head := 0
	for head+step <= n && a[head:head+step] == b[head:head+step] {
		head += step
	}
	for head < n && a[head] == b[head] {
		head++
	}
	most := n - head // the lines at the beginning aren't lines at the end
	for i := 0; i <= context && head > 0; i++ {
		head = strings.LastIndexByte(a[:head-1], '\n') + 1
	}
	skipped = strings.Count(a[:head], "\n")
	a, b = a[head:], b[head:]
	tail := 0
	for tail+step <= most && a[len(a)-tail-step:len(a)-tail] == b[len(b)-tail-step:len(b)-tail] {
		tail += step
	}
	for i := 0; i <= context && tail > 0; i++ {
		if end := strings.IndexByte(a[len(a)-tail:], '\n'); end < 0 {
			tail = 0
		} else {
			tail -= end + 1
		}
	}
	return a[:len(a)-tail], b[:len(b)-tail], skipped
}

// row is a line in the unified format.
type row struct {
	sign byte
	text string
}

func rowsOf(hunks []Hunk) (rows []row) {
	for _, h := range hunks {
		sign := byte('-')
		if h.Same {
			sign, h.After = ' ', nil
		}
		for _, line := range h.Before {
			rows = append(rows, row{sign, line})
		}
		for _, line := range h.After {
			rows = append(rows, row{'+', line})
		}
	}
	return rows
}

// hunk writes rows, and counts the lines that each text has of them.
func hunk(rows []row) (text string, before, after int) {
	var out strings.Builder
	for _, r := range rows {
		out.WriteByte(r.sign)
		out.WriteString(r.text)
		if !strings.HasSuffix(r.text, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
		if r.sign != '+' {
			before++
		}
		if r.sign != '-' {
			after++
		}
	}
	return out.String(), before, after
}
