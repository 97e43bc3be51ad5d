package console_test

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"munadi/appliance/alerting"
	"munadi/appliance/config"
	"munadi/appliance/console"
	"munadi/appliance/mailer"
	"munadi/appliance/mailer/mailtest"
	"munadi/store/account"
	"munadi/store/alert"
)

// mailBench is a console whose test messages go to a real mail server.
func mailBench(t *testing.T) (*consoleBench, *mailtest.Server, *config.Config) {
	t.Helper()
	server, settings := mailtest.StartServer(t, false), config.Default()
	settings.SMTPCA = server.CA
	set := func(d *console.Dependencies) {
		finder := &mailer.ServerFinder{Store: d.Store, Settings: func() *config.Config { return settings }, Key: [32]byte{1}}
		d.UseCases.SealPassword = finder.SealPassword
		d.Alerts.FixedServer = func() *alert.MailSetting {
			if settings.SMTPHost == "" {
				return nil
			}
			return &alert.MailSetting{Host: settings.SMTPHost, Security: settings.SMTPSecurity, From: settings.MailFrom}
		}
		d.Alerts.TestMail = func(ctx context.Context, to string) error {
			found, err := finder.FindServer(ctx)
			if err != nil {
				return err
			}
			return alerting.SendTest(ctx, found, "b0b5", to, "test", d.Now())
		}
	}
	w := openFixture(t, func(t *testing.T, change ...func(*console.Dependencies)) *consoleBench {
		return newBench(t, append(change, set)...)
	})
	w.addPeople()
	return w.consoleBench, server, settings
}

// TestMailServer: an administrator sets the mail server, its password is never shown again, and a test message shows
// what the server itself answers.
func TestMailServer(t *testing.T) {
	t.Parallel()
	b, server, settings := mailBench(t)
	typed := func(password string) url.Values {
		return newForm(
			"host", "127.0.0.1", "port", strconv.Itoa(server.Port), "security", "starttls", "user", mailtest.User,
			"password", password, "from", "munadi@example.com")
	}
	const path = "/alerts/mail-server"
	b.postForm(governor, path, typed("")).wantStatus(422).wantTexts("Type the password")
	b.postForm(governor, path, typed("wrong")).wantRedirect("/console" + path)
	b.postForm(governor, path+"/test", newForm("to", "duty@example.com")).wantStatus(422).wantTexts("said:", "535")
	b.postForm(governor, path, typed(mailtest.Password)).wantRedirect("/console" + path)
	b.getPage(governor, path).wantStatus(200).wantTexts("One is stored", `value="127.0.0.1"`).wantNoTexts(mailtest.Password)
	b.postForm(governor, path+"/test", newForm("to", "duty@example.com")).wantStatus(200).wantTexts("has taken the message")
	if all := server.ListReceived(); len(all) != 1 || all[0].To != "duty@example.com" {
		t.Errorf("received %+v", all)
	}
	b.postForm(governor, path, typed("")).wantRedirect("/console" + path) // the password stays
	b.postForm(governor, path+"/test", newForm("to", "duty@example.com")).wantStatus(200)
	other := typed("")
	other.Set("host", "mail.example.com") // the stored password is for another host
	b.postForm(governor, path, other).wantStatus(422).wantTexts("Type the password")
	b.postForm(governor, path+"/test", newForm("to", "two@example.com, three@example.com")).wantStatus(422).wantTexts("Write one address")
	b.postForm(account.Owner, path, typed("x")).wantStatus(404)
	b.getPage(account.Owner, path).wantStatus(404)
	settings.SMTPHost, settings.MailFrom = "fixed.example.com", "fixed@example.com"
	b.getPage(governor, path).wantStatus(200).wantTexts("take precedence", "fixed.example.com").wantNoTexts(`name="host"`)
	b.postForm(governor, path, typed("x")).wantStatus(409)
	settings.SMTPHost = ""
	b.postForm(governor, path, newForm("host", "")).wantStatus(303)
	b.getPage(governor, path).wantTexts("Save a mail server first")
}

// TestMailServerViolations: each refused field has its sentence.
func TestMailServerViolations(t *testing.T) {
	t.Parallel()
	b, _, _ := mailBench(t)
	for says, form := range map[string][]string{
		"Write only a host name":   {"host", "mail.example.com:25"},
		"Write a number from 1":    {"port", "70000"},
		"Choose an encryption":     {"security", "rot13"},
		"belong together":          {"security", "none", "user", "munadi", "password", "x"},
		"at most 1000 bytes":       {"user", "munadi", "password", strings.Repeat("x", 1001)},
		"Write an address such as": {"from", "no address"},
	} {
		all := newForm("host", "mail.example.com", "security", "starttls", "from", "munadi@example.com")
		for i := 0; i < len(form); i += 2 {
			all.Set(form[i], form[i+1])
		}
		b.postForm(governor, "/alerts/mail-server", all).wantStatus(422).wantTexts(says)
	}
}
