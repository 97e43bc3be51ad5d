package job

import "fmt"

// QueueLimits are the maximum numbers of queued jobs; 0 is no limit.
type QueueLimits struct {
	All   int // over all organizations
	Share int // of one organization
}

// QueueFullError means that the limit of queued jobs is reached.
type QueueFullError struct {
	Own    int  // jobs of the organization that are queued
	OfAll  bool // the limit over all organizations is reached, else that of the organization
	Queued int  // jobs of all organizations that are queued
}

// Error says which limit is reached.
func (e *QueueFullError) Error() string {
	if e.OfAll {
		return fmt.Sprintf("%d jobs are queued, the maximum over all organizations", e.Queued)
	}
	return fmt.Sprintf("the organization has %d queued jobs, its maximum", e.Own)
}

// CheckRoom returns a [*QueueFullError] unless one more job may be queued, given the queued jobs of its organization
// and of all.
func (l QueueLimits) CheckRoom(own, all int) error {
	switch {
	case l.All > 0 && all >= l.All:
		return &QueueFullError{Own: own, OfAll: true, Queued: all}
	case l.Share > 0 && own >= l.Share:
		return &QueueFullError{Own: own, Queued: all}
	}
	return nil
}
