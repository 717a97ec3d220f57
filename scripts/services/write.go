package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"

	"asldb/engine/services"
)

// A Source is one service to be written, with the names of its model.
type Source struct {
	// ID is the model's serviceId: "Cognito Identity Provider".
	ID string
	// Aliases are other names by which it is known: "cognito-idp".
	Aliases []string
	// Date is the day, or the month, of the newest model that the service was made of: "2026-11-10", "2024-07".
	Date string
	// Errors are written as Errors of an operation; no operation is known to raise them.
	Errors []string
	// Operations are written in the order of their names.
	Operations []SourceOperation
}

// A SourceOperation is one operation of a [Source]. Of the members of its shapes only Model is read, not Name.
type SourceOperation struct {
	Name          string
	Input, Output *services.Shape // nil where there is none
	Errors        []string        // the names of their shapes
}

// The form of the file and its constants are written down in read.go of engine/services.
const magic = "asldb services 3\n"

// writeTable returns a table of services as a file, in the order of their IDs: the same services give the same bytes.
func writeTable(list []Source) ([]byte, error) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Source) int { return strings.Compare(a.ID, b.ID) })
	var blocks []byte
	var index writer
	index.number(len(list))
	for i := range list {
		if i > 0 && list[i-1].ID == list[i].ID {
			return nil, fmt.Errorf("service %q is there twice", list[i].ID)
		}
		block, err := compressed(blockOf(&list[i]))
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, block...)
		index.text(list[i].ID)
		index.text(list[i].Date)
		index.number(len(list[i].Aliases))
		for _, alias := range list[i].Aliases {
			index.text(alias)
		}
		index.number(len(block))
	}
	head, err := compressed(index.Bytes())
	if err != nil {
		return nil, err
	}
	out := binary.AppendUvarint([]byte(magic), uint64(len(head)))
	return append(append(out, head...), blocks...), nil
}

// compressed is a part of the file. Brotli makes the many small blocks an eighth smaller than zstd does.
func compressed(data []byte) ([]byte, error) {
	var out bytes.Buffer
	w := brotli.NewWriterLevel(&out, brotli.BestCompression)
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}

type writer struct{ bytes.Buffer }

func (w *writer) number(n int) { w.Write(binary.AppendUvarint(nil, uint64(n))) }

func (w *writer) text(s string) {
	w.number(len(s))
	w.WriteString(s)
}

// block collects the words and shapes of one service, each written once.
type block struct {
	words   []string
	wordAt  map[string]int
	shapes  []*services.Shape
	shapeAt map[*services.Shape]int
	same    map[string]*services.Shape // scalars by their content
}

func blockOf(s *Source) []byte {
	b := &block{
		wordAt: make(map[string]int), shapeAt: make(map[*services.Shape]int), same: make(map[string]*services.Shape),
	}
	operations := slices.Clone(s.Operations)
	slices.SortFunc(operations, func(x, y SourceOperation) int { return strings.Compare(x.Name, y.Name) })
	for i := range operations {
		b.collectOperation(&operations[i])
	}
	for _, name := range s.Errors {
		b.word(name)
	}
	slices.Sort(b.words)
	for i, word := range b.words {
		b.wordAt[word] = i
	}
	var w writer
	w.number(len(b.words))
	before := ""
	for _, word := range b.words {
		shared := 0
		for shared < min(len(before), len(word)) && before[shared] == word[shared] {
			shared++
		}
		w.number(shared)
		w.text(word[shared:])
		before = word
	}
	w.number(len(b.shapes))
	for _, shape := range b.shapes {
		b.writeShape(&w, shape)
	}
	w.number(len(operations))
	for i := range operations {
		o := &operations[i]
		w.number(b.wordAt[o.Name])
		w.number(b.place(o.Input))
		w.number(b.place(o.Output))
		w.number(len(o.Errors))
		for _, name := range o.Errors {
			w.number(b.wordAt[name])
		}
	}
	w.number(len(s.Errors))
	for _, name := range s.Errors {
		w.number(b.wordAt[name])
	}
	return w.Bytes()
}

func (b *block) collectOperation(o *SourceOperation) {
	b.word(o.Name)
	b.collect(o.Input)
	b.collect(o.Output)
	for _, name := range o.Errors {
		b.word(name)
	}
}

func (b *block) word(s string) {
	if _, have := b.wordAt[s]; !have {
		b.wordAt[s] = 0
		b.words = append(b.words, s)
	}
}

// collect adds a shape and those that it is made of.
func (b *block) collect(s *services.Shape) {
	if s == nil {
		return
	}
	if _, have := b.shapeAt[s]; have {
		return
	}
	if s.Kind < services.Structure {
		what := fmt.Sprint(s.Kind, bound(s.Min), bound(s.Max), s.Enum)
		if twin := b.same[what]; twin != nil {
			b.shapeAt[s] = b.shapeAt[twin]
			return
		}
		b.same[what] = s
	}
	b.shapeAt[s] = len(b.shapes)
	b.shapes = append(b.shapes, s)
	for _, word := range s.Enum {
		b.word(word)
	}
	for i := range s.Members {
		b.word(s.Members[i].Model)
		b.collect(s.Members[i].Shape)
	}
	b.collect(s.Key)
	b.collect(s.Item)
}

func bound(f *float64) string {
	if f == nil {
		return "-"
	}
	return fmt.Sprint(*f)
}

// place is a shape's place in the block, from 1; 0 for none.
func (b *block) place(s *services.Shape) int {
	if s == nil {
		return 0
	}
	return b.shapeAt[s] + 1
}

// The flags beside the kind of a shape.
const (
	kindMask  = 0x0f
	hasMin    = 0x10
	hasMax    = 0x20
	hasEnum   = 0x40
	wholeOnly = 0x80 // the bounds are whole numbers that are not negative
)

func (b *block) writeShape(w *writer, s *services.Shape) {
	head := byte(s.Kind) | wholeOnly
	for _, f := range []struct {
		bound *float64
		flag  byte
	}{{s.Min, hasMin}, {s.Max, hasMax}} {
		if f.bound != nil {
			head |= f.flag
			if *f.bound < 0 || *f.bound != math.Trunc(*f.bound) || *f.bound > 1<<53 {
				head &^= wholeOnly
			}
		}
	}
	if len(s.Enum) > 0 {
		head |= hasEnum
	}
	w.WriteByte(head)
	for _, limit := range []*float64{s.Min, s.Max} {
		switch {
		case limit == nil:
		case head&wholeOnly != 0:
			w.number(int(*limit))
		default:
			w.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(*limit)))
		}
	}
	if len(s.Enum) > 0 {
		w.number(len(s.Enum))
		for _, word := range s.Enum {
			w.number(b.wordAt[word])
		}
	}
	switch s.Kind {
	case services.Structure:
		w.number(len(s.Members))
		for i := range s.Members {
			m := &s.Members[i]
			required := 0
			if m.Required {
				required = 1
			}
			w.number(b.wordAt[m.Model]<<1 | required)
			w.number(b.place(m.Shape))
		}
	case services.Map:
		w.number(b.place(s.Key))
		w.number(b.place(s.Item))
	case services.List:
		w.number(b.place(s.Item))
	default:
	}
}
