package suite_test

import (
	"testing"
	"time"

	"asldb/internal/suite"
)

func TestSummary(t *testing.T) {
	var s suite.Summary
	words := ""
	for kind := suite.Passed; kind <= suite.Unchecked; kind++ {
		s.Add(&suite.Outcome{Kind: kind, Virtual: time.Hour, Wall: time.Millisecond})
		words += kind.String() + " "
		if kind.Bad() != (kind == suite.OutcomeFailed || kind == suite.Wrong) {
			t.Errorf("%v: bad %v", kind, kind.Bad())
		}
	}
	if s.Total() != 6 || s.Failed != 1 || s.Virtual != 6*time.Hour || s.Wall != 6*time.Millisecond {
		t.Errorf("%+v", s)
	}
	if words != "passed failed error skipped new no expectation " || suite.Kind(99).String() != "Kind(?)" {
		t.Error(words)
	}
}
