package why

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"asldb/internal/executions"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// Causes are the failures among recorded executions, put together by their root cause.
type Causes struct {
	// Executions is the number of the recorded executions, Failed how many of them failed.
	Executions, Failed int
	// List has the causes, the most frequent ones first.
	List []*Cause
	// Unexplained are executions that failed and cannot be explained, with the reason.
	Unexplained []string
}

// Cause is the error of a state with which executions failed.
type Cause struct {
	// State is the path of the state; empty: it is not known. Error is the Error Name.
	State, Error string
	// Names are the executions, by their files.
	Names []string
	// Example explains the first of them.
	Example *Answer
}

// String says the cause in a few words: "KeyError in PriceLine".
func (c *Cause) String() string {
	text := cmp.Or(c.Error, "an error without a name")
	if c.State != "" {
		text += " in " + c.State
	}
	return text
}

// OfAll explains the executions in folders, files and patterns that failed, one of each root cause. Of a history in a
// folder of "asldb fetch" the definition beside it is read, where q names none. The error is about a name that leads
// to no recorded execution, or of the context.
func OfAll(ctx context.Context, names []string, q Question) (*Causes, error) {
	source := executions.NewFiles(names, q.Input)
	all := &Causes{}
	known := map[string]*Cause{}
	for more := true; more; {
		var rows []executions.Row
		var err error
		if rows, more, err = source.Next(ctx); err != nil {
			return nil, err
		}
		for i := range rows {
			if all.Executions++; !rows[i].Failed() {
				continue
			}
			all.Failed++
			x, err := source.Read(ctx, &rows[i], nil)
			if err != nil {
				return nil, err
			}
			all.add(known, x, q)
		}
	}
	slices.SortStableFunc(all.List, func(a, b *Cause) int { return len(b.Names) - len(a.Names) })
	return all, nil
}

// add explains an execution that failed.
func (c *Causes) add(known map[string]*Cause, x *executions.Recorded, q Question) {
	name := x.Row.ID
	if q.Files = x.Files; x.Trace != "" {
		q.Files = []string{x.Trace}
	} else if x.History != nil && name != x.Files[0] {
		q.Execution = x.History.ARN
	}
	if _, err := os.Stat(x.Definition); err == nil && q.Definition.File == "" {
		q.Definition.File = x.Definition
	}
	answer, err := Of(q)
	if answer == nil || answer.Ending.Chain.Root() == nil {
		reason := "there is no failure to explain"
		if err != nil {
			reason = firstLine(err)
		}
		c.Unexplained = append(c.Unexplained, name+": "+reason)
		return
	}
	cause := &Cause{Example: answer}
	root := answer.Ending.Chain.Root()
	if root.Visit != nil {
		cause.State = root.Visit.State.Path()
	}
	if root.Failure != nil {
		cause.Error = answer.redactor.Text(root.Failure.Name)
	}
	key := fmt.Sprint(root.Kind, "\n", cause.State, "\n", cause.Error, "\n")
	if root.Failure != nil {
		key += root.Failure.Field
	}
	if first := known[key]; first != nil {
		first.Names = append(first.Names, name)
		return
	}
	cause.Names = []string{name}
	known[key] = cause
	c.List = append(c.List, cause)
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// maxNames is the number of executions that a report for people names for a cause.
const maxNames = 5

// Report is the list of causes as a report: the number of executions of each, and the explanation of one.
func (c *Causes) Report() *report.Answer {
	return &report.Answer{Name: "asldb why", Doc: c.doc, Data: c.data}
}

// Title says in one sentence how many executions failed, and for how many causes.
func (c *Causes) Title() string {
	text := wording.Count(c.Executions, "execution") + " failed"
	if c.Failed < c.Executions {
		text = fmt.Sprintf("%d of %s", c.Failed, text)
	}
	if n := len(c.List); n > 0 {
		text += ", for " + wording.Count(n, "cause")
	}
	return text
}

func (c *Causes) doc(l report.Look) *report.Doc {
	d := &report.Doc{Title: report.T(c.Title())}
	for _, cause := range c.List {
		times := fmt.Sprintf("%d %s ", len(cause.Names), l.Pick("×", "x"))
		d.Add(report.Heading{Level: 1, Text: report.T(times, cause.String())})
		one := cause.Example.doc(l)
		d.Add(report.Para{Text: one.Title})
		d.Add(one.Blocks...)
		names := cause.Names
		text := strings.Join(names[:min(len(names), maxNames)], ", ")
		if more := len(names) - maxNames; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		d.Add(report.Para{Label: report.T("executions"), Text: report.T(text)})
	}
	for _, line := range c.Unexplained {
		d.Add(report.Para{Label: report.T("not explained"), Text: report.T(line)})
	}
	return d
}

// The form of the document in JSON.
type (
	causesDocument struct {
		Executions  int             `json:"executions"`
		Failed      int             `json:"failed"`
		Causes      []causeDocument `json:"causes"`
		Unexplained []string        `json:"unexplained"`
	}
	causeDocument struct {
		State       string   `json:"state,omitempty"`
		Error       string   `json:"error,omitempty"`
		Count       int      `json:"count"`
		Executions  []string `json:"executions"`
		Explanation any      `json:"explanation"`
	}
)

func (c *Causes) data() any {
	d := causesDocument{Executions: c.Executions, Failed: c.Failed, Causes: []causeDocument{}, Unexplained: []string{}}
	d.Unexplained = append(d.Unexplained, c.Unexplained...)
	for _, cause := range c.List {
		d.Causes = append(d.Causes, causeDocument{
			cause.State, cause.Error, len(cause.Names), cause.Names, cause.Example.data(),
		})
	}
	return d
}

// None returns the error of recorded executions where none has failed; nil where any has.
func (c *Causes) None() error {
	if c.Failed > 0 {
		return nil
	}
	return &UnexplainedError{fmt.Sprintf("none of %s failed", wording.Count(c.Executions, "execution"))}
}
