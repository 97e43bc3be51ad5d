package record

import (
	"fmt"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
)

// ChangeRules applies a change to an organization's dialling rules and returns the audit note, which names changes of
// the kill switch.
func ChangeRules(
	r *callrules.CallRules, change func(*callrules.CallRules) error, now time.Time,
) (note string, err error) {
	stopped := r.KillSwitch
	if err := change(r); err != nil {
		return "", err
	}
	r.UpdatedAt = now
	switch {
	case r.KillSwitch:
		note = "kill switch on"
	case stopped:
		note = "kill switch off"
	}
	return note, nil
}

// CheckSuppressions validates entries to be added.
func CheckSuppressions(entries ...callrules.SuppressionEntry) error {
	for _, entry := range entries {
		if !IsKeyPart(entry.PhoneNumber) {
			return store.Errorf(store.CodeInvalid, "a suppression needs a number without '/'")
		}
	}
	return nil
}

// SuppressionAudits returns the audit entries for added suppressions, one for each organization. visit is called first
// for each organization; its error aborts.
func SuppressionAudits(
	entries []callrules.SuppressionEntry, actor string, now time.Time, visit func(orgID string) error,
) (map[string]store.AuditEntry, error) {
	audits, count := map[string]store.AuditEntry{}, map[string]int{}
	for _, entry := range entries {
		org := entry.OrgID
		if count[org]++; count[org] == 1 {
			if err := visit(org); err != nil {
				return nil, err
			}
		}
		subject := call.MaskNumber(entry.PhoneNumber)
		if count[org] > 1 {
			subject = fmt.Sprintf("%d numbers", count[org])
		}
		audits[org] = store.AuditEntry{At: now, Actor: actor, Action: "suppression.put", Subject: subject}
	}
	return audits, nil
}

// CalleeSuppression completes the suppression that the callee of a call asked for; an empty number means the call's
// own.
func CalleeSuppression(entry callrules.SuppressionEntry, c call.Call) (callrules.SuppressionEntry, error) {
	entry.OrgID = c.OrgID
	if entry.PhoneNumber == "" {
		entry.PhoneNumber = c.PhoneNumber
	}
	return entry, CheckSuppressions(entry)
}
