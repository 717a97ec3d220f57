package lint

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/source"
)

// data looks for reads of data that cannot be there, and for values of a wrong type.
func (c *checker) data() {
	for s := range c.machine.All() {
		c.lostInput(s)
	}
	var analysis *flow.Analysis
	if known := c.options.Followed; known != nil && c.options.Flow.Input == nil && c.options.Flow.Results == nil {
		analysis = known.Analysis
	} else {
		analysis = flow.Analyse(c.machine, c.options.Flow)
	}
	for _, f := range analysis.Faults() {
		severity := source.Warning
		if f.Rule == rules.ConstantChoice {
			if severity = source.Hint; !c.options.Hints {
				continue
			}
		}
		d := c.report(f.Node, f.Span, f.Rule, severity, "%s", f.Message)
		d.Expected, d.Found = f.Expected, f.Found
		d.Reasons = append(d.Reasons, f.Reasons...)
		if text := also(&f); text != "" {
			d.Reasons = append(d.Reasons, source.Reason{Text: text})
		}
		if d.Suggestion = f.Suggestion; d.Suggestion == "" && f.Name != "" {
			if suggest(d, f.Name, f.Names); strings.Contains(d.Message, "; did you mean ") {
				d.Suggestion = "" // the message has it
			}
		} else if meantPath, ok := strings.CutPrefix(f.Suggestion, "did you mean \""); ok && strings.HasSuffix(meantPath, "\"?") {
			meant(d, f.Read, strings.TrimSuffix(meantPath, "\"?")) // the deeper path
		} else if at, ok := strings.CutPrefix(f.Suggestion, path.ItIsAt); ok {
			at, _, _ = strings.Cut(at, " (")
			d.Fix = &source.Fix{At: d.Span, From: f.Read, To: at}
		}
		if f.Suggestion == flow.JoinTexts {
			d.Fix = &source.Fix{At: f.Node.Span, From: "+", To: "&"}
		}
		if d.Fix == nil && d.Suggestion == "" {
			c.keepInput(d, &f)
		}
		if shows := c.keepMember(d, &f, analysis); d.Fix != nil && shows && c.options.Try && d.Severity != source.Hint {
			c.trials = append(c.trials, trial{len(c.found) - 1, c.mended(d, &f)})
		}
	}
	c.try()
}

// keepInput suggests the line with which a catcher keeps the data that are read later.
func (c *checker) keepInput(d *source.Diagnostic, f *flow.Fault) {
	if f.Catcher == nil {
		return
	}
	catcher := f.Catcher.Node.Get("Catch").Item(f.Number - 1)
	name := "error"
	for n := 2; bytes.Contains(c.machine.Source.Data, []byte("."+name)) && n < 10; n++ {
		name = "error" + strconv.Itoa(n)
	}
	d.Fix = &source.Fix{Into: catcher, From: "ResultPath", To: `"$.` + name + `"`}
	if f.Catcher.QueryLanguage == asl.JSONata {
		d.Fix.From, d.Fix.To = "Output", `"{% $merge([$states.input, {'`+name+`': $states.errorOutput}]) %}"`
	}
	if catcher == nil || catcher.Get(d.Fix.From) != nil {
		d.Fix = nil
		return
	}
	d.Suggestion = d.Fix.String() + " in catcher " + strconv.Itoa(f.Number) + " of " + f.Catcher.Name
}

// also says where else data are missing because of the same.
func also(f *flow.Fault) string {
	const most = 8
	var places []string
	paths := slices.ContainsFunc(f.Also, func(a flow.Also) bool { return a.Read != f.Read })
	lines := map[int]bool{f.Span.Start.Line: true}
	for _, a := range f.Also {
		lines[a.Span.Start.Line] = true
	}
	crowded := len(lines) <= len(f.Also) // several on one line: the states tell them apart
	for i, a := range f.Also {
		if i == most {
			places = append(places, strconv.Itoa(len(f.Also)-most)+" more")
			break
		}
		place := strconv.Itoa(a.Span.Start.Line)
		switch {
		case paths && crowded:
			place = a.Read + " in " + a.State.Name
		case paths:
			place = a.Read + " (line " + place + ")"
		case crowded:
			place = a.State.Name
		}
		places = append(places, place)
	}
	switch {
	case places == nil:
		return ""
	case paths:
		return "also missing: " + strings.Join(places, ", ")
	case crowded:
		return "also read in " + strings.Join(places, ", ")
	}
	return "also read at " + strings.Join(places, ", ")
}

// lostInput hints at catchers that replace the whole input by the Error Output.
func (c *checker) lostInput(s *asl.State) {
	for i, catcher := range s.Catch {
		next := s.Scope.State(catcher.Next)
		if catcher.ResultPath == nil && s.QueryLanguage == asl.JSONPath && next != nil && next.Type != asl.Fail &&
			next.Type != asl.Succeed {
			if n := s.Node.Get("Catch").Item(i); n != nil {
				c.hint(n, n.Span, rules.LostInput,
					"this catcher puts the Error Output in place of the input of %q: \"ResultPath\": \"$.error\" keeps both", s.Name)
			}
		}
	}
}
