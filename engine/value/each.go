package value

// Each returns the results of a function of each item of a list, in their order. The result of an empty list is empty,
// and not nil.
func Each[T, U any](list []T, of func(T) U) []U {
	all := make([]U, len(list))
	for i, item := range list {
		all[i] = of(item)
	}
	return all
}

// Texts returns an array of strings.
func Texts(list []string) *Array {
	return NewArray(Each(list, func(text string) Value { return String(text) }))
}
