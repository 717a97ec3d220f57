package side

import (
	"slices"
	"strconv"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/view"
)

// threads is the section with the live threads as a tree: below each Parallel or Map the tally of its branches or iterations,
// and those that have not ended.
type threads struct {
	picks
	screen  Screen
	section func() bool // the section has the focus
	index   *runlog.Index
	timers  *timers
	live    []engine.ThreadInfo // by id
	// chosen: a thread was picked by the user; until then it is the thread of the selected event.
	chosen bool
}

// maxSiblings is how many branches or iterations of one state are listed.
const maxSiblings = 32

func (p *threads) count() int { return len(p.live) }

func (p *threads) hasRows() bool { return len(p.live) > 1 }

func (p *threads) refresh() {
	session := p.screen.Session()
	p.index.Extend(session.Log())
	picked := p.begin()
	p.live = session.Threads()
	if len(p.live) > 0 {
		p.newTree().add(&p.live[0], 0)
	}
	if e := p.screen.Selection().Event; e != nil && !p.chosen {
		picked = int64(e.Thread)
	}
	p.chosen = p.pick(picked) && p.chosen
}

// tree writes the lines of the threads.
type tree struct {
	*threads
	children map[engine.ThreadID][]*engine.ThreadInfo
	wakes    map[engine.ThreadID]time.Time // the times of the threads' timers
}

func (p *threads) newTree() *tree {
	t := &tree{threads: p}
	if len(p.live) > 1 {
		t.children = make(map[engine.ThreadID][]*engine.ThreadInfo)
	}
	for i := range p.live {
		if thread := &p.live[i]; thread.ID != 0 {
			t.children[thread.Parent] = append(t.children[thread.Parent], thread)
		}
	}
	if len(p.timers.all) > 0 {
		t.wakes = make(map[engine.ThreadID]time.Time)
	}
	for _, timer := range p.timers.all {
		if timer.Visit != nil && t.wakes[timer.Visit.Thread].IsZero() {
			t.wakes[timer.Visit.Thread] = timer.At
		}
	}
	return t
}

func (p *tree) add(t *engine.ThreadInfo, depth int) {
	session, g := p.screen.Session(), p.screen.Glyphs()
	line := explain.Thread(session, t, p.wakes[t.ID])
	style := prose.StyleOf(line.Tone)
	if line.Sign == explain.SignNext {
		style = canvas.Current
	}
	text := prose.Spans(line.Spans, g)
	header, known := p.headerOf(t)
	var standing runlog.Standing
	if known {
		standing = p.index.Standing(header, session.Position())
		text += "  " + explain.SinceStart(p.screen.Start(), session.Log().At(standing.Newest).At())
	}
	p.threads.add(int64(t.ID), style, 2*depth, prose.SignsOf(g)[line.Sign]+" "+strconv.Itoa(int(t.ID)), text)
	list := p.children[t.ID]
	if len(list) == 0 || t.Visit == nil {
		return
	}
	if known {
		p.threads.add(noItem, canvas.Dim, 2*depth+2, "", explain.Tally(standing.Counts))
	}
	for _, child := range list[:min(len(list), maxSiblings)] {
		p.add(child, depth+1)
	}
	if more := len(list) - maxSiblings; more > 0 {
		p.threads.add(noItem, canvas.Dim, 2*depth+2, "", wording.Grouped(more)+" more that run")
	}
}

// headerOf returns the header of the visit that a live thread is in, or of the thread itself where it has not entered
// a state; ok is false where nothing has happened in it.
func (p *threads) headerOf(t *engine.ThreadInfo) (header int, ok bool) {
	if t.Visit != nil && t.Visit.Thread == t.ID {
		return int(t.Visit.Entered) - 1, true
	}
	header, ok = p.index.ThreadAt(t.ID, p.screen.Session().Position())
	return header, ok && header != runlog.None
}

func (p *threads) bindings() view.Bindings {
	return view.Bindings{
		{
			Action: keys.Look, Applies: func() bool { return p.section() && p.picked() != noItem },
			Run: view.Run(func() { p.runNext(engine.ThreadID(p.picked())) }),
		},
		{
			Action: keys.StepThread,
			Run: view.Run(func() {
				p.screen.Begin(debug.Command{Kind: debug.StepThread, Thread: p.stepped()})
			}),
			Disabled: func() string {
				if len(p.live) == 0 {
					return "the run is over"
				}
				return p.screen.Disabled(keys.StepStage)
			},
		},
	}
}

// stepped is the thread that is stepped alone: in the section the picked one, else the selected event's or the
// innermost live one around it.
func (p *threads) stepped() engine.ThreadID {
	if p.section() {
		return engine.ThreadID(p.picked())
	}
	lives := func(id engine.ThreadID) bool {
		return slices.ContainsFunc(p.live, func(t engine.ThreadInfo) bool { return t.ID == id })
	}
	if e := p.screen.Selection().Event; e != nil && e.Visit != nil {
		if lives(e.Thread) {
			return e.Thread
		}
		for v := e.Visit; v != nil; v = v.Parent {
			if lives(v.Thread) {
				return v.Thread
			}
		}
	}
	return engine.ThreadID(p.picked())
}

// runNext makes a thread the one that runs next.
func (p *threads) runNext(id engine.ThreadID) {
	if err := p.screen.Session().Interventions().Focus(id); err != nil {
		p.screen.Say(canvas.Bad, err.Error())
		return
	}
	p.chosen = true
	p.screen.Refresh()
	for i := range p.live {
		if t := &p.live[i]; t.ID == id {
			text := "Thread " + threadText(t) + " runs next."
			if t.Blocked != engine.NotBlocked {
				text = "Thread " + threadText(t) + " runs next once it need not wait for " + t.Blocked.String() + " any more."
			}
			p.screen.Say(canvas.Plain, text)
		}
	}
}

func threadText(t *engine.ThreadInfo) string {
	text := strconv.Itoa(int(t.ID))
	if t.Visit != nil {
		text += ", " + explain.PlaceName(t.Visit) + ","
	}
	return text
}
