package trunks

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/store/siptrunk"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/trunks"
)

// showTrunks shows the trunks in force with their state, those that are set here, and the form of a new one.
func (s handlers) showTrunks(c echo.Context) error {
	typed := &trunks.Typed{New: true}
	fields := trunks.BindTrunk(form.NewBinder(kit.RequestVisitor(c).Lang, nil, nil), typed)
	return s.trunksPage(c, http.StatusOK, fields)
}

func (s handlers) trunksPage(c echo.Context, status int, fields []form.Field) error {
	v := kit.RequestVisitor(c)
	p := trunks.View{
		ConsolePage: s.ConsoleFrame(c, trunks.Title.In(v.Lang)), Fixed: s.AreFixed(), Simulated: s.Simulated, Form: fields,
	}
	p.Section = parentSection
	if p.Fixed {
		for _, t := range s.Vitals().Trunks {
			p.Rows = append(p.Rows, rowOf(t, v.Lang))
		}
		return kit.RenderPage(c, status, trunks.Page(p))
	}
	kept, err := s.Store.FindTrunks(c.Request().Context(), account.Default)
	if err != nil {
		return err
	}
	for _, t := range kept.Trunks {
		p.Rows = append(p.Rows, s.findRow(t, v.Lang))
	}
	return kit.RenderPage(c, status, trunks.Page(p))
}

// findRow returns a trunk that is set here with its state, if it is in use.
func (s handlers) findRow(t siptrunk.Trunk, l locale.Language) trunks.Row {
	for _, running := range s.Vitals().Trunks {
		if running.Name == t.Name {
			row := rowOf(running, l)
			row.Address = t.Address
			return row
		}
	}
	return trunks.Row{Name: t.Name, Address: t.Address}
}

// rowOf returns a trunk in use.
func rowOf(t kit.TrunkVitals, l locale.Language) trunks.Row {
	return trunks.Row{
		Name: t.Name, Address: t.Address, Known: true, Up: t.Up, Unheard: t.Unheard, Registers: t.Registers,
		Registered: t.Registered != nil, Fault: t.DescribeFault(l),
		Calls: t.CountCalls(), Full: t.IsFull(),
	}
}

// addTrunk adds a trunk.
func (s handlers) addTrunk(c echo.Context) error {
	v := kit.RequestVisitor(c)
	if s.AreFixed() {
		return s.trunksPage(c, http.StatusConflict, nil)
	}
	typed := &trunks.Typed{New: true}
	fields := trunks.BindTrunk(kit.BindSent(c), typed)
	kit.LocalCallers(typed.CallerNumbers, s.NumberRegion(c))
	if form.AnyFault(fields...) {
		return s.trunksPage(c, http.StatusUnprocessableEntity, fields)
	}
	err := s.UseCases.ChangeTrunk(c.Request().Context(), v.AuditActor(), service.TrunkRequest{
		Trunk: typed.Trunk, Password: typed.Password, New: true,
	})
	if broken, is := errors.AsType[*service.ViolationError](err); is {
		b := form.NewBinder(v.Lang, nil, trunkViolations(v.Lang, broken.Violations))
		return s.trunksPage(c, http.StatusUnprocessableEntity, trunks.BindTrunk(b, typed))
	}
	return kit.RedirectAfter(c, err, trunks.TrunkPath(typed.Name), trunks.Saved.In(v.Lang))
}

// trunkViolations returns the faults of a trunk's form.
func trunkViolations(l locale.Language, found service.FieldViolations) []form.Violation {
	all := kit.FormViolations(found)
	for i, v := range all {
		if v.Path == "ca" {
			all[i].Message = locale.AuthorityFault(l, v.Message)
		}
	}
	return all
}

// requestTrunk finds the trunk that the path names; not found while the settings have trunks.
func (s handlers) requestTrunk(c echo.Context) (siptrunk.Trunk, error) {
	kept, err := s.Store.FindTrunks(c.Request().Context(), account.Default)
	if err != nil {
		return siptrunk.Trunk{}, err
	}
	found, at := kept.Find(c.Param("trunk"))
	if at < 0 || s.AreFixed() {
		return found, echo.ErrNotFound
	}
	return found, nil
}

// newTyped returns the form's values of a trunk.
func newTyped(t siptrunk.Trunk) *trunks.Typed {
	return &trunks.Typed{Trunk: t, Stored: len(t.Password) > 0}
}

// showTrunk shows a trunk.
func (s handlers) showTrunk(c echo.Context) error {
	t, err := s.requestTrunk(c)
	if err != nil {
		return err
	}
	return s.trunkPage(c, http.StatusOK, t, trunks.OneView{})
}

// trunkPage renders a trunk's page with what was refused, if anything was.
func (s handlers) trunkPage(c echo.Context, status int, t siptrunk.Trunk, p trunks.OneView) error {
	v := kit.RequestVisitor(c)
	p.ConsolePage, p.Row = s.ConsoleFrame(c, t.Name), s.findRow(t, v.Lang)
	p.Section = parentSection
	fresh := form.NewBinder(v.Lang, nil, nil)
	if p.Form == nil {
		p.ReplacedSetting = form.ReplacedSetting{Revision: service.HashSetting(t)}
		p.Form = trunks.BindTrunk(fresh, newTyped(t))
	}
	if p.Test == nil && !s.Simulated {
		test, err := s.newTest(c)
		if err != nil {
			return err
		}
		p.Test = trunks.BindTest(fresh, test)
	}
	return kit.RenderPage(c, status, trunks.OnePage(p))
}

