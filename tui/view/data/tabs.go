package data

import "asldb/engine"

// tabs are the views of the pane by the names that they have for the present event.
type tabs struct{ pane *Pane }

// exchange reports whether the data of the event are the request of a task, its response or both, which are two documents and
// not one before and after a change.
func (t tabs) exchange() bool {
	s := t.pane.screen.Selection()
	if s.Event == nil || s.Source != s.Event {
		return false
	}
	switch s.Event.Type {
	case engine.TaskScheduled, engine.TaskSubmitted, engine.TaskSucceeded, engine.TaskFailed, engine.TaskTimedOut:
		return true
	default:
		return false
	}
}

// nameOf returns the name of a view for the present event, "" where the event does not have it: of an exchange there are the
// response, in place of the difference, and the request.
func (t tabs) nameOf(v View) string {
	s := t.pane.screen.Selection()
	switch {
	case v == Wanted && t.pane.options.expected() == nil:
		return ""
	case !t.exchange() || v == Definition || v == Wanted:
		return v.String()
	case v == Side || v == After:
		return ""
	case s.Event.Type == engine.TaskScheduled || s.After == nil || s.Before == nil: // one document
		switch {
		case v == Before:
			return ""
		case s.After == nil || s.Event.Type == engine.TaskScheduled:
			return "request"
		}
		return "response"
	case v == Before:
		return "request"
	}
	return "response"
}

// tab is the view whose name is marked.
func (t tabs) tab() View {
	if t.nameOf(t.pane.view) == "" {
		return Diff
	}
	return t.pane.view
}

// nextDocument is the view after the present one in an exchange.
func (t tabs) nextDocument() View {
	for v := t.tab() + 1; v < viewCount; v++ {
		if t.nameOf(v) != "" && (v != Definition || t.pane.Text().Fits()) {
			return v
		}
	}
	return Diff
}
