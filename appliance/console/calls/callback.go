package calls

import (
	"cmp"
	"errors"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/ui/calls"
)

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
