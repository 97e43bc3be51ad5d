package text_test

import (
	"reflect"
	"strings"
	"testing"

	"munadi/ui/text"
)

func TestAccountTablesAreComplete(t *testing.T) {
	t.Parallel()
	tables := func(l text.Lang) []any {
		return []any{
			text.SignInIn(l), text.PasswordsIn(l), text.SetUpIn(l), text.UsersIn(l), text.KeysIn(l), text.AuditIn(l),
			text.WebhookIn(l), text.TroubleIn(l),
		}
	}
	arabic, english := tables(text.Arabic), tables(text.English)
	for n := range arabic {
		ar, en := reflect.ValueOf(arabic[n]), reflect.ValueOf(english[n])
		for i := range ar.NumField() {
			name := ar.Type().Name() + "." + ar.Type().Field(i).Name
			a, e := ar.Field(i).String(), en.Field(i).String()
			if strings.TrimSpace(a) == "" || strings.TrimSpace(e) == "" {
				t.Errorf("%s is empty in a language", name)
			}
			if a == e {
				t.Errorf("%s reads the same in both languages: %q", name, a)
			}
		}
	}
}

func TestActionsHaveNames(t *testing.T) {
	t.Parallel()
	for _, action := range []string{
		"user.create", "user.role", "user.password", "user.sign_in", "user.sign_in_refused", "key.create", "key.revoke",
		"rules.put", "webhook.put", "call.cancel", "person.erase", "organization.create",
	} {
		for _, l := range text.Languages() {
			if text.Action(l, action) == action {
				t.Errorf("%s has no name in %s", action, l)
			}
		}
	}
	if text.Action(text.Arabic, "brand.new") != "brand.new" {
		t.Error("an action without a name loses its own")
	}
}
