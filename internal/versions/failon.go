package versions

import (
	"fmt"
	"strconv"
	"strings"
)

// FailOn says for which verdicts a comparison fails. The zero FailOn is for an outcome that differs, or may differ:
// where the path does, and what follows cannot be judged.
type FailOn struct {
	// Worst is Path or Payload where those fail, too, and what is worse; else it is zero.
	Worst Verdict `json:"worst,omitempty"`
	// Unjudged is set where more than Percent of the executions must not be without a judgement, or without one to their end.
	Unjudged bool    `json:"unjudged,omitempty"`
	Percent  float64 `json:"percent,omitempty"`
}

// ParseFailOn reads words: "outcome", "path", "payload", "unjudged" and "unjudged=N%".
func ParseFailOn(words []string) (f FailOn, err error) {
	for _, word := range words {
		name, share, given := strings.Cut(word, "=")
		switch {
		case name == "unjudged":
			if f.Unjudged = true; given {
				f.Percent, err = strconv.ParseFloat(strings.TrimSuffix(share, "%"), 64)
			}
			if err != nil || !(f.Percent >= 0 && f.Percent <= 100) {
				return f, fmt.Errorf("unjudged=N%% takes a percentage from 0 to 100, not %q", share)
			}
		case word == Outcome.Key():
		case word == Path.Key():
			f.Worst = max(f.Worst, Path)
		case word == Payload.Key():
			f.Worst = Payload
		default:
			return f, fmt.Errorf("it is outcome, path, payload or unjudged[=N%%], not %q", word)
		}
	}
	return f, nil
}

// Strict fails for everything that differs or cannot be judged.
func Strict() FailOn { return FailOn{Worst: Payload, Unjudged: true} }

// Failing returns the executions for which the comparison fails, by their indexes in Judged.
func (r *Result) Failing(on FailOn) map[int]bool {
	failing, unjudged := map[int]bool{}, map[int]bool{}
	for i := range r.Judged {
		j := &r.Judged[i]
		if j.Verdict <= max(on.Worst, Outcome) || j.Verdict == Path && j.Reason != "" {
			failing[i] = true
		}
		if j.Reason != "" {
			unjudged[i] = true
		}
	}
	if on.Unjudged && float64(100*len(unjudged)) > on.Percent*float64(len(r.Judged)) {
		for i := range unjudged {
			failing[i] = true
		}
	}
	return failing
}
