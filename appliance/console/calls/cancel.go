package calls

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/call"
	"munadi/ui/calls"
)

// maxCancelled is the largest number of calls that one request can cancel.
const maxCancelled = 200

// askCancel asks for Confirmation before the selected calls are cancelled.
func (s handlers) askCancel(c echo.Context) error {
	v := kit.RequestVisitor(c)
	chosen, err := s.selectedCalls(c, c.QueryParams()["id"])
	if err != nil {
		return err
	}
	back := calls.CallsPath
	if len(chosen) == 0 {
		return kit.RedirectProblem(c, back, calls.CancelNone.In(v.Lang))
	}
	p := calls.AskView{
		Lead: calls.CancelLead.In(v.Lang), Action: calls.CallsPath + "/cancel", Do: calls.CancelDo.In(v.Lang),
	}
	title := calls.CancelTitle.In(v.Lang)
	if c.QueryParam("from") == "call" && len(chosen) == 1 {
		title, back = calls.CallCancel.In(v.Lang), calls.CallsPath+"/"+chosen[0].ID
		p.Lead, p.Do = calls.CallCancelLead.In(v.Lang), calls.CallCancelDo.In(v.Lang)
		p.Fields = append(p.Fields, calls.HiddenField{Name: "from", Value: "call"})
	}
	for _, found := range chosen {
		p.Items = append(p.Items, found.PhoneNumber)
		p.Fields = append(p.Fields, calls.HiddenField{Name: "id", Value: found.ID})
	}
	p.ConsolePage, p.Back = s.ConsoleFrame(c, title), back
	return kit.RenderPage(c, http.StatusOK, calls.AskPage(p))
}

// selectedCalls returns the scheduled calls among those ids.
func (s handlers) selectedCalls(c echo.Context, ids []string) ([]call.Call, error) {
	var all []call.Call
	for _, id := range ids[:min(len(ids), maxCancelled)] {
		found, err := s.Store.FindCall(c.Request().Context(), kit.RequestVisitor(c).Org.ID, id)
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

// cancelCalls cancels the selected calls. Those that were released meanwhile are not changed, but counted.
func (s handlers) cancelCalls(c echo.Context) error {
	v := kit.RequestVisitor(c)
	sent := kit.SentForm(c)
	ids, done, late := sent["id"], 0, 0
	for _, id := range ids[:min(len(ids), maxCancelled)] {
		_, err := s.UseCases.CancelCall(c.Request().Context(), kit.RequestCaller(c), id)
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
	if sent.Get("from") == "call" && len(ids) == 1 {
		if done == 1 {
			kit.FlashMessage(c, calls.CallCancelledSay.In(v.Lang))
		} else {
			kit.FlashProblem(c, calls.CallGone.In(v.Lang))
		}
		return kit.RedirectTo(c, calls.CallsPath+"/"+ids[0])
	}
	sentence := calls.Cancelled.In(v.Lang).Fill(done)
	if late > 0 {
		sentence += " " + calls.NotCancelled.In(v.Lang).Fill(late)
	}
	return kit.RedirectSaying(c, calls.CallsPath, sentence)
}
