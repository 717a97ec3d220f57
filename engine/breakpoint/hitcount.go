package breakpoint

import (
	"fmt"
	"strconv"

	"asldb/internal/wording"
)

// HitCount says at which hits of a breakpoint the session stops: Op is one of == != < <= > >= and %, where % stands
// for every N-th hit. The zero HitCount is every hit.
type HitCount struct {
	Op string
	N  int
}

// String returns the clause of the spec, "hits % 10", or "".
func (h HitCount) String() string {
	if h.Op == "" {
		return ""
	}
	return hitsWord + " " + h.Op + " " + strconv.Itoa(h.N)
}

// fits reports whether the session stops at the hit of a number, counted from 1.
func (h HitCount) fits(hit int) bool {
	switch h.Op {
	case "==":
		return hit == h.N
	case "!=":
		return hit != h.N
	case "<":
		return hit < h.N
	case "<=":
		return hit <= h.N
	case ">":
		return hit > h.N
	case ">=":
		return hit >= h.N
	case "%":
		return hit%h.N == 0
	}
	return true
}

var hitClause = wording.Pattern(`^(==|!=|<=|>=|<|>|%|=)?\s*(\d+)(\s|$)`)

// readHitCount reads the count behind the word hits and returns its length.
func readHitCount(text string) (h HitCount, length int, err error) {
	found := hitClause().FindStringSubmatch(text)
	if found == nil {
		return h, 0, fmt.Errorf("has a hit count that cannot be read, %q: expected hits == 3, hits > 5, hits %% 10 or with !=, <, <=, >=", text)
	}
	if found[1] == "" || found[1] == "=" {
		found[1] = "=="
	}
	h.Op = found[1]
	if h.N, err = strconv.Atoi(found[2]); err != nil {
		return h, 0, fmt.Errorf("has a hit count above what can be counted, %s", found[2])
	}
	if h.Op == "%" && h.N == 0 {
		return h, 0, fmt.Errorf("asks for every 0th hit: expected a number from 1 after hits %%")
	}
	return h, len(found[0]), nil
}