// saveTrunk changes a trunk, unless it was changed since it was shown.
func (s handlers) saveTrunk(c echo.Context) error {
	v, name := kit.RequestVisitor(c), c.Param("trunk")
	t, err := s.requestTrunk(c)
	if err != nil {
		return err
	}
	typed := newTyped(t)
	shown := kit.ReadShown(c, func(kept siptrunk.Setting) any {
		one, _ := kept.Find(name)
		return one
	})
	revision := form.ReplacedSetting{Revision: shown.Revision}
	fields := trunks.BindTrunk(kit.BindSent(c), typed)
	kit.LocalCallers(typed.CallerNumbers, s.NumberRegion(c))
	if form.AnyFault(fields...) {
		p := trunks.OneView{Form: fields, ReplacedSetting: revision}
		return s.trunkPage(c, http.StatusUnprocessableEntity, t, p)
	}
	err = s.UseCases.ChangeTrunk(c.Request().Context(), v.AuditActor(), service.TrunkRequest{
		Trunk: typed.Trunk, Password: typed.Password, Seen: shown.IsUnchanged,
	})
	if broken, is := errors.AsType[*service.ViolationError](err); is {
		b := form.NewBinder(v.Lang, nil, trunkViolations(v.Lang, broken.Violations))
		p := trunks.OneView{Form: trunks.BindTrunk(b, typed), ReplacedSetting: revision}
		return s.trunkPage(c, http.StatusUnprocessableEntity, t, p)
	}
	if kit.IsStale(err) {
		saved, _ := shown.Kept.Find(name)
		fields = trunks.BindTrunk(form.NewBinder(v.Lang, nil, nil), typed)
		before := trunks.BindTrunk(form.NewBinder(v.Lang, nil, nil), newTyped(saved))
		p := trunks.OneView{Form: fields, ReplacedSetting: shown.ConflictOf(v.Lang, before, fields)}
		return s.trunkPage(c, http.StatusConflict, saved, p)
	}
	return kit.RedirectAfter(c, err, trunks.TrunkPath(name), trunks.Saved.In(v.Lang))
}

// askRemove asks for confirmation before a trunk is removed.
func (s handlers) askRemove(c echo.Context) error {
	t, err := s.requestTrunk(c)
	if err != nil {
		return err
	}
	l := kit.RequestVisitor(c).Lang
	return s.AskQuestion(c, component.AskQuestion{
		Title: trunks.RemoveAsk.In(l), Do: locale.KitDelete.In(l), Danger: true, Back: trunks.TrunkPath(t.Name),
		Text: "\u2066" + t.Name + "\u2069 · " + trunks.RemoveWhat.In(l), Action: trunks.TrunkPath(t.Name) + "/delete",
	})
}

// removeTrunk removes a trunk; its calls in progress go on.
func (s handlers) removeTrunk(c echo.Context) error {
	v := kit.RequestVisitor(c)
	if _, err := s.requestTrunk(c); err != nil {
		return err
	}
	err := s.UseCases.RemoveTrunk(c.Request().Context(), v.AuditActor(), c.Param("trunk"))
	return kit.RedirectAfter(c, err, trunks.Path, trunks.Removed.In(v.Lang))
}

// newTest returns the form of a test call, with the scenarios of the viewed organization.
func (s handlers) newTest(c echo.Context) (*trunks.TestCall, error) {
	k, err := booking.NewContext(s.Console, c)
	if err != nil {
		return nil, err
	}
	test := &trunks.TestCall{}
	for _, plan := range k.Scenarios {
		if plan.IsPublished() {
			test.Scenarios = append(test.Scenarios, form.Option{Value: plan.ID, Name: plan.Name})
		}
	}
	if len(test.Scenarios) > 0 {
		test.Scenario = test.Scenarios[0].Value
	}
	return test, nil
}

// testTrunk books a call over the trunk alone, of one attempt, and leads to its page.
func (s handlers) testTrunk(c echo.Context) error {
	v := kit.RequestVisitor(c)
	t, err := s.requestTrunk(c)
	if err != nil {
		return err
	}
	test, err := s.newTest(c)
	if err != nil {
		return err
	}
	if fields := trunks.BindTest(kit.BindSent(c), test); form.AnyFault(fields...) {
		return s.trunkPage(c, http.StatusUnprocessableEntity, t, trunks.OneView{Test: fields})
	}
	test.Number, _ = kit.LocalNumber(test.Number, s.NumberRegion(c))
	once := 1
	booked, err := s.UseCases.BookCall(c.Request().Context(), kit.RequestCaller(c), service.BookingRequest{
		PhoneNumber: test.Number, ScenarioID: test.Scenario, Trunk: t.Name, Retry: &service.RetryRequest{MaxAttempts: &once},
	})
	if broken, is := errors.AsType[*service.ViolationError](err); is {
		found := kit.FormViolations(broken.Violations)
		for i := range found {
			if found[i].Path != "phone_number" { // a missing variable is a fault of the scenario's choice
				found[i].Path = "scenario_id"
			}
		}
		p := trunks.OneView{Test: trunks.BindTest(form.NewBinder(v.Lang, nil, found), test)}
		return s.trunkPage(c, http.StatusUnprocessableEntity, t, p)
	}
	if err != nil {
		return err
	}
	return kit.RedirectTo(c, kit.Root+"/calls/"+booked.Call.ID)
}
