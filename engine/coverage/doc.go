// Package coverage counts which parts of a definition runs have gone through: states, Choice rules, retriers and catchers,
// errors that nothing catches, branches, the kinds of Map runs, timeouts, and as an option the results of each condition.
//
// [Of] lists the items of a definition, a [Collector] counts them in the logs of runs, and a [Profile] keeps the counts of
// several definitions in a file, so that the counts of many runs can be merged.
package coverage
