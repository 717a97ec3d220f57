package jsonata_test

import (
	"testing"

	"asldb/internal/testkit/readme"
)

func TestReadme(t *testing.T) { readme.Check(t) }
