package appliance

import (
	"context"

	"munadi/appliance/console"
)

// firstUser makes the console's first user, or says where one is made: the link opens once, for half an hour. It is
// the last step of opening, since the link has the listener's address in it.
func (a *Appliance) firstUser() error {
	token, err := a.accounts.Bootstrap(context.Background(), a.config.BootstrapAdminPassword)
	if err != nil || token == "" {
		return err
	}
	a.log.Info("first start: open this link in a browser within 30 minutes to set the console's password",
		"link", a.url()+console.SetUpPath+token, "or run", "munadi users create admin --data "+a.config.Data)
	return nil
}
