package mailer

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"strings"
	"unicode"

	"github.com/wneessen/go-mail"

	"munadi/store/excerpt"
)

// maxWords limits the part of a server's answer in our errors, in characters.
const maxWords = 200

// SendFault says in plain words why a message was not sent. It holds neither the password nor the recipient.
type SendFault struct {
	text      string
	permanent bool
}

// Error implements error.
func (f *SendFault) Error() string { return f.text }

// IsPermanent reports whether err says that trying again is useless: the server refuses this address or message for
// good (SMTP code 5xx).
func IsPermanent(err error) bool {
	var fault *SendFault
	return errors.As(err, &fault) && fault.permanent
}

// explainFault translates an error; to is the recipient, which its text does not name.
func (s MailServer) explainFault(err error, to string) error {
	if err == nil {
		return nil
	}
	fault := &SendFault{text: s.hideSecrets(s.describeFault(err), to)}
	var refused *mail.SendError
	fault.permanent = errors.As(err, &refused) && refused.ErrorCode() >= 500 && !refused.IsTemp()
	return fault
}

// describeFault returns the sentence for an error.
func (s MailServer) describeFault(err error) string {
	var (
		answer  *textproto.Error
		name    *net.DNSError
		certain *tls.CertificateVerificationError
		record  tls.RecordHeaderError
		refused *mail.SendError
		address = fmt.Sprintf("%s:%d", s.Host, s.Port)
	)
	var timeout net.Error
	switch {
	case errors.As(err, &name):
		return fmt.Sprintf("the name of the mail server %q cannot be resolved", s.Host)
	case errors.As(err, &certain):
		return "the mail server's certificate is not trusted: " + certain.Err.Error() + " (smtp-ca, smtp-host)"
	case errors.As(err, &record):
		return "no TLS is spoken at " + address + ": smtp-security may be starttls, or the port another"
	case errors.Is(err, context.Canceled):
		return "the attempt was cancelled"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Sprintf("the mail server at %s did not answer within %.0f seconds", address, stageTime.Seconds())
	case errors.As(err, &answer):
		return fmt.Sprintf("the mail server answered: %d %s", answer.Code, answer.Msg)
	case errors.As(err, &refused):
		return "the mail server refused the message: " + refused.Error()
	case strings.Contains(err.Error(), "STARTTLS"):
		return "the mail server at " + address + " offers no STARTTLS (smtp-security)"
	}
	return "the mail server at " + address + ": " + err.Error()
}

// hideSecrets makes a text one short line without the password and the recipient.
func (s MailServer) hideSecrets(text, to string) string {
	for secret, name := range map[string]string{s.Password: "•••", to: "the recipient"} {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, name)
		}
	}
	line := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return excerpt.TruncateText(line, maxWords)
}
