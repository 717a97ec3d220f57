package parquetfile

import (
	"github.com/parquet-go/parquet-go/format"

	"asldb/engine/value"
)

// form is how a column without its repetition is written in JSON.
type form uint8

const (
	leafForm    form = iota
	groupForm        // an object
	listForm         // a group whose one repeated field has the elements
	mapForm          // a group whose one repeated field has the keys and values
	elementForm      // a group around one element of a list
)

// column is a node of a Parquet file's schema. Its leaves are neighbors in the order of the file.
type column struct {
	name               string
	form               form
	optional, repeated bool
	definition         int // level from which on it is present
	repetition         int // level at which a further element begins
	first, count       int // of its leaves
	fields             []*column
	read               cell // of a leaf
}

// annotate makes a list or a map of a group with one repeated field, by the rules of the format for files of older
// writers too.
func (c *column) annotate(logical format.LogicalTypeValue) {
	inner := c.fields[0]
	switch logical.(type) {
	case *format.ListType:
		c.form = listForm
		if inner.form == groupForm && len(inner.fields) == 1 && inner.name != "array" && inner.name != c.name+"_tuple" {
			inner.form = elementForm
		}
	case *format.MapType:
		if inner.form == groupForm && len(inner.fields) == 2 {
			c.form = mapForm
		}
	}
}

// value returns what one row, or one element of a column around this one, has here. cells has the values of the
// column's leaves.
func (c *column) value(cells [][]datum) (value.Value, error) {
	present := len(cells) == 0 || cells[0][0].definition >= c.definition
	switch {
	case c.repeated && !present:
		return value.ArrayOf(), nil
	case c.repeated:
		return c.elements(cells)
	case c.optional && !present:
		return value.Null{}, nil
	}
	return c.single(cells)
}

// elements returns the elements of a repeated column.
func (c *column) elements(cells [][]datum) (value.Value, error) {
	rest := make([][]datum, len(cells))
	copy(rest, cells)
	var all []value.Value
	for len(rest) > 0 && len(rest[0]) > 0 {
		element := make([][]datum, len(rest))
		for i, values := range rest {
			end := 1
			for end < len(values) && values[end].repetition > c.repetition {
				end++
			}
			element[i], rest[i] = values[:end], values[end:]
		}
		v, err := c.single(element)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return value.NewArray(all), nil
}

// single returns the one value of a column that is present.
func (c *column) single(cells [][]datum) (value.Value, error) {
	switch c.form {
	case leafForm:
		return c.read(cells[0][0])
	case listForm, elementForm:
		return c.fields[0].value(cells)
	case mapForm:
		return c.entries(cells)
	case groupForm:
	}
	members := make([]value.Member, len(c.fields))
	for i, field := range c.fields {
		v, err := field.value(field.within(c, cells))
		if err != nil {
			return nil, err
		}
		members[i] = value.Member{Key: field.name, Value: v}
	}
	return value.NewObject(members), nil
}

// entries returns a map as an object. Of a repeated key the last value counts, as the format says.
func (c *column) entries(cells [][]datum) (value.Value, error) {
	all, err := c.fields[0].value(cells)
	if err != nil {
		return nil, err
	}
	key, held := c.fields[0].fields[0].name, c.fields[0].fields[1].name
	var members value.ObjectBuilder
	for _, entry := range all.(*value.Array).All() {
		pair := entry.(*value.Object)
		name, isText := pair.Get(key).(value.String)
		if !isText {
			name = value.String(value.Compact(pair.Get(key)))
		}
		members.Set(string(name), pair.Get(held))
	}
	return members.Object(), nil
}

// within returns the part of the cells of a group that belongs to its field c.
func (c *column) within(group *column, cells [][]datum) [][]datum {
	from := c.first - group.first
	return cells[from : from+c.count]
}
