// Package asl holds definitions: it reads a text with the position of every key and value, makes the model of a
// state machine from it, and reports every problem with its place.
//
// Reading goes in two steps that know nothing of each other. The first turns the text into a tree of [Node]
// values; the second builds the [StateMachine] from the tree, whatever kind of text that came from.
//
// A new comparison operator of Data-Test Expressions is one row of the table in operator.go: see [Operator].
package asl
