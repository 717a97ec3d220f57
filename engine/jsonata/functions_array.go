package jsonata

import (
	"math"
	"math/bits"
	"strconv"

	"asldb/engine/value"
)

var arrays = []definition{
	{"map", "<af>", 2, mapFunction},
	{"filter", "<af>", 2, filterFunction},
	{"single", "<af?>", 2, single},
	{"reduce", "<afj?:j>", 3, reduceFunction},
	{"zip", "<a+>", 0, zip},
	{"append", "<xx:a>", 2, func(c *call) (any, error) { return c.run.join(c.arg(0), c.arg(1)) }},
	{"reverse", "<a:a>", 1, reverse},
	{"sort", "<af?:a>", 2, sortFunction},
	{"shuffle", "<a:a>", 1, shuffle},
	{"distinct", "<x:x>", 1, distinct},
}

// each calls function fn with each item of argument 0, its index and the array.
func (c *call) each(fn any, visit func(item, result any) (bool, error)) error {
	items, _ := viewOf(c.arg(0))
	for i, n := 0, items.len(); i < n; i++ {
		item := items.at(i)
		result, err := c.callback(fn, item, float64(i), c.arg(0))
		if err != nil {
			return err
		}
		more, err := visit(item, result)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

func mapFunction(c *call) (any, error) {
	if c.arg(0) == nil {
		return nil, nil
	}
	out := newSequence()
	err := c.each(c.arg(1), func(_, result any) (bool, error) {
		if result != nil {
			out.push(result)
		}
		return true, c.run.take(1)
	})
	return out, err
}

func filterFunction(c *call) (any, error) {
	if c.arg(0) == nil {
		return nil, nil
	}
	out := newSequence()
	err := c.each(c.arg(1), func(item, result any) (bool, error) {
		yes, err := truth(result, 0)
		if yes {
			out.push(item)
		}
		return err == nil, err
	})
	if err != nil {
		return nil, err
	}
	return out, c.run.take(len(out.items))
}

// single gives the one item for which the function holds.
func single(c *call) (any, error) {
	if c.arg(0) == nil {
		return nil, nil
	}
	var found any
	has := false
	keep := func(item, result any) (bool, error) {
		if yes, err := truth(result, 0); !yes || err != nil {
			return err == nil, err
		}
		if has {
			return false, fail("D3138")
		}
		found, has = item, true
		return true, nil
	}
	var err error
	if c.arg(1) != nil {
		err = c.each(c.arg(1), keep)
	} else {
		items, _ := viewOf(c.arg(0))
		for i, n := 0, min(items.len(), 2); i < n && err == nil; i++ {
			_, err = keep(items.at(i), value.Bool(true))
		}
	}
	if err == nil && !has {
		err = fail("D3139")
	}
	return found, err
}

func reduceFunction(c *call) (any, error) {
	if c.arg(0) == nil {
		return nil, nil
	}
	fn, ok := c.arg(1).(*function)
	if !ok || fn.params() < 2 {
		return nil, fail("D3050").argument(1)
	}
	items, _ := viewOf(c.arg(0))
	result, i := c.arg(2), 0
	if result == nil && items.len() > 0 {
		result, i = items.at(0), 1
	}
	for n := items.len(); i < n; i++ {
		var err error
		if result, err = c.callback(fn, result, items.at(i), float64(i), c.arg(0)); err != nil {
			return nil, err
		}
	}
	return result, nil
}

func zip(c *call) (any, error) {
	shortest := math.MaxInt
	columns := make([]view, len(c.args))
	for i, arg := range c.args {
		columns[i], _ = viewOf(arg)
		shortest = min(shortest, columns[i].len())
	}
	if len(columns) == 0 {
		shortest = 0
	}
	if err := c.run.take(shortest * (len(columns) + 1)); err != nil {
		return nil, err
	}
	out := &list{items: make([]any, 0, shortest)}
	for i := 0; i < shortest; i++ {
		row := value.Each(columns, func(each view) any { return each.at(i) })
		out.push(&list{items: row})
	}
	return out, nil
}

// several are the items of the first argument, and how many; 0 of nothing.
func (c *call) several() (items view, n int) {
	if c.arg(0) != nil {
		items, _ = viewOf(c.arg(0))
		n = items.len()
	}
	return items, n
}

func reverse(c *call) (any, error) {
	items, n := c.several()
	if n <= 1 {
		return c.arg(0), nil
	}
	if err := c.run.take(n); err != nil {
		return nil, err
	}
	out := &list{items: make([]any, n)}
	for i := range out.items {
		out.items[i] = items.at(n - 1 - i)
	}
	return out, nil
}

func sortFunction(c *call) (any, error) {
	items, n := c.several()
	if n <= 1 {
		return c.arg(0), nil
	}
	after := func(a, b any) (bool, error) {
		result, err := c.callWith(c.arg(1), []any{a, b})
		if err != nil {
			return false, err
		}
		return truth(result, 0)
	}
	if c.arg(1) == nil {
		var err error
		if after, err = defaultOrder(items); err != nil {
			return nil, err
		}
	}
	if err := c.run.take(2 * n); err != nil {
		return nil, err
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	err := c.run.mergeSort(order, make([]int, n), func(a, b int) (bool, error) { return after(items.at(a), items.at(b)) })
	if err != nil {
		return nil, err
	}
	out := &list{items: make([]any, n)}
	for i, from := range order {
		out.items[i] = items.at(from)
	}
	return out, nil
}

// defaultOrder compares numbers or strings.
func defaultOrder(items view) (func(a, b any) (bool, error), error) {
	isNumbers, err := allNumbers(items)
	if err != nil {
		return nil, err
	}
	if isNumbers {
		return func(a, b any) (bool, error) {
			x, _ := value.Double(a)
			y, _ := value.Double(b)
			return x > y, nil
		}, nil
	}
	if !allStrings(items) {
		return nil, fail("D3070").argument(1)
	}
	return func(a, b any) (bool, error) {
		return compareText(string(a.(value.String)), string(b.(value.String))) > 0, nil
	}, nil
}

func allStrings(items view) bool {
	for i, n := 0, items.len(); i < n; i++ {
		if _, ok := items.at(i).(value.String); !ok {
			return false
		}
	}
	return true
}

func shuffle(c *call) (any, error) {
	items, n := c.several()
	if n <= 1 {
		return c.arg(0), nil
	}
	if err := c.run.take(n); err != nil {
		return nil, err
	}
	out := &list{items: make([]any, n)}
	for i := range out.items {
		random, err := c.run.randomBits()
		if err != nil {
			return nil, err
		}
		at, _ := bits.Mul64(random, uint64(i)+1)
		out.items[i] = out.items[at]
		out.items[at] = items.at(i)
	}
	return out, nil
}

// distinct leaves out repeated items.
func distinct(c *call) (any, error) {
	items, ok := viewOf(c.arg(0))
	if !ok || items.len() <= 1 {
		return c.arg(0), nil
	}
	_, sequence := isSequence(c.arg(0))
	out := &list{sequence: sequence}
	seen := map[any]bool{}
	var containers []any
	for i, n := 0, items.len(); i < n; i++ {
		item := items.at(i)
		if key, ok := scalarKey(item); ok {
			if !seen[key] {
				seen[key] = true
				out.push(item)
			}
			continue
		}
		known := false
		for _, other := range containers {
			var err error
			if known, err = c.run.equal(item, other, 0); err != nil {
				return nil, err
			} else if known {
				break
			}
		}
		if !known {
			containers = append(containers, item)
			out.push(item)
		}
	}
	return out, c.run.take(3 * len(out.items))
}

// scalarKey is the same for scalars that are equal, and for no others.
func scalarKey(v any) (any, bool) {
	switch v := v.(type) {
	case float64, value.Number:
		f, _ := value.Double(v)
		return "n" + strconv.FormatFloat(f+0, 'g', -1, 64), true
	case value.String, value.Bool, value.Null, *function, nil:
		return v, true
	}
	return nil, false
}
