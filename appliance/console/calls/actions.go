package calls

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
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

// requestCall finds the call that the path names.
func (s handlers) requestCall(c echo.Context) (call.Call, error) {
	return s.UseCases.FindCall(c.Request().Context(), kit.RequestVisitor(c).Org.ID, c.Param("id"))
}

// askHangup asks for Confirmation before a running call is ended.
func (s handlers) askHangup(c echo.Context) error {
	found, err := s.requestCall(c)
	if err != nil {
		return err
	}
	l := kit.RequestVisitor(c).Lang
	path := calls.CallsPath + "/" + found.ID
	if !found.Status.IsRunning() {
		return kit.RedirectProblem(c, path, calls.CallNotRunning.In(l))
	}
	return kit.RenderPage(c, http.StatusOK, calls.AskPage(calls.AskView{
		ConsolePage: s.ConsoleFrame(c, calls.CallHangUpTitle.In(l)), Lead: calls.CallHangUpLead.In(l),
		Items: []string{found.PhoneNumber}, Action: path + "/hangup", Do: calls.CallHangUpDo.In(l), Back: path,
	}))
}

// hangupCall requests the end of a running call.
func (s handlers) hangupCall(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	_, err := s.UseCases.HangupCall(c.Request().Context(), kit.RequestCaller(c), c.Param("id"))
	switch {
	case store.CodeOf(err) == store.CodeConflict:
		kit.FlashProblem(c, calls.CallNotRunning.In(l))
	case err != nil:
		return err
	default:
		kit.FlashMessage(c, calls.CallHungUp.In(l))
	}
	return kit.RedirectTo(c, calls.CallsPath+"/"+c.Param("id"))
}

// rescheduleCall moves a scheduled call to another time within the calling hours.
func (s handlers) rescheduleCall(c echo.Context) error {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	rules, err := s.RequestRules(c)
	if err != nil {
		return err
	}
	at, _ := kit.ParseFormTime(c.FormValue("at"), kit.RulesZone(rules)) // a malformed time is zero, which is refused
	_, err = s.UseCases.RescheduleCall(ctx, kit.RequestCaller(c), c.Param("id"), at, nil)
	var broken *service.ViolationError
	switch {
	case errors.As(err, &broken) && broken.Violations[0].Reason == service.ClosedHours:
		kit.FlashProblem(c, calls.CallClosedHours.In(v.Lang))
	case errors.As(err, &broken):
		kit.FlashProblem(c, calls.CallBadMove.In(v.Lang))
	case store.CodeOf(err) == store.CodeConflict:
		kit.FlashProblem(c, calls.CallGone.In(v.Lang))
	case err != nil:
		return err
	default:
		kit.FlashMessage(c, calls.CallMoved.In(v.Lang))
	}
	return kit.RedirectTo(c, calls.CallsPath+"/"+c.Param("id"))
}

// callBack rings the visitor's extension, then the person of a call, and shows the call that joins them. A refused one
// leads back to the page that it was asked for on.
func (s handlers) callBack(c echo.Context) error {
	v := kit.RequestVisitor(c)
	back := c.FormValue("back")
	if !strings.HasPrefix(back, kit.Root+"/") {
		back = calls.CallsPath + "/" + c.Param("id")
	}
	made, err := s.UseCases.CallBack(c.Request().Context(), kit.RequestCaller(c), c.Param("id"), v.User.Extension, nil)
	var refused *service.ConflictError
	var invalid *service.ViolationError
	switch {
	case errors.As(err, &refused) && len(refused.Violations) > 0:
		why := string(refused.Violations[0].Reason)
		return kit.RedirectProblem(c, back, cmp.Or(calls.CallBackRefusals.Word(v.Lang, why), calls.Reasons.Word(v.Lang, why)))
	case errors.As(err, &invalid):
		return kit.RedirectProblem(c, back, calls.CallBackNoExtension.In(v.Lang))
	case err != nil:
		return err
	}
	return kit.RedirectSaying(c, calls.CallsPath+"/"+made.ID, calls.CallBackBegun.In(v.Lang))
}
