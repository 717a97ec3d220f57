package coverage

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// groups are the kinds of items for which there are bars, by the names that users write.
var groups = []struct {
	name  string
	kinds []Kind
}{
	{"states", []Kind{Entered}},
	{"rules", []Kind{Rule, Default}},
	{"conditions", []Kind{ConditionTrue, ConditionFalse}},
	{"retriers", []Kind{Retried, Exhausted}},
	{"catchers", []Kind{Caught}},
	{"errors", []Kind{Uncaught}},
	{"branches", []Kind{Branch}},
	{"timeouts", []Kind{TimedOut, HeartbeatMissed}},
	{"maps", []Kind{MapSome, MapNone, MapFailed, MapTolerated}},
}

// Groups returns the names of the kinds of items for which there are bars.
func Groups() []string {
	names := make([]string, len(groups))
	for i := range groups {
		names[i] = groups[i].name
	}
	return names
}

func kindsOf(group string) []Kind {
	for i := range groups {
		if groups[i].name == group {
			return groups[i].kinds
		}
	}
	return nil
}

// Bar is the least share of items in percent.
type Bar struct {
	// Group is the name of the kinds of items; empty: all.
	Group   string
	Percent int
}

// String returns the bar as it is written: "80", "rules=90".
func (b Bar) String() string {
	if b.Group == "" {
		return strconv.Itoa(b.Percent)
	}
	return b.Group + "=" + strconv.Itoa(b.Percent)
}

// ParseBars reads bars as users write them: "80", "states=100,rules=90", "70,states=100".
func ParseBars(text string) (bars []Bar, err error) {
	for part := range strings.SplitSeq(text, ",") {
		name, number, grouped := strings.Cut(strings.TrimSpace(part), "=")
		if !grouped {
			name, number = "", name
		}
		name = strings.TrimSpace(name)
		n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(number), "%")))
		switch {
		case grouped && kindsOf(name) == nil:
			return nil, groupError(name)
		case err != nil || n < 0 || n > 100:
			return nil, fmt.Errorf("a bar is a percentage from 0 to 100, alone or as rules=90, not %q", part)
		case slices.ContainsFunc(bars, func(b Bar) bool { return b.Group == name }):
			return nil, fmt.Errorf("there are two bars for %s", cmp.Or(name, "all parts"))
		}
		bars = append(bars, Bar{name, n})
	}
	return bars, nil
}

func groupError(name string) error {
	text := fmt.Sprintf("there is no kind %q of coverage: they are %s", name, strings.Join(Groups(), ", "))
	if near := wording.Nearest(name, slices.Values(Groups())); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return errors.New(text)
}

// Asking returns the options with the kinds that bars name: a bar is a request.
func (o Options) Asking(bars []Bar) Options {
	for _, b := range bars {
		o.Conditions = o.Conditions || has(kindsOf(b.Group), ConditionTrue)
		o.Errors = o.Errors || has(kindsOf(b.Group), Uncaught)
		o.Timeouts = o.Timeouts || has(kindsOf(b.Group), TimedOut)
	}
	return o
}

// Ask lets the kinds that bars name count, too.
func (p *Profile) Ask(bars []Bar) {
	asked := Options{}.Asking(bars)
	for i := range p.Definitions {
		items := p.Definitions[i].Items
		for k := range items {
			items[k].Unasked = items[k].Unasked && !asked.asked(items[k].Kind)
		}
	}
}

// Below returns a sentence for each bar by kind that a profile is below; the bar of all parts is not among them.
func (p *Profile) Below(bars []Bar) (list []string) {
	for _, b := range bars {
		if files := p.uncounted(kindsOf(b.Group)); b.Percent > 0 && len(files) > 0 {
			list = append(list, fmt.Sprintf("%s: none were counted in %s, below %d %%: %s", b.Group, wording.And(files),
				b.Percent, "--coverage-conditions of asldb run and test counts them"))
		} else if s := p.Share(kindsOf(b.Group)...); b.Group != "" && s.Percent() < b.Percent {
			list = append(list, fmt.Sprintf("%s %d %% (%d of %d), below %d %%",
				b.Group, s.Percent(), s.Covered, s.Total, b.Percent))
		}
	}
	return list
}

// uncounted are the definitions that have rules and whose conditions were not counted, if these kinds have conditions.
func (p *Profile) uncounted(kinds []Kind) (files []string) {
	for i := range p.Definitions {
		is := func(kind Kind) bool {
			return slices.ContainsFunc(p.Definitions[i].Items, func(item Item) bool { return item.Kind == kind })
		}
		if has(kinds, ConditionTrue) && is(Rule) && !is(ConditionTrue) {
			files = append(files, coverageName(&p.Definitions[i]))
		}
	}
	return files
}

// Reaches reports whether a profile reaches all bars.
func (p *Profile) Reaches(bars []Bar) bool {
	return len(p.Below(bars)) == 0 && p.Share().Percent() >= Least(bars)
}

// Least returns the bar of all parts; 0: there is none.
func Least(bars []Bar) int {
	for _, b := range bars {
		if b.Group == "" {
			return b.Percent
		}
	}
	return 0
}

// Raised returns the bars that a profile reaches, of all kinds of items that it has, none below an earlier one.
func (p *Profile) Raised(bars []Bar) []Bar {
	all := []Bar{{Percent: p.Share().Percent()}}
	for i := range groups {
		if s := p.Share(groups[i].kinds...); s.Total > 0 {
			all = append(all, Bar{groups[i].name, s.Percent()})
		}
	}
	for i := range all {
		for _, b := range bars {
			if b.Group == all[i].Group {
				all[i].Percent = max(all[i].Percent, b.Percent)
			}
		}
	}
	return all
}

// BarsText writes bars as [ParseBars] reads them.
func BarsText(bars []Bar) string { return strings.Join(value.Each(bars, Bar.String), ", ") }

// Ignored is an entry of parts that do not count, with the reason.
type Ignored struct {
	// State is the name or the path of a state; Group is the name of kinds of items, and empty for all.
	State, Group, Reason string
}

// Check returns the error of an entry whose kind is none.
func (i *Ignored) Check() error {
	if i.Group != "" && kindsOf(i.Group) == nil {
		return groupError(i.Group)
	}
	return nil
}

// Ignore takes parts out of the counts. It returns the entries that are about no part.
func (d *Definition) Ignore(list []Ignored) (unused []Ignored) {
	for _, entry := range list {
		used := false
		kinds := kindsOf(entry.Group)
		for i := range d.Items {
			item := &d.Items[i]
			named := item.State == entry.State || StateName(item.State) == entry.State
			if named && (kinds == nil || has(kinds, item.Kind)) {
				used, item.Ignored = true, entry.Reason
			}
		}
		if !used {
			unused = append(unused, entry)
		}
	}
	return unused
}
