package report

import "testing"

func TestString(t *testing.T) {
	for want, a := range map[string]Annotation{
		"::error file=a%2C%25.json,line=3,endLine=4,title=asldb%3A x::first%0Asecond 100%25\n": {
			File: "a,%.json", Line: 3, EndLine: 4, Title: "asldb: x", Message: "first\nsecond 100%",
		},
		"::warning file=a.json,line=3,endLine=3,col=5,endColumn=9,title=t::::error::not a command\n": {
			Level: Warning, File: "a.json", Line: 3, EndLine: 3, Col: 5, EndCol: 9, Title: "t", Message: "::error::not a command",
		},
		"::notice title=t::m\n": {Level: Notice, Line: 3, Title: "t", Message: "m"},
	} {
		if got := a.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
