package wording

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Count writes a number of things, with commas between the thousands: "1 event", "2,000 events".
func Count[N int | int32 | int64](n N, one string) string { return CountOf(n, one, one+"s") }

// CountOf is [Count] for words whose plural is another one.
func CountOf[N int | int32 | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(n) + " " + many
}

// Grouped writes a number with commas between the thousands.
func Grouped[N int | int32 | int64](n N) string {
	digits := strconv.FormatInt(int64(n), 10)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// A writes a noun behind its article: "a string", "an object", "a URL", "an hour".
func A(noun string) string {
	lower := strings.ToLower(noun)
	vowel := lower != "" && strings.IndexByte("aeiou", lower[0]) >= 0
	for _, consonant := range []string{"uni", "use", "usu", "uuid", "url", "uri", "utf", "one", "eu"} {
		vowel = vowel && !strings.HasPrefix(lower, consonant)
	}
	if vowel || strings.HasPrefix(lower, "hour") || strings.HasPrefix(lower, "http") {
		return "an " + noun
	}
	return "a " + noun
}

// Sentence writes words as a sentence: with a capital letter and a full stop, where they have none.
func Sentence(words string) string {
	first, size := utf8.DecodeRuneInString(words)
	words = string(unicode.ToUpper(first)) + words[size:]
	if strings.HasSuffix(words, ".") || strings.HasSuffix(words, "?") || strings.HasSuffix(words, "!") {
		return words
	}
	return words + "."
}

// And writes a list of words: "a", "a and b", "a, b and c".
func And(words []string) string { return list(words, " and ") }

func list(words []string, last string) string {
	n := len(words)
	if n < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n-1], ", ") + last + words[n-1]
}

// Clip returns the beginning of a text, at most limit bytes of it and no part of a character, with an ellipsis where it
// cuts.
func Clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}

// Duration writes a duration: milliseconds below a minute, whole seconds below two days, then days and hours.
func Duration(d time.Duration) string {
	switch {
	case d < 0:
		return "-" + Duration(-d)
	case d == 0:
		return "0s"
	case d < time.Millisecond:
		return d.String()
	case d < time.Second:
		return trimZeros(fmt.Sprintf("%.3f", d.Seconds())) + "s"
	case d < time.Minute:
		return trimZeros(fmt.Sprintf("%.3f", d.Truncate(time.Millisecond).Seconds())) + "s"
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh%02dm%02ds", int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dd%02dh", int(d.Hours())/24, int(d.Hours())%24)
}

func trimZeros(digits string) string { return strings.TrimRight(strings.TrimRight(digits, "0"), ".") }

// Instant writes a time to the millisecond, without a fraction where it is a whole second.
func Instant(t time.Time) string {
	if t = t.UTC().Truncate(time.Millisecond); t.Nanosecond() == 0 {
		return t.Format("2006-01-02T15:04:05Z")
	}
	return t.Format("2006-01-02T15:04:05.000Z")
}

// Size writes a number of bytes: "812 B", "1.2 KiB", "3.4 MiB".
func Size(bytes int) string {
	const kibi = 1 << 10
	const mebi = 1 << 20
	switch {
	case bytes < kibi:
		return strconv.Itoa(bytes) + " B"
	case bytes < mebi:
		return trimZeros(fmt.Sprintf("%.1f", float64(bytes)/kibi)) + " KiB"
	}
	return trimZeros(fmt.Sprintf("%.1f", float64(bytes)/mebi)) + " MiB"
}

// SizeOf writes a number of bytes and its limit, which is 0 where there is none. Near the limit it writes every digit,
// so that the reader sees on which side of it the size is.
func SizeOf(bytes, limit int) string {
	size, bound := Size(bytes), Size(limit)
	switch {
	case limit <= 0:
		return size
	case size == bound && bytes != limit:
		return Grouped(bytes) + " of " + Grouped(limit) + " B"
	}
	return size + " of " + bound
}

// Table reads a text that has a word in each line, with its meaning behind the separator. The texts are parts of the
// program.
func Table(text, separator string) map[string]string {
	table := make(map[string]string)
	for line := range strings.Lines(text) {
		word, meaning, _ := strings.Cut(strings.TrimSuffix(line, "\n"), separator)
		table[word] = meaning
	}
	return table
}
