package console

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"munadi/store/restaurant"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/page"
)

const (
	maxPhrases = 2000 // phrases in a list
	maxPhrase  = 100  // characters
)

// savePhrases stores the organization's own lists; the other lists stay built in.
func (s *ConsoleService) savePhrases(c echo.Context) error {
	w, builtIn := locale.PhrasesIn(requestVisitor(c).Lang), s.BuiltInPhrases()
	var kept restaurant.PhraseSet
	bias := parsePhraseList(c, "bias", builtIn.Bias, &kept.Bias, w)
	enter := parsePhraseList(c, "enter", builtIn.Enter, &kept.Enter, w)
	exit := parsePhraseList(c, "exit", builtIn.Exit, &kept.Exit, w)
	used := kept.FillLists(builtIn)
	if line := firstSharedLine(used.Enter, used.Exit); exit.Fault == "" && line > 0 {
		exit.Fault = locale.FillLine(w.Both, strconv.Itoa(line))
	}
	lists := []page.PhraseList{bias, enter, exit}
	if slices.ContainsFunc(lists, func(l page.PhraseList) bool { return l.Fault != "" }) {
		return s.phrasesPage(c, http.StatusUnprocessableEntity, page.PhrasesView{Lists: lists})
	}
	if kept.Bias == nil && kept.Enter == nil && kept.Exit == nil {
		return s.savePhraseSet(c, nil, w.SaidReset)
	}
	kept.UpdatedAt = s.Now().UTC()
	return s.savePhraseSet(c, &kept, w.SaidSaved)
}

// parsePhraseList parses a list, one phrase a line, without duplicates, into own: nil if the built-in list is selected.
func parsePhraseList(c echo.Context, name string, builtIn []string, own *[]string, w locale.PhrasesWords) page.PhraseList {
	typed := strings.ReplaceAll(c.FormValue(name), "\r\n", "\n")
	if c.FormValue(name+".use") != "own" {
		return phraseList(name, nil, builtIn)
	}
	var list []string
	l := page.PhraseList{Name: name, Own: true, BuiltIn: len(builtIn), Text: typed, Rows: "14"}
	for i, line := range strings.Split(typed, "\n") {
		phrase := strings.Join(strings.Fields(strings.ToValidUTF8(line, "")), " ")
		switch {
		case phrase == "" || slices.Contains(list, phrase):
			continue
		case utf8.RuneCountInString(phrase) > maxPhrase:
			l.Fault = locale.FillLine(w.TooLong, strconv.Itoa(i+1))
		case !strings.ContainsFunc(phrase, unicode.IsLetter):
			l.Fault = locale.FillLine(w.Folds, strconv.Itoa(i+1))
		case len(list) == maxPhrases:
			l.Fault = w.TooMany
		}
		if l.Fault != "" {
			return l
		}
		list = append(list, phrase)
	}
	*own = append([]string{}, list...) // an empty list, not nil
	return l
}

// firstSharedLine returns the line of the first phrase of exit that is also in enter; 0 without one.
func firstSharedLine(enter, exit []string) int {
	return slices.IndexFunc(exit, func(phrase string) bool { return slices.Contains(enter, phrase) }) + 1
}

// askResetPhrases asks for confirmation before the organization's lists are deleted.
func (s *ConsoleService) askResetPhrases(c echo.Context) error {
	title := locale.PhrasesIn(requestVisitor(c).Lang).ResetTitle
	p := page.ResetPhrases{ConsolePage: s.consoleFrame(c, layout.Phrases, title)}
	return renderPage(c, http.StatusOK, page.ResetPhrasesPage(p))
}

// resetPhrases restores the built-in lists.
func (s *ConsoleService) resetPhrases(c echo.Context) error {
	return s.savePhraseSet(c, nil, locale.PhrasesIn(requestVisitor(c).Lang).SaidReset)
}

// savePhraseSet stores the lists and redirects to them.
func (s *ConsoleService) savePhraseSet(c echo.Context, p *restaurant.PhraseSet, said string) error {
	v := requestVisitor(c)
	if err := s.Store.PutPhrases(c.Request().Context(), v.Org.ID, p, v.auditActor(), s.Now().UTC()); err != nil {
		return err
	}
	flashMessage(c, said)
	return redirectTo(c, phrasesPath)
}
