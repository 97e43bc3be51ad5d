package console_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/http/cookiejar"
	"regexp"
	"strings"
	"testing"
	"time"

	"munadi/appliance/auth"
	"munadi/store"
	"munadi/store/account"
)

// appCode returns what an authenticator app shows for a secret (RFC 6238, written from the RFC).
func appCode(t *testing.T, secret string, at time.Time) string {
	t.Helper()
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ReplaceAll(secret, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	m := hmac.New(sha1.New, key)
	_ = binary.Write(m, binary.BigEndian, at.Unix()/30)
	sum := m.Sum(nil)
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[sum[19]&15:])&0x7fffffff%1_000_000)
}

var (
	offerField = regexp.MustCompile(`name="offer" value="([^"]+)"`)
	secretText = regexp.MustCompile(`<bdi dir="ltr">((?:[A-Z2-7]{4} ?){8})</bdi>`)
	codesText  = regexp.MustCompile(`(?s)id="codes"><bdi dir="ltr">([^<]+)</bdi>`)
)

// setUpFactor sets up a second factor on the pages and returns its secret and recovery codes.
func (b *testBrowser) setUpFactor(d *consoleServer) (string, []string) {
	b.t.Helper()
	p := b.getPage("/console/account/second-factor").wantStatus(http.StatusOK).wantText("<svg")
	offer, secret := offerField.FindStringSubmatch(p.Body), secretText.FindStringSubmatch(p.Body)
	if offer == nil || secret == nil {
		b.t.Fatalf("no secret in %s", p.mainText())
	}
	wrong := b.postForm("/console/account/second-factor", "offer", offer[1], "current", goodPassword, "code", "000000")
	wrong.wantStatus(http.StatusUnprocessableEntity).wantText(secret[1]).wantText("clock")
	b.postForm("/console/account/second-factor", "offer", offer[1], "current", goodPassword,
		"code", appCode(b.t, secret[1], d.currentTime())).wantRedirect("/console/account/second-factor")
	codes := codesText.FindStringSubmatch(b.getPage("/console/account/second-factor").wantStatus(http.StatusOK).Body)
	if codes == nil {
		b.t.Fatal("no recovery codes")
	}
	if codesText.MatchString(b.getPage("/console/account/second-factor").Body) {
		b.t.Error("recovery codes are shown twice")
	}
	d.seconds.Add(60)
	return secret[1], strings.Split(html.UnescapeString(codes[1]), "\n")
}

