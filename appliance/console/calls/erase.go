package calls

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/ui/calls"
)

// askErase asks for confirmation and the user's password before a person's data is erased.
func (s handlers) askErase(c echo.Context) error { return s.erasePage(c, http.StatusOK, "") }

// erasePage shows the question, with the fault of an answer.
func (s handlers) erasePage(c echo.Context, status int, fault string) error {
	found, err := s.requestCall(c)
	if err != nil {
		return err
	}
	v := kit.RequestVisitor(c)
	path := calls.CallsPath + "/" + found.ID
	item := found.PhoneNumber
	if found.Trial {
		item = calls.TrialCall.In(v.Lang)
	}
	if item == "" {
		return kit.RedirectTo(c, path)
	}
	confirm := s.Confirmation(c, path+"/erase")
	return kit.RenderPage(c, status, calls.AskPage(calls.AskView{
		ConsolePage: s.ConsoleFrame(c, calls.CallEraseTitle.In(v.Lang)), Lead: calls.CallEraseLead.In(v.Lang),
		Items: []string{item}, Action: path + "/erase", Do: calls.CallEraseDo.In(v.Lang), Back: path,
		Confirm: &confirm, Fault: fault,
	}))
}

// erasePerson deletes all data of a call's person (right to erasure), if the user confirms it with the password or has
// authenticated again.
func (s handlers) erasePerson(c echo.Context) error {
	found, err := s.requestCall(c)
	if err != nil {
		return err
	}
	v, path := kit.RequestVisitor(c), calls.CallsPath+"/"+found.ID
	if found.PhoneNumber == "" && !found.Trial {
		return kit.RedirectTo(c, path)
	}
	ctx := c.Request().Context()
	err = s.Accounts.ConfirmAct(ctx, v.User, v.Session, c.FormValue("current"))
	if status, fault := s.DescribeUnconfirmed(c, err); fault != "" {
		return s.erasePage(c, status, fault)
	}
	if err != nil {
		return err
	}
	if found.Trial {
		err := s.UseCases.EraseTrial(ctx, kit.RequestCaller(c), found.ID)
		return kit.RedirectAfter(c, err, path, calls.CallErasedNote.In(v.Lang))
	}
	erased, err := s.UseCases.ErasePerson(ctx, kit.RequestCaller(c), found.PhoneNumber)
	if err != nil {
		return err
	}
	sentence := calls.CallErasedSay.In(v.Lang).Fill(erased.Calls)
	if erased.Cancelled > 0 {
		sentence += " " + calls.CallErasedCancelled.In(v.Lang).Fill(erased.Cancelled)
	}
	if erased.Unreadable > 0 {
		sentence += " " + calls.CallErasedUnreadable.In(v.Lang).Fill(erased.Unreadable)
	}
	return kit.RedirectSaying(c, path, sentence)
}
