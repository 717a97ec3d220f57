package jsonata

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"asldb/engine/value"
)

// differenceClass is a row of the table of classes.
type differenceClass struct {
	name   string
	answer bool // the value or the code differs, not only the text of an error
	count  int
}

// readClasses reads testdata/differential.tsv: class, difference, count, reason.
func readClasses(t *testing.T) []differenceClass {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "differential.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var all []differenceClass
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 4 || cells[3] == "" {
			t.Fatalf("not class, difference, count and reason: %q", line)
		}
		count, err := strconv.Atoi(cells[2])
		if err != nil || count < 1 {
			t.Fatalf("no count: %q", line)
		}
		if cells[1] != "answer" && cells[1] != "error" {
			t.Fatalf("neither answer nor error: %q", line)
		}
		if !slices.ContainsFunc(classes, func(c classRule) bool {
			return c.name == cells[0] && c.answer == (cells[1] == "answer")
		}) {
			t.Fatalf("no rule tells this class: %q", line)
		}
		all = append(all, differenceClass{cells[0], cells[1] == "answer", count})
	}
	return all
}

// classRule tells whether a disagreement belongs to a class.
type classRule struct {
	name   string
	answer bool
	holds  func(c *differentialCase) bool
}

var (
	functionMembers = regexp.MustCompile(`\$[a-zA-Z]+(, \$[a-zA-Z]+)?\]?\.\*`)
	functionTruth   = regexp.MustCompile(` (and|or) |boolean\(function`)
	functionName    = regexp.MustCompile(`function ("[^"]*"|undefined)`)
	digits          = regexp.MustCompile(`[0-9]+`)
	oddSignature    = regexp.MustCompile(`(function|λ)\([^)]*\)<[^{]*[^a-z<>():?+-][^{]*\{`)
)

// classes are the rules, the first that holds counts. The reasons are in testdata/differential.tsv.
var classes = []classRule{
	{"number without a JSON form", true, func(c *differentialCase) bool { return c.got.code == "D1001" }},
	{"members of a function", true, func(c *differentialCase) bool {
		return functionMembers.MatchString(c.expression)
	}},
	{"truth of a function", true, func(c *differentialCase) bool {
		return functionTruth.MatchString(c.expression) && c.got.value == value.Bool(false)
	}},
	{"order of integer keys", true, func(c *differentialCase) bool {
		return c.got.value != nil && c.want.value != nil &&
			sameLetters(value.Compact(c.got.value), value.Compact(c.want.value))
	}},
	{"from 1e21 on in $formatNumber", true, func(c *differentialCase) bool {
		want := previewOf(c.want.value)
		return strings.Contains(c.expression, "$formatNumber(") &&
			(strings.Contains(want, "1e") || strings.Contains(want, "NaN"))
	}},
	{"from 1e60 on in words", true, func(c *differentialCase) bool {
		return strings.Contains(c.expression, "$formatInteger(1e308, ")
	}},
	{"last digit of a power", true, func(c *differentialCase) bool { return nearlyEqual(c.got.value, c.want.value) }},
	{"types in a partial application", true, func(c *differentialCase) bool {
		return strings.Contains(c.expression, "(?,")
	}},
	{"malformed signature", true, func(c *differentialCase) bool {
		return c.want.code == "T0410" && c.got.code == "" && oddSignature.MatchString(c.expression)
	}},
	{"first of two errors", true, func(c *differentialCase) bool {
		return c.want.code != "" && c.got.code != "" && strings.ContainsAny(c.expression[:1], "[{")
	}},
	{"update of an empty array", true, func(c *differentialCase) bool {
		return strings.HasPrefix(c.expression, "$ ~> |") && previewOf(c.want.value) == "[null]"
	}},
	{"members of a function, in an error", false, func(c *differentialCase) bool {
		return functionMembers.MatchString(c.expression) || strings.Contains(c.want.message, "_jsonata_function")
	}},
	{"name of a function", false, func(c *differentialCase) bool {
		return c.want.message != c.got.message && functionName.ReplaceAllString(c.want.message,
			"") == functionName.ReplaceAllString(c.got.message, "") ||
			c.want.message == c.got.message && c.want.token == "" && c.want.position == ""
	}},
	{"position", false, func(c *differentialCase) bool {
		return c.want.message == c.got.message && c.want.token == c.got.token
	}},
	{"first of two errors, in an error", false, func(c *differentialCase) bool {
		return digits.ReplaceAllString(c.want.message, "") == digits.ReplaceAllString(c.got.message, "")
	}},
	{"long value", false, func(c *differentialCase) bool { return len(c.want.message) > 500 }},
}

// classOf names the class of a disagreement, "" when there is none.
func classOf(c *differentialCase) string {
	answer := !c.answers()
	for _, rule := range classes {
		if rule.answer == answer && rule.holds(c) {
			return rule.name
		}
	}
	return ""
}

func previewOf(v value.Value) string {
	if v == nil {
		return ""
	}
	return value.Compact(v)
}

// sameLetters reports whether a and b have the same bytes in any order.
func sameLetters(a, b string) bool {
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return string(x) == string(y)
}

// nearlyEqual reports whether two numbers, or the only items of two arrays, differ in the last digits only.
func nearlyEqual(a, b value.Value) bool {
	x, ok := value.Double(any(a))
	y, okToo := value.Double(any(b))
	return ok && okToo && math.Abs(x-y) <= 1e-14*math.Abs(x)
}
