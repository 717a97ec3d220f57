package parquetfile

import (
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// leaf is a column that has values.
type leaf struct {
	name       string
	kind       format.Type
	length     int // of a fixed-length byte array
	definition int // the highest level: at it the value is present
	repetition int // the highest level
}

// maxDepth bounds the nesting of columns: their levels are read into bytes.
const maxDepth = 255

// schema reads the elements of a file's schema, which are in depth-first order.
type schema struct {
	elements thrift.Slice[format.SchemaElement]
	next     int
	leaves   []leaf
}

// column reads the next element, and those below it. The levels belong to the column around it.
func (s *schema) column(depth, definition, repetition int) (*column, error) {
	root := depth == 0
	switch {
	case s.next >= len(s.elements):
		return nil, errors.New("its schema ends too early")
	case depth > maxDepth:
		return nil, fmt.Errorf("its schema is nested more than %d levels deep", maxDepth)
	}
	element := &s.elements[s.next]
	s.next++
	c := &column{name: element.Name, form: groupForm, first: len(s.leaves)}
	if element.RepetitionType.Valid && !root {
		c.optional, c.repeated = element.RepetitionType.V == format.Optional, element.RepetitionType.V == format.Repeated
	}
	if c.optional || c.repeated {
		definition++
	}
	if c.repeated {
		repetition++
	}
	c.definition, c.repetition = definition, repetition
	if element.Type.Valid {
		c.form, c.count, c.read = leafForm, 1, cellOf(element)
		s.leaves = append(s.leaves, leaf{element.Name, element.Type.V, int(element.TypeLength.V), definition, repetition})
		return c, nil
	}
	for range element.NumChildren.V {
		field, err := s.column(depth+1, definition, repetition)
		if err != nil {
			return nil, err
		}
		c.fields = append(c.fields, field)
	}
	c.count = len(s.leaves) - c.first
	if !root && len(c.fields) == 1 && c.fields[0].repeated {
		c.annotate(logicalOf(element))
	}
	return c, nil
}

// logicalOf returns the meaning of an element. Older writers name it by a converted type. It is nil where the element
// has none.
func logicalOf(element *format.SchemaElement) format.LogicalTypeValue {
	if meaning := element.LogicalType.Value; meaning != nil || !element.ConvertedType.Valid {
		return meaning
	}
	milliseconds := format.TimeUnit{Value: &format.MilliSeconds{}}
	microseconds := format.TimeUnit{Value: &format.MicroSeconds{}}
	switch element.ConvertedType.V {
	case deprecated.UTF8, deprecated.Json:
		return &format.StringType{}
	case deprecated.Enum:
		return &format.EnumType{}
	case deprecated.Map:
		return &format.MapType{}
	case deprecated.List:
		return &format.ListType{}
	case deprecated.Decimal:
		return &format.DecimalType{Scale: element.Scale.V, Precision: element.Precision.V}
	case deprecated.Date:
		return &format.DateType{}
	case deprecated.TimeMillis:
		return &format.TimeType{IsAdjustedToUTC: true, Unit: milliseconds}
	case deprecated.TimeMicros:
		return &format.TimeType{IsAdjustedToUTC: true, Unit: microseconds}
	case deprecated.TimestampMillis:
		return &format.TimestampType{IsAdjustedToUTC: true, Unit: milliseconds}
	case deprecated.TimestampMicros:
		return &format.TimestampType{IsAdjustedToUTC: true, Unit: microseconds}
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		return &format.IntType{}
	}
	return nil
}
