package services

import (
	_ "embed"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"asldb/internal/wording"
)

//go:generate sh -c "cd ../../scripts/services && go run . -o ../../engine/services/table.bin"

//go:embed table.bin
var file string

// table is the embedded one. A test reads every service of it.
var table = sync.OnceValue(func() *Table {
	t, err := Read(file)
	if err != nil {
		return &Table{}
	}
	return t
})

// A Service is one that has operations.
type Service struct {
	// ID is the name in the service's model: "Cognito Identity Provider".
	ID string
	// Name is that in a Resource: "cognitoidentityprovider".
	Name string
	// Prefix is that in Error Names: "CognitoIdentityProvider".
	Prefix string
	// Date is the month of its newest model: "November 2026". What came later is not known.
	Date string
	// Operations are in the order of their names.
	Operations []Operation

	others []Error // no operation is known to raise them
}

// An Operation is one action of a service.
type Operation struct {
	// Name is that in a Resource: "getItem".
	Name string
	// Input is the shape of the parameters, Output the result's; nil where there is none.
	Input, Output *Shape
	// Errors are those that the model names. A service raises others too: those come as [Service.BaseError].
	Errors []Error
}

// An Error is one that an operation raises.
type Error struct {
	// Name is the name in SDK integrations, without the service's prefix: "NoSuchKeyException". Model is that in the
	// service's model: "NoSuchKey".
	Name, Model string
}

// Dates returns the months of the oldest and of the newest model of a service in the table: "July 2024", "November
// 2026".
func Dates() (oldest, newest string) { return table().dates() }

// Dated says when the models of a service are from, for messages: "models of November 2026". Of one that the table does
// not have it says when the whole table is from.
func Dated(name string) string {
	if s, found := Find(name); found {
		return "models of " + s.Date
	}
	oldest, newest := Dates()
	return "models of " + oldest + " to " + newest
}

// Dated is [Dated] of the service that the call names.
func (c *Call) Dated() string {
	if c.Service != nil {
		return Dated(c.Service.Name)
	}
	return Dated(c.ServiceName)
}

func (t *Table) dates() (oldest, newest string) {
	for _, e := range t.services {
		if oldest == "" || e.date < oldest {
			oldest = e.date
		}
		newest = max(newest, e.date)
	}
	return month(oldest), month(newest)
}

// month writes the month of a date, 2026-11-10 or 2026-11, in words; of another text itself.
func month(date string) string {
	if at, err := time.Parse("2006-01", date[:min(len(date), len("2006-01"))]); err == nil {
		return at.Format("January 2006")
	}
	return date
}

// Find returns the service of that name in a Resource: "dynamodb", "sfn". It is false where the table has none.
func Find(name string) (*Service, bool) { return table().Find(name) }

// Names iterates over the names of all services, sorted.
func Names() iter.Seq[string] { return table().Names() }

// Nearest returns the service that was probably meant by a name that the table does not have, or "": see
// [Table.Nearest].
func Nearest(name string) string { return table().Nearest(name) }

// Find returns the service of that name in a Resource. It is false where the table has none.
func (t *Table) Find(name string) (*Service, bool) {
	e := t.byName[name]
	if e == nil {
		return nil, false
	}
	s, err := e.read()
	return s, err == nil
}

// Names iterates over the names of all services, sorted.
func (t *Table) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, e := range t.services {
			if !yield(e.name) {
				return
			}
		}
	}
}

// Nearest returns the service that was probably meant by a name that the table does not have, or "": one that is called
// so elsewhere ("cognito-idp", "stepfunctions"), or one with a few letters of difference. A name that differs in its
// version only, or is as short as abbreviations are, is like no other: there are services that the table does not know.
func (t *Table) Nearest(name string) string {
	if t.byName[name] != nil {
		return ""
	}
	if e := t.aliases[plain(name)]; e != nil {
		return e.name
	}
	return nearest(name, t.Names())
}

// Operation returns the operation of that name in a Resource: "getItem". It is false where the service has none.
func (s *Service) Operation(action string) (*Operation, bool) {
	i, found := slices.BinarySearchFunc(s.Operations, action, func(o Operation, name string) int { return strings.Compare(o.Name, name) })
	if !found {
		return nil, false
	}
	return &s.Operations[i], true
}

// Actions iterates over the names of the operations, sorted.
func (s *Service) Actions() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range s.Operations {
			if !yield(s.Operations[i].Name) {
				return
			}
		}
	}
}

// Nearest returns the action that was probably meant by one that the service does not have, or "".
func (s *Service) Nearest(action string) string { return nearest(action, s.Actions()) }

// Errors returns the errors of the service, sorted by their names, each once.
func (s *Service) Errors() []Error {
	list := slices.Clone(s.others)
	for i := range s.Operations {
		list = append(list, s.Operations[i].Errors...)
	}
	slices.SortFunc(list, func(a, b Error) int { return strings.Compare(a.Name+" "+a.Model, b.Name+" "+b.Model) })
	return slices.Compact(list)
}

// BaseError is the Error Name of errors that no model names: "S3.S3Exception".
func (s *Service) BaseError() string { return s.Prefix + "." + s.Prefix + "Exception" }

// plain returns a name in small letters without the separators of its words.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r > 0x7f || !lower(byte(r)) && !digit(byte(r)) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// nearest returns the candidate that word is probably a misspelling of, or "".
func nearest(word string, candidates iter.Seq[string]) string {
	most := 2
	switch {
	case len(word) <= 4:
		most = 0
	case len(word) <= 8:
		most = 1
	}
	near := wording.Within(word, candidates, most)
	if near == "" || unversioned(near) == unversioned(word) && near != word && !strings.EqualFold(near, word) {
		return ""
	}
	return near
}

// unversioned returns a name in small letters without the number of a version at its end.
func unversioned(name string) string {
	name = strings.TrimRight(strings.ToLower(name), "0123456789")
	return strings.TrimSuffix(name, "v")
}
