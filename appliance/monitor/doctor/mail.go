package doctor

import (
	"context"
	"errors"
	"fmt"

	"munadi/appliance/admin"
	"munadi/appliance/mailer"
)

// CheckMail connects to the mail server and signs in, without sending anything.
func CheckMail(ctx context.Context, mail *mailer.ServerFinder) admin.CheckFinding {
	f := admin.CheckFinding{Name: "e-mail", State: admin.StateOK}
	server, err := mail.FindServer(ctx)
	if errors.Is(err, mailer.ErrNoServer) {
		f.Text = "no mail server is set (in the console, or smtp-host): alerts are only shown in the console"
		return f
	}
	if err == nil {
		err = server.CheckServer(ctx)
	}
	if err != nil {
		f.State, f.Text = admin.StateFailed, err.Error()
		return f
	}
	f.Text = fmt.Sprintf("%s:%d accepts e-mail from %s", server.Host, server.Port, server.From)
	return f
}
