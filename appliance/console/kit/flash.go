package kit

import (
	"encoding/base64"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/cookie"
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
