package console

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// strangerBody bounds what somebody who is not signed in may send, in bytes.
const strangerBody = 64 << 10

// small refuses larger bodies.
func small(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		r.Body = http.MaxBytesReader(c.Response(), r.Body, strangerBody)
		if err := r.ParseForm(); err != nil {
			return echo.NewHTTPError(http.StatusBadRequest, "this is no form").SetInternal(err)
		}
		return next(c)
	}
}

// mountAccounts adds what concerns who may use the appliance: the sign-in, the first run, accounts, users,
// organizations, the audit trail.
func (s *Service) mountAccounts(g groups) {
	g.open.GET("/sign-in", s.showSignIn)
	g.open.POST("/sign-in", s.signIn, small)
	g.look.POST("/sign-out", s.signOut)
	g.open.GET("/setup/:token", s.showSetUp)
	g.open.POST("/setup/:token", s.setUp, small)
	g.own.GET("/welcome", s.welcome)
	g.act.POST("/welcome/call", s.firstCall)
}
