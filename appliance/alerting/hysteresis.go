package alerting

import (
	"time"

	"munadi/store/alert"
)

// holdTimes are how long a condition must hold before its alert is raised, and be over before it is cleared.
type holdTimes struct{ raise, clear time.Duration }

// holdTimesOf returns the hold times of a kind of alert. Kinds without one are raised at once.
func holdTimesOf(kind alert.AlertKind) holdTimes {
	return map[alert.AlertKind]holdTimes{
		alert.TrunkDown:    {30 * time.Second, time.Minute},
		alert.NoAudio:      {0, time.Minute},
		alert.DiskFull:     {0, time.Minute},
		alert.BackupFailed: {0, time.Minute},
		alert.BucketAway:   {30 * time.Second, time.Minute},
		alert.Overload:     {time.Minute, 5 * time.Minute},
		alert.LateReplies:  {time.Minute, 5 * time.Minute},
	}[kind]
}

// alertHysteresis records since when conditions hold or are cleared, by organization, kind and subject. It is in
// memory: after a restart the delays start again, and open alerts stay open.
type alertHysteresis map[[3]string]conditionTimer

// conditionTimer is the state that a condition has had since a time.
type conditionTimer struct {
	state ConditionState
	since time.Time
}

// stepKind is a kind of change of a board.
type stepKind int

const (
	stepRaise stepKind = iota
	stepClear
	stepTouch // confirm an open alert
)

// boardStep is a change of a board.
type boardStep struct {
	what stepKind
	id   string // of the alert to clear
	Condition
}

// judgeCondition returns the change that a condition needs, given its open alert; false for none.
func (h alertHysteresis) judgeCondition(orgID string, c Condition, open *alert.Alert, now time.Time) (boardStep, bool) {
	key := [3]string{orgID, string(c.Kind), c.Subject}
	timer := h[key]
	if c.State == Unknown {
		delete(h, key)
		return boardStep{}, false
	}
	if timer.state != c.State {
		timer = conditionTimer{c.State, now}
		h[key] = timer
	}
	lasted, wait := now.Sub(timer.since), holdTimesOf(c.Kind)
	switch {
	case c.State == Holds && open == nil:
		return boardStep{what: stepRaise, Condition: c}, lasted >= wait.raise
	case c.State == Holds:
		return boardStep{what: stepTouch, Condition: c}, open.Appliance != "" && now.Sub(open.SeenAt) >= touchEvery
	case open != nil:
		return boardStep{what: stepClear, id: open.ID, Condition: c}, lasted >= wait.clear
	}
	return boardStep{}, false
}
