package console

import (
	"encoding/base64"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/cookie"
	"munadi/ui/layout"
)

// flashCookie carries one sentence over a redirect.
const flashCookie = "munadi_flash"

// maxFlash bounds it, in bytes.
const maxFlash = 1000

// flashMessage leaves a sentence for the page that follows.
func flashMessage(c echo.Context, sentence string) { leaveFlash(c, "+", sentence) }

// flashProblem leaves one about what could not be done.
func flashProblem(c echo.Context, sentence string) { leaveFlash(c, "-", sentence) }

func leaveFlash(c echo.Context, kind, sentence string) {
	value := base64.RawURLEncoding.EncodeToString([]byte(kind + sentence[:min(len(sentence), maxFlash)]))
	cookie.SetCookie(c, flashCookie, value, time.Minute)
}

// takeFlash is the sentence that the act before left, once. What a stranger put into the cookie is text like any other.
func takeFlash(c echo.Context) *layout.FlashMessage {
	left := cookie.ReadCookie(c, flashCookie)
	if left == "" {
		return nil
	}
	cookie.ClearCookie(c, flashCookie)
	text, err := base64.RawURLEncoding.DecodeString(left)
	if err != nil || len(text) < 2 {
		return nil
	}
	return &layout.FlashMessage{Bad: strings.HasPrefix(string(text), "-"), Text: strings.ToValidUTF8(string(text[1:]), "")}
}
