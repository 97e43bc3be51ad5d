package audit_test

import (
	"testing"

	"munadi/ui/audit"
	"munadi/ui/locale"
)

func TestActionsHaveNames(t *testing.T) {
	t.Parallel()
	for _, action := range []string{
		"user.create", "user.role", "user.password", "user.sign_in", "user.sign_in_refused", "key.create", "key.revoke",
		"rules.put", "webhook.put", "call.cancel", "person.erase", "organization.create", "replay.create", "replay.pause",
		"replay.resume", "replay.delete",
	} {
		for _, l := range locale.AllLanguages() {
			if audit.ActionName(l, action) == action {
				t.Errorf("%s has no name in %s", action, l)
			}
		}
	}
	if audit.ActionName(locale.Arabic, "brand.new") != "brand.new" {
		t.Error("an action without a name loses its own")
	}
}

// TestNewKeyNote checks that the scopes of a new API key are in words, and that other details with a colon stay.
func TestNewKeyNote(t *testing.T) {
	t.Parallel()
	for note, want := range map[string]string{
		"shop: north: stt,people:erase": "shop: north: speech-to-text, erase people's data", "trunk: down": "trunk: down",
	} {
		if got := audit.AuditNote(locale.English, note); got != want {
			t.Errorf("%q is %q, want %q", note, got, want)
		}
	}
}
