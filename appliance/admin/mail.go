package admin

import (
	"context"

	"munadi/store/alert"
)

// testMailRequest asks for a test e-mail.
type testMailRequest struct {
	To string `json:"to"`
}

func (p ProcessControl) testMail(ctx context.Context, r testMailRequest) (nothing, error) {
	err := alert.CheckAddress(r.To)
	if err == nil {
		err = p.TestMail(ctx, r.To)
	}
	return nothing{}, asInvalid(err)
}

// TestMail sends a test e-mail by the mail server of the appliance on a data folder; its error says what the server
// answered. It returns false when no appliance runs there.
func TestMail(ctx context.Context, dir, to string) (running bool, err error) {
	_, running, err = testMail.ask(ctx, dir, testMailRequest{to})
	return running, err
}
