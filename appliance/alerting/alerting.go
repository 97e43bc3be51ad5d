// Package alerting raises and clears alerts: it evaluates conditions every few seconds, with hysteresis against
// flapping, and notifies of each change once: on the pages (SSE), by webhook where an organization enabled that, and by
// e-mail.
//
// Raised alerts are kept in the store (see package store/alert), so that none is sent twice, neither after a restart
// nor by several appliances. Conditions of an organization (kill switch, failure spike) are computed from the store by
// every appliance; those of a machine (disk, backup, trunks, overload, its link to the database) by that machine, under
// its name. Alerts of the installation go to the operator only: the owners of the organization "default" and the
// addresses of mail-to.
//
// # Thresholds
//
// - calling_stopped: the kill switch is on; raised and cleared immediately.
//   - failure_spike: see failures.go.
//   - destination_off: a destination of events was switched off by itself; over once a person changed or deleted it.
//   - trunk_down: no answer, or calls refused, for 30 seconds; over after one minute of taking calls.
//   - no_audio: of a trunk's answered calls of the last hour, at most 50, a tenth ended because no audio came; over
//     after a minute with less than a twentieth.
//   - disk_full, backup_failed: see package appliance's conditions; over after one minute.
//   - bucket_away: the bucket of recordings cannot be used for 30 seconds; over after one minute.
//   - overload: fewer lines for one minute; over after five minutes with all of them.
//   - late_replies: one in twenty of at least 20 replies within ten minutes came after 1.5 s, for one minute; over
//     after five minutes within 1.2 s.
//   - database_away: no answer for 30 seconds, where a shared database is used; see outage.go.
package alerting

import (
	"context"
	"log/slog"
	"time"

	"munadi/appliance/config"
	"munadi/appliance/mailer"
	"munadi/store"
	"munadi/store/alert"
)

const (
	// checkEvery is the interval between two judgments.
	checkEvery = 3 * time.Second
	// touchEvery is how often an open alert of a machine is confirmed, and forgetAfter the time without confirmation after
	// which others clear it, since the machine is gone.
	touchEvery  = 2 * time.Minute
	forgetAfter = 15 * time.Minute
)

// ConditionState is the current state of a condition.
type ConditionState int

// States. Unknown leaves the alert as it is: not measured yet, or between two thresholds.
const (
	Unknown ConditionState = iota
	Holds
	Over
)

// Condition is one judged condition.
type Condition struct {
	Kind    alert.AlertKind
	Subject string
	State   ConditionState
	Facts   map[string]string
}

// Dependencies are the monitor's dependencies.
type Dependencies struct {
	Store store.Store
	// Machine returns the conditions of this machine.
	Machine func() []Condition
	// Appliance is this machine's name where several share the store; else empty.
	Appliance string
	// Mail finds the mail server in force.
	Mail *mailer.ServerFinder
	// Settings returns the settings in force: the operator's addresses.
	Settings func() *config.Config
	// PublicURL is the base of links in e-mails.
	PublicURL func() string
	// Publish notifies open pages that an organization's alerts have changed.
	Publish func(orgID string)
	Now     func() time.Time
	Log     *slog.Logger
}

// AlertMonitor evaluates conditions and sends alerts. Its methods Run and RunMails are background workers.
type AlertMonitor struct {
	Dependencies
	timers   alertHysteresis
	failures map[string]*failureHistory // by organization
	shown    map[string]string          // by organization: hash of the published board, see hashBoard
	outage   databaseOutage
	queued   chan struct{} // e-mails were queued
	sends    bool          // a mail server is set
}

// NewMonitor returns a monitor.
func NewMonitor(d Dependencies) *AlertMonitor {
	return &AlertMonitor{
		Dependencies: d, timers: alertHysteresis{}, failures: map[string]*failureHistory{}, shown: map[string]string{},
		queued: make(chan struct{}, 1),
	}
}

// Run evaluates all conditions until ctx ends. Failed reads and writes are retried at the next evaluation.
func (m *AlertMonitor) Run(ctx context.Context) error {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for {
		m.CheckAll(ctx)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// CheckAll judges all conditions once.
func (m *AlertMonitor) CheckAll(ctx context.Context) {
	now := m.Now().UTC()
	orgs, err := m.Store.ListOrganizations(ctx)
	m.sends = m.Mail.HasServer(ctx)
	if m.trackOutage(ctx, err, now); err != nil {
		return
	}
	for _, org := range orgs {
		if err := m.checkOrganization(ctx, org.ID, now); err != nil && ctx.Err() == nil {
			m.Log.Warn("the alerts of an organization could not be updated; trying again", "org", org.ID, "err", err)
		}
	}
}
