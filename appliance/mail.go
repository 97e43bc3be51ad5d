package appliance

import (
	"context"
	"os"
	"time"

	"github.com/google/uuid"

	"munadi/appliance/alerting"
	"munadi/appliance/auth"
	"munadi/appliance/mailer"
	"munadi/appliance/ssehub"
	"munadi/store/alert"
	"munadi/store/disk"
)

// openMail constructs what finds the mail server in force.
func (a *Appliance) openMail(secret auth.InstallationSecret) {
	a.mail = &mailer.ServerFinder{Store: a.store, Settings: a.inForce, Key: secret.DeriveKey(mailer.KeyPurpose)}
}

// operatorMail returns the operator's e-mail addresses, and whether a mail server is set.
func (a *Appliance) operatorMail(ctx context.Context) (addresses []string, sends bool) {
	return a.inForce().MailTo.Addresses(), a.mail.HasServer(ctx)
}

// fixedMail returns the mail server of munadi.yaml, the environment and flags, which takes precedence over the one of
// the console; nil without one.
func (a *Appliance) fixedMail() *alert.MailSetting {
	c := a.inForce()
	if c.SMTPHost == "" {
		return nil
	}
	return &alert.MailSetting{
		Host: c.SMTPHost, Port: c.MailPort(), Security: c.SMTPSecurity, User: c.SMTPUser, From: c.MailFrom,
	}
}

// testMail sends a test e-mail by the mail server in force.
func (a *Appliance) testMail(ctx context.Context, to string) error {
	server, err := a.mail.FindServer(ctx)
	if err != nil {
		return err
	}
	host, _ := os.Hostname() // only for the text
	return alerting.SendTest(ctx, server, uuid.NewString(), to, host, time.Now())
}

// openAlerts constructs the monitor of alerts.
func (a *Appliance) openAlerts() error {
	name := ""
	if a.store.Shared != nil {
		name, _ = os.Hostname() // empty: alerts of appliances differ only by their trunks
	}
	a.alerts = alerting.NewMonitor(alerting.Dependencies{
		Store: a.store, Machine: a.machineConditions, Appliance: name, Mail: a.mail, Settings: a.inForce,
		PublicURL: a.consoleURL,
		Publish: func(orgID string) {
			a.events.PublishTransient(ssehub.EventTopic{OrgID: orgID, Name: "alerts"}, "changed", struct{}{})
		},
		Now: time.Now, Log: a.log,
	})
	return nil
}

// machineConditions returns the conditions of this machine that alerts are raised for.
func (a *Appliance) machineConditions() []alerting.Condition {
	all := []alerting.Condition{alerting.JudgeBackups(a.backups.CurrentState(), a.vitals.Started, time.Now())}
	if a.bucket != nil {
		all = append(all, alerting.JudgeBucket(a.bucket.DescribeFault()))
	}
	if s, err := disk.ReadState(a.config.Data); err == nil {
		all = append(all, alerting.JudgeDisk(s))
	}
	if a.calls.Trunks != nil {
		all = append(all, alerting.JudgeTrunks(a.calls.Trunks.Statuses())...)
		all = append(all, a.replies.JudgeReplies(time.Now()))
	}
	return all
}

// countReply counts a reply in a call by the silence before it.
func (a *Appliance) countReply(gap time.Duration) {
	a.metrics.CountReply(gap)
	a.replies.CountReply(gap, time.Now())
}
