package config

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"munadi/store/alert"
)

// The values of smtp-security.
const (
	SMTPStartTLS = alert.MailStartTLS
	SMTPTLS      = alert.MailTLS
	SMTPPlain    = alert.MailPlain
)

// MailList is a list of e-mail addresses, separated by commas.
type MailList string

// UnmarshalText parses amal@example.com,duty@example.com.
func (l *MailList) UnmarshalText(text []byte) error {
	all := splitList(string(text))
	if err := alert.CheckRecipients(all); err != nil {
		return err
	}
	*l = MailList(strings.Join(all, ","))
	return nil
}

// Addresses returns the addresses of the list.
func (l MailList) Addresses() []string { return splitList(string(l)) }

// MailPort returns the port of the mail server.
func (c *Config) MailPort() int {
	if c.SMTPPort != 0 {
		return c.SMTPPort
	}
	return alert.UsualPort(c.SMTPSecurity)
}

// mailChecks returns the faults of the single settings of e-mail.
func (c *Config) mailChecks() map[string]error {
	all := map[string]error{}
	misplaced := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(":/@", r) }
	if strings.ContainsFunc(c.SMTPHost, misplaced) {
		all["smtp-host"] = errors.New(
			"must be only a host name or an IPv4 address, such as mail.example.com; the port is set by smtp-port")
	}
	if c.MailFrom != "" {
		all["mail-from"] = alert.CheckAddress(c.MailFrom)
	}
	return all
}

// jointMailChecks returns the faults of settings of e-mail that do not belong together.
func (c *Config) jointMailChecks() (all []jointCheck) {
	if c.SMTPUser != "" && c.SMTPSecurity == SMTPPlain {
		all = append(all, jointCheck{
			"smtp-user",
			[]string{"smtp-security"},
			errors.New("needs smtp-security starttls or tls: its password would be sent unencrypted"),
		})
	}
	if c.SMTPHost != "" && c.MailFrom == "" {
		all = append(all, jointCheck{
			"mail-from", []string{"smtp-host"}, errors.New("is required with smtp-host: the sender address of alerts"),
		})
	}
	if c.SMTPHost == "" && slices.Contains([]bool{c.MailTo != "", c.SMTPUser != "", c.MailFrom != ""}, true) {
		all = append(all, jointCheck{
			"smtp-host",
			[]string{"mail-to", "mail-from", "smtp-user"},
			errors.New("is required to send e-mail: mail-to, mail-from or smtp-user is set"),
		})
	}
	return all
}
