// Package explore runs a definition with every fault that its tasks can have, and with other data, before that happens:
// each task fails with each error, once and always, in one iteration and in all; it answers too late, or with too much;
// Choice states get the values at which they decide otherwise, Map states no, one and many items, and results lack
// members that may be missing.
//
// [Explore] plans the runs, does them on all cores, and returns a [Result]: the matrix of faults, and the findings with
// the shortest run that shows each, as a case of a suite. It has no terminal and writes no file. Runs with the same
// faults give the same result, in the same order.
package explore
