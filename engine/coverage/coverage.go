package coverage

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"asldb/internal/report"
	"asldb/internal/wording"
)

// CoverageOptions say how a profile is reported.
type CoverageOptions struct {
	// Minimum is the share in percent that was asked for; 0: none was.
	Minimum int
	// Bars are the shares that were asked for, by kind, too.
	Bars []Bar
	// Below are sentences about other bars that are not reached.
	Below []string
	// Max is the greatest number of items listed for a definition; 0 means no bound.
	Max int
	// Graph draws a definition with the marks of its coverage; nil: it is not drawn.
	Graph func(*Definition) (report.Drawing, error)
}

// Answer is the report of a profile. program is written into reports that name it.
func Answer(p *Profile, o CoverageOptions, program string) *report.Answer {
	return &report.Answer{
		Name: "asldb coverage",
		Doc:  func(l report.Look) *report.Doc { return Doc(p, o, l) },
		Findings: func() []report.Finding {
			var list []report.Finding
			for i := range p.Definitions {
				list = append(list, findings(&p.Definitions[i])...)
			}
			return list
		},
		Own: map[string]func(io.Writer, report.Look) error{
			report.JSONForm: func(w io.Writer, _ report.Look) error {
				var out bytes.Buffer
				err := p.Write(&out)
				if err == nil {
					_, err = w.Write(wording.JSON(out.Bytes()))
				}
				return err
			},
			"lcov":      func(w io.Writer, _ report.Look) error { return LCOV(w, p) },
			"cobertura": func(w io.Writer, _ report.Look) error { return Cobertura(w, p, program) },
		},
	}
}

// findings are the items of a definition that no run went through.
func findings(d *Definition) []report.Finding {
	group := &report.Group{Name: coverageName(d), File: d.File}
	var list []report.Finding
	for _, item := range d.Missing() {
		list = append(list, report.Finding{
			Severity: report.Warning, Rule: "not-covered", Place: report.Place{File: d.File, Line: item.Line}, Group: group, Text: StateName(item.State) + ": " + item.Describe(),
		})
	}
	if list == nil {
		list = []report.Finding{{Severity: report.Passed, Subject: "covered", Group: group}}
	}
	return list
}

// Doc is the report of a profile for people: the shares of each kind of item, the items that no run went through with their places,
// and the share of all.
func Doc(p *Profile, o CoverageOptions, l report.Look) *report.Doc {
	d := &report.Doc{}
	share := p.Share()
	all := fmt.Sprintf("overage%s %d %% (%d of %d)", map[bool]string{true: ":"}[l.Page], share.Percent(), share.Covered, share.Total)
	if l.Page {
		below := ""
		if share.Percent() < o.Minimum {
			below = fmt.Sprintf(", below %d %%", o.Minimum)
		}
		d.Title = report.T("C" + all + below)
		d.Add(sharesTable(p))
		addBelow(d, p, o)
	}
	for i := range p.Definitions {
		addDefinition(d, p, &p.Definitions[i], o, l)
	}
	if !l.Page {
		below, tone := "", report.Tone(0)
		if o.Minimum > 0 {
			tone = report.Good
		}
		if share.Percent() < o.Minimum {
			below, tone = fmt.Sprintf("   --min %d not reached", o.Minimum), report.Bad
		}
		d.Add(report.Para{Text: report.T(report.In(tone, "c"+all), below)})
		addBelow(d, p, o)
	}
	return d
}

// addBelow adds the bars of kinds that are not reached, and the number of the parts that do not count.
func addBelow(d *report.Doc, p *Profile, o CoverageOptions) {
	for _, line := range append(p.Below(o.Bars), o.Below...) {
		d.Add(report.Para{Text: report.T(report.In(report.Bad, line))})
	}
	ignored := 0
	for i := range p.Definitions {
		for k := range p.Definitions[i].Items {
			if item := &p.Definitions[i].Items[k]; item.Ignored != "" && !item.Unasked {
				ignored++
			}
		}
	}
	if ignored > 0 {
		d.Add(report.Para{Text: report.T(wording.Count(ignored, "part") + " ignored, with a reason")})
	}
}

