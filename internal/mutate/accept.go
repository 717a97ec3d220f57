package mutate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
)

// Accept writes the missing expectation of a survivor into the text of the suite of its case. The case passes with it,
// and fails with the mutant. The error says why it cannot be written.
func Accept(ctx context.Context, machine *suiterun.Machine, o *Outcome, text []byte, options Options) ([]byte, error) {
	switch {
	case o.Status == NotCovered:
		return nil, fmt.Errorf("the suite needs a case: %s", o.Missing)
	case o.Status != Survived:
		return nil, fmt.Errorf("the mutant is %s: no expectation is missing", o.Status)
	case o.Expected == nil:
		return nil, fmt.Errorf("no single value tells it apart: %s", o.Missing)
	}
	after, err := suiterun.AddToCase(o.Case, text, append([]string{"expect"}, o.Expected.Keys...), o.Expected.Value)
	if err != nil {
		return nil, err
	}
	read, err := suite.Load(o.Case.Suite.Name, after)
	if err != nil {
		return nil, fmt.Errorf("the expectation cannot be written: %w", err)
	}
	at := slices.IndexFunc(read.Cases, func(c *suite.Case) bool { return c.Name == o.Case.Name })
	if at < 0 {
		return nil, errors.New("the expectation cannot be written there")
	}
	rows := slices.DeleteFunc(slices.Clone(read.Cases), func(c *suite.Case) bool { return c.At != o.Case.At })
	r := &runner{machine: machine, options: options, snapshots: map[*suite.Suite]*suiterun.File{}}
	var failing *FailingError
	switch err := r.open(ctx, rows); {
	case errors.As(err, &failing) && len(rows) > 1:
		return nil, fmt.Errorf(
			"the case %q is row %d of a table, and not all rows meet it: "+
				`give the table a column with %s in this row, and write "{{COLUMN}}" at expect, %s`,
			o.Case.Name, o.Case.Row, value.Compact(o.Expected.Value), strings.Join(o.Expected.Keys, ", "))
	case err != nil:
		return nil, fmt.Errorf("with the expectation, the case does not pass: %w", err)
	}
	changed, err := r.changed(o.Mutant)
	if err != nil {
		return nil, err
	}
	if outcome, _ := r.run(ctx, read.Cases[at], changed, 0); !outcome.Kind.Bad() {
		return nil, errors.New("with the expectation, the case passes with the mutant, too")
	}
	return after, nil
}
