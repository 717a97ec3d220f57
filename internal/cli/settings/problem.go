package settings

import (
	"strconv"
	"strings"

	"asldb/internal/wording"
)

// Problem is something in a configuration file that is wrong.
type Problem struct {
	File string
	// Line and Col count from 1; they are 0 where the whole file is meant.
	Line, Col int
	// Message describes the expected and the actual value, and perhaps suggests one.
	Message string
}

// String is "FILE:LINE:COL: MESSAGE".
func (p *Problem) String() string {
	at := wording.Line(p.File)
	if p.Line > 0 {
		at += ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
	}
	return at + ": " + p.Message
}

// Problems is everything that is wrong in a file, from top to bottom. There is at least one.
type Problems []Problem

// Error implements error: one line for each.
func (list Problems) Error() string {
	lines := make([]string, len(list))
	for i := range list {
		lines[i] = list[i].String()
	}
	return strings.Join(lines, "\n")
}
