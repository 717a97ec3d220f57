package intrinsic

import "asldb/engine/value"

// maxRange is the greatest number of items that States.ArrayRange makes.
const maxRange = 1000

func array(a *arguments) (value.Value, error) { return value.NewArray(a.values), nil }

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

func arrayContains(a *arguments) (value.Value, error) {
	whole, err := a.array(0)
	if err != nil {
		return nil, err
	}
	for _, item := range whole.All() {
		if err := a.poll.Step(1); err != nil {
			return nil, err
		}
		if value.Equal(item, a.values[1]) {
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

// arrayUnique keeps the first of equal items.
func arrayUnique(a *arguments) (value.Value, error) {
	whole, err := a.array(0)
	if err != nil {
		return nil, err
	}
	var kept []value.Value
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
			kept = append(kept, item)
		}
	}
	return value.NewArray(kept), nil
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

// jsonMerge puts the members of the second object over those of the first. The service merges only the
// topmost level.
func jsonMerge(a *arguments) (value.Value, error) {
	first, err := a.object(0)
	if err != nil {
		return nil, err
	}
	second, err := a.object(1)
	if err != nil {
		return nil, err
	}
	deep, ok := a.values[2].(value.Bool)
	if !ok {
		return nil, a.wrong(2, "true or false")
	}
	if deep {
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
