package record

import "munadi/store"

// CheckAudit refuses an audit entry that names no actor or no action: its change must not be made.
func CheckAudit(c store.AuditEntry) error {
	if c.Actor == "" || c.Action == "" {
		return store.Errorf(store.CodeInvalid, "an audit entry needs an actor and an action")
	}
	return nil
}
