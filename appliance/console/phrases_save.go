package console

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/store/restaurant"
	"munadi/store/strictjson"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// savePhrases stores the organization's own lists; the other lists stay built in.
func (s *ConsoleService) savePhrases(c echo.Context) error {
	w, builtIn := locale.PhrasesIn(requestVisitor(c).Lang), s.BuiltInPhrases()
	var own restaurant.PhraseSet
	lists := []page.PhraseList{
		parsePhraseList(c, "bias", builtIn.Bias, &own.Bias), parsePhraseList(c, "enter", builtIn.Enter, &own.Enter),
		parsePhraseList(c, "exit", builtIn.Exit, &own.Exit),
	}
	shown := readShown(c, phrasesPart)
	err := s.UseCases.ReplacePhrases(c.Request().Context(), requestCaller(c), own, builtIn, shown.isUnchanged)
	p := page.PhrasesView{Lists: lists, ReplacedSetting: page.ReplacedSetting{Revision: shown.revision}}
	var broken *service.ViolationError
	if errors.As(err, &broken) {
		explainPhrases(lists, broken.Violations, w)
		return s.phrasesPage(c, http.StatusUnprocessableEntity, p)
	}
	if isStale(err) {
		saved := phraseValues(phraseLists(shown.kept, builtIn), w)
		p.ReplacedSetting = shown.conflictWith(saved, phraseValues(lists, w))
		return s.phrasesPage(c, http.StatusConflict, p)
	}
	isOwn := func(l page.PhraseList) bool { return l.Own }
	if !slices.ContainsFunc(lists, isOwn) {
		return redirectToPhrases(c, err, w.SaidReset)
	}
	return redirectToPhrases(c, err, w.SaidSaved)
}

// parsePhraseList parses a list into own: nil if the built-in list is selected.
func parsePhraseList(c echo.Context, name string, builtIn []string, own *[]string) page.PhraseList {
	if c.FormValue(name+".use") != "own" {
		return phraseList(name, nil, builtIn)
	}
	typed := unixLines(c.FormValue(name))
	*own, _ = splitPhrases(typed)
	return page.PhraseList{Name: name, Own: true, BuiltIn: len(builtIn), Text: typed, Rows: "14"}
}

// splitPhrases returns the distinct phrases of a text, one a line, and their line numbers from 1. It stops behind the
// first phrase that is one too many.
func splitPhrases(text string) (phrases []string, lines []int) {
	seen := map[string]bool{}
	phrases = []string{} // an empty list, not nil
	for i, line := range strings.Split(text, "\n") {
		phrase := strings.Join(strings.Fields(strings.ToValidUTF8(line, "")), " ")
		if phrase == "" || seen[phrase] {
			continue
		}
		seen[phrase] = true
		phrases, lines = append(phrases, phrase), append(lines, i+1)
		if len(phrases) > service.MaxPhrases {
			break
		}
	}
	return phrases, lines
}

// explainPhrases adds the sentences of violations to their lists.
func explainPhrases(lists []page.PhraseList, found service.FieldViolations, w locale.PhrasesWords) {
	sentences := map[strictjson.Reason]string{
		service.PhraseTooLong: w.TooLong, service.PhraseNoWord: w.Folds, service.PhraseShared: w.Both,
		service.PhrasesFull: w.TooMany,
	}
	for _, v := range found {
		name, index, _ := cutIndex(v.Field)
		for i := range lists {
			if lists[i].Name != name {
				continue
			}
			_, lines := splitPhrases(lists[i].Text)
			line := lines[min(index, len(lines)-1)]
			lists[i].Fault = locale.FillLine(sentences[v.Reason], strconv.Itoa(line))
		}
	}
}

// phraseValues returns the lists as the form shows them.
func phraseValues(lists []page.PhraseList, w locale.PhrasesWords) (values []formValue) {
	for _, list := range lists {
		text := list.Text
		if !list.Own {
			text = w.BuiltIn.Fill(list.BuiltIn)
		}
		values = append(values, formValue{list.ListTitle(w), text})
	}
	return values
}

// askResetPhrases asks for confirmation before the organization's lists are deleted.
func (s *ConsoleService) askResetPhrases(c echo.Context) error {
	title := locale.PhrasesIn(requestVisitor(c).Lang).ResetTitle
	p := page.ResetPhrases{ConsolePage: s.consoleFrame(c, layout.Phrases, title)}
	return renderPage(c, http.StatusOK, page.ResetPhrasesPage(p))
}

// resetPhrases restores the built-in lists.
func (s *ConsoleService) resetPhrases(c echo.Context) error {
	none := restaurant.PhraseSet{}
	err := s.UseCases.ReplacePhrases(c.Request().Context(), requestCaller(c), none, s.BuiltInPhrases(), nil)
	return redirectToPhrases(c, err, locale.PhrasesIn(requestVisitor(c).Lang).SaidReset)
}

// redirectToPhrases redirects to the phrases with the result of a change.
func redirectToPhrases(c echo.Context, err error, said string) error {
	if err != nil {
		return err
	}
	flashMessage(c, said)
	return redirectTo(c, phrasesPath)
}
