package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/internal/wording"
)

// signs are the signs of the matrix and of the findings, as a run has them on the screen.
type signs struct{ retry, catch, tolerate, nothing, none, pass, attention string }

var (
	unicodeSigns = signs{retry: "«", catch: "»", tolerate: "≈", nothing: "×", none: "–", pass: "↑", attention: "!"}
	words        = signs{
		retry: "retrier ", catch: "caught, to", tolerate: "tolerated", nothing: "not handled", none: "none", pass: "passed on",
		attention: "look",
	}
	asciiSigns = signs{retry: "r", catch: "c", tolerate: "=", nothing: "!", none: "-", pass: "<", attention: "^"}
)

func signsOf(ascii bool) signs {
	if ascii {
		return asciiSigns
	}
	return unicodeSigns
}

// legend explains the signs in one line.
func (s signs) legend() string {
	return fmt.Sprintf("%sN retrier N   %s caught, next state   %s tolerated   %s not handled   (N) N times",
		s.retry, s.catch, s.tolerate, s.nothing)
}

// of returns the sign before a finding of a class, "" where there is none.
func (s signs) of(c Class) string {
	switch c {
	case Bug, Broken, Endless:
		return s.attention
	case Uncaught:
		return s.nothing
	case Swallowed:
		return s.catch
	case Data, Unreached:
	}
	return ""
}

// line is a line of the matrix: errors of one task that lead the same way.
type line struct {
	task         string // empty where it is the same as in the line before
	place        string
	errors       string
	once, always string
	ends         string
	first        bool     // the fault comes in the first iteration only
	bad          bool     // one of its runs shows a bug or a broken invariant
	all          []string // the names of its errors
	fault        string   // the Error Name of the first

	state              *asl.State
	onceRun, alwaysRun *Run // the runs of the first error; nil: there is none
}

// table returns the lines of the matrix; each error has a separate line where each is set.
func table(r *Result, s signs, each bool) []line {
	var lines []line
	for at := 0; at < len(r.Rows); {
		end := at
		for end < len(r.Rows) && r.Rows[end].State == r.Rows[at].State {
			end++
		}
		lines = append(lines, taskLines(r, r.Rows[at:end], s, each)...)
		at = end
	}
	return lines
}

// taskLines returns the lines of one task.
func taskLines(r *Result, rows []*Row, s signs, each bool) []line {
	var lines []line
	total := 0
	add := func(name string, l line) {
		l.state = rows[0].State
		for i := range lines {
			if have := &lines[i]; !each && have.once == l.once && have.always == l.always && have.ends == l.ends &&
				have.bad == l.bad &&
				have.first == l.first {
				have.all = append(have.all, name)
				return
			}
		}
		l.all = []string{name}
		lines = append(lines, l)
	}
	for _, f := range faults(rows) {
		total++
		l := f.line(r, s)
		l.fault = f.all.Error
		add(f.all.Label(), l)
		if f.first == nil || f.first.Always == nil || f.all.Always == nil {
			continue
		}
		if a, b := ending(f.first.Always), ending(f.all.Always); a != b {
			add(f.first.Label(), line{
				first:     true,
				always:    cell(f.first.Always, s),
				ends:      a,
				fault:     f.first.Error,
				bad:       bad(r, f.first.Always),
				alwaysRun: f.first.Always,
			})
		}
	}
	nameErrors(lines, total)
	slices.SortStableFunc(lines, func(a, b line) int { // the named ones first
		return order(strings.HasPrefix(a.errors, "any other")) - order(strings.HasPrefix(b.errors, "any other"))
	})
	lines[0].task, lines[0].place = rows[0].State.Path(), place(rows[0].State)
	return lines
}

// nameErrors names the errors of the lines of a task that has some faults in total.
func nameErrors(lines []line, total int) {
	most := 0
	for i := range lines {
		if len(lines[i].all) > len(lines[most].all) {
			most = i
		}
	}
	for i := range lines {
		l := &lines[i]
		named := l.fault
		if len(l.all) > 1 {
			named = "with the error"
		}
		l.ends = strings.ReplaceAll(l.ends, itself, named)
		switch n := len(l.all); {
		case n == total && n > 1:
			l.errors = fmt.Sprintf("any (%d)", n)
		case i == most && n > 3:
			l.errors = fmt.Sprintf("any other (%d)", n)
		case n > 3:
			l.errors = fmt.Sprintf("%s, %s and %d more", l.all[0], l.all[1], n-2)
		default:
			l.errors = strings.Join(l.all, ", ")
		}
		if l.first {
			l.errors += ", first iteration only"
		}
	}
}

func order(last bool) int {
	if last {
		return 1
	}
	return 0
}

// fault is an error of a task: in all iterations and, of a task in a Map state, in the first.
type fault struct{ all, first *Row }

