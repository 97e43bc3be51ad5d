package console

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/call"
	"munadi/ui/page"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// mostCancelled is how many calls are cancelled at once.
const mostCancelled = 200

// askCancel asks whether the chosen calls are to be cancelled.
func (s *Service) askCancel(c echo.Context) error {
	v := visiting(c)
	w, one := text.CallsIn(v.Lang), text.CallIn(v.Lang)
	chosen, err := s.chosen(c, c.QueryParams()["id"])
	if err != nil {
		return err
	}
	back := page.CallsPath
	if len(chosen) == 0 {
		complain(c, w.CancelNone)
		return see(c, back)
	}
	p := page.Ask{Lead: w.CancelLead, Action: page.CallsPath + "/cancel", Do: w.CancelDo, BackSay: w.Back}
	title := w.CancelTitle
	if c.QueryParam("from") == "call" && len(chosen) == 1 {
		title, back, p.Lead, p.Do = one.Cancel, page.CallsPath+"/"+chosen[0].ID, one.CancelLead, one.CancelDo
		p.Fields = append(p.Fields, page.Field{Name: "from", Value: "call"})
	}
	for _, found := range chosen {
		p.Items = append(p.Items, found.PhoneNumber)
		p.Fields = append(p.Fields, page.Field{Name: "id", Value: found.ID})
	}
	p.ConsolePage, p.Back = s.frame(c, shell.Calls, title), back
	return show(c, http.StatusOK, page.AskPage(p))
}

// chosen are the calls of those ids that can be cancelled.
func (s *Service) chosen(c echo.Context, ids []string) ([]call.Call, error) {
	var all []call.Call
	for _, id := range ids[:min(len(ids), mostCancelled)] {
		found, err := s.Store.Call(c.Request().Context(), visiting(c).Org.ID, id)
		if store.CodeOf(err) == store.CodeNotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		if found.Status == call.Scheduled {
			all = append(all, found)
		}
	}
	return all, nil
}

// cancelCalls cancels them. What has left meanwhile stays as it is, and is counted.
func (s *Service) cancelCalls(c echo.Context) error {
	v := visiting(c)
	form, err := c.FormParams()
	if err != nil {
		return err
	}
	ids, done, late := form["id"], 0, 0
	for _, id := range ids[:min(len(ids), mostCancelled)] {
		_, err := s.Store.CancelCall(c.Request().Context(), v.Org.ID, id, v.actor(), s.Now().UTC())
		switch store.CodeOf(err) {
		case store.CodeConflict, store.CodeNotFound:
			late++
		default:
			if err != nil {
				return err
			}
			done++
		}
	}
	w := text.CallsIn(v.Lang)
	if form.Get("from") == "call" && len(ids) == 1 {
		if done == 1 {
			say(c, text.CallIn(v.Lang).CancelledSay)
		} else {
			complain(c, text.CallIn(v.Lang).Gone)
		}
		return see(c, page.CallsPath+"/"+ids[0])
	}
	sentence := count(w.Cancelled, "count", done)
	if late > 0 {
		sentence += " " + count(w.NotCancelled, "count", late)
	}
	say(c, sentence)
	return see(c, page.CallsPath)
}

// count puts numbers into the {names} of a sentence, in pairs.
func count(sentence string, pairs ...any) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		sentence = strings.ReplaceAll(sentence, fmt.Sprint("{", pairs[i], "}"), fmt.Sprint(pairs[i+1]))
	}
	return sentence
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
