package mailer_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"munadi/appliance/config"
	"munadi/appliance/mailer"
	"munadi/appliance/mailer/mailtest"
)

// mailSettings returns the settings of an account at a test server, with the password in a file.
func mailSettings(t *testing.T, s *mailtest.Server, security string) *config.Config {
	t.Helper()
	c := config.Default()
	c.SMTPHost, c.SMTPPort, c.SMTPSecurity, c.SMTPCA = "127.0.0.1", s.Port, security, s.CA
	c.SMTPUser, c.MailFrom = mailtest.User, "munadi@example.com"
	c.SMTPPasswordFile = filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(c.SMTPPasswordFile, []byte(mailtest.Password+"\nnot this"), 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

// sendMessage sends a message with the settings.
func sendMessage(t *testing.T, c *config.Config, m mailer.Mail) error {
	t.Helper()
	s, err := mailer.OpenServer(c)
	if err != nil {
		t.Fatal(err)
	}
	return s.SendMail(t.Context(), m)
}

func arabicMail() mailer.Mail {
	return mailer.Mail{
		ID: "b0b5", To: "amal@example.com", Subject: "منادي: الاتصال متوقف", Text: "توقف الاتصال.\nCalling is stopped.\n",
		At: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC),
	}
}

func TestSends(t *testing.T) {
	t.Parallel()
	for _, security := range []string{config.SMTPStartTLS, config.SMTPTLS} {
		server := mailtest.StartServer(t, security == config.SMTPTLS)
		if err := sendMessage(t, mailSettings(t, server, security), arabicMail()); err != nil {
			t.Fatalf("%s: %v", security, err)
		}
		all := server.ListReceived()
		if len(all) != 1 || all[0].From != "munadi@example.com" || all[0].To != "amal@example.com" {
			t.Fatalf("%s: received %+v", security, all)
		}
		subject, text := all[0].ReadText(t)
		if subject != arabicMail().Subject || strings.TrimSpace(text) != strings.TrimSpace(arabicMail().Text) {
			t.Errorf("%s: received %q, %q", security, subject, text)
		}
		h := all[0].Parsed.Header
		if h.Get("Message-Id") != "<b0b5@example.com>" || h.Get("Auto-Submitted") != "auto-generated" {
			t.Errorf("%s: headers %v", security, h)
		}
	}
}

func TestChecksWithoutSending(t *testing.T) {
	t.Parallel()
	server := mailtest.StartServer(t, false)
	s, err := mailer.OpenServer(mailSettings(t, server, config.SMTPStartTLS))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CheckServer(t.Context()); err != nil || len(server.ListReceived()) != 0 {
		t.Errorf("%v, %d messages", err, len(server.ListReceived()))
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	server := mailtest.StartServer(t, false)
	server.Refuse = func(to string) error {
		switch to {
		case "gone@example.com":
			return &smtp.SMTPError{Code: 550, Message: "no such mailbox gone@example.com"}
		case "full@example.com":
			return &smtp.SMTPError{Code: 452, Message: "mailbox full"}
		}
		return nil
	}
	for name, c := range map[string]struct {
		change    func(*config.Config)
		to        string
		says      string
		permanent bool
	}{
		"wrong password":  {func(c *config.Config) { c.SMTPPasswordFile, c.SMTPPassword = "", "guess-guess" }, "", "535", false},
		"strange CA":      {func(c *config.Config) { c.SMTPCA = "" }, "", "not trusted", false},
		"nobody listens":  {func(c *config.Config) { c.SMTPPort = 1 }, "", "127.0.0.1:1", false},
		"no such name":    {func(c *config.Config) { c.SMTPHost = "mail.invalid" }, "", "cannot be resolved", false},
		"no TLS spoken":   {func(c *config.Config) { c.SMTPSecurity = config.SMTPTLS }, "", "no TLS", false},
		"sign-in missing": {func(c *config.Config) { c.SMTPUser = "" }, "", "502", true},
		"no such mailbox": {func(*config.Config) {}, "gone@example.com", "550", true},
		"mailbox full":    {func(*config.Config) {}, "full@example.com", "452", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, m := mailSettings(t, server, config.SMTPStartTLS), arabicMail()
			c.change(s)
			if c.to != "" {
				m.To = c.to
			}
			err := sendMessage(t, s, m)
			if err == nil || !strings.Contains(err.Error(), c.says) || mailer.IsPermanent(err) != c.permanent {
				t.Errorf("%v, permanent %v", err, mailer.IsPermanent(err))
			}
			if err != nil && (strings.Contains(err.Error(), "guess") || strings.Contains(err.Error(), m.To)) {
				t.Errorf("the error holds a secret: %v", err)
			}
		})
	}
}

// TestNoPlainText checks that a server without STARTTLS gets neither password nor message.
func TestNoPlainText(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for ten seconds")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	heard := make(chan string, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close() //nolint:errcheck // it ends with the test
		_, _ = c.Write([]byte("220 hello\r\n"))
		var all strings.Builder
		buffer := make([]byte, 4096)
		for {
			n, err := c.Read(buffer)
			all.Write(buffer[:n])
			if err != nil {
				heard <- all.String()
				return
			}
			_, _ = c.Write([]byte("250-hello\r\n250 AUTH PLAIN\r\n"))
		}
	}()
	c := mailSettings(t, &mailtest.Server{Port: l.Addr().(*net.TCPAddr).Port}, config.SMTPStartTLS)
	if err := sendMessage(t, c, arabicMail()); err == nil || !strings.Contains(err.Error(), "STARTTLS") {
		t.Errorf("sent in the clear: %v", err)
	}
	_ = l.Close()
	if text := <-heard; strings.Contains(text, "AUTH") || strings.Contains(text, "amal") {
		t.Errorf("it heard %q", text)
	}
}

// TestStalledServer checks that the end of the context ends the attempt.
func TestStalledServer(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	s, err := mailer.OpenServer(mailSettings(t, &mailtest.Server{Port: l.Addr().(*net.TCPAddr).Port}, config.SMTPStartTLS))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	if err := s.SendMail(ctx, arabicMail()); err == nil || time.Since(began) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

func TestNoHeaderIsInjected(t *testing.T) {
	t.Parallel()
	server := mailtest.StartServer(t, false)
	c := mailSettings(t, server, config.SMTPStartTLS)
	for _, change := range []func(*mailer.Mail){
		func(m *mailer.Mail) { m.Subject = "x\r\nBcc: other@example.com" },
		func(m *mailer.Mail) { m.To = "amal@example.com\r\nBcc: other@example.com" },
		func(m *mailer.Mail) { m.To = "amal@example.com,other@example.com" },
		func(m *mailer.Mail) { m.ID = "x>\r\nBcc: other@example.com" },
		func(m *mailer.Mail) { m.Subject = strings.Repeat("x", 1000) },
	} {
		m := arabicMail()
		change(&m)
		if err := sendMessage(t, c, m); !mailer.IsPermanent(err) {
			t.Errorf("%+v: %v", m, err)
		}
	}
	m := arabicMail()
	m.Text = "one\r\n.\r\nMAIL FROM:<other@example.com>\n.\nBcc: other@example.com\n"
	if err := sendMessage(t, c, m); err != nil {
		t.Fatal(err)
	}
	if all := server.ListReceived(); len(all) != 1 || all[0].Parsed.Header.Get("Bcc") != "" {
		t.Errorf("received %+v", all)
	}
}
