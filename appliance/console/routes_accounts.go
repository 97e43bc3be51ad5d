package console

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// maxPublicBody is the body size limit of requests without sign-in, in bytes.
const maxPublicBody = 64 << 10

// limitPublicForm refuses larger bodies.
func limitPublicForm(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		r.Body = http.MaxBytesReader(c.Response(), r.Body, maxPublicBody)
		if err := r.ParseForm(); err != nil {
			return newFormError(err)
		}
		return next(c)
	}
}

// mountAccounts adds the routes of sign-in, set-up, accounts, users, organizations and the audit trail.
func (s *ConsoleService) mountAccounts(g routeGroups) {
	g.public.GET("/sign-in", s.showSignIn)
	g.public.POST("/sign-in", s.signIn, limitPublicForm)
	g.public.GET("/certificate", s.showCertificate)
	g.public.GET("/certificate/munadi.crt", s.downloadRootCertificate)
	g.viewer.POST("/sign-out", s.signOut)
	g.public.GET("/setup/:token", s.showSetUp)
	g.public.POST("/setup/:token", s.setUp, limitPublicForm)
	g.owner.GET("/welcome", s.showWelcome)
	g.operator.POST("/welcome/call", s.bookFirstCall)

	g.viewer.GET("/account", s.showAccount)
	g.viewer.POST("/account/password", s.changePassword)
	g.viewer.GET("/account/sessions.csv", s.exportSessions)
	g.viewer.POST("/account/sessions/end", s.endSessions)

	g.owner.GET("/users", s.showUsers)
	g.owner.GET("/users.csv", s.exportUsers)
	g.owner.POST("/users", s.createUser)
	g.owner.POST("/users/:user/role", s.changeRole)
	g.owner.POST("/users/:user/state", s.changeState)
	g.owner.GET("/users/:user/password", s.askResetPassword)
	g.owner.POST("/users/:user/password", s.resetPassword)
	g.owner.GET("/users/:user/delete", s.askDeleteUser)
	g.owner.POST("/users/:user/delete", s.deleteUser)

	g.owner.GET("/organizations", s.showOrganizations, requireGovernor)
	g.owner.GET("/organizations.csv", s.exportOrganizations, requireGovernor)
	g.owner.POST("/organizations", s.createOrganization, requireGovernor)
	g.owner.POST("/organizations/:organization/look", s.selectOrganization, requireGovernor)

	g.owner.GET("/keys", s.showKeys)
	g.owner.GET("/keys.csv", s.exportKeys)
	g.owner.POST("/keys", s.createKey)
	g.owner.GET("/keys/:key/revoke", s.askRevokeKey)
	g.owner.POST("/keys/:key/revoke", s.revokeKey)

	g.owner.GET("/audit", s.showAudit)
	g.owner.GET("/audit.csv", s.exportAudit)

	s.mountWebhook(g)
}
