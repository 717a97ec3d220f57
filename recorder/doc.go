// Package recorder writes the events of a run, and reads them again.
//
// A [TraceWriter] records a run in a trace file and [Open] reads one. A [Writer] writes the events alone, as "asldb run
// --events" prints them.
//
// # The format of a trace
//
// A trace is JSON Lines in UTF-8, appended in order. The first member of a line is its kind; a carriage return before a
// line feed is ignored. Readers ignore members they do not know, and reject a newer version.
//
//	format   the header: always the first line
//	seq      an event
//	answer   an input of the run
//	value    a large value, before the first line that refers to it
//	rewound  the next lines continue after an earlier event
//
// Numbers keep their text (1.0 stays 1.0), and members their order.
//
// # The header
//
//	format       "asldb-trace"
//	version      2; version 1 is read too
//	asldb        the version of the program
//	origin       the source of a trace that asldb did not record, such as an imported history
//	start        the virtual time of the start, RFC 3339, as all times
//	seed         the seed of random choices
//	dialect      "aws" or "spec"
//	express      true for an Express execution, whose events have no historyId
//	tokens       the beginning of the task tokens, for an execution of asldb serve
//	limits       payloadBytes, variableBytes, variablesBytes, historyEvents (0: none); evaluationSteps if it is not
//	             the usual bound
//	abort        of an abort from outside: at, error, cause
//	lost         the sentences of a repair about lines that are lost
//	redactions   the redacted paths
//	input        the execution's input, also value 0
//	inputText    its text as the caller wrote it, unless that is the compact one or values were redacted
//	context      members merged into the context object
//	definition   name (of the file), digest ("sha256:" of the text as it ran), text; absent if unknown
//
// # Events
//
// One event is one JSON object. These members are in every object, in this order:
//
//	seq      the number of the event, from 1
//	time     the virtual time, RFC 3339 in UTC, with as many digits of a second as it needs
//	type     "StateEntered", "StageCompleted", …: the name of the engine's EventType
//	thread   the thread's number; 0 is the root
//
// These follow where the event has them:
//
//	state       the state path, "Fulfil/Branches[1]/Notify"
//	visit       which visit of the state by its thread, from 1
//	entered     the seq of the StateEntered event that began the visit
//	stage       "InputPath", "ResultSelector", …: the name of the field that the stage carries out
//	inspection  the key of TestState's inspection data for it, "afterInputPath"
//	historyId   the id of the event, or of the first one in its place, in GetExecutionHistory; of a child execution of a
//	            distributed Map, in its own history; of a trace of a history, the recorded id
//	before      the data before
//	after       the data after
//
// There is no historyId for events that the history lacks, in the dialect spec, of Express executions, and above 65535
// (but for StateEntered). In version 1 only StateEntered has it, as history. After an ExecutionRedriven the events
// continue the attempt before: the inputs of such a trace begin at the redrive, so it is shown, not executed
// again.
//
// What only one type of event has comes last, under these names; durations are numbers of seconds, times are written as
// time is, numbers of places are from 0:
//
//	a failure     error, cause, field, origin (the state path where the error came up, where it is another state)
//	a task        request, resource, attempt, invocation, timeoutSeconds, heartbeatSeconds, credentials;
//	              its payload is after
//	a wait        until
//	Parallel, Map length, maxConcurrency (0: all at once), done (how many a redrive does not run again)
//	a redrive     redriveCount
//	a Map Run     mapRunArn, redriveCount
//	an object     request, action (getObject or listObjectsV2), bucket, key (of a list: the prefix)
//	a thread      child (the thread's number), index (of the branch or iteration), and of an aborted one
//	              in (the path of the state that it was in)
//	an Assign     assigned (the variables that it set)
//	a retry       the failure's, then retrier, attempt, delaySeconds, backoffSeconds, due
//	a catch       the failure's, then catcher, next
//	an exit       next (absent at the end of a scope), rule (absent unless a Choice rule matched)
//
// Of an execution that a task of the run has started, "asldb run --events" prints the events before the task's own that
// they lead to. They have their own seq, from 1, and last a member execution: definition (the file's name), state
// and request (of the task that started it) and, where that task is not the run's, in: the execution that it is of.
//
// The order of members is fixed, so equal events have equal bytes. In a trace a value of about 256 bytes or more is in
// its own line: beforeValue, afterValue, credentialsValue and assignedValue give the number of that line in place of
// the value. A trace has also these members:
//
//	parent         of StateEntered: the seq of the entry into the Parallel or Map state around it
//	originEntered  with origin: the seq of the entry into that state
//	inEntered      with in: the same
//	timeoutSet     of a task: true if the definition sets its timeout
//
// It leaves out child, which is the event's thread, and backoffSeconds if it equals delaySeconds. Version 1 has both.
//
// # Values
//
// {"value": 7, …} is value 7; numbers begin at 1. These members, in this order, define it:
//
//	is          the whole value
//	from, part  the value it derives from; only the part at this path
//	at, set     with from: the members of set are set in the object at path at (absent: in the value); a member that
//	            exists keeps its place, another comes last
//	put         values for places that have null: a list of [path, number], or [path, number, path to a part of that
//	            value]
//
// A path is a list of names and indexes, ["orders", 0, "id"]. A value depends on at most 16 others in a chain.
//
// # Answers
//
// The header and the answers reproduce the run. answer is the kind, step the number of engine steps so far, after the
// seq of the newest event, origin the source ("person", "clock", "fixtures", …). The kinds, with their members:
//
//	outcome    request, and output (or outputValue), or error and cause; submitted, afterSeconds, due,
//	           heartbeatEverySeconds
//	mapRun     thread, and output (or outputValue), or error and cause; afterSeconds, due: the result of a Map Run
//	           whose executions did not run
//	object     request, and body (bodyBase64 if it is not text), or refused with the reason
//	time       time, the new virtual time
//	focus      thread, which runs next
//	edit       editThread, and edit (or editValue): the new data
//	inject     thread, error, cause: its next step failed
//	abort      error, cause
//	heartbeat  request
//	timeout    request
//	mapBounds  thread, and of maxConcurrency, toleratedFailureCount and toleratedFailurePercentage those that changed
//
// due is the virtual time at which an outcome with afterSeconds takes effect; it is not in version 1 and may be absent
// after rewound.
//
// # Forks
//
// {"rewound": 12} begins a what-if: the next lines continue after event 12 of the run before, which stays. The what-if
// has the events up to 12 and the answers whose after is less than 12; later answers that both share are written again.
// {"rewound": 0} is a restart.
package recorder
