// Package kit is what all sections of the console share: the declaration of a section with its routes, session and
// role, the page's frame, flash messages, lists, exports.
//
// A section is a package beside it, which imports it; it imports no section.
package kit

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/store/account"
	"munadi/ui/component"
	"munadi/ui/layout"
)

// Section is a section of the console, declared once: what the navigation shows, and the routes.
type Section struct {
	layout.ConsoleSection
	Role   account.UserRole // least role whose navigation shows it
	Order  int              // place in the navigation; 0: it is not in the navigation, and needs neither name nor icon
	Routes []Route
	// IsUsed reports whether the viewed organization uses the section, which the navigation shows then; nil: always.
	IsUsed func(c echo.Context) bool
}

// Route is a page or an action of a section.
type Route struct {
	Method string
	Path   string           // below [Root]
	Role   account.UserRole // least role; empty: it needs no session
	Serve  echo.HandlerFunc
	Guards []echo.MiddlewareFunc // further conditions, after the role
	Upload bool                  // the body is a file of any size, which the handler reads
}

// GetPage declares a page, a download or a stream.
func GetPage(least account.UserRole, path string, serve echo.HandlerFunc, guards ...echo.MiddlewareFunc) Route {
	return Route{Method: http.MethodGet, Path: path, Role: least, Serve: serve, Guards: guards}
}

// PostForm declares an action: a form that is posted.
func PostForm(least account.UserRole, path string, serve echo.HandlerFunc, guards ...echo.MiddlewareFunc) Route {
	return Route{Method: http.MethodPost, Path: path, Role: least, Serve: serve, Guards: guards}
}

// PostUpload declares an action whose body is a File of any size.
func PostUpload(least account.UserRole, path string, serve echo.HandlerFunc, guards ...echo.MiddlewareFunc) Route {
	return Route{Method: http.MethodPost, Path: path, Role: least, Serve: serve, Guards: guards, Upload: true}
}

// findFaults returns what is left out of a section's declaration, and what contradicts itself.
func (s Section) findFaults() (faults []string) {
	fault := func(is bool, format string, args ...any) {
		if is {
			faults = append(faults, fmt.Sprintf("section %q "+format, append([]any{s.ID}, args...)...))
		}
	}
	if s.Order != 0 {
		fault(strings.TrimSpace(s.Name[0]) == "", "has no name in Arabic")
		fault(strings.TrimSpace(s.Name[1]) == "", "has no name in English")
		fault(!component.HasGlyph(s.Icon), "has no icon: %q is not drawn in ui/component/glyph.go", s.Icon)
		fault(!slices.Contains(account.AllRoles(), s.Role), "has no role")
		fault(s.Group < layout.Work || s.Group > layout.Administration, "is in no group of the navigation")
		own := strings.TrimPrefix(s.SectionPath(), Root)
		isOwn := func(r Route) bool { return r.Method == http.MethodGet && r.Path == own && r.Role == s.Role }
		fault(!slices.ContainsFunc(s.Routes, isOwn), "has no page at %q for its role", own)
	}
	fault(len(s.Routes) == 0, "has no routes")
	for _, r := range s.Routes {
		fault(r.Method == "" || r.Serve == nil, "has no handler for %q", r.Path)
		unknown := r.Role != "" && !slices.Contains(account.AllRoles(), r.Role)
		fault(unknown, "has the unknown %q for a role of %q", r.Role, r.Path)
	}
	return faults
}

// FindSectionFaults returns the faults of all sections, and ids and places that two of them have.
func FindSectionFaults(all []Section) (faults []string) {
	ids, places := map[string]bool{}, map[int]string{}
	for _, s := range all {
		faults = append(faults, s.findFaults()...)
		if ids[s.ID] {
			faults = append(faults, fmt.Sprintf("two sections have the id %q", s.ID))
		}
		if other, taken := places[s.Order]; taken && s.Order != 0 {
			faults = append(faults, fmt.Sprintf("sections %q and %q have the same order", other, s.ID))
		}
		ids[s.ID], places[s.Order] = true, s.ID
	}
	return faults
}

// sectionKey is the echo context key of the section whose route is served.
const sectionKey = "console.section"

// MountSections adds the routes of sections to e with their shared middleware: security headers, body size limit,
// cross-origin check, session and role.
func (s *Console) MountSections(e *echo.Echo, all []Section) {
	s.sections = slices.Clone(all)
	slices.SortStableFunc(s.sections, func(a, b Section) int { return cmp.Compare(a.Order, b.Order) })
	same := http.NewCrossOriginProtection()
	base := e.Group(Root, setSecurityHeaders, limitBody, sameOrigin(same))
	upload := e.Group(Root, setSecurityHeaders, sameOrigin(same), readStreamedForm)
	for _, section := range s.sections {
		for _, r := range section.Routes {
			group, guards := base, []echo.MiddlewareFunc{markSection(section.ID)}
			if r.Upload {
				group = upload
			}
			if r.Role != "" {
				guards = append(guards, s.requireRole(r.Role))
			}
			if r.Method == http.MethodGet {
				guards = append(guards, checkPageNumber)
			}
			group.Add(r.Method, r.Path, r.Serve, append(guards, r.Guards...)...)
		}
	}
	// Unknown paths need a session, too: echo serves them with the middleware of the group that was made last.
	base.Group("", s.requireRole(account.Viewer))
}

// markSection notes the section of a request for its frame.
func markSection(id string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			c.Set(sectionKey, id)
			return next(c)
		}
	}
}

// requestSection returns the id of the section whose route is served.
func requestSection(c echo.Context) string {
	id, _ := c.Get(sectionKey).(string)
	return id
}

// navigation returns the sections in the visitor's navigation, in order: those that the organization uses, and the
// page's own.
func (s *Console) navigation(c echo.Context) (all []layout.ConsoleSection) {
	for _, section := range s.sections {
		unused := section.IsUsed != nil && section.ID != requestSection(c) && !section.IsUsed(c)
		if section.isAllowed(c) && !unused {
			all = append(all, section.ConsoleSection)
		}
	}
	return all
}

// AllowedSections returns all sections that the visitor may see, in order.
func (s *Console) AllowedSections(c echo.Context) (all []layout.ConsoleSection) {
	for _, section := range s.sections {
		if section.isAllowed(c) {
			all = append(all, section.ConsoleSection)
		}
	}
	return all
}

// isAllowed reports whether a section is one of the navigation's, and the visitor has its role.
func (s Section) isAllowed(c echo.Context) bool {
	return s.Order != 0 && RequestVisitor(c).User.Role.Allows(s.Role)
}
