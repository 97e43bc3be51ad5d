// Package mailer sends e-mails by SMTP (RFC 5321): one message to one address at a time, over STARTTLS or TLS, with
// deadlines. It is the only importer of go-mail and imports neither alerts nor the store.
//
// No header can be injected: addresses and subject hold no control characters, or the message is refused. Passwords
// are in no error and no log line.
package mailer

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"

	"munadi/appliance/config"
	"munadi/store/alert"
)

const (
	// stageTime limits the connection with its sign-in, and then the message, each.
	stageTime = 10 * time.Second
	// maxSubject is the longest subject, in characters.
	maxSubject = 150
)

// MailServer is a mail server (submission agent or relay) and the account at it.
type MailServer struct {
	Host     string
	Port     int
	Security string // config.SMTPStartTLS, config.SMTPTLS or config.SMTPPlain
	User     string // empty: no sign-in
	Password string
	From     string
	Roots    *x509.CertPool // of the server's certificate; nil: the system's
}

// Mail is one message.
type Mail struct {
	ID      string // of its Message-ID, so that a repetition is recognized
	To      string
	Subject string
	Text    string // UTF-8, lines separated by \n
	At      time.Time
}

// ErrNoServer means that no mail server is set.
var ErrNoServer = errors.New(
	"no mail server is set: on the page Alerts of the console, or smtp-host and mail-from in munadi.yaml")

// OpenServer returns the mail server of the settings; [ErrNoServer] without one. It reads the password's file and the
// CA's.
func OpenServer(c *config.Config) (MailServer, error) {
	s := MailServer{
		Host: c.SMTPHost, Port: c.MailPort(), Security: c.SMTPSecurity, User: c.SMTPUser, From: c.MailFrom,
	}
	if s.Host == "" {
		return s, ErrNoServer
	}
	var err error
	if s.Password, err = config.ReadSecret("smtp-password-file", c.SMTPPasswordFile, c.SMTPPassword); err != nil {
		return s, err
	}
	s.Roots, err = config.ReadAuthorities("smtp-ca", c.SMTPCA)
	return s, err
}

// SendMail sends a message. Its error is a [*SendFault]; ctx ends the attempt.
func (s MailServer) SendMail(ctx context.Context, m Mail) error {
	message, err := s.newMessage(m)
	if err != nil {
		return &SendFault{text: err.Error(), permanent: true}
	}
	return s.explainFault(s.useConnection(ctx, message), m.To)
}

// CheckServer connects and signs in without sending anything.
func (s MailServer) CheckServer(ctx context.Context) error {
	return s.explainFault(s.useConnection(ctx), "")
}

// useConnection connects, signs in, sends messages and disconnects. The end of ctx breaks the connection.
func (s MailServer) useConnection(ctx context.Context, messages ...*mail.Msg) error {
	client, err := mail.NewClient(s.Host, s.clientOptions()...)
	if err != nil {
		return err
	}
	connection, err := dialServer(ctx, client)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = connection.Close() })() // it may be closed already
	if err := client.SendWithSMTPClient(connection, messages...); err != nil {
		_ = connection.Close() // the reply to QUIT is irrelevant
		return err
	}
	_ = client.CloseWithSMTPClient(connection) // the server has taken the message: a lost answer to QUIT is no failure
	return nil
}

// dialServer connects and signs in. The library reads the greeting and the answers to EHLO, STARTTLS and AUTH without
// regard to ctx, for up to [stageTime]; at the end of ctx this returns at once, and a later connection is closed.
func dialServer(ctx context.Context, client *mail.Client) (*smtp.Client, error) {
	type dialResult struct {
		connection *smtp.Client
		err        error
	}
	dialed := make(chan dialResult)
	go func() {
		connection, err := client.DialToSMTPClientWithContext(ctx)
		select {
		case dialed <- dialResult{connection, err}:
		case <-ctx.Done():
			if err == nil {
				_ = connection.Close() // nothing was sent on it
			}
		}
	}()
	select {
	case result := <-dialed:
		return result.connection, result.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// clientOptions are the library's settings for the server.
func (s MailServer) clientOptions() []mail.Option {
	options := []mail.Option{
		mail.WithTimeout(stageTime), mail.WithTLSConfig(&tls.Config{
			ServerName: s.Host, RootCAs: s.Roots, MinVersion: tls.VersionTLS12,
		}),
	}
	switch s.Security {
	case config.SMTPTLS:
		options = append(options, mail.WithSSL())
	case config.SMTPPlain:
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	default:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	options = append(options, mail.WithPort(s.Port))
	if s.User == "" {
		return options
	}
	return append(options,
		mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(s.User), mail.WithPassword(s.Password))
}

// newMessage builds the library's message; its error names the invalid field.
func (s MailServer) newMessage(m Mail) (*mail.Msg, error) {
	for _, address := range []string{s.From, m.To} {
		if err := alert.CheckAddress(address); err != nil {
			return nil, err
		}
	}
	if strings.ContainsFunc(m.Subject+m.ID, unicode.IsControl) || len([]rune(m.Subject)) > maxSubject {
		return nil, fmt.Errorf("a subject has at most %d characters, and no line break", maxSubject)
	}
	out := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := errors.Join(out.From(s.From), out.To(m.To)); err != nil {
		return nil, err
	}
	out.Subject(m.Subject)
	out.SetDateWithValue(m.At)
	out.SetMessageIDWithValue(m.ID + "@" + s.From[strings.LastIndexByte(s.From, '@')+1:])
	out.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no out-of-office replies
	out.SetBodyString(mail.TypeTextPlain, m.Text)
	return out, nil
}
