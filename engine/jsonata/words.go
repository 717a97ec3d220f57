package jsonata

import (
	"math"
	"slices"
	"sort"
	"strings"
	"unicode/utf16"

	"asldb/internal/wording"
)

var (
	fewWords = strings.Fields(`Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen
		Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen`)
	fewOrdinals = strings.Fields(`Zeroth First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth Eleventh
		Twelfth Thirteenth Fourteenth Fifteenth Sixteenth Seventeenth Eighteenth Nineteenth`)
	tensWords      = strings.Fields(`Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety Hundred`)
	magnitudeWords = strings.Fields(`Thousand Million Billion Trillion`)
)

// wordsOf writes a whole number in English.
func wordsOf(f float64, ordinal bool) string {
	if f >= 1e60 { // every trillion doubles the words
		return numberText(f)
	}
	return words(f, false, ordinal)
}

// words writes f; behind something larger it says how they are joined.
func words(f float64, joined, ordinal bool) string {
	prefix := func(text string) string {
		if joined {
			return text
		}
		return ""
	}
	switch {
	case f <= 19:
		few := fewWords
		if ordinal {
			few = fewOrdinals
		}
		return prefix(" and ") + few[int(f)]
	case f < 100:
		tens, rest := tensWords[int(f)/10-2], int(f)%10
		if rest > 0 {
			return prefix(" and ") + tens + "-" + words(float64(rest), false, ordinal)
		}
		if ordinal {
			tens = tens[:len(tens)-1] + "ieth"
		}
		return prefix(" and ") + tens
	case f < 1000:
		return prefix(", ") + fewWords[int(f)/100] + " Hundred" + restWords(math.Mod(f, 100), ordinal)
	}
	magnitude := min(int(math.Floor(math.Log10(f)/3)), len(magnitudeWords))
	factor := math.Pow(10, float64(3*magnitude))
	count := math.Floor(f / factor)
	return prefix(", ") + words(count, false, false) + " " + magnitudeWords[magnitude-1] + restWords(f-count*factor, ordinal)
}

func restWords(rest float64, ordinal bool) string {
	if rest > 0 {
		return words(rest, true, ordinal)
	}
	if ordinal {
		return "th"
	}
	return ""
}

// wordValues are the values of the words.
var wordValues = func() map[string]float64 {
	all := map[string]float64{"hundredth": 100}
	for i := range fewWords {
		all[strings.ToLower(fewWords[i])] = float64(i)
		all[strings.ToLower(fewOrdinals[i])] = float64(i)
	}
	for i, word := range tensWords {
		word = strings.ToLower(word)
		all[word] = float64(i+2) * 10
		all[word[:len(word)-1]+"ieth"] = float64(i+2) * 10
	}
	for i, word := range magnitudeWords {
		word = strings.ToLower(word)
		all[word] = math.Pow(10, float64(3*i+3))
		all[word+"th"] = all[word]
	}
	return all
}()

// wordsPattern is the regular expression of a number in words, the longer words first.
var wordsPattern = func() string {
	list := []string{"and", "[\\-, ]"}
	for word := range wordValues {
		list = append(list, word)
	}
	sort.Slice(list, func(i, j int) bool {
		if len(list[i]) != len(list[j]) {
			return len(list[i]) > len(list[j])
		}
		return list[i] < list[j]
	})
	return "(?:" + strings.Join(list, "|") + ")+"
}()

var betweenWords = wording.Pattern(`,\s|\sand\s|[\s\\-]`)

// wordsValue reads a number in words, NaN when a word is unknown.
func wordsValue(s string) float64 {
	segments := []float64{0}
	for _, word := range betweenWords().Split(s, -1) {
		n, ok := wordValues[word]
		if !ok {
			return math.NaN()
		}
		last := len(segments) - 1
		switch {
		case n >= 100:
			segments[last] *= n
		case segments[last] >= 1000:
			segments = append(segments, n)
		default:
			segments[last] += n
		}
	}
	total := 0.0
	for _, n := range segments {
		total += n
	}
	return total
}

var romanDigits = []struct {
	value  float64
	digits string
}{
	{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"},
	{9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"},
}

// maxRoman bounds the numerals: a thousand takes a letter.
const maxRoman = 10_000_000

func romanOf(f float64) (string, error) {
	if f > maxRoman {
		return "", stopped("the number is too large for Roman numerals")
	}
	var b strings.Builder
	for _, digit := range romanDigits {
		for f >= digit.value {
			b.WriteString(digit.digits)
			f -= digit.value
		}
	}
	return b.String(), nil
}

func romanValue(s string) float64 {
	values := map[byte]float64{'M': 1000, 'D': 500, 'C': 100, 'L': 50, 'X': 10, 'V': 5, 'I': 1}
	total, largest := 0.0, 1.0
	for i := len(s) - 1; i >= 0; i-- {
		n, ok := values[s[i]]
		switch {
		case !ok:
			return math.NaN()
		case n < largest:
			total -= n
		default:
			largest = n
			total += n
		}
	}
	return total
}

func lettersOf(f float64, upper bool) string {
	first := byte('a')
	if upper {
		first = 'A'
	}
	var out []byte
	for f > 0 {
		out = append(out, first+byte(math.Mod(f-1, 26)))
		f = math.Floor((f - 1) / 26)
	}
	slices.Reverse(out)
	return string(out)
}

func lettersValue(s string, upper bool) float64 {
	first := 'a'
	if upper {
		first = 'A'
	}
	total := 0.0
	units := utf16.Encode([]rune(s))
	for i := range units {
		digit := float64(units[len(units)-1-i]) - float64(first) + 1
		total += digit * math.Pow(26, float64(i))
	}
	return total
}
