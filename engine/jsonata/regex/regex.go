// Package regex has regular expressions as JavaScript and Java mean them.
//
// RE2 (package regexp) matches the patterns that it supports, in time that grows with the text alone. A pattern with
// look-around or back references, and one whose groups JavaScript empties from repetition to repetition,
// goes to a matcher that tries one way after the other (github.com/dlclark/regexp2). Which of the two it is
// depends on the pattern only, never on the text.
//
// The second can take a time that no text is worth. It is given up after [Bound]: that is a bound of this
// program's own, which neither language has.
package regex

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"
	"time"

	"github.com/dlclark/regexp2"
)

// Bound is how long one search may take where RE2 does not do.
const Bound = 4 * time.Second

// ErrBound says that a search took longer than [Bound].
var ErrBound = fmt.Errorf("asldb's own bound: the regular expression tries more ways to match than %v allow; "+
	"a repetition inside of a repetition can be the reason", Bound)

// Regex is a compiled pattern. It never changes and may be used by several goroutines.
type Regex struct {
	groups int
	plain  *regexp.Regexp
	// behind finds matches that begin behind the first character, which it sees. It is nil where nothing in the
	// pattern looks back.
	behind *regexp.Regexp
	// tries are the pattern for the other matcher with bounds that grow, so that a search can be
	// interrupted between them. The slower ones are compiled when they are needed.
	tries []func() (*regexp2.Regexp, error)
}

// Backtracks reports whether the pattern is one that RE2 does not do.
func (re *Regex) Backtracks() bool { return re.plain == nil }

// JavaScript compiles a pattern of JavaScript without the flag u. Flags may be before it as (?im).
func JavaScript(pattern string) (*Regex, error) { return compile(pattern, spaces) }

// ASCIISpaces is [JavaScript], but \s is ASCII's white space.
func ASCIISpaces(pattern string) (*Regex, error) { return compile(pattern, asciiSpaces) }

func compile(pattern, spaces string) (*Regex, error) {
	p := parser{in: pattern, total: countGroups(pattern), spaces: spaces}
	root, err := p.parse()
	if err != nil {
		return nil, err
	}
	if !root.backtracks() {
		re, err := compilePlain(root.plainText(), p.looksBehind)
		var e *syntax.Error
		if err == nil || !errors.As(err, &e) || e.Code != syntax.ErrInvalidRepeatSize {
			return re, err
		}
	}
	e := emitter{next: p.groups}
	text := e.text(root, false)
	if e.tooLong {
		return nil, errors.New("it has too many repetitions inside of each other")
	}
	return compileBacktracking(text, p.groups, regexp2.RE2)
}

func compilePlain(text string, looksBehind bool) (*Regex, error) {
	plain, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	re := &Regex{plain: plain, groups: plain.NumSubexp()}
	if looksBehind {
		re.behind, err = regexp.Compile(`\A(?s:.)(?s:.*?)(` + text + ")")
	}
	return re, err
}

// Java compiles a pattern of java.util.regex that has to match a whole text. flags are some of i, m and s.
func Java(pattern, flags string) (*Regex, error) {
	whole := `\A(?:` + pattern + `)\z`
	if flags != "" {
		whole = "(?" + flags + ")" + whole
	}
	re, err := compilePlain(whole, false)
	if err == nil {
		return re, nil
	}
	if re, wrong := compileBacktracking(whole, 0, regexp2.RE2); wrong == nil {
		return re, nil
	}
	return nil, err
}

// How the bound is divided: the first try has a sixteenth of it, the next four times as much.
const (
	firstShare = 16
	growth     = 4
)

func compileBacktracking(text string, groups int, options regexp2.RegexOptions) (*Regex, error) {
	compile := func(bound time.Duration) (*regexp2.Regexp, error) {
		compiled, err := regexp2.Compile(text, options)
		if err != nil {
			return nil, err
		}
		compiled.MatchTimeout = bound
		return compiled, nil
	}
	first, err := compile(Bound / firstShare)
	if err != nil {
		return nil, err
	}
	re := &Regex{groups: groups}
	re.tries = append(re.tries, func() (*regexp2.Regexp, error) { return first, nil })
	for bound := Bound / firstShare * growth; bound <= Bound; bound *= growth {
		re.tries = append(re.tries, sync.OnceValues(func() (*regexp2.Regexp, error) { return compile(bound) }))
	}
	return re, nil
}

// Search looks for the matches in one text.
type Search struct {
	re   *Regex
	text string
	poll func() error
	// The characters of the text, and where each begins. They are only made where they are needed.
	runes   []rune
	offsets []int
}

// In begins a search in text. poll is called now and then during a long search; its error
// ends the search. It may be nil.
func (re *Regex) In(text string, poll func() error) *Search {
	s := &Search{re: re, text: text, poll: poll}
	if re.Backtracks() {
		for at, r := range text {
			s.runes, s.offsets = append(s.runes, r), append(s.offsets, at)
		}
		s.offsets = append(s.offsets, len(text))
	}
	return s
}

// Find returns the first match that begins at byte at or behind it: where the match and its groups begin and
// end, in bytes, -1 for a group that takes no part. It returns nil when there is none. The error is [ErrBound],
// or the error of poll.
func (s *Search) Find(at int) ([]int, error) {
	switch {
	case s.re.Backtracks():
		return s.try(at)
	case at == 0 || s.re.behind == nil:
		return moved(s.re.plain.FindStringSubmatchIndex(s.text[at:]), at), nil
	}
	before := at - 1 // the character before is seen, but not matched
	for before > 0 && s.text[before]&0xc0 == 0x80 {
		before--
	}
	found := s.re.behind.FindStringSubmatchIndex(s.text[before:])
	if found != nil {
		found = found[2:]
	}
	return moved(found, before), nil
}

func moved(loc []int, by int) []int {
	for i := range loc {
		if loc[i] >= 0 {
			loc[i] += by
		}
	}
	return loc
}

// try searches with one bound after the other.
func (s *Search) try(at int) ([]int, error) {
	from, _ := slices.BinarySearch(s.offsets, at)
	from = min(from, len(s.runes))
	for _, next := range s.re.tries {
		if s.poll != nil {
			if err := s.poll(); err != nil {
				return nil, err
			}
		}
		re, err := next()
		if err != nil {
			return nil, err
		}
		m, err := re.FindRunesMatchStartingAt(s.runes, from)
		if err == nil {
			return s.location(m), nil
		}
	}
	return nil, ErrBound
}

// location gives the places of a match, nil for none.
func (s *Search) location(m *regexp2.Match) []int {
	if m == nil {
		return nil
	}
	loc := make([]int, 0, 2*s.re.groups+2)
	for i := 0; i <= s.re.groups; i++ {
		g := m.GroupByNumber(i)
		if g == nil || len(g.Captures) == 0 {
			loc = append(loc, -1, -1)
			continue
		}
		loc = append(loc, s.offsets[g.Index], s.offsets[g.Index+g.Length])
	}
	return loc
}

// Matches reports whether the pattern matches text anywhere. The error is as [Search.Find]'s.
func (re *Regex) Matches(text string, poll func() error) (bool, error) {
	if !re.Backtracks() {
		return re.plain.MatchString(text), nil
	}
	loc, err := re.In(text, poll).Find(0)
	return loc != nil, err
}
