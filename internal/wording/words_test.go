package wording_test

import (
	"strings"
	"testing"
	"time"

	"asldb/internal/wording"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{wording.Count(0, "event"), "0 events"},
		{wording.Count(1, "event"), "1 event"},
		{wording.Count(int64(1234567), "event"), "1,234,567 events"},
		{wording.CountOf(1, "entry", "entries"), "1 entry"},
		{wording.CountOf(2, "entry", "entries"), "2 entries"},
		{wording.Grouped(-999), "-999"},
		{wording.Grouped(-1000), "-1,000"},
		{wording.Grouped(100000), "100,000"},
		{wording.A("integer"), "an integer"},
		{wording.A("string"), "a string"},
		{wording.A("Object"), "an Object"},
		{wording.A("union"), "a union"},
		{wording.A("unknown state"), "an unknown state"},
		{wording.A("hour"), "an hour"},
		{wording.A(""), "a "},
		{wording.And(nil), ""},
		{wording.And([]string{"a"}), "a"},
		{wording.And([]string{"a", "b"}), "a and b"},
		{wording.Clip("text", 4), "text"},
		{wording.Clip("texts", 4), "text…"},
		{wording.Clip("aüb", 2), "a…"},
		{wording.Clip(strings.Repeat("\xff", 3), 1), "\xff…"},
		{wording.Instant(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)), "2026-01-02T03:04:05Z"},
		{wording.Instant(time.Date(2026, 1, 2, 3, 4, 5, 6_999_999, time.UTC)), "2026-01-02T03:04:05.006Z"},
		{wording.Instant(time.Date(2026, 1, 2, 3, 4, 5, 999, time.FixedZone("", 3600))), "2026-01-02T02:04:05Z"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
