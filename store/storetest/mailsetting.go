package storetest

import (
	"errors"
	"reflect"
	"testing"

	"munadi/store"
	"munadi/store/alert"
)

// newMailSetting returns a mail server with every field.
func newMailSetting() alert.MailSetting {
	return alert.MailSetting{
		Host: "mail.example.com", Port: 2525, Security: alert.MailTLS, User: "munadi", Password: []byte{0, 1, 255},
		From: "munadi@example.com",
	}
}

// mailSettings: the mail server is read back, and belongs to its organization; a refused change changes nothing.
func mailSettings(t *testing.T, s store.Store) {
	addOrganizations(t, s, "airline")
	ctx, now := t.Context(), startTime()
	want := newMailSetting()
	change := func(kept *alert.MailSetting) error {
		*kept = want
		return nil
	}
	wantCode(t, "mail server of nobody", s.ChangeMailSetting(ctx, "bakery", asked, now, change), store.CodeNotFound)
	addOrganizations(t, s, "bakery")
	wantCode(t, "ChangeMailSetting", s.ChangeMailSetting(ctx, "bakery", asked, now, change), "")
	refused := errors.New("refused")
	err := s.ChangeMailSetting(ctx, "bakery", asked, now, func(kept *alert.MailSetting) error {
		kept.Host = "other.example.com"
		return refused
	})
	if !errors.Is(err, refused) {
		t.Errorf("the error of the change is %v", err)
	}
	got, err := s.FindMailSetting(ctx, "bakery")
	wantCode(t, "FindMailSetting", err, "")
	if want.UpdatedAt = got.UpdatedAt; !reflect.DeepEqual(got, want) || !got.UpdatedAt.Equal(now) {
		t.Errorf("read back %+v", got)
	}
	got, err = s.FindMailSetting(ctx, "airline")
	if wantCode(t, "FindMailSetting of another", err, ""); !reflect.DeepEqual(got, alert.MailSetting{}) {
		t.Errorf("another organization has %+v", got)
	}
}
