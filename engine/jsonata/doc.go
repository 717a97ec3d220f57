// Package jsonata evaluates JSONata expressions over the values of engine/value.
//
// The language is that of JSONata 2.0.6, which Step Functions documents; [Options.Extended] adds
// those of 2.1 and 2.2. [StepFunctions] returns the options that Step Functions has: its own functions, and no
// $eval. Errors carry the codes and the wording of the reference implementation.
//
// Every evaluation is bounded in steps, depth and memory (see [Limits]) and can be interrupted. The
// package reads no clock and draws random numbers only from its [Env], so that a run can be
// repeated.
//
// Numbers that an expression computes are doubles. A number that is only passed on keeps the text it was
// written with. Regular expressions are JavaScript's. RE2 does most of them; a search by one that it can't do
// (look-around, back references, groups in some repetitions) has a bound of this program's own.
package jsonata
