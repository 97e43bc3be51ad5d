package console

import "github.com/labstack/echo/v4/middleware"

// strangerBody bounds what somebody who is not signed in may send.
const strangerBody = "64K"

// mountAccounts adds what concerns who may use the appliance: the sign-in, the first run, accounts, users,
// organizations, the audit trail.
func (s *Service) mountAccounts(g groups) {
	g.open.GET("/sign-in", s.showSignIn)
	small := middleware.BodyLimit(strangerBody)
	g.open.POST("/sign-in", s.signIn, small)
	g.look.POST("/sign-out", s.signOut)
	g.open.GET("/setup/:token", s.showSetUp)
	g.open.POST("/setup/:token", s.setUp, small)
	g.own.GET("/welcome", s.welcome)
	g.act.POST("/welcome/call", s.firstCall)
}
