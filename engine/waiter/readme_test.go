package waiter_test

import (
	"testing"

	"asldb/internal/testkit"
)

func TestReadme(t *testing.T) { testkit.Check(t) }
