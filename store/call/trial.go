package call

import (
	"strings"
	"time"

	"github.com/google/uuid"
)

// TrialPrefix is the prefix of every trial's id; a UUID follows.
const TrialPrefix = "trial_"

// IsTrialID reports whether an id is a trial's.
func IsTrialID(id string) bool { return strings.HasPrefix(id, TrialPrefix) }

// NewTrial completes c, a conversation with a browser that is kept like a call: it is running at once, has no number
// and is never repeated. Lists and counters of calls leave trials out.
func NewTrial(c Call, now time.Time) Call {
	c.ID, c.Trial, c.Status, c.Booking = TrialPrefix+uuid.NewString(), true, Dialing, Immediate
	c.CreatedAt, c.ScheduledAt, c.PhoneNumber = now, now, ""
	c.Attempt = AttemptChain{Number: 1, Max: 1, ChainID: c.ID, Plan: RetryPlan{MaxAttempts: 1}}
	return c
}
