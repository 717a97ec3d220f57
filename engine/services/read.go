package services

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// The file is: a magic word, the length of the compressed index, the index, and the compressed services one after the
// other. Numbers are unsigned varints, texts their length and bytes. Its writer is in scripts/services.
const magic = "asldb services 3\n"

// The flags beside the kind of a shape.
const (
	kindMask  = 0x0f
	hasMin    = 0x10
	hasMax    = 0x20
	hasEnum   = 0x40
	wholeOnly = 0x80 // the bounds are whole numbers that are not negative
)

// A Table is the content of such a file. It reads a service when it is asked for.
type Table struct {
	services []*entry // in the order of their names
	byName   map[string]*entry
	aliases  map[string]*entry
}

// entry is a service in the index.
type entry struct {
	id, name, date string
	block          string // compressed
	read           func() (*Service, error)
}

// errDamaged is the error of a file that is cut short or changed.
var errDamaged = errors.New("the table of services is damaged")

// Read reads the index of a table.
func Read(file string) (*Table, error) {
	rest, ok := strings.CutPrefix(file, magic)
	if !ok {
		return nil, errDamaged
	}
	r := &reader{data: rest}
	head := r.text()
	rest = r.data
	if r.failed {
		return nil, errDamaged
	}
	index, err := unpack(head)
	if err != nil {
		return nil, err
	}
	r = &reader{data: index}
	t := &Table{byName: make(map[string]*entry), aliases: make(map[string]*entry)}
	for range r.count() {
		e := &entry{id: r.text(), date: r.text()}
		e.name = strings.ToLower(prefixOf(e.id))
		for range r.count() {
			t.aliases[plain(r.text())] = e
		}
		size := r.number()
		if r.failed || size < 0 || size > len(rest) {
			return nil, errDamaged
		}
		e.block, rest = rest[:size], rest[size:]
		e.read = sync.OnceValues(func() (*Service, error) { return readService(e) })
		t.services = append(t.services, e)
		t.byName[e.name] = e
	}
	if r.failed || len(rest) > 0 {
		return nil, errDamaged
	}
	slices.SortFunc(t.services, func(a, b *entry) int { return strings.Compare(a.name, b.name) })
	for _, e := range t.services {
		t.aliases[plain(e.id)] = e
		t.aliases[e.name] = e
	}
	return t, nil
}

func unpack(compressed string) (string, error) {
	var out strings.Builder
	if _, err := io.Copy(&out, brotli.NewReader(strings.NewReader(compressed))); err != nil {
		return "", fmt.Errorf("%w: %w", errDamaged, err)
	}
	return out.String(), nil
}

// reader reads numbers and texts; after the first that is cut short, all are zero.
type reader struct {
	data   string
	failed bool
}

func (r *reader) number() int {
	var n uint64
	for i := range min(len(r.data), binary.MaxVarintLen64) {
		n |= uint64(r.data[i]&0x7f) << (7 * i)
		if r.data[i] < 0x80 {
			r.data = r.data[i+1:]
			if n > math.MaxInt64 {
				break
			}
			return int(n)
		}
	}
	r.fail()
	return 0
}

func (r *reader) fail() { r.data, r.failed = "", true }

// count reads the number of things that follow, of at least a byte each.
func (r *reader) count() int {
	n := r.number()
	if n > len(r.data) {
		r.fail()
		return 0
	}
	return n
}

func (r *reader) bytes(n int) string {
	if n > len(r.data) {
		r.fail()
		return ""
	}
	text := r.data[:n]
	r.data = r.data[n:]
	return text
}

func (r *reader) text() string { return r.bytes(r.number()) }

// readService reads one service.
func readService(e *entry) (*Service, error) {
	data, err := unpack(e.block)
	if err != nil {
		return nil, err
	}
	s, err := readBlock(e.id, data)
	if err == nil {
		s.Date = month(e.date)
	}
	return s, err
}

// readBlock reads the text of one service.
func readBlock(id, data string) (*Service, error) {
	r := &reader{data: data}
	words := make([]string, r.count())
	before := ""
	for i := range words {
		shared := r.number()
		if shared > len(before) {
			return nil, errDamaged
		}
		words[i] = before[:shared] + r.text()
		before = words[i]
	}
	b := &parts{reader: r, words: words, shapes: make([]Shape, r.count()), names: make([]string, len(words))}
	for i := range b.shapes {
		b.shape(&b.shapes[i])
	}
	prefix := prefixOf(id)
	s := &Service{ID: id, Name: strings.ToLower(prefix), Prefix: prefix}
	s.Operations = make([]Operation, r.count())
	for i := range s.Operations {
		o := &s.Operations[i]
		o.Name = actionOf(b.word(r.number()))
		o.Input, o.Output = b.at(r.number()), b.at(r.number())
		o.Errors = b.errors()
	}
	s.others = b.errors()
	if r.failed || len(r.data) > 0 {
		return nil, errDamaged
	}
	slices.SortFunc(s.Operations, func(x, y Operation) int { return strings.Compare(x.Name, y.Name) })
	return s, nil
}

// parts are the words and shapes of the service that is read.
type parts struct {
	*reader
	words, names []string // names: the words as members, made when they are needed
	shapes       []Shape
}

func (b *parts) word(i int) string {
	if i >= len(b.words) {
		b.fail()
		return ""
	}
	return b.words[i]
}

func (b *parts) errors() (list []Error) {
	for range b.count() {
		model := b.word(b.number())
		list = append(list, Error{Name: errorOf(model), Model: model})
	}
	return list
}

// at returns the shape at a place, which counts from 1; nil for 0.
func (b *parts) at(place int) *Shape {
	if place == 0 {
		return nil
	}
	if place > len(b.shapes) {
		b.fail()
		return nil
	}
	return &b.shapes[place-1]
}

func (b *parts) shape(s *Shape) {
	head := b.bytes(1)
	if head == "" || Kind(head[0]&kindMask) >= kinds {
		b.fail()
		return
	}
	s.Kind = Kind(head[0] & kindMask)
	if head[0]&hasMin != 0 {
		s.Min = b.bound(head[0])
	}
	if head[0]&hasMax != 0 {
		s.Max = b.bound(head[0])
	}
	if head[0]&hasEnum != 0 {
		s.Enum = make([]string, b.count())
		for i := range s.Enum {
			s.Enum[i] = b.word(b.number())
		}
	}
	switch s.Kind {
	case Structure:
		s.Members = make([]Member, b.count())
		for i := range s.Members {
			n := b.number()
			model := b.word(n >> 1)
			s.Members[i] = Member{Name: b.name(n >> 1), Model: model, Required: n&1 != 0, Shape: b.at(b.number())}
		}
	case Map:
		s.Key, s.Item = b.at(b.number()), b.at(b.number())
	case List:
		s.Item = b.at(b.number())
	default:
	}
}

func (b *parts) name(i int) string {
	if i >= len(b.names) {
		return ""
	}
	if b.names[i] == "" {
		b.names[i] = memberOf(b.words[i])
	}
	return b.names[i]
}

func (b *parts) bound(head byte) *float64 {
	var f float64
	if head&wholeOnly != 0 {
		f = float64(b.number())
	} else if bits := b.bytes(8); bits != "" {
		f = math.Float64frombits(binary.LittleEndian.Uint64([]byte(bits)))
	}
	return &f
}