// cookieValue returns a cookie of the browser; empty without it.
func (b *testBrowser) cookieValue(name string) string {
	r, _ := http.NewRequest(http.MethodGet, b.base, nil)
	for _, c := range b.Jar.Cookies(r.URL) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// TestTwoStepSignIn: after the password the code is asked for; until then no page opens; it leads where the link asked,
// within the console only.
func TestTwoStepSignIn(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	d.addUser(t, account.Default, "amal", account.Viewer)
	secret, codes := d.signIn(t, "amal").setUpFactor(d)
	if len(codes) != 10 {
		t.Fatalf("codes %q", codes)
	}
	b := d.newBrowser(t)
	b.getPage("/console/sign-in/code").wantRedirect("/console/sign-in?next=%2Fconsole")
	b.postForm("/console/sign-in/code", "code", codes[0]).wantRedirect("/console/sign-in?next=%2Fconsole")
	b.getPage("/console/sign-in").wantText("Sign in again")
	in := b.postForm("/console/sign-in", "name", "amal", "password", goodPassword, "next", "/console/calls?status=x")
	in.wantRedirect("/console/sign-in/code?next=%2Fconsole%2Fcalls%3Fstatus%3Dx")
	if b.sessionCookie() != "" || b.cookieValue("munadi_device") != "" || !strings.Contains(in.Header.Get("Set-Cookie"), "HttpOnly") {
		t.Errorf("the password alone sets %v", in.Header["Set-Cookie"])
	}
	b.getPage("/console/account").wantStatus(http.StatusSeeOther)
	b.getPage("/console/sign-in/code?next=%2Fconsole%2Fcalls%3Fstatus%3Dx").wantText(`value="/console/calls?status=x"`).wantText("one-time-code")
	b.postForm("/console/sign-in/code", "code", "000000").wantStatus(http.StatusUnauthorized).wantText("was used already")
	typed := strings.NewReplacer("0", "٠", "1", "١", "2", "٢", "3", "٣", "4", "٤", "5", "٥", "6", "٦", "7", "٧", "8", "٨", "9", "٩").Replace(appCode(t, secret, d.currentTime()))
	b.postForm("/console/sign-in/code", "code", typed, "next", "https://evil.example/").wantRedirect("/console")
	if b.cookieValue("munadi_step") != "" || b.sessionCookie() == "" {
		t.Error("the step's cookie stays, or there is no session")
	}
	b.getPage("/console/account").wantStatus(http.StatusOK).wantText("Manage two-step")
}

// TestStepCookieOfAnotherBrowser: a planted cookie between password and code leads to no session without that account's
// code, and the session is always a new one.
func TestStepCookieOfAnotherBrowser(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	d.addUser(t, account.Default, "amal", account.Viewer)
	d.addUser(t, account.Default, "mallory", account.Viewer)
	_, codes := d.signIn(t, "amal").setUpFactor(d)
	d.signIn(t, "mallory").setUpFactor(d)
	attacker := d.newBrowser(t)
	attacker.postForm("/console/sign-in", "name", "mallory", "password", goodPassword).wantStatus(http.StatusSeeOther)
	victim := d.newBrowser(t)
	victim.Jar, _ = cookiejar.New(nil)
	r, _ := http.NewRequest(http.MethodGet, d.URL, nil)
	victim.Jar.SetCookies(r.URL, []*http.Cookie{
		{Name: "munadi_step", Value: attacker.cookieValue("munadi_step")}, {Name: "munadi_session", Value: "planted"},
	})
	victim.postForm("/console/sign-in/code", "code", codes[0]).wantStatus(http.StatusUnauthorized)
	victim.postForm("/console/sign-in", "name", "amal", "password", goodPassword).wantStatus(http.StatusSeeOther)
	victim.postForm("/console/sign-in/code", "code", codes[0]).wantRedirect("/console")
	if victim.sessionCookie() == "planted" {
		t.Error("the planted session is used")
	}
}

// TestRequiredSecondFactor: with the organization's requirement a user without a second factor sees only where it is set
// up; another organization's users are not asked.
func TestRequiredSecondFactor(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	d.addUser(t, account.Default, "amal", account.Owner)
	d.addUser(t, account.Default, "badr", account.Viewer)
	if err := d.store.CreateOrganization(t.Context(), account.Organization{ID: "other", Name: "Other"}, "test"); err != nil {
		t.Fatal(err)
	}
	d.addUser(t, "other", "rival", account.Owner)
	owner, badr, rival := d.signIn(t, "amal"), d.signIn(t, "badr"), d.signIn(t, "rival")
	badr.getPage("/console/calls").wantStatus(http.StatusOK)
	owner.getPage("/console/users").wantText("Require two-step sign-in")
	owner.postForm("/console/users/second-factor", "needed", "1").wantRedirect("/console/users")
	owner.getPage("/console/users").wantRedirect("/console/account/second-factor")
	badr.getPage("/console/calls").wantRedirect("/console/account/second-factor")
	badr.getPage("/console/account/second-factor").wantText("Your organization requires")
	owner.postForm("/console/users", "name", "new", "role", "viewer").wantStatus(http.StatusForbidden)
	rival.getPage("/console/calls").wantStatus(http.StatusOK)
	owner.setUpFactor(d)
	owner.getPage("/console/users").wantStatus(http.StatusOK).wantText("checked")
	badr.setUpFactor(d)
	badr.getPage("/console/calls").wantStatus(http.StatusOK)
	owner.postForm("/console/users/second-factor").wantRedirect("/console/users")
	if o, err := d.store.FindOrganization(t.Context(), account.Default); err != nil || o.NeedsSecondFactor {
		t.Errorf("still required: %+v, %v", o, err)
	}
}

// TestFactorOfAnotherUser: an owner turns off two-step sign-in of a user of the same organization, whose sessions end.
func TestFactorOfAnotherUser(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	d.addUser(t, account.Default, "amal", account.Owner)
	u := d.addUser(t, account.Default, "badr", account.Viewer)
	if err := d.store.CreateOrganization(t.Context(), account.Organization{ID: "other", Name: "Other"}, "test"); err != nil {
		t.Fatal(err)
	}
	d.addUser(t, "other", "rival", account.Owner)
	badr, path := d.signIn(t, "badr"), "/console/users/"+u.ID+"/second-factor"
	badr.setUpFactor(d)
	rival := d.signIn(t, "rival")
	rival.getPage(path).wantStatus(http.StatusNotFound)
	rival.getPage("/console/users")
	rival.postForm(path).wantStatus(http.StatusNotFound)
	owner := d.signIn(t, "amal")
	owner.getPage("/console/users").wantText(path)
	owner.getPage(path).wantStatus(http.StatusOK).wantText("lost the phone")
	owner.postForm(path).wantRedirect("/console/users")
	owner.getPage("/console/users").wantNoText(path)
	badr.getPage("/console/account").wantStatus(http.StatusSeeOther)
	d.signIn(t, "badr")
	owner.postForm(path).wantRedirect("/console/users")
	owner.getPage("/console/users").wantText("has no two-step")
}

// TestRemoveOwnFactorOnThePage: users turn their own off with password and code; without them nothing changes.
func TestRemoveOwnFactorOnThePage(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	d.addUser(t, account.Default, "amal", account.Viewer)
	b := d.signIn(t, "amal")
	secret, codes := b.setUpFactor(d)
	b.postForm("/console/account/second-factor/remove", "current", "wrong", "code", codes[0]).wantStatus(http.StatusUnprocessableEntity)
	b.postForm("/console/account/second-factor/recovery", "current", goodPassword, "code", codes[0]).wantRedirect("/console/account/second-factor")
	b.getPage("/console/account/second-factor").wantText(`id="codes"`)
	b.postForm("/console/account/second-factor/remove", "current", goodPassword, "code", codes[1]).wantStatus(http.StatusUnprocessableEntity)
	b.postForm("/console/account/second-factor/remove", "current", goodPassword, "code", appCode(t, secret, d.currentTime())).wantRedirect("/console/account")
	b.getPage("/console/account").wantStatus(http.StatusOK).wantText("Set up two-step")
}

// factorForm fills the form of a route about the user's second factor: of the offer, or with a recovery code.
func (w *consoleFixture) factorForm(who account.UserRole, kind string) (offer, code string) {
	w.t.Helper()
	u, err := w.store.FindUser(w.t.Context(), "id-"+string(who))
	if store.CodeOf(err) == store.CodeNotFound {
		return "none", "000000"
	}
	w.mustSucceed(err)
	made, err := w.accounts.OfferSecondFactor(u)
	w.mustSucceed(err)
	code = appCode(w.t, made.Secret, w.now)
	if kind == ":offer" {
		return made.Sealed, code
	}
	codes, err := w.accounts.ConfirmSecondFactor(w.t.Context(), u, account.UserSession{Hash: []byte(who)}, made.Sealed, goodPassword, code)
	if errors.Is(err, auth.ErrHasSecondFactor) {
		return "", "000000"
	}
	w.mustSucceed(err)
	return "", codes[0]
}
