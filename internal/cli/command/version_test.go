package command

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestBuildOf(t *testing.T) {
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	goVersion := ", " + runtime.Version() + ")"
	for _, c := range []struct {
		name string
		info *debug.BuildInfo
		want string
	}{
		{"without information", nil, "(devel) (commit unknown, date unknown" + goVersion},
		{"go build outside of a repository", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "(devel) (commit unknown, date unknown" + goVersion},
		{
			"go install in a clone with changes",
			&debug.BuildInfo{
				Main:     debug.Module{Version: "v0.0.0-20261122150405-0123456789ab+dirty"},
				Settings: []debug.BuildSetting{setting("vcs", "git"), setting("vcs.revision", "0123456789abcdef0123456789abcdef01234567"), setting("vcs.time", "2026-11-22T16:04:05+01:00"), setting("vcs.modified", "true")},
			},
			"v0.0.0-20261122150405-0123456789ab+dirty (commit 0123456789ab, 2026-11-22T15:04:05Z" + goVersion,
		},
		{"go install of a path at a commit", &debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-20261122150405-0123456789ab"}}, "v0.0.0-20261122150405-0123456789ab (commit 0123456789ab, 2026-11-22T15:04:05Z" + goVersion},
		{"after a tag", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.4-0.20261122150405-0123456789ab"}}, "v1.2.4-0.20261122150405-0123456789ab (commit 0123456789ab, 2026-11-22T15:04:05Z" + goVersion},
		{"go install of a path at a tag", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3-rc.1"}}, "v1.2.3-rc.1 (commit unknown, date unknown" + goVersion},
	} {
		if got := buildOf(c.info).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestReleasedBuild(t *testing.T) {
	defer func(v, c, d string) { version, commit, date = v, c, d }(version, commit, date)
	version, commit, date = "1.2.3", "0123456789abcdef", "2026-11-22T16:04:05+01:00"
	if got, want := ThisBuild().String(), "v1.2.3 (commit 0123456789ab, 2026-11-22T15:04:05Z, "+runtime.Version()+")"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := Version(); got != "v1.2.3" {
		t.Errorf("Version is %s", got)
	}
}
