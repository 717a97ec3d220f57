package tui

import "asldb/tui/part/theme"

// computedWords explains what a stage decided or worked out by something else than the language.
func (u *ui) computedWords() []para {
	if u.moment.event == nil || u.moment.index < 0 {
		return nil
	}
	var words []para
	for _, c := range u.session.ExplainComputed(u.moment.index) {
		switch {
		case !c.Rule:
			words = append(words, para{theme.Plain, c.Text, 2})
		case c.Holds:
			words = append(words, para{theme.Good, u.glyphs.Visited + " " + c.Text + " " + u.glyphs.To + " " + c.Next, 2})
		default:
			words = append(words, para{theme.Plain, u.glyphs.Failed + " " + c.Text + " " + u.glyphs.To + " " + c.Next, 2})
		}
		for _, f := range c.Findings {
			words = append(words, para{theme.Dim, "  " + f.What + ": " + f.Found, 4})
		}
		if c.Default != "" {
			words = append(words, para{theme.Warn, "so it goes on " + u.glyphs.To + " " + c.Default, 0})
		}
	}
	return words
}
