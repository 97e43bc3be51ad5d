package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"munadi/store/account"
	"munadi/store/alert"
)

// TestAlertsOfTheInstallation checks that only users who govern the appliance see its alerts, in the banner and on the
// page.
func TestAlertsOfTheInstallation(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.mustSucceed(w.store.CreateUser(t.Context(), account.User{ID: "clerk", OrgID: account.Default, Name: "clerk", Role: account.Operator, CreatedAt: w.now}, "test"))
	for who, sees := range map[account.UserRole]string{
		governor: "The disk is nearly full", account.Owner: "Calling is stopped", account.Viewer: "Calling is stopped", rival: "",
	} {
		for _, path := range []string{"/calls", "/alerts", "/alerts/banner"} {
			page := w.getPage(who, path).Body.String()
			for _, title := range []string{"The disk is nearly full", "Calling is stopped"} {
				if strings.Contains(page, title) && title != sees || sees == title && !strings.Contains(page, title) {
					t.Errorf("%s at %s: %q shown: %v", who, path, title, strings.Contains(page, title))
				}
			}
		}
	}
}

func TestAcknowledged(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	path := "/alerts/" + w.alert + "/acknowledge"
	if code := w.postForm(rival, path, url.Values{}).Code; code != http.StatusNotFound {
		t.Errorf("another organization's alert: %d", code)
	}
	w.postForm(account.Operator, path, url.Values{})
	if strings.Contains(w.getPage(account.Viewer, "/calls").Body.String(), "alert-region") {
		t.Error("an acknowledged alert is still on every page")
	}
	if page := w.getPage(account.Viewer, "/alerts").Body.String(); !strings.Contains(page, "Acknowledged by") {
		t.Error("the page does not say who has seen it")
	}
}

func TestAlertRecipients(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for typed, code := range map[string]int{
		"a@example.com\r\nb@example.com": http.StatusSeeOther, "": http.StatusSeeOther, "nonsense": http.StatusUnprocessableEntity,
		"a@example.com\nb@example.com\nc@example.com\nd@example.com\ne@example.com\nf@example.com": http.StatusUnprocessableEntity,
		`"x" <a@example.com>`: http.StatusUnprocessableEntity,
	} {
		if got := w.postForm(account.Owner, "/alerts/recipients", newForm("recipients", typed)); got.Code != code {
			t.Errorf("%q: %d, want %d", typed, got.Code, code)
		}
	}
	w.postForm(account.Owner, "/alerts/recipients", newForm("recipients", ""))
	if got := w.postForm(account.Owner, "/alerts/mail-test", url.Values{}); got.Code != http.StatusUnprocessableEntity {
		t.Errorf("a test without recipients: %d", got.Code)
	}
	w.postForm(account.Owner, "/alerts/recipients", newForm("recipients", "a@example.com"))
	for range 60 {
		w.postForm(account.Owner, "/alerts/mail-test", url.Values{})
	}
	board, err := w.store.FindAlerts(t.Context(), "acme")
	w.mustSucceed(err)
	if len(board.Mails) != alert.MaxMailsAnHour || board.Mails[0].Event != alert.Trial {
		t.Errorf("%d e-mails are queued", len(board.Mails))
	}
}
