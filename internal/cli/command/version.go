package command

import (
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// The linker sets these in a release (scripts/release): the version without the v, the commit, and its time in RFC 3339.
var version, commit, date string

// Build is the origin of the program.
type Build struct {
	Version string // as the Go tool writes it, v1.2.3 or (devel)
	Commit  string // shortened; empty: not known
	Date    string // of the commit, in UTC; empty: not known
	Go      string // the version of Go, go1.26.8
}

// commitDigits is the length of a commit in the version, as in Go's pseudo-versions.
const commitDigits = 12

// ThisBuild returns the origin of the running program.
func ThisBuild() Build {
	info, _ := debug.ReadBuildInfo()
	b := buildOf(info)
	if version != "" {
		b.Version, b.Commit, b.Date = "v"+version, shortCommit(commit), utcDate(date)
	}
	return b
}

// buildOf returns the origin that the Go tool stamped: by go build and go install in a clone, or the version of the module by
// go install of a path, which has commit and date where no version is tagged.
func buildOf(info *debug.BuildInfo) Build {
	b := Build{Version: "(devel)", Go: runtime.Version()}
	if info == nil {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = shortCommit(s.Value)
		case "vcs.time":
			b.Date = utcDate(s.Value)
		}
	}
	if b.Commit == "" {
		b.Commit, b.Date = pseudo(b.Version)
	}
	return b
}

// pseudo returns the commit and the date in a version such as v0.0.0-20261122150405-0123456789ab.
func pseudo(version string) (commit, date string) {
	version, _, _ = strings.Cut(version, "+")
	parts := strings.Split(version, "-")
	if len(parts) < 3 || len(parts[len(parts)-1]) != commitDigits {
		return "", ""
	}
	stamp := parts[len(parts)-2]
	at, err := time.Parse("20060102150405", stamp[strings.LastIndexByte(stamp, '.')+1:])
	if err != nil {
		return "", ""
	}
	return parts[len(parts)-1], at.Format(time.RFC3339)
}

func shortCommit(text string) string { return text[:min(len(text), commitDigits)] }

// utcDate returns a time in UTC, or the text itself where it is none.
func utcDate(text string) string {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return at.UTC().Format(time.RFC3339)
}

// String returns the build on one line.
func (b Build) String() string {
	commit, date := "commit unknown", "date unknown"
	if b.Commit != "" {
		commit = "commit " + b.Commit
	}
	if b.Date != "" {
		date = b.Date
	}
	return b.Version + " (" + commit + ", " + date + ", " + b.Go + ")"
}

// Version is the module's, as the Go tool stamped it or the release has it.
func Version() string { return ThisBuild().Version }
