package main

import (
	"bytes"
	"strings"
	"testing"

	"munadi/appliance/config"
	"munadi/appliance/mailer/mailtest"
)

// mailSettings returns the settings of an account at a test server.
func mailSettings(s *mailtest.Server) *config.Config {
	c := config.Default()
	c.SMTPHost, c.SMTPPort, c.SMTPCA = "127.0.0.1", s.Port, s.CA
	c.SMTPUser, c.SMTPPassword, c.MailFrom, c.MailTo = mailtest.User, mailtest.Password, "munadi@example.com", "amal@example.com"
	return c
}

func TestMailTest(t *testing.T) {
	t.Parallel()
	server := mailtest.StartServer(t, false)
	cfg := mailSettings(server)
	var out bytes.Buffer
	for _, to := range []string{"", "duty@example.com"} {
		if err := (MailTestCmd{To: to}).Run(t.Context(), cfg, &out); err != nil {
			t.Fatal(err)
		}
	}
	all := server.ListReceived()
	if len(all) != 2 || all[0].To != "amal@example.com" || all[1].To != "duty@example.com" || !strings.Contains(out.String(), "Sent to duty@example.com") {
		t.Errorf("received %d, printed %q", len(all), out.String())
	}
	if err := (MailTestCmd{To: "nonsense"}).Run(t.Context(), cfg, &out); err == nil {
		t.Error("nonsense is an address")
	}
	none := config.Default()
	none.Data = t.TempDir()
	for _, to := range []string{"", "duty@example.com"} {
		err := (MailTestCmd{To: to}).Run(t.Context(), none, &out)
		if err == nil || !strings.Contains(err.Error(), "smtp-host") {
			t.Errorf("without a server: %v", err)
		}
	}
}
