package appliance

import (
	"context"
	"os"
	"time"

	"github.com/google/uuid"

	"munadi/appliance/alerting"
	"munadi/appliance/auth"
	"munadi/appliance/mailer"
	"munadi/store/alert"
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
