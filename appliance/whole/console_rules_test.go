package whole_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/demo/browsertest"
)

// TestPaintedCallingHours paints the hours of two days with the mouse, closes a part of one again, and compares what is
// stored.
func TestPaintedCallingHours(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + nightShift}})
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "ar", browsertest.PageView{})
	p.NavigateTo(a.URL + "/console/rules")
	p.WaitVisible(".week.is-painted")
	day := func(n string) string { return ".weekday:nth-child(" + n + ") .day-strip" }
	hour := func(at float64) float64 { return at / 24 }
	p.DragAcross(day("3"), hour(9.1), hour(16.9))
	p.DragAcross(day("3"), hour(12.1), hour(12.9))
	p.DragAcross(day("5"), hour(19.9), hour(8.2)) // from the right to the left
	p.WaitHidden(".slots")
	p.ClickElement("#exact-hours")
	p.WaitVisible(".slots")
	p.CheckAccessibility()
	p.ClickElement(".rules-form button[type=submit]")
	p.WaitVisible(".flash:not(.alert-banner)")

	got := a.requestAPI(t, http.MethodGet, "/organization", nil).successData(t).objectAt("calling_hours")
	slot := func(from, to string) any { return map[string]any{"from": from, "to": to} }
	want := jsonObject{
		"sunday":  []any{slot("09:00", "12:00"), slot("13:00", "17:00")},
		"tuesday": []any{slot("08:00", "20:00")},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
