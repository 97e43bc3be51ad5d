package kit

import (
	"encoding/base64"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/cookie"
	"munadi/store/account"
	"munadi/ui/layout"
)

// flashCookie is the cookie that carries a flash message over a redirect.
const flashCookie = "munadi_flash"

// maxFlash is the longest flash message, in bytes.
const maxFlash = 1000

// FlashMessage sets a success message for the next page.
func FlashMessage(c echo.Context, sentence string) { setFlash(c, "+", sentence) }

// FlashProblem sets an error message for the next page.
func FlashProblem(c echo.Context, sentence string) { setFlash(c, "-", sentence) }

// RedirectSaying redirects to a page that shows a success message.
func RedirectSaying(c echo.Context, path, sentence string) error {
	FlashMessage(c, sentence)
	return RedirectTo(c, path)
}

// RedirectAfter returns the error of an action, or redirects to a page that says that it was done.
func RedirectAfter(c echo.Context, err error, path, sentence string) error {
	if err != nil {
		return err
	}
	return RedirectSaying(c, path, sentence)
}

// RedirectProblem redirects to a page that shows an error message.
func RedirectProblem(c echo.Context, path, sentence string) error {
	FlashProblem(c, sentence)
	return RedirectTo(c, path)
}

func setFlash(c echo.Context, kind, sentence string) {
	value := base64.RawURLEncoding.EncodeToString([]byte(kind + sentence[:min(len(sentence), maxFlash)]))
	cookie.SetCookie(c, flashCookie, value, time.Minute)
}

// TakeFlash returns and clears the flash message. The cookie is untrusted input; its text is escaped like any other. A
// script's request, of a page that is kept up to date, leaves it for the page that the person sees next.
func TakeFlash(c echo.Context) *layout.FlashMessage {
	left := cookie.ReadCookie(c, flashCookie)
	if mode := c.Request().Header.Get("Sec-Fetch-Mode"); left == "" || mode != "" && mode != "navigate" {
		return nil
	}
	cookie.ClearCookie(c, flashCookie)
	text, err := base64.RawURLEncoding.DecodeString(left)
	if err != nil || len(text) < 2 {
		return nil
	}
	return &layout.FlashMessage{Bad: strings.HasPrefix(string(text), "-"), Text: strings.ToValidUTF8(string(text[1:]), "")}
}

// The kinds of secrets that are shown once.
const (
	KeySecret      = "key"
	PasswordSecret = "password"
	WebhookSecret  = "webhook"
	RecoverySecret = "recovery codes"

	DestinationSecret = "destination"
)

const (
	secretLifetime  = 5 * time.Minute
	maxFlashSecrets = 1000
)

// FlashSecrets passes a new secret over a redirect to the page that shows it once, in memory, for the session that
// created it.
type flashSecrets struct {
	mu   sync.Mutex
	kept map[string]flashSecret
	now  func() time.Time
}

type flashSecret struct {
	text  string
	until time.Time
}

func newFlashSecrets(now func() time.Time) *flashSecrets {
	return &flashSecrets{kept: map[string]flashSecret{}, now: now}
}

// PutSecret stores a secret for the session's next page of that kind.
func (o *flashSecrets) PutSecret(s account.UserSession, kind, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for place, kept := range o.kept {
		if !o.now().Before(kept.until) || len(o.kept) >= maxFlashSecrets {
			delete(o.kept, place)
		}
	}
	o.kept[string(s.Hash)+kind] = flashSecret{text, o.now().Add(secretLifetime)}
}

// TakeSecret returns and removes the secret; empty without one.
func (o *flashSecrets) TakeSecret(s account.UserSession, kind string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	place := string(s.Hash) + kind
	kept := o.kept[place]
	delete(o.kept, place)
	if !o.now().Before(kept.until) {
		return ""
	}
	return kept.text
}

// SafeNextPath returns the path that a form asks to be led to afterwards, only within the console (no open redirect).
func SafeNextPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || strings.ContainsAny(next, "\\\r\n") {
		return Root
	}
	if u.Path != Root && !strings.HasPrefix(u.Path, Root+"/") || strings.HasPrefix(u.Path, Root+"/sign-") ||
		path.Clean(u.Path) != u.Path {
		return Root
	}
	return u.RequestURI()
}
