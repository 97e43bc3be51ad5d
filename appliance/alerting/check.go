package alerting

import (
	"context"
	"fmt"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/alert"
	"munadi/store/delivery"
)

// checkOrganization judges the conditions of an organization, and with those of the default one the machine's.
func (m *AlertMonitor) checkOrganization(ctx context.Context, orgID string, now time.Time) error {
	board, err := m.Store.FindAlerts(ctx, orgID)
	if err != nil && !store.IsUnreadable(err) { // a damaged board begins anew with the next change
		return err
	}
	found, err := m.listConditions(ctx, orgID, board, now)
	if err != nil {
		return err
	}
	var steps []boardStep
	for _, c := range found {
		if step, needed := m.timers.judgeCondition(orgID, c, m.openAlert(board, c), now); needed {
			steps = append(steps, step)
		}
	}
	steps = append(steps, m.clearForgotten(board, found, now)...)
	if len(steps) > 0 {
		if board, err = m.applySteps(ctx, orgID, steps, now); err != nil {
			return err
		}
	}
	m.publishChange(orgID, board)
	return nil
}

// listConditions returns the conditions that are judged on an organization's board.
func (m *AlertMonitor) listConditions(
	ctx context.Context, orgID string, board alert.AlertBoard, now time.Time,
) ([]Condition, error) {
	rules, err := m.Store.FindRules(ctx, orgID)
	if err != nil && !store.IsUnreadable(err) {
		return nil, err
	}
	stopped := Condition{Kind: alert.CallingStopped, State: Over}
	switch {
	case err != nil: // the rules are damaged
		stopped.State = Unknown
	case rules.KillSwitch:
		stopped.State = Holds
	}
	spike, err := m.judgeFailures(ctx, orgID, board, now)
	if err != nil {
		return nil, err
	}
	destinations, err := m.judgeDestinations(ctx, orgID, board)
	if err != nil {
		return nil, err
	}
	all := append([]Condition{stopped, spike}, destinations...)
	if orgID == account.Default {
		all = append(all, m.Machine()...)
	}
	return all, nil
}

// reporterName returns the name that alerts of a kind carry.
func (m *AlertMonitor) reporterName(kind alert.AlertKind) string {
	if kind.IsInstallation() {
		return m.Appliance
	}
	return ""
}

// openAlert returns the open alert of a condition; nil without one.
func (m *AlertMonitor) openAlert(board alert.AlertBoard, c Condition) *alert.Alert {
	return board.FindOpen(c.Kind, c.Subject, m.reporterName(c.Kind))
}

// clearForgotten clears open alerts whose subject no longer exists: a trunk that was removed from the settings, a
// machine that has not confirmed the alert for [forgetAfter].
func (m *AlertMonitor) clearForgotten(board alert.AlertBoard, found []Condition, now time.Time) (steps []boardStep) {
	judged := map[string]bool{}
	for _, c := range found {
		if a := m.openAlert(board, c); a != nil {
			judged[a.ID] = true
		}
	}
	for _, a := range board.Open {
		own := a.Appliance == m.Appliance && a.Kind != alert.DatabaseAway
		if !judged[a.ID] && a.Kind.IsInstallation() && (own || now.Sub(a.SeenAt) > forgetAfter) {
			steps = append(steps, boardStep{what: stepClear, id: a.ID})
		}
	}
	return steps
}

