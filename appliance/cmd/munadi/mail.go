package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/google/uuid"

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
	server, err := mailer.OpenServer(cfg)
	if err != nil {
		return err
	}
	to := cfg.MailTo.Addresses()
	if c.To != "" {
		if err := alert.CheckAddress(c.To); err != nil {
			return err
		}
		to = []string{c.To}
	}
	if len(to) == 0 {
		return errors.New("no recipient: give an address, or set mail-to")
	}
	host, _ := os.Hostname() // only for the text
	for _, address := range to {
		if err := alerting.SendTest(ctx, server, uuid.NewString(), address, host, time.Now()); err != nil {
			return fmt.Errorf("%s: %w", address, err)
		}
		if _, err := fmt.Fprintln(out, "Sent to", address); err != nil {
			return err
		}
	}
	return nil
}
