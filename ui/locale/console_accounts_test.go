package locale_test

import (
	"reflect"
	"strings"
	"testing"

	"munadi/ui/locale"
)

func TestAccountTablesAreComplete(t *testing.T) {
	t.Parallel()
	tables := func(l locale.Language) []any {
		return []any{
			locale.SignInIn(l), locale.PasswordsIn(l), locale.SetUpIn(l), locale.UsersIn(l), locale.KeysIn(l), locale.AuditIn(l),
			locale.WebhookIn(l), locale.TroubleIn(l),
		}
	}
	arabic, english := tables(locale.Arabic), tables(locale.English)
	for n := range arabic {
		ar, en := reflect.ValueOf(arabic[n]), reflect.ValueOf(english[n])
		for i := range ar.NumField() {
			name := ar.Type().Name() + "." + ar.Type().Field(i).Name
			if _, counted := ar.Field(i).Interface().(locale.CountedText); counted {
				continue // TestCountedTextsAreComplete reads its forms
			}
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
		for _, l := range locale.AllLanguages() {
			if locale.ActionName(l, action) == action {
				t.Errorf("%s has no name in %s", action, l)
			}
		}
	}
	if locale.ActionName(locale.Arabic, "brand.new") != "brand.new" {
		t.Error("an action without a name loses its own")
	}
}