func faults(rows []*Row) []fault {
	var list []fault
	for _, row := range rows {
		i := slices.IndexFunc(list, func(f fault) bool {
			have := cmp.Or(f.all, f.first)
			return have.Kind == row.Kind && have.Error == row.Error
		})
		if i < 0 {
			i = len(list)
			list = append(list, fault{})
		}
		if row.Where == First {
			list[i].first = row
		} else {
			list[i].all = row
		}
	}
	for i := range list {
		if list[i].all == nil {
			list[i].all = list[i].first
		}
	}
	return list
}

// line is the line of one error alone.
func (f *fault) line(r *Result, s signs) line {
	once := f.all.Once
	if f.first != nil {
		once = f.first.Once
	}
	l := line{
		once:      cell(once, s),
		always:    cell(f.all.Always, s),
		onceRun:   once,
		alwaysRun: f.all.Always,
		bad:       bad(r, once) || bad(r, f.all.Always),
	}
	if l.always == l.once {
		l.always = "same"
	}
	a, b := ending(once), ending(f.all.Always)
	switch {
	case a == b || once == nil:
		l.ends = b
	case f.all.Always == nil:
		l.ends = a
	default:
		l.ends = a + "; always: " + b
	}
	return l
}

// bad reports whether a run shows a bug or a broken invariant.
func bad(r *Result, run *Run) bool {
	return run != nil && slices.ContainsFunc(r.FindingsOf(run), func(f *Finding) bool { return f.Class.Bad() })
}

// cell returns the outcome of the fault of a run.
func cell(run *Run, s signs) string {
	switch {
	case run == nil:
		return ""
	case !run.Reached || len(run.Handling) == 0:
		return s.none
	}
	var parts []string
	for _, step := range run.Handling {
		text := ""
		switch step.Kind {
		case Retried:
			text = fmt.Sprintf("%s%d", s.retry, step.Index+1)
		case Caught:
			text = s.catch + " " + step.Next
		case Tolerated:
			text = s.tolerate
		case Unhandled:
			text = s.nothing
		}
		if step.Count > 1 {
			text += fmt.Sprintf(" (%d)", step.Count)
		}
		if step.State != run.Changes[0].State && step.Kind != Unhandled {
			text += " (" + step.State.Name + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// itself is in place of the error of the fault, which the errors that lead the same way do not share.
const itself = "\x00"

// ending returns the end of a run in words; an error that is the fault itself is not repeated.
func ending(run *Run) string {
	switch {
	case run == nil:
		return ""
	case run.Endless():
		return "no end"
	case run.Stuck():
		return "waits for a result"
	case run.Status == engine.Succeeded:
		return "SUCCEEDED"
	case len(run.Changes) > 0 && run.Error == run.Changes[0].Error && run.Error != "":
		return run.Status.String() + " " + itself
	case run.Error == "":
		return run.Status.String()
	}
	return run.Status.String() + " " + run.Error
}

// place is the place of a state: "order.asl.json:44:5".
func place(state *asl.State) string { return PlaceOf(state, "") }

// Head returns the line about the whole: "5 tasks, 38 errors, 81 runs, 40 different ways".
func Head(r *Result) string {
	return fmt.Sprintf("%s, %s, %s, %s", wording.Count(r.Tasks, "task"), wording.Count(r.Errors, "error"),
		wording.Count(r.Done, "run"), wording.Count(r.Distinct, "different way"))
}

// summary is the line about the findings: "3 findings: 1 bug, 2 unhandled".
func summary(r *Result) string {
	var parts []string
	counts := map[Class]int{}
	for _, f := range r.Findings {
		counts[f.Class]++
	}
	for class := Bug; class <= Unreached; class++ {
		if n := counts[class]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, class))
		}
	}
	text := wording.Count(len(r.Findings), "finding")
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}

// details are the lines below the title of a finding: the errors, what is lost, and the shortest run.
func details(f *Finding) []string {
	var lines []string
	if names := f.names(); names != "" {
		if f.Class != Data {
			return []string{names}
		}
		lines = append(lines, names)
	}
	if f.Class == Uncaught || f.Class == Swallowed {
		shown := f.Errors
		if len(shown) > 3 {
			shown = append(slices.Clone(shown[:2]), fmt.Sprintf("%d more", len(shown)-2))
		}
		lines = append(lines, strings.Join(shown, ", "))
	}
	lines = append(lines, f.Lost...)
	if f.Run != nil && f.Class != Uncaught && f.Class != Swallowed {
		text := f.Run.Describe()
		if f.Run.Base.Name != "" {
			text += " (" + f.Run.Base.Name + ")"
		}
		if f.Count > 1 {
			text += fmt.Sprintf("; %d runs", f.Count)
		}
		lines = append(lines, text)
	}
	return lines
}

// title is the first line of a finding.
func title(f *Finding) string {
	text := f.Text
	switch f.Class {
	case Uncaught, Swallowed, Unreached:
		text = cmp.Or(f.Subject, f.State.Path()) + ": " + text
	case Broken:
		text = f.Invariant + ": " + text
	case Bug, Endless, Data:
	}
	return text
}
