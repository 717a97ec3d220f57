package asl

// AddOperator adds a row to the table of comparison operators; it returns a function that takes it out again.
func AddOperator(o Operator, label string) (remove func()) {
	before := operators
	o.right, o.label = stringOperand, label
	operators = append(operators[:len(operators):len(operators)], o)
	operatorRows = rowsByName(operators)
	return func() { operators, operatorRows = before, rowsByName(before) }
}