// addDefinition adds what no run went through in a definition, and on pages its graph.
func addDefinition(d *report.Doc, p *Profile, of *Definition, o CoverageOptions, l report.Look) {
	missing := of.Missing()
	if l.Page {
		if len(missing) > 0 {
			d.Add(report.Para{Text: report.T(coverageName(of) + ", not covered:")})
		}
	} else {
		if len(p.Definitions) > 1 || of.Resource != "" {
			d.Add(report.Para{Text: report.T(coverageName(of))})
		}
		d.Add(report.Para{Text: report.T(Shares(of, l.Pick("✓", "v"), l.Pick("×", "x")))})
		if len(missing) > 0 {
			d.Add(report.Para{Text: report.T("not covered")})
		}
	}
	for i := range missing {
		if o.Max > 0 && i == o.Max {
			d.Add(report.Para{Level: 1, Text: report.T(fmt.Sprintf("and %d more", len(missing)-i))})
			break
		}
		item := &missing[i]
		at := report.Place{File: of.File, Line: item.Line}
		d.Add(report.Para{Level: 1, Text: report.T(report.Span{Text: at.String(), At: at},
			"  "+StateName(item.State)+"  "+item.Describe())})
	}
	if l.Page && o.Graph != nil {
		d.Add(report.Figure{About: coverageName(of), Draw: func() (report.Drawing, error) { return o.Graph(of) }})
	}
}

// coverageColumns are the columns of the table of definitions behind the name and the share of all items.
var coverageColumns = []struct {
	title string
	kinds []Kind
}{
	{"states", []Kind{Entered}},
	{"rules", []Kind{Rule, Default}},
	{"conditions", []Kind{ConditionTrue, ConditionFalse}},
	{"retriers", []Kind{Retried, Exhausted}},
	{"catchers", []Kind{Caught}},
	{"uncaught errors", []Kind{Uncaught}},
	{"branches", []Kind{Branch}},
	{"timeouts", []Kind{TimedOut, HeartbeatMissed}},
	{"Maps", []Kind{MapSome, MapNone, MapFailed, MapTolerated}},
}

// sharesTable has a row for each definition, with the columns that have items.
func sharesTable(p *Profile) *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "definition"}, {Name: "coverage", Right: true}}}
	for i := range p.Definitions {
		d := &p.Definitions[i]
		t.Rows = append(t.Rows, report.Cells(coverageName(d), fmt.Sprintf("%d %%", d.Share().Percent())))
	}
	for _, column := range coverageColumns {
		cells, used := make([]report.Text, len(p.Definitions)), false
		for i := range p.Definitions {
			if s := p.Definitions[i].Share(column.kinds...); s.Total > 0 {
				cells[i], used = report.T(fmt.Sprintf("%d/%d", s.Covered, s.Total)), true
			}
		}
		if !used {
			continue
		}
		t.Columns = append(t.Columns, report.Column{Name: column.title, Right: true})
		for i := range t.Rows {
			t.Rows[i] = append(t.Rows[i], cells[i])
		}
	}
	return t
}

func coverageName(d *Definition) string {
	if d.Resource != "" {
		return d.File + " (" + d.Resource + ")"
	}
	return d.File
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
		rules = joinTexts(" + ", rules, share("Default", Default))
	}
	conditions := share("conditions", ConditionTrue, ConditionFalse)
	return joinTexts("   ",
		share("states", Entered), rules, conditions,
		joinTexts(", ", share("retriers", Retried), share("exhausted", Exhausted)),
		share("catchers", Caught), share("uncaught errors", Uncaught), share("branches", Branch),
		joinTexts(", ", share("timeouts", TimedOut), share("heartbeats", HeartbeatMissed)), mapShare(d, yes, no),
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

// joinTexts joins the texts that are not empty.
func joinTexts(separator string, texts ...string) string {
	var kept []string
	for _, text := range texts {
		if text != "" {
			kept = append(kept, text)
		}
	}
	return strings.Join(kept, separator)
}
