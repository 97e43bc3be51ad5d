package auth

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/account"
)

// refusalDelay is the shortest time between the comparison of a password and the refusal. Only the refusal of a user
// who exists writes to the database: without the delay, the time of an answer would say which names exist (user
// enumeration).
const refusalDelay = 100 * time.Millisecond

// refuseSignIn logs a refused sign-in, and adds it to the audit trail of a user who exists. It takes at least
// [refusalDelay].
func (a *AccountService) refuseSignIn(ctx context.Context, u account.User, from SignInOrigin) {
	delay := time.NewTimer(refusalDelay)
	defer delay.Stop()
	a.recordRefusal(ctx, u, from)
	select {
	case <-delay.C:
	case <-ctx.Done():
	}
}

// recordRefusal writes the log line, which does not hold the typed name, since that may be a password, and the audit
// entry.
func (a *AccountService) recordRefusal(ctx context.Context, u account.User, from SignInOrigin) {
	a.log.Warn("a sign-in was refused", "address", from.Address, "user", u.ID)
	if u.ID == "" {
		return
	}
	line := store.AuditEntry{
		At: a.now().UTC(), Actor: "address:" + from.Address, Action: "user.sign_in_refused", Subject: u.Name,
	}
	if err := a.people.AddAudit(ctx, u.OrgID, line); err != nil {
		a.log.Warn("a refused sign-in is not in the audit trail", "err", err)
	}
}
