package call

import "time"

// Limits of requested dial times.
const (
	MinLead  = 10 * time.Minute    // for rescheduling
	MaxAhead = 30 * 24 * time.Hour // for booking and rescheduling
)

// IsReschedulable reports whether a call may be moved to at, requested at now.
func IsReschedulable(at, now time.Time) bool {
	return !at.Before(now.Add(MinLead)) && !at.After(now.Add(MaxAhead))
}

// IsBookable reports whether a new call may have the dial time at, requested at now. To tolerate clock skew, up to
// [slack] in the past counts as now.
func IsBookable(at, now time.Time) bool {
	return !at.Before(now.Add(-slack)) && !at.After(now.Add(MaxAhead))
}

// slack is the tolerated clock skew of a new call's dial time.
const slack = 30 * time.Second
