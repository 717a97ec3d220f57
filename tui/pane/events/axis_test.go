package events

import (
	"testing"
	"time"
)

func TestTickTexts(t *testing.T) {
	const day = 24 * time.Hour
	for at, want := range map[time.Duration]string{
		0: "0s", 500 * time.Millisecond: "0.5s", 10 * time.Second: "10s", time.Minute: "1m", 90 * time.Second: "1m30s", time.Hour: "1h",
		80 * time.Minute: "1h20m", time.Hour + 20*time.Second: "1h00m20s", day: "1d", 36 * time.Hour: "36h", 5 * day: "5d", 5*day + 12*time.Hour: "5d12h",
	} {
		if got := tickText(at); got != want {
			t.Errorf("%v is written %q, want %q", at, got, want)
		}
	}
}
