package phrases

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/restaurant"
	"munadi/store/strictjson"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/locale"
	uiphrases "munadi/ui/phrases"
)

// savePhrases stores the organization's own lists; the other lists stay built in.
func (s handlers) savePhrases(c echo.Context) error {
	lang, builtIn := kit.RequestVisitor(c).Lang, s.BuiltInPhrases()
	var own restaurant.PhraseSet
	lists := []uiphrases.ListView{
		parsePhraseList(c, "bias", builtIn.Bias, &own.Bias), parsePhraseList(c, "enter", builtIn.Enter, &own.Enter),
		parsePhraseList(c, "exit", builtIn.Exit, &own.Exit),
	}
	shown := kit.ReadShown(c, phrasesPart)
	err := s.UseCases.ReplacePhrases(c.Request().Context(), kit.RequestCaller(c), own, builtIn, shown.IsUnchanged)
	p := uiphrases.View{Lists: lists, ReplacedSetting: form.ReplacedSetting{Revision: shown.Revision}}
	if broken, ok := errors.AsType[*service.ViolationError](err); ok {
		explainPhrases(lists, broken.Violations, lang)
		return s.phrasesPage(c, http.StatusUnprocessableEntity, p)
	}
	if kit.IsStale(err) {
		p.ReplacedSetting = shown.ConflictOf(lang, nil, nil)
		for i, saved := range phraseLists(shown.Kept, builtIn) {
			p.CompareValues(saved.ListTitle(lang), listText(saved, lang), listText(lists[i], lang))
		}
		return s.phrasesPage(c, http.StatusConflict, p)
	}
	isOwn := func(l uiphrases.ListView) bool { return l.Own }
	if !slices.ContainsFunc(lists, isOwn) {
		return kit.RedirectAfter(c, err, phrasesPath, uiphrases.SaidReset.In(lang))
	}
	return kit.RedirectAfter(c, err, phrasesPath, uiphrases.SaidSaved.In(lang))
}

// parsePhraseList parses a list into own: nil if the built-in list is selected.
func parsePhraseList(c echo.Context, name string, builtIn []string, own *[]string) uiphrases.ListView {
	if c.FormValue(name+".use") != "own" {
		return phraseList(name, nil, builtIn)
	}
	typed := form.UnixLines(c.FormValue(name))
	*own, _ = splitPhrases(typed)
	return uiphrases.ListView{Name: name, Own: true, BuiltIn: len(builtIn), Text: typed, Rows: "14"}
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
func explainPhrases(lists []uiphrases.ListView, found service.FieldViolations, l locale.Language) {
	sentences := map[strictjson.Reason]string{
		service.PhraseTooLong: uiphrases.TooLong.In(l), service.PhraseNoWord: uiphrases.Folds.In(l),
		service.PhraseShared: uiphrases.Both.In(l),
		service.PhrasesFull:  uiphrases.TooMany.In(l),
	}
	for _, v := range found {
		name, index, _ := kit.CutIndex(v.Field)
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

// listText returns a list as the form shows it.
func listText(list uiphrases.ListView, l locale.Language) string {
	if list.Own {
		return list.Text
	}
	return uiphrases.BuiltIn.In(l).Fill(list.BuiltIn)
}

// askResetPhrases asks for confirmation before the organization's lists are deleted.
func (s handlers) askResetPhrases(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	return s.AskQuestion(c, component.AskQuestion{
		Title: uiphrases.ResetTitle.In(l), Text: uiphrases.ResetText.In(l), Action: phrasesPath + "/reset",
		Do: uiphrases.Reset.In(l), Danger: true, Back: phrasesPath,
	})
}

// resetPhrases restores the built-in lists.
func (s handlers) resetPhrases(c echo.Context) error {
	none := restaurant.PhraseSet{}
	err := s.UseCases.ReplacePhrases(c.Request().Context(), kit.RequestCaller(c), none, s.BuiltInPhrases(), nil)
	return kit.RedirectAfter(c, err, phrasesPath, uiphrases.SaidReset.In(kit.RequestVisitor(c).Lang))
}
