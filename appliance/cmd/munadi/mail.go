package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/google/uuid"

	"munadi/appliance/admin"
	"munadi/appliance/alerting"
	"munadi/appliance/config"
	"munadi/appliance/mailer"
	"munadi/store/alert"
)

// MailCmd is munadi mail.
type MailCmd struct {
	Test MailTestCmd `cmd:"" help:"Send a test e-mail with the current settings."`
}

// MailTestCmd is munadi mail test.
type MailTestCmd struct {
	To string `arg:"" optional:"" placeholder:"ADDRESS" help:"Recipient; default: the addresses of mail-to."`
}

// Run sends one e-mail to each address and prints the results.
func (c MailTestCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	to := cfg.MailTo.Addresses()
	if c.To != "" {
		if err := alert.CheckAddress(c.To); err != nil {
			return err
		}
		to = []string{c.To}
	}
	if len(to) == 0 {
		return errors.New("no recipient: give an address, or set mail-to, which needs smtp-host")
	}
	send, err := mailSender(ctx, cfg)
	if err != nil {
		return err
	}
	for _, address := range to {
		if err := send(address); err != nil {
			return fmt.Errorf("%s: %w", address, err)
		}
		if _, err := fmt.Fprintln(out, "Sent to", address); err != nil {
			return err
		}
	}
	return nil
}

// mailSender returns what sends a test e-mail to an address: by the mail server of the settings, or else by the one
// that was set in the console, which the running appliance knows.
func mailSender(ctx context.Context, cfg *config.Config) (func(to string) error, error) {
	server, err := mailer.OpenServer(cfg)
	if errors.Is(err, mailer.ErrNoServer) {
		return func(to string) error {
			running, sent := admin.TestMail(ctx, cfg.Data, to)
			if !running {
				return fmt.Errorf("%w; the one of the console needs the running appliance", mailer.ErrNoServer)
			}
			return sent
		}, nil
	}
	host, _ := os.Hostname() // only for the text
	return func(to string) error {
		return alerting.SendTest(ctx, server, uuid.NewString(), to, host, time.Now())
	}, err
}
