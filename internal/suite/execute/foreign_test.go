package execute_test

import (
	"testing"

	"asldb/internal/suite"
	"asldb/internal/suite/execute"
	"asldb/internal/suite/result"
	"asldb/internal/testkit/suitecase"
)

// A case without expectations is never passed; it is wrong where a task has no result.
func TestCasesWithoutExpectations(t *testing.T) {
	s, m := suitecase.Load(t, suitecase.Head+"cases: {a: {inject: {ChargeCard: Card.Declined}, expect: {}}}")
	foreign := suite.OfFixtures(s.Fixtures)
	got, run := execute.Run(foreign.Cases[0], m, execute.Options{})
	if len(foreign.Cases) != 1 || got.Name != "a" || got.Kind != result.Unchecked || run == nil {
		t.Error(suitecase.Outcome(got))
	}
	file, err := s.Fixtures.Case("a")
	if err != nil {
		t.Fatal(err)
	}
	if foreign = suite.OfFixtures(file); len(foreign.Cases) == 0 {
		t.Fatal("there is no case")
	}
	if got, _ = execute.Run(foreign.Cases[len(foreign.Cases)-1], m, execute.Options{}); got.Kind != result.Unchecked {
		t.Error(suitecase.Outcome(got))
	}
}
