package call

import "time"

// The times that a person may choose for a dial.
const (
	MinLead  = 10 * time.Minute    // of a reschedule
	MaxAhead = 30 * 24 * time.Hour // of a booking and of a reschedule
)

// IsReschedulable says whether at may become the dial time of a call, asked for at now.
func IsReschedulable(at, now time.Time) bool {
	return !at.Before(now.Add(MinLead)) && !at.After(now.Add(MaxAhead))
}

// IsBookable says whether at may be the dial time of a new call, asked for at now. A client's clock may run a little
// ahead of its request: up to [slack] in the past counts as now.
func IsBookable(at, now time.Time) bool {
	return !at.Before(now.Add(-slack)) && !at.After(now.Add(MaxAhead))
}

// slack is how far behind now a new call's time may lie.
const slack = 30 * time.Second
