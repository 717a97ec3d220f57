package runlog

import "asldb/engine"

// CarriesDocument reports whether the data after an event are its thread's document: a state's raw input, the
// results of ResultPath and OutputPath (in JSONata Output), its output, and data that replaced any of these in an edit. Other
// values, such as a payload or a raw result, are not: a path that they lack has not changed.
func CarriesDocument(event *engine.Event) bool {
	if event.After == nil || event.Visit == nil {
		return false
	}
	switch event.Type {
	case engine.StateEntered, engine.StateExited:
		return true
	case engine.StageCompleted, engine.DataEdited:
		return event.Stage == engine.StageInput || event.Stage == engine.StageResultPath || event.Stage == engine.StageOutputPath
	default:
		return false
	}
}

// DocumentBefore returns the index of the newest event before event i in the same thread that carries its document, -1 where
// event i is the thread's first.
func (l *Log) DocumentBefore(i int) int {
	event := l.At(i)
	for at := i - 1; at >= 0; at-- {
		earlier := l.At(at)
		switch {
		case earlier.Visit == nil:
		case earlier.Thread == event.Thread && CarriesDocument(earlier):
			return at
		case earlier.Type == engine.BranchStarted || earlier.Type == engine.IterationStarted:
			if detail, ok := earlier.Detail.(*engine.ThreadDetail); ok && detail.Thread == event.Thread {
				return -1
			}
		}
	}
	return -1
}

// lookBack is the number of events in which the data are looked for of an event of the whole execution that has none.
const lookBack = 64

// DataAt returns the index of the event with the data to look at in event i: i itself where it has data, else the newest
// one before it in the same visit, -1 where there is none.
func (l *Log) DataAt(i int) int {
	event := l.At(i)
	for at := i; at >= 0; at-- {
		earlier := l.At(at)
		if event.Visit == nil && i-at > lookBack {
			break
		}
		if (event.Visit == nil || earlier.Visit == event.Visit) && (earlier.After != nil || earlier.Before != nil) {
			return at
		}
	}
	return -1
}

// PreviousInThread returns the index of the event before event i in the same thread, -1 where there is none, or none any
// more.
func (l *Log) PreviousInThread(i int) int {
	if i < 0 {
		return -1
	}
	thread := l.At(i).Thread
	first := l.First()
	for i--; i >= first && l.At(i).Thread != thread; i-- {
	}
	if i < first {
		return -1
	}
	return i
}
