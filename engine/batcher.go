package engine

import (
	"fmt"

	"asldb/engine/value"
)

// maxBatchBytes is the greatest input of an execution, in bytes of compact JSON, and so of a batch.
const maxBatchBytes = 262_144

// batchWork is the state of an ItemBatcher.
type batchWork struct {
	selected []value.Value // the items after ItemSelector, so far
	batches  *value.Array  // the inputs of the executions; nil without an ItemBatcher
	sizes    []int         // how many items each batch has
}

// selectForBatch runs ItemSelector for the next item.
func (d distributed) selectForBatch() {
	w := d.work
	next := len(w.selected)
	if next == w.items.Len() {
		d.batch()
		return
	}
	if item, ok := container(d).selectItem(d.state.def.ItemSelector, w.items.At(next), next); ok {
		w.selected = append(w.selected, item)
	}
}

// batch gathers the items into batches (Step Functions' ItemBatcher).
func (d distributed) batch() {
	w, field := d.work, d.state.def.ItemBatcher.BatchInput
	all := w.items
	if d.state.def.ItemSelector != nil {
		all = value.NewArray(w.selected)
	}
	var shared value.Value
	if field != nil {
		filled, failure := d.e.fillPart(d.thread, StageItemBatcher, "ItemBatcher/BatchInput", field)
		if failure != nil {
			d.fail(StageItemBatcher, d.effective, failure)
			return
		}
		shared = filled
	}
	b := batching{shared: shared, all: all, maxItems: d.limits.distributed.batchItems, maxBytes: d.limits.distributed.batchBytes}
	if b.maxBytes == 0 || b.maxBytes > maxBatchBytes {
		b.maxBytes = maxBatchBytes
	}
	if tooLarge := b.make(); tooLarge != "" {
		d.fail(StageItemBatcher, all, &Failure{
			Name: ErrorDataLimitExceeded, Cause: tooLarge, Origin: d.visit, Field: "ItemBatcher",
		})
		return
	}
	w.batches, w.sizes, w.selected = value.NewArray(b.inputs), b.sizes, nil
	w.length = len(b.inputs)
	w.results = newResults(w.length)
	d.phase = phaseSpawn
	d.e.emit(d.thread, &Event{Type: StageCompleted, Stage: StageItemBatcher, Before: all, After: w.batches})
}

// batching makes batches of items.
type batching struct {
	shared   value.Value // BatchInput, or nil
	all      *value.Array
	maxItems int64 // 0 means no bound
	maxBytes int64 // of a batch as compact JSON, BatchInput included

	inputs []value.Value
	sizes  []int
}

// make fills inputs and sizes. It returns a fault where an item is too large for any batch.
func (b *batching) make() (tooLarge string) {
	empty := int64(value.Size(b.input(value.ArrayOf())))
	from, size := 0, empty
	for i, item := range b.all.All() {
		bytes := int64(value.Size(item))
		if empty+bytes > b.maxBytes {
			return fmt.Sprintf("Item %d makes a batch of %d bytes, more than the %d that a batch can have.", i, empty+bytes, b.maxBytes)
		}
		grown := size + bytes
		if i > from {
			grown++ // the comma
		}
		if i > from && (grown > b.maxBytes || (b.maxItems > 0 && int64(i-from) >= b.maxItems)) {
			b.close(from, i)
			from, grown = i, empty+bytes
		}
		size = grown
	}
	if from < b.all.Len() {
		b.close(from, b.all.Len())
	}
	return ""
}

func (b *batching) close(from, to int) {
	b.inputs = append(b.inputs, b.input(b.all.Slice(from, to)))
	b.sizes = append(b.sizes, to-from)
}

// input returns the input of an execution: {"BatchInput": …, "Items": […]}.
func (b *batching) input(items *value.Array) value.Value {
	list := value.Member{Key: "Items", Value: items}
	if b.shared == nil {
		return value.ObjectOf(list)
	}
	return value.ObjectOf(value.Member{Key: "BatchInput", Value: b.shared}, list)
}
