package history

// Page reports whether the execution is a part of a longer history: its first events are missing, or a token says that others follow.
func (x *Execution) Page() bool {
	return !x.FromLog && len(x.Events) > 0 && (x.Events[0].ID > 1 || x.pagesLeft)
}

// Join puts the pages of one history together, in any order. The error is a *[ReadError]: the pages belong to several histories.
func Join(name string, pages ...*Execution) (*Execution, error) {
	r := &reader{file: File{Name: name}, byARN: map[string]*Execution{}}
	all := r.group("")
	for _, page := range pages {
		if page.ARN != "" {
			r.described = page.ARN
		}
		all.Events = append(all.Events, page.Events...)
		all.pagesLeft = all.pagesLeft || page.pagesLeft
	}
	joined, err := r.finish()
	if err != nil {
		return nil, err
	}
	return joined[0], nil
}
