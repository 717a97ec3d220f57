// Package waiter reads Smithy waiters and makes state machines of them: poll an operation, look at the acceptors in
// their order, wait for a delay with jitter, give up when the time is over. The result is a definition like any
// other to the code that runs, records or shows it: its Choice states decide by [asl.Predicate], and its Wait and Task
// states take their times from [asl.Calculation].
//
// The specification is Smithy's "Waiters" (smithy.io/2.0/additional-specs/waiters.html).
package waiter
