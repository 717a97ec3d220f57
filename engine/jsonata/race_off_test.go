//go:build !race

package jsonata

// raceEnabled says that the race detector runs, with which the tests take several times as long.
const raceEnabled = false
