package coverage

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"slices"

	"asldb/internal/wording"
)

// coveredLine is the coverage of one line of a definition.
type coveredLine struct {
	number   int
	hits     int64
	branches []Item
	entered  bool // a state or a handler is in it
}

// isBranch reports whether an item is one of several ways: of a rule, a handler's end, a condition. The others are hits of a line.
func isBranch(kind Kind) bool {
	switch kind {
	case Entered, Retried, Caught, Branch:
		return false
	default:
		return true
	}
}

// coveredLines returns the lines of a definition that have items, in their order. A line with branches only is as covered as the most
// frequent of them.
func coveredLines(d *Definition) []*coveredLine {
	byNumber := map[int]*coveredLine{}
	var lines []*coveredLine
	for _, item := range d.Items {
		if !item.Counts() {
			continue
		}
		number := max(item.Line, 1)
		line := byNumber[number]
		if line == nil {
			line = &coveredLine{number: number}
			byNumber[number] = line
			lines = append(lines, line)
		}
		if isBranch(item.Kind) {
			line.branches = append(line.branches, item)
			continue
		}
		line.hits, line.entered = max(line.hits, item.Count), true
	}
	for _, line := range lines {
		for _, b := range line.branches {
			if !line.entered {
				line.hits = max(line.hits, b.Count)
			}
		}
	}
	slices.SortFunc(lines, func(a, b *coveredLine) int { return a.number - b.number })
	return lines
}

// LCOV writes a profile as lcov's tracefile (geninfo(1)): a line for each state and handler, and a branch for each rule, exhausted
// retrier, uncaught error, kind of Map run, timeout and condition.
func LCOV(w io.Writer, p *Profile) error {
	b := bufio.NewWriter(w)
	for i := range p.Definitions {
		d := &p.Definitions[i]
		fmt.Fprintf(b, "TN:\nSF:%s\n", wording.Line(d.File))
		hit, found, branchesHit, branchesFound := 0, 0, 0, 0
		lines := coveredLines(d)
		for _, line := range lines {
			for k, item := range line.branches {
				taken := "-" // the line was not reached
				if line.hits > 0 || item.Count > 0 {
					taken = fmt.Sprint(item.Count)
				}
				fmt.Fprintf(b, "BRDA:%d,0,%d,%s\n", line.number, k, taken)
				branchesFound++
				if item.Covered() {
					branchesHit++
				}
			}
		}
		fmt.Fprintf(b, "BRF:%d\nBRH:%d\n", branchesFound, branchesHit)
		for _, line := range lines {
			fmt.Fprintf(b, "DA:%d,%d\n", line.number, line.hits)
			found++
			if line.hits > 0 {
				hit++
			}
		}
		fmt.Fprintf(b, "LF:%d\nLH:%d\nend_of_record\n", found, hit)
	}
	return b.Flush()
}

// The elements of Cobertura's coverage-04.dtd.
type (
	coberturaReport struct {
		XMLName         xml.Name           `xml:"coverage"`
		LineRate        string             `xml:"line-rate,attr"`
		BranchRate      string             `xml:"branch-rate,attr"`
		LinesCovered    int                `xml:"lines-covered,attr"`
		LinesValid      int                `xml:"lines-valid,attr"`
		BranchesCovered int                `xml:"branches-covered,attr"`
		BranchesValid   int                `xml:"branches-valid,attr"`
		Complexity      string             `xml:"complexity,attr"`
		Version         string             `xml:"version,attr"`
		Timestamp       string             `xml:"timestamp,attr"`
		Sources         []string           `xml:"sources>source"`
		Packages        []coberturaPackage `xml:"packages>package"`
	}
	coberturaPackage struct {
		Name       string           `xml:"name,attr"`
		LineRate   string           `xml:"line-rate,attr"`
		BranchRate string           `xml:"branch-rate,attr"`
		Complexity string           `xml:"complexity,attr"`
		Classes    []coberturaClass `xml:"classes>class"`
	}
	coberturaClass struct {
		Name       string          `xml:"name,attr"`
		File       string          `xml:"filename,attr"`
		LineRate   string          `xml:"line-rate,attr"`
		BranchRate string          `xml:"branch-rate,attr"`
		Complexity string          `xml:"complexity,attr"`
		Methods    struct{}        `xml:"methods"`
		Lines      []coberturaLine `xml:"lines>line"`
	}
	coberturaLine struct {
		Number    int    `xml:"number,attr"`
		Hits      int64  `xml:"hits,attr"`
		Branch    bool   `xml:"branch,attr"`
		Condition string `xml:"condition-coverage,attr,omitempty"`
	}
)

// coberturaCounts are the lines and branches of a part of a report.
type coberturaCounts struct{ lines, branches Share }

func rate(s Share) string {
	if s.Total == 0 {
		return "1"
	}
	return fmt.Sprintf("%.4g", float64(s.Covered)/float64(s.Total))
}

// Cobertura writes a profile in the form of Cobertura's coverage-04.dtd, which GitLab shows. Each definition is a class. The time of
// the report is left 0, so that the same profile gives the same text.
func Cobertura(w io.Writer, p *Profile, version string) error {
	var all coberturaCounts
	var classes []coberturaClass
	for i := range p.Definitions {
		class, counts := coberturaOf(&p.Definitions[i])
		classes = append(classes, class)
		all.lines = sum(all.lines, counts.lines)
		all.branches = sum(all.branches, counts.branches)
	}
	report := coberturaReport{
		LineRate: rate(all.lines), BranchRate: rate(all.branches),
		LinesCovered: all.lines.Covered, LinesValid: all.lines.Total,
		BranchesCovered: all.branches.Covered, BranchesValid: all.branches.Total,
		Complexity: "0", Version: version, Timestamp: "0", Sources: []string{"."},
		Packages: []coberturaPackage{{Name: ".", LineRate: rate(all.lines), BranchRate: rate(all.branches), Complexity: "0", Classes: classes}},
	}
	text, err := xml.MarshalIndent(report, "", " ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n%s\n", xml.Header, text)
	return err
}

func coberturaOf(d *Definition) (coberturaClass, coberturaCounts) {
	var counts coberturaCounts
	class := coberturaClass{Name: wording.Line(coverageName(d)), File: wording.Line(d.File), Complexity: "0"}
	for _, line := range coveredLines(d) {
		out := coberturaLine{Number: line.number, Hits: line.hits}
		counts.lines.Total++
		if line.hits > 0 {
			counts.lines.Covered++
		}
		if len(line.branches) > 0 {
			share := Share{Total: len(line.branches)}
			for i := range line.branches {
				if line.branches[i].Covered() {
					share.Covered++
				}
			}
			counts.branches = sum(counts.branches, share)
			out.Branch, out.Condition = true, fmt.Sprintf("%d%% (%d/%d)", share.Percent(), share.Covered, share.Total)
		}
		class.Lines = append(class.Lines, out)
	}
	class.LineRate, class.BranchRate = rate(counts.lines), rate(counts.branches)
	return class, counts
}

func sum(a, b Share) Share {
	return Share{Covered: a.Covered + b.Covered, Total: a.Total + b.Total}
}
