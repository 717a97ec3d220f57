package suiterun_test

import (
	"testing"

	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/testkit/suites"
)

// A case without expectations is never passed; it is wrong where a task has no result.
func TestCasesWithoutExpectations(t *testing.T) {
	s, m := suites.Load(t, suites.Head+"cases: {a: {inject: {ChargeCard: Card.Declined}, expect: {}}}")
	foreign := suite.OfFixtures(s.Fixtures)
	got, run := suiterun.RunCase(foreign.Cases[0], m, suiterun.CaseOptions{})
	if len(foreign.Cases) != 1 || got.Name != "a" || got.Kind != suite.Unchecked || run == nil {
		t.Error(suites.Outcome(got))
	}
	file, err := s.Fixtures.Case("a")
	if err != nil {
		t.Fatal(err)
	}
	if foreign = suite.OfFixtures(file); len(foreign.Cases) == 0 {
		t.Fatal("there is no case")
	}
	if got, _ = suiterun.RunCase(foreign.Cases[len(foreign.Cases)-1], m,
		suiterun.CaseOptions{}); got.Kind != suite.Unchecked {
		t.Error(suites.Outcome(got))
	}
}
