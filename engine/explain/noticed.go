package explain

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/provenance"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// Noticed explains the facts that a run has noticed: a paragraph for each, labelled "noticed".
func Noticed(r *provenance.RunAgain) Text { return noticedText(r, r.Noticed()) }

// NoticedSince explains the facts about the events of a run from an index on, which need not have ended.
func NoticedSince(r *provenance.RunAgain, from int) Text { return noticedText(r, r.NoticedSince(from)) }

// NoticedBeside is [Noticed] without the errors that the run survived, where these are named for themselves.
func NoticedBeside(r *provenance.RunAgain) Text {
	return noticedText(r, slices.DeleteFunc(r.Noticed(), func(n provenance.Notice) bool {
		return n.Kind == provenance.WasRetried || n.Kind == provenance.WasTolerated
	}))
}

func noticedText(r *provenance.RunAgain, list []provenance.Notice) Text {
	return value.Each(list, func(n provenance.Notice) Paragraph { return noticed(&n, r) })
}

// NoticedJSON returns the facts that a run has noticed for a document.
func NoticedJSON(r *provenance.RunAgain) any {
	type noticeJSON struct {
		Kind  string `json:"kind"`
		State string `json:"state"`
		Event int64  `json:"event"`
		Text  string `json:"text"`
	}
	return value.Each(r.Noticed(), func(n provenance.Notice) noticeJSON {
		p := noticed(&n, r)
		return noticeJSON{n.Kind.String(), n.Visit.Path(), r.Log.At(n.Event).Seq,
			Plain(maxLensValue).Spans(p.Spans[:len(p.Spans)-2])}
	})
}

// noticed is the one place for the words of each kind of notice.
func noticed(n *provenance.Notice, r *provenance.RunAgain) Paragraph {
	p := Paragraph{Label: "noticed"}
	add := func(spans ...Span) { p.Spans = append(p.Spans, spans...) }
	add(Span{Kind: KindState, Text: PlaceName(n.Visit), Event: r.Log.At(n.Event).Seq}, words(": "))
	rule := "rule " + strconv.Itoa(n.Rule+1)
	switch n.Kind {
	case provenance.OtherKind:
		if n.Holds {
			add(words(rule + " can't hold: "))
		} else {
			add(words("a test of " + rule + " is false: "))
		}
		operator := n.Test.Operator
		if n.Test.Path != nil {
			operator += "Path"
		}
		add(pathSpan(n.Paths[0]), words(" is the "+value.KindOf(n.Value)+" "), val(n.Value))
		add(words("; "), fieldName(operator), words(" compares "+comparedBy(operator)))
	case provenance.GuardMissing:
		took := "Default"
		if n.Taken != nil && n.Taken.Kind == asl.LaneRule {
			took = "rule " + strconv.Itoa(n.Taken.Index+1)
		}
		add(words("took "+took+" and not "+rule+", since "), pathSpan(n.Paths[0]), words(" is missing; it is at "))
		pathsWith(n.Elsewhere, " or ", add)
	case provenance.DroppedInput:
		count := len(n.Names) + n.More
		catcher := "catcher " + strconv.Itoa(n.Catcher+1)
		add(words(catcher + " dropped " + wording.Count(count, "member") + " (" + named(n) + ")"))
	case provenance.MemberLeftOut:
		if len(n.Names) == 1 {
			add(words("the member " + n.Names[0] + " was left out: "))
		} else {
			add(words("the members " + named(n) + " were left out: "))
		}
		pathsWith(n.Paths, " and ", add)
		if len(n.Paths) == 1 {
			add(words(" is missing"))
		} else {
			add(words(" are missing"))
		}
	case provenance.Unread:
		add(words("nothing read its result"))
	case provenance.WasRetried:
		add(errorName(n.Error), words(" was retried"))
	case provenance.WasTolerated:
		add(errorName(n.Error), words(" was tolerated by the Map state"))
	}
	if n.Count > 1 {
		add(words(", " + wording.Grouped(n.Count) + " times"))
	}
	add(words("  "), eventSpan(r.Log, n.Event))
	return p
}

// named lists the names of members.
func named(n *provenance.Notice) string {
	text := strings.Join(n.Names, ", ")
	if n.More > 0 {
		text += ", and " + wording.Grouped(n.More) + " more"
	}
	return text
}

// comparedBy names the values that an operator of a Choice state compares.
func comparedBy(operator string) string {
	switch {
	case strings.HasPrefix(operator, "Numeric"):
		return "numbers"
	case strings.HasPrefix(operator, "Boolean"):
		return "Booleans"
	case strings.HasPrefix(operator, "Timestamp"):
		return "timestamps"
	}
	return "strings"
}
