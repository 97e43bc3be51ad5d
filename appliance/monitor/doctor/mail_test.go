package doctor_test

import (
	"strings"
	"testing"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/appliance/mailer"
	"munadi/appliance/mailer/mailtest"
	"munadi/appliance/monitor/doctor"
	"munadi/store/memory"
)

func TestCheckMail(t *testing.T) {
	t.Parallel()
	server := mailtest.StartServer(t, false)
	cfg := config.Default()
	cfg.SMTPHost, cfg.SMTPPort, cfg.SMTPCA = "127.0.0.1", server.Port, server.CA
	cfg.SMTPUser, cfg.SMTPPassword, cfg.MailFrom = mailtest.User, mailtest.Password, "munadi@example.com"
	mail := &mailer.ServerFinder{Settings: func() *config.Config { return cfg }, Store: memory.OpenStore()}
	if f := doctor.CheckMail(t.Context(), mail); f.State != admin.StateOK || len(server.ListReceived()) > 0 {
		t.Errorf("%+v", f)
	}
	cfg.SMTPPassword = "guess-guess"
	if f := doctor.CheckMail(t.Context(), mail); f.State != admin.StateFailed || strings.Contains(f.Text, "guess") {
		t.Errorf("a wrong password: %+v", f)
	}
	cfg = config.Default()
	if f := doctor.CheckMail(t.Context(), mail); f.State != admin.StateOK || !strings.Contains(f.Text, "smtp-host") {
		t.Errorf("without a server: %+v", f)
	}
}
