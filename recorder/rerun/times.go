package rerun

import (
	"time"

	"asldb/engine"
	"asldb/recorder/history"
)

// drift is how far the virtual clock may be behind the recorded one for a task to still end at the recorded
// instant: the service takes its time between states, and nothing of the kind passes here.
const drift = time.Minute

// duration is how long a task takes: to the instant at which it ended then where the clocks go together, else
// as long as then.
func (s *Source) duration(request *engine.TaskRequest, attempt *history.Attempt) time.Duration {
	took := s.recorded(attempt)
	if s.now == nil || attempt.Scheduled < 0 {
		return took
	}
	now := s.now()
	scheduled := time.Unix(0, s.run.Events[attempt.Scheduled].Time)
	if behind := scheduled.Sub(now); behind >= 0 && behind <= drift && !crosses(took, behind, request.Timeout) && !crosses(took, behind, request.Heartbeat) {
		took += behind
	}
	return took
}

// crosses reports whether more time would make a task time out that did not.
func crosses(took, more, bound time.Duration) bool {
	return bound > 0 && took < bound && took+more >= bound
}

// recorded is how long an attempt took then.
func (s *Source) recorded(attempt *history.Attempt) time.Duration {
	from := attempt.Scheduled
	if from < 0 {
		from = attempt.Started
	}
	if from < 0 {
		return 0
	}
	return max(0, time.Duration(s.run.Events[attempt.Ended].Time-s.run.Events[from].Time))
}

type bounds struct{ timeout, heartbeat time.Duration }

// bounds are those that the recording says held for an attempt.
func (s *Source) bounds(attempt *history.Attempt) bounds {
	if attempt.Scheduled < 0 {
		return bounds{}
	}
	event := &s.run.Events[attempt.Scheduled]
	timeout, _ := event.Int("timeoutInSeconds")
	heartbeat, _ := event.Int("heartbeatInSeconds")
	return bounds{timeout: bounded(timeout), heartbeat: bounded(heartbeat)}
}

func bounded(seconds int64) time.Duration {
	const most = 9e9
	return time.Duration(min(max(seconds, 0), most)) * time.Second
}

// beats is the time between heartbeats of a task that outlived its HeartbeatSeconds: it must have sent some,
// which no history records. It is 0 for any other.
func beats(request *engine.TaskRequest, took time.Duration) time.Duration {
	if request.Heartbeat == 0 || took < request.Heartbeat {
		return 0
	}
	return max(request.Heartbeat/2, 1)
}
