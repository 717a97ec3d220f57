package template

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"unicode/utf16"

	"asldb/engine/value"
)

// maxRange is the greatest number of items that States.ArrayRange makes.
const maxRange = 1000

func arrayArgument(a *arguments) (value.Value, error) { return value.NewArray(a.values), nil }

// arrayPartition cuts an array into parts of the given size; the last one may be shorter.
func arrayPartition(a *arguments) (value.Value, error) {
	whole, err := a.array(0)
	if err != nil {
		return nil, err
	}
	size, err := a.integer(1)
	if err != nil {
		return nil, err
	}
	if size < 1 {
		return nil, a.fail("the size of a part must be a positive number, but is %s", value.Compact(a.values[1]))
	}
	size = min(size, int64(max(whole.Len(), 1)))
	var parts []value.Value
	for from := 0; from < whole.Len(); from += int(size) {
		if err := a.poll.Step(1); err != nil {
			return nil, err
		}
		parts = append(parts, whole.Slice(from, min(from+int(size), whole.Len())))
	}
	return value.NewArray(parts), nil
}

// arrayContains compares the texts of values, as the service was measured to do: "1" is 1, and objects with another order of
// their members differ.
func arrayContains(a *arguments) (value.Value, error) {
	whole, err := a.array(0)
	if err != nil {
		return nil, err
	}
	wanted, text := appendPlain(nil, a.values[1]), []byte(nil)
	for _, item := range whole.All() {
		if err := a.poll.Step(1); err != nil {
			return nil, err
		}
		if text = appendPlain(text[:0], item); bytes.Equal(text, wanted) {
			return value.Bool(true), nil
		}
	}
	return value.Bool(false), nil
}

// arrayRange counts from its first argument to its second, which is included, by the third.
func arrayRange(a *arguments) (value.Value, error) {
	var limits [3]int64
	for i := range limits {
		n, err := a.integer(i)
		if err != nil {
			return nil, err
		}
		limits[i] = n
	}
	first, last, step := limits[0], limits[1], limits[2]
	if step == 0 {
		return nil, a.fail("the step must not be 0")
	}
	if (step > 0 && first > last) || (step < 0 && first < last) {
		return value.ArrayOf(), nil
	}
	count := (last-first)/step + 1
	if count > maxRange {
		return nil, a.fail("the range has %d items, and the limit is %d", count, maxRange)
	}
	items := make([]value.Value, count)
	for i := range items {
		items[i] = value.Int(first + int64(i)*step)
	}
	return value.NewArray(items), nil
}

func arrayGetItem(a *arguments) (value.Value, error) {
	whole, err := a.array(0)
	if err != nil {
		return nil, err
	}
	index, err := a.integer(1)
	if err != nil {
		return nil, err
	}
	if whole.Len() == 0 {
		return value.Null{}, nil // as measured
	}
	if index < 0 || index >= int64(whole.Len()) {
		return nil, a.fail("index %d is outside of the array, which has %s", index, plural(whole.Len(), "item"))
	}
	return whole.At(int(index)), nil
}

func arrayLength(a *arguments) (value.Value, error) {
	whole, err := a.array(0)
	if err != nil {
		return nil, err
	}
	return value.Int(int64(whole.Len())), nil
}

// arrayUnique keeps the first of equal items, in the order of Java's HashSet, which the service has.
func arrayUnique(a *arguments) (value.Value, error) {
	whole, err := a.array(0)
	if err != nil {
		return nil, err
	}
	size := 16
	for float64(size) < float64(whole.Len())/0.75+1 {
		size *= 2
	}
	var kept []hashed
	buckets := make(map[uint64][]value.Value) // distinct items by hash
	for _, item := range whole.All() {
		if err := a.poll.Step(1); err != nil {
			return nil, err
		}
		hash := value.Hash(item)
		known, err := a.among(buckets[hash], item)
		if err != nil {
			return nil, err
		}
		if !known {
			buckets[hash] = append(buckets[hash], item)
			order := javaHash(item)
			kept = append(kept, hashed{item, (order ^ order>>16) & uint32(size-1)})
		}
	}
	slices.SortStableFunc(kept, func(a, b hashed) int { return cmp.Compare(a.bucket, b.bucket) })
	items := value.Each(kept, func(each hashed) value.Value { return each.value })
	return value.NewArray(items), nil
}

// among reports whether v equals one of the items.
func (a *arguments) among(items []value.Value, v value.Value) (bool, error) {
	for _, item := range items {
		if err := a.poll.Step(1); err != nil {
			return false, err
		}
		if item.Kind() == v.Kind() && value.Equal(item, v) {
			return true, nil
		}
	}
	return false, nil
}

// hashed is an item with its bucket in a HashSet.
type hashed struct {
	value  value.Value
	bucket uint32
}

// javaHash is hashCode of Java's Boolean, Integer, Long, Double, String, List and Map.
func javaHash(v value.Value) uint32 {
	switch v := v.(type) {
	case value.Bool:
		if v {
			return 1231
		}
		return 1237
	case value.Number:
		bits := math.Float64bits(v.Float64())
		if whole := v.Float64(); whole == math.Trunc(whole) && math.Abs(whole) < 1<<63 { // 1 and 1.0 are one, as measured
			bits = uint64(int64(whole))
			if int64(whole) == int64(int32(whole)) {
				return uint32(bits)
			}
		}
		return uint32(bits ^ bits>>32)
	case value.String:
		return javaTextHash(string(v))
	case *value.Array:
		hash := uint32(1)
		for _, item := range v.All() {
			hash = 31*hash + javaHash(item)
		}
		return hash
	case *value.Object:
		hash := uint32(0)
		for key, member := range v.All() {
			hash += javaTextHash(key) ^ javaHash(member)
		}
		return hash
	}
	return 0
}

func javaTextHash(text string) uint32 {
	hash := uint32(0)
	for _, unit := range utf16.Encode([]rune(text)) {
		hash = 31*hash + uint32(unit)
	}
	return hash
}

// jsonMerge puts the members of the second object over the members of the first. The service merges only the topmost level.
func jsonMerge(a *arguments) (value.Value, error) {
	first, err := a.object(0)
	if err != nil {
		return nil, err
	}
	second, err := a.object(1)
	if err != nil {
		return nil, err
	}
	if a.values[2] == value.Bool(true) { // anything but a boolean counts as false
		return nil, a.fail("argument 3 must be false: only shallow merging is supported")
	}
	var b value.ObjectBuilder
	for key, v := range first.All() {
		b.Set(key, v)
	}
	for key, v := range second.All() {
		b.Set(key, v)
	}
	return b.Object(), nil
}
