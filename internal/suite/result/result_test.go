package result_test

import (
	"testing"
	"time"

	"asldb/internal/suite/result"
)

func TestSummary(t *testing.T) {
	var s result.Summary
	words := ""
	for kind := result.Passed; kind <= result.Unchecked; kind++ {
		s.Add(&result.Case{Kind: kind, Virtual: time.Hour, Wall: time.Millisecond})
		words += kind.String() + " "
		if kind.Bad() != (kind == result.Failed || kind == result.Wrong) {
			t.Errorf("%v: bad %v", kind, kind.Bad())
		}
	}
	if s.Total() != 6 || s.Failed != 1 || s.Virtual != 6*time.Hour || s.Wall != 6*time.Millisecond {
		t.Errorf("%+v", s)
	}
	if words != "passed failed error skipped new no expectation " || result.Kind(99).String() != "Kind(?)" {
		t.Error(words)
	}
}
