package asl

import "slices"

// AddOperator adds a row to the table of comparison operators; it returns a function that takes it out again.
func AddOperator(o Operator, label string) (remove func()) {
	before := operators
	o.right, o.label = StringOperand, label
	operators = append(operators[:len(operators):len(operators)], o)
	operatorRows = rowsByName(operators)
	return func() { operators, operatorRows = before, rowsByName(before) }
}

// WithoutField takes the rows of a field out of the table of fields; restore puts them back.
func WithoutField(name string) (restore func()) {
	before, index := stateFields, fieldIndex
	stateFields = slices.DeleteFunc(slices.Clone(before), func(f Field) bool { return f.Name == name })
	fieldIndex = indexOf(stateFields)
	return func() { stateFields, fieldIndex = before, index }
}
