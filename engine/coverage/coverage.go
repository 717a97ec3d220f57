package coverage

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"asldb/internal/wording"
)

// CoverageOptions say how a profile is written.
type CoverageOptions struct {
	// Minimum is the share in percent that was asked for; 0: none was.
	Minimum int
	// Yes and No are the signs of kinds of Map runs that happened, and of those that did not.
	Yes, No string
	// Max is the greatest number of items listed for a definition; 0 is no bound.
	Max int
}

// Coverage writes a profile for people: the shares of each kind of item, the items that no run went through with their places,
// and the share of all.
func Coverage(w io.Writer, p *Profile, o CoverageOptions) error {
	b := bufio.NewWriter(w)
	for i := range p.Definitions {
		d := &p.Definitions[i]
		if len(p.Definitions) > 1 || d.Resource != "" {
			fmt.Fprintf(b, "%s\n", coverageName(d))
		}
		fmt.Fprintf(b, "%s\n", Shares(d, o.Yes, o.No))
		missing := d.Missing()
		if len(missing) > 0 {
			fmt.Fprintln(b, "not covered")
		}
		for k := range missing {
			if o.Max > 0 && k == o.Max {
				fmt.Fprintf(b, "  and %d more\n", len(missing)-k)
				break
			}
			item := &missing[k]
			fmt.Fprintf(b, "  %s  %s  %s\n", wording.Line(place(d.File, item)), wording.Line(StateName(item.State)), wording.Line(item.Describe()))
		}
	}
	share := p.Share()
	fmt.Fprintf(b, "coverage %d %% (%d of %d)", share.Percent(), share.Covered, share.Total)
	if o.Minimum > 0 && share.Percent() < o.Minimum {
		fmt.Fprintf(b, "   --min %d not reached", o.Minimum)
	}
	fmt.Fprintln(b)
	return b.Flush()
}

func coverageName(d *Definition) string {
	if d.Resource != "" {
		return wording.Line(d.File + " (" + d.Resource + ")")
	}
	return wording.Line(d.File)
}

func place(file string, item *Item) string {
	if item.Line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, item.Line)
}

// StateName returns the name at the end of a state's path.
func StateName(path string) string {
	for _, inside := range []string{"/Branches[", "/Iterations["} {
		for {
			_, after, found := strings.Cut(path, inside)
			if !found {
				break
			}
			if _, name, found := strings.Cut(after, "]/"); found {
				path = name
				continue
			}
			break
		}
	}
	return path
}

// Shares returns the shares of each kind of item, divided by three blanks: "states 15/15   rules 2/2 + Default   retriers 1/1,
// exhausted 0/1". yes and no are the signs of [CoverageOptions].
func Shares(d *Definition, yes, no string) string {
	share := func(title string, kinds ...Kind) string {
		if s := d.Share(kinds...); s.Total > 0 {
			return fmt.Sprintf("%s %d/%d", title, s.Covered, s.Total)
		}
		return ""
	}
	rules := share("rules", Rule)
	if s := d.Share(Default); s.Total > 0 {
		rules = joined(" + ", rules, share("Default", Default))
	}
	conditions := share("conditions", ConditionTrue, ConditionFalse)
	return joined("   ",
		share("states", Entered), rules, conditions,
		joined(", ", share("retriers", Retried), share("exhausted", Exhausted)),
		share("catchers", Caught), share("uncaught errors", Uncaught), share("branches", Branch),
		joined(", ", share("timeouts", TimedOut), share("heartbeats", HeartbeatMissed)), mapShare(d, yes, no),
	)
}

// mapShare describes the kinds of Map runs: "Map: some ✓ none ✗ failed ✓".
func mapShare(d *Definition, yes, no string) string {
	var parts []string
	for _, kind := range []struct {
		kind Kind
		name string
	}{
		{MapSome, "some"}, {MapNone, "none"}, {MapFailed, "failed"}, {MapTolerated, "tolerated"},
	} {
		s := d.Share(kind.kind)
		switch {
		case s.Total == 0:
		case s.Total > 1:
			parts = append(parts, fmt.Sprintf("%s %d/%d", kind.name, s.Covered, s.Total))
		case s.Covered == 1:
			parts = append(parts, kind.name+" "+yes)
		default:
			parts = append(parts, kind.name+" "+no)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Map: " + strings.Join(parts, " ")
}

// joined joins the texts that are not empty.
func joined(separator string, texts ...string) string {
	var kept []string
	for _, text := range texts {
		if text != "" {
			kept = append(kept, text)
		}
	}
	return strings.Join(kept, separator)
}