// applySteps changes the board, with notifications and e-mails, in one transaction; steps that another appliance has
// already applied are skipped.
func (m *AlertMonitor) applySteps(
	ctx context.Context, orgID string, steps []boardStep, now time.Time,
) (alert.AlertBoard, error) {
	webhook, err := m.Store.FindWebhook(ctx, orgID)
	if err != nil && !store.IsUnreadable(err) { // pages and e-mails need no webhook
		return alert.AlertBoard{}, err
	}
	var told []alertChange
	board, err := m.Store.ChangeAlerts(ctx, orgID, func(b *alert.AlertBoard) (effects store.AlertEffects, _ error) {
		told = nil
		for _, step := range steps {
			one, happened := m.applyStep(b, step, now)
			if !happened {
				continue
			}
			told = append(told, one)
			one.unqueued = b.QueueMail(one.alert, one.event, m.recipientsOf(orgID, *b, one.alert), now)
			if webhook.WantsAlerts() {
				effects.Deliveries = append(effects.Deliveries,
					delivery.NewDelivery(orgID, deliveryKind(one.event), one.alert.ID, now))
			}
		}
		return effects, nil
	})
	if err == nil {
		m.logChanges(orgID, told)
	}
	return board, err
}

// alertChange is an alert that was raised or cleared.
type alertChange struct {
	alert    alert.Alert
	event    alert.AlertEvent
	unqueued int // e-mails that were not queued: too many within an hour
}

// applyStep applies a step to the board; false if nothing is to be reported.
func (m *AlertMonitor) applyStep(b *alert.AlertBoard, step boardStep, now time.Time) (alertChange, bool) {
	switch step.what {
	case stepRaise:
		a, fresh := b.RaiseAlert(alert.Alert{
			Kind: step.Kind, Subject: step.Subject, Facts: step.Facts, Appliance: m.reporterName(step.Kind),
		}, now)
		return alertChange{alert: a, event: alert.Raised}, fresh
	case stepClear:
		a, cleared := b.ClearAlert(step.id, now)
		return alertChange{alert: a, event: alert.Cleared}, cleared
	default:
		if a := b.FindOpen(step.Kind, step.Subject, m.reporterName(step.Kind)); a != nil {
			a.SeenAt, a.Facts = now, step.Facts
		}
		return alertChange{}, false
	}
}

// deliveryKind returns the kind of notification of an event.
func deliveryKind(e alert.AlertEvent) delivery.DeliveryKind {
	if e == alert.Raised {
		return delivery.AlertRaised
	}
	return delivery.AlertCleared
}

// recipientsOf returns the addresses that an alert is mailed to: the operator's for those of the installation, the
// organization's own for its own. Of the default organization, which administers the installation, either may stand for
// the other.
func (m *AlertMonitor) recipientsOf(orgID string, b alert.AlertBoard, a alert.Alert) []string {
	operator := m.Settings().MailTo.Addresses()
	switch {
	case !m.sends:
		return nil
	case a.Installation && len(operator) > 0, orgID == account.Default && len(b.Recipients) == 0:
		return operator
	}
	return b.Recipients
}

// logChanges logs the changes and wakes the sender of e-mails.
func (m *AlertMonitor) logChanges(orgID string, all []alertChange) {
	for _, one := range all {
		fields := []any{"kind", one.alert.Kind, "org", orgID, "alert_id", one.alert.ID, "subject", one.alert.Subject}
		if one.event == alert.Raised {
			m.Log.Warn("an alert was raised", fields...)
		} else {
			m.Log.Info("an alert is over", fields...)
		}
		if one.unqueued > 0 {
			m.Log.Warn("e-mails of an alert were left out: too many within an hour", append(fields, "left", one.unqueued)...)
		}
	}
	if len(all) > 0 {
		select {
		case m.queued <- struct{}{}:
		default:
		}
	}
}

// publishChange publishes to open pages that the organization's alerts changed, also by another appliance.
func (m *AlertMonitor) publishChange(orgID string, b alert.AlertBoard) {
	now := hashBoard(b)
	before, known := m.shown[orgID]
	m.shown[orgID] = now
	if known && before != now || !known && len(b.Open) > 0 {
		m.Publish(orgID)
	}
}

// hashBoard returns a hash of the open alerts that pages show.
func hashBoard(b alert.AlertBoard) string {
	var all strings.Builder
	for _, a := range b.Open {
		fmt.Fprintf(&all, "%s %v ", a.ID, a.AcknowledgedAt != nil)
	}
	return all.String()
}

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
