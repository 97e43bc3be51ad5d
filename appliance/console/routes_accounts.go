package console

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// strangerBody is the body size limit of requests without sign-in, in bytes.
const strangerBody = 64 << 10

// limitFormBody refuses larger bodies.
func limitFormBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		r.Body = http.MaxBytesReader(c.Response(), r.Body, strangerBody)
		if err := r.ParseForm(); err != nil {
			return echo.NewHTTPError(http.StatusBadRequest, "this is no form").SetInternal(err)
		}
		return next(c)
	}
}

// mountAccounts adds the routes of sign-in, set-up, accounts, users, organizations and the audit trail.
func (s *ConsoleService) mountAccounts(g routeGroups) {
	g.open.GET("/sign-in", s.showSignIn)
	g.open.POST("/sign-in", s.signIn, limitFormBody)
	g.open.GET("/certificate", s.showCertificate)
	g.open.GET("/certificate/munadi.crt", s.rootFile)
	g.look.POST("/sign-out", s.signOut)
	g.open.GET("/setup/:token", s.showSetUp)
	g.open.POST("/setup/:token", s.setUp, limitFormBody)
	g.own.GET("/welcome", s.showWelcome)
	g.act.POST("/welcome/call", s.firstCall)

	g.look.GET("/account", s.showAccount)
	g.look.POST("/account/password", s.changePassword)
	g.look.GET("/account/sessions.csv", s.exportSessions)
	g.look.POST("/account/sessions/end", s.endSessions)

	g.own.GET("/users", s.showUsers)
	g.own.GET("/users.csv", s.exportUsers)
	g.own.POST("/users", s.createUser)
	g.own.POST("/users/:user/role", s.changeRole)
	g.own.POST("/users/:user/state", s.changeState)
	g.own.GET("/users/:user/password", s.askPassword)
	g.own.POST("/users/:user/password", s.newPassword)
	g.own.GET("/users/:user/delete", s.askDelete)
	g.own.POST("/users/:user/delete", s.deleteUser)

	g.own.GET("/organizations", s.showOrganizations, requireGovernor)
	g.own.GET("/organizations.csv", s.exportOrganizations, requireGovernor)
	g.own.POST("/organizations", s.createOrganization, requireGovernor)
	g.own.POST("/organizations/:organization/look", s.lookAt, requireGovernor)

	g.own.GET("/keys", s.showKeys)
	g.own.GET("/keys.csv", s.exportKeys)
	g.own.POST("/keys", s.createKey)
	g.own.GET("/keys/:key/revoke", s.askRevoke)
	g.own.POST("/keys/:key/revoke", s.revokeKey)

	g.own.GET("/audit", s.showAudit)
	g.own.GET("/audit.csv", s.auditCSV)

	s.mountWebhook(g)
}
