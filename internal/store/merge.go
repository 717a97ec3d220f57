package store

import "asldb/engine/breakpoint"

// merge merges the state here and the file's, where base is the state here when the file was last read
// or written: additions and removals of either side apply.
func merge(base, mine, theirs State) State {
	var merged State
	merged.Breakpoints = mergeLists(base.Breakpoints, mine.Breakpoints, theirs.Breakpoints,
		func(b breakpoint.Saved) breakpoint.Saved {
			b.Disabled = false
			return b
		})
	itself := func(text string) string { return text }
	merged.Watches = mergeLists(base.Watches, mine.Watches, theirs.Watches, itself)
	merged.Bookmarks = mergeLists(base.Bookmarks, mine.Bookmarks, theirs.Bookmarks,
		func(b breakpoint.Bookmark) breakpoint.Bookmark {
			b.Note = ""
			return b
		})
	for _, histories := range []map[string][]string{mine.History, theirs.History} {
		for kind := range histories {
			lines := mergeLists(base.History[kind], mine.History[kind], theirs.History[kind], itself)
			if merged.History == nil {
				merged.History = make(map[string][]string)
			}
			merged.History[kind] = lines[max(0, len(lines)-maxHistory):]
		}
	}
	return merged
}

// mergeLists merges lists whose entries are identified by a key. The order is mine; entries that only theirs has come behind
// it. The rest of an entry is theirs where it was not changed here.
func mergeLists[T, K comparable](base, mine, theirs []T, key func(T) K) []T {
	before, there := byKey(base, key), byKey(theirs, key)
	var merged []T
	have := make(map[K]bool)
	for _, entry := range mine {
		k := key(entry)
		old, known := before[k]
		other, stands := there[k]
		switch {
		case have[k], known && !stands: // twice, or taken away by the other
			continue
		case known && old == entry:
			entry = other
		}
		have[k] = true
		merged = append(merged, entry)
	}
	for _, entry := range theirs {
		k := key(entry)
		if _, known := before[k]; !known && !have[k] {
			have[k] = true
			merged = append(merged, entry)
		}
	}
	return merged
}

func byKey[T, K comparable](entries []T, key func(T) K) map[K]T {
	keyed := make(map[K]T, len(entries))
	for _, entry := range entries {
		keyed[key(entry)] = entry
	}
	return keyed
}
