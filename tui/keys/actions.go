package keys

// Action is something that a user can do.
type Action uint8

// The actions.
const (
	None Action = iota

	StepStage
	StepState
	StepOver
	StepOut
	StepInto
	Continue
	Pause
	RunTo
	Restart
	Forget
	ApplyFix

	BackStage
	BackState
	BackOver
	BackOut
	BackContinue

	ToggleBreak
	AddBreak
	ListBreaks
	BreakOnError
	Delete // the selected breakpoint or watch

	AddWatch
	ChangedLast
	ComesFrom
	Cause
	Evaluate

	EditData
	Intervene
	Answer
	SaveFixtures
	Undo
	Redrive

	NextTimer
	AdvanceBy
	ClockMode

	GraphLarger
	GraphSmaller
	Minimap
	PreviousInside
	NextInside

	DataView
	Fold // the selection in the focused pane
	FoldAll
	Copy

	Iterations
	StepThread

	TimelineMode
	GoTo
	JumpBack
	JumpForward
	Bookmark
	Bookmarks
	FindEvent
	Filter
	WhatIfs
	Compare
	Source
	NextDifference
	PreviousDifference
	Judge
	Coverage
	Explore

	Look
	Now
	Zoom
	FocusNext
	FocusPrevious
	FocusData
	FocusGraph
	FocusEvents
	FocusSide
	NextTab
	PreviousTab
	DividerLeft
	DividerRight
	DividerUp
	DividerDown

	Up
	Down
	Left
	Right
	ScrollLeft
	ScrollRight
	PageUp
	PageDown
	Top
	Bottom
	Find
	FindNext
	FindPrevious

	Prompt
	Palette
	Help
	Messages
	Redraw
	Suspend
	Quit
	Kill
	actionCount
)
