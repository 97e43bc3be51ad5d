// Package help is the console's section of the manual: its pages, and a search in them.
package help

import (
	"net/http"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/manual"
	"munadi/docs"
	"munadi/store/account"
	"munadi/ui/component"
	"munadi/ui/help"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// handlers are the section's pages. The manual is rendered when it is first read.
type handlers struct {
	*kit.Console
	read func() (*manual.Manual, error)
}

// DeclareSection declares the manual.
func DeclareSection(console *kit.Console) kit.Section {
	s := handlers{console, sync.OnceValues(func() (*manual.Manual, error) { return manual.ReadManual(docs.Pages) })}
	return kit.Section{
		ConsoleSection: layout.ConsoleSection{ID: "help", Name: help.Title, Icon: "help", Group: layout.Administration},
		Role:           account.Viewer, Order: 180,
		Routes: []kit.Route{
			kit.GetPage(account.Viewer, "/help", s.listPages),
			kit.GetPage(account.Viewer, "/help/:language/:page", s.showPage),
		},
	}
}

// maxQuery is the longest search, in bytes.
const maxQuery = 400

// listPages shows the pages of the manual, those in the visitor's language first, or what a search found.
func (s handlers) listPages(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	m, err := s.read()
	if err != nil {
		return err
	}
	query := c.QueryParam("q")
	query = strings.ToValidUTF8(query[:min(len(query), maxQuery)], "")
	p := help.View{ConsolePage: s.ConsoleFrame(c, help.Title.In(l)), TableList: searchForm()}
	p.Filter = query
	for _, one := range m.Search(query, string(l)) {
		p.Found = append(p.Found, help.Link{
			Path: one.Path(), Name: one.Section.Heading, Language: locale.Language(one.Page.Language), Page: one.Page.Title,
			Excerpt: one.Excerpt,
		})
	}
	p.Shown = len(p.Found)
	for _, language := range []locale.Language{l, l.OtherLanguage()} {
		group := help.Group{Language: language}
		for _, page := range m.ListPages(string(language)) {
			group.Pages = append(group.Pages, help.Link{Path: page.Path(), Name: page.Title})
		}
		p.Groups = append(p.Groups, group)
	}
	return kit.RenderPage(c, http.StatusOK, help.Page(p))
}

// showPage shows one page of the manual.
func (s handlers) showPage(c echo.Context) error {
	m, err := s.read()
	if err != nil {
		return err
	}
	page, known := m.FindPage(c.Param("language"), c.Param("page"))
	if !known {
		return echo.ErrNotFound
	}
	p := help.ArticleView{
		ConsolePage: s.ConsoleFrame(c, page.Title), TableList: searchForm(),
		Language: locale.Language(page.Language), HTML: page.HTML,
	}
	for _, section := range page.Sections {
		if section.Level == 2 {
			p.Sections = append(p.Sections, help.Link{Path: "#" + section.Anchor, Name: section.Heading})
		}
	}
	return kit.RenderPage(c, http.StatusOK, help.Article(p))
}

// searchForm is the search form of the section.
func searchForm() component.TableList { return component.TableList{Action: "/console/help"} }
