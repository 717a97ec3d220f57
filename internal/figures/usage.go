package figures

import (
	"math/big"
	"time"
)

// Usage has the units by which the service is paid for, in one region.
type Usage struct {
	// Region is the region of the executions; empty where they name none.
	Region string
	// Transitions are the entries of states and the retries of Standard executions.
	Transitions int64
	// Requests is the number of Express executions, and Megabytes their memory in MB by the milliseconds of their time, both
	// rounded up as the service does.
	Requests, Megabytes int64
	// Unfinished is the number of Express executions without an end, whose time is not known.
	Unfinished int64
}

// Steps of the service's own rounding, and the parts of its estimate of the memory, as its page of prices has them.
const (
	durationStep  = 100 * time.Millisecond
	memoryStep    = 64 // MB
	memoryBase    = 50 // MB
	megabyte      = 1_000_000
	megabytesInGB = 1024
)

// GBSeconds returns the memory of Express executions by their time.
func (u *Usage) GBSeconds() *big.Rat { return big.NewRat(u.Megabytes, megabytesInGB*1000) }

func (u *Usage) merge(other *Usage) {
	u.Transitions += other.Transitions
	u.Requests += other.Requests
	u.Megabytes += other.Megabytes
	u.Unfinished += other.Unfinished
}

// usage returns the units of a region.
func (m *Machine) usage(region string) *Usage {
	for _, u := range m.Usage {
		if u.Region == region {
			return u
		}
	}
	u := &Usage{Region: region}
	m.Usage = append(m.Usage, u)
	return u
}

// billedTime rounds the time of an Express execution up.
func billedTime(d time.Duration) time.Duration {
	return max((d+durationStep-1)/durationStep, 1) * durationStep
}

// billedMemory rounds the memory of an Express execution up, in MB.
func billedMemory(megabytes int64) int64 {
	return max((megabytes+memoryStep-1)/memoryStep, 1) * memoryStep
}

// estimatedMemory is the service's own estimate of the memory of an Express execution, in MB: 50 MB, the definition, and the execution's
// data for each branch and iteration. As the data count as large as the largest payload, it is a bound.
func estimatedMemory(definition, payload, threads int64) int64 {
	bytes := definition + payload*max(threads, 1)
	return memoryBase + (bytes+megabyte-1)/megabyte
}
