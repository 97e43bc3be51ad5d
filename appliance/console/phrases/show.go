package phrases

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/store/restaurant"
	"munadi/ui/phrases"
)

const phrasesPath = kit.Root + "/phrases"

// showPhrases shows the restaurant mode's phrases; lists that the organization has not set are the built-in ones.
func (s handlers) showPhrases(c echo.Context) error {
	kept, err := s.Store.FindPhrases(c.Request().Context(), kit.RequestVisitor(c).Org.ID)
	if err != nil {
		return err
	}
	own := restaurant.PhraseSet{}
	if kept != nil {
		own = *kept
	}
	return s.phrasesPage(c, http.StatusOK, phrases.View{
		ReplacedSetting: kit.ReplacedSetting(own, phrasesPart), Lists: phraseLists(own, s.BuiltInPhrases()),
	})
}

// hasOwnPhrases reports whether the organization has phrases of its own: it takes orders.
func (s handlers) hasOwnPhrases(c echo.Context) bool {
	kept, err := s.Store.FindPhrases(c.Request().Context(), kit.RequestVisitor(c).Org.ID)
	return err != nil || kept != nil && kept.HasOwnLists()
}

// phrasesPart returns what the form replaces of the phrases.
func phrasesPart(own restaurant.PhraseSet) any {
	own.UpdatedAt, own.Dismissed = time.Time{}, nil
	return own
}

// phraseLists returns the lists of the form.
func phraseLists(own, builtIn restaurant.PhraseSet) []phrases.ListView {
	return []phrases.ListView{
		phraseList("bias", own.Bias, builtIn.Bias), phraseList("enter", own.Enter, builtIn.Enter),
		phraseList("exit", own.Exit, builtIn.Exit),
	}
}

func (s handlers) phrasesPage(c echo.Context, status int, p phrases.View) error {
	v := kit.RequestVisitor(c)
	p.ConsolePage = s.ConsoleFrame(c, phrases.Title.In(v.Lang))
	p.May = v.User.Role.Allows(account.Operator)
	for _, list := range p.Lists {
		p.Own, p.Wrong = p.Own || list.Own, p.Wrong || list.Fault != ""
	}
	return kit.RenderPage(c, status, phrases.Page(p))
}

// phraseList returns a list's view: the organization's own, or the built-in one as a starting point.
func phraseList(name string, own, builtIn []string) phrases.ListView {
	l := phrases.ListView{Name: name, Own: own != nil, BuiltIn: len(builtIn)}
	if own == nil {
		own = builtIn
	}
	l.Text, l.Rows = strings.Join(own, "\n"), strconv.Itoa(min(max(len(own)+1, 3), 14))
	return l
}
