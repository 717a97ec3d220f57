package engine

// UseVisits puts other visits in place of the visits in the event and in its Detail: use returns the visit in place of
// one of them. The event must have been made by an execution whose events nothing else holds, as where a part of a run
// is executed again: the Detail is changed.
func (e *Event) UseVisits(use func(*Visit) *Visit) {
	put := func(v **Visit) {
		if *v == nil {
			return
		}
		if other := use(*v); other != *v {
			*v = other
		}
	}
	put(&e.Visit)
	switch d := e.Detail.(type) {
	case *Failure:
		d.useVisits(put)
	case *RetryDetail:
		d.Failure.useVisits(put)
	case *CatchDetail:
		d.Failure.useVisits(put)
	case *TaskRequest:
		put(&d.Visit)
	case *ObjectRequest:
		put(&d.Visit)
	case *ThreadDetail:
		put(&d.Visit)
	case *WaitDetail, *StartDetail, *MapRunDetail, *AssignDetail, *ExitDetail, *RedriveDetail, nil:
	}
}

func (f *Failure) useVisits(put func(**Visit)) {
	if f != nil {
		put(&f.Origin)
	}
}
