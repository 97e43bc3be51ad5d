package alerting

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/alert"
)

// outageAfter is the time without the database after which the operator is notified.
const outageAfter = 30 * time.Second

// databaseOutage is an outage of the shared database. Nothing can be stored meanwhile, so each appliance notifies the
// operator separately, by e-mail only; the alert is stored when the database is back.
type databaseOutage struct {
	since time.Time // zero: it answers
	id    string    // of the alert, once the operator was notified
}

// trackOutage notices that the database is away or back; err is the answer to a query.
func (m *AlertMonitor) trackOutage(ctx context.Context, err error, now time.Time) {
	o := &m.outage
	switch {
	case err == nil && o.since.IsZero():
	case err == nil:
		if o.id == "" || m.recordOutage(ctx, now) {
			*o = databaseOutage{}
		}
	case ctx.Err() != nil || m.Appliance == "" || store.CodeOf(err) == store.CodeClosed:
	case o.since.IsZero():
		o.since = now
	case o.id == "" && now.Sub(o.since) >= outageAfter:
		m.mailOutage(ctx, now)
	}
}

// mailOutage mails the operator once: retries would need the database.
func (m *AlertMonitor) mailOutage(ctx context.Context, now time.Time) {
	var b alert.AlertBoard
	a, _ := b.RaiseAlert(alert.Alert{Kind: alert.DatabaseAway, Appliance: m.Appliance}, now)
	a.RaisedAt = m.outage.since
	m.outage.id = a.ID
	m.Log.Error("the database has not answered for a while; the operator gets an e-mail", "since", m.outage.since)
	b.QueueMail(a, alert.Raised, m.recipientsOf(account.Default, b, a), now)
	for _, mail := range b.Mails {
		if err := m.sendMail(ctx, account.Default, a, mail); err != nil {
			m.Log.Warn("an e-mail about the database could not be sent", "err", err)
		}
	}
}

// recordOutage stores an outage that has ended, with its all-clear e-mail; false if the store failed.
func (m *AlertMonitor) recordOutage(ctx context.Context, now time.Time) bool {
	raised := alert.Alert{Kind: alert.DatabaseAway, Appliance: m.Appliance}
	since := m.outage.since
	_, err := m.Store.ChangeAlerts(ctx, account.Default, func(b *alert.AlertBoard) (effects store.AlertEffects, _ error) {
		a, fresh := b.RaiseAlert(raised, since)
		if !fresh {
			return effects, nil
		}
		a, _ = b.ClearAlert(a.ID, now)
		b.QueueMail(a, alert.Cleared, m.recipientsOf(account.Default, *b, a), now)
		return effects, nil
	})
	return err == nil
}
