package whole_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"munadi/appliance/demo/browsertest"
)

// patients is the number of people in the campaign; few of them answer, since each conversation uses the recognizer.
const patients = 400

// answering are the last digits of the numbers of patients who answer: they confirm, reschedule or cancel the
// appointment, or ask for a person. The others are not reached.
var answering = []string{"07", "21", "35", "48", "52", "80", "82", "83", "85", "77", "77", "77"}

// writePatients writes an Excel file as a clinic has it: a title, Arabic headers, numbers as 05… and in Arabic digits,
// Excel dates, one duplicate and one invalid number.
func writePatients(t *testing.T, file string) {
	t.Helper()
	book := excelize.NewFile()
	defer func() { _ = book.Close() }()
	row := func(n int, cells ...any) {
		mustSucceed(t, book.SetSheetRow("Sheet1", fmt.Sprintf("A%d", n), &cells))
	}
	row(1, "كشف مواعيد الغد")
	row(3, "رقم الملف", "اسم المريض", "الجوال", "تاريخ الموعد", "الوقت")
	for i := range patients {
		number := fmt.Sprintf("05%06d%s", i, []string{"92", "91", "96", "92"}[i%4])
		if i < len(answering) {
			number = fmt.Sprintf("05%06d%s", i, answering[i])
		}
		row(4+i, 1000+i, "مريض", number, time.Now().AddDate(0, 0, 2), "4:30 م")
	}
	row(4+patients, 2001, "مكرر", "٠٥٠٠٠٠٠٠٠٧", time.Now(), "5:00 م")
	row(5+patients, 2002, "ناقص", "05123", time.Now(), "5:00 م")
	mustSucceed(t, book.SaveAs(file))
}

// TestAClinicsMorning imports an Arabic Excel file of 400 patients as a campaign whose answers are counted live; it is
// paused, resumed and ends. Its results are downloaded, those who need a person are followed up, and the report is
// printed.
func TestAClinicsMorning(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + nightShift}})
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "ar", browsertest.PageView{})
	file := filepath.Join(t.TempDir(), "مواعيد الغد.xlsx")
	writePatients(t, file)

	began := time.Now()
	p.NavigateTo(a.URL + "/console/campaigns")
	p.ClickElement(".page-head .button.primary")
	p.WaitVisible("#f-file")
	p.CheckAccessibility()
	p.UploadFiles("#f-file", file)
	p.ClickElement("form.stack button.primary")
	p.WaitVisible("#columns")
	p.CheckAccessibility()
	for column, field := range []string{"", "name", "phone_number", "date", "time"} {
		p.WaitFor(fmt.Sprintf(`document.querySelector('[name="col.%d"]').value === %q`, column, field))
	}
	p.ClickElement("#columns button.primary")
	p.WaitVisible("#check")
	p.CheckAccessibility()
	p.WaitText("#check", "الطبيب: لا قيمة")
	p.ClickElement(`[name="confirm.missing_value.doctor"]`)
	p.ClickElement(`[formaction="/console/campaigns/check"]`)
	p.WaitFor(`document.querySelector(".check-sums b").textContent === "400"`)
	p.WaitText("#previews", "هـ)")
	p.CheckAccessibility()
	p.WaitText("#check", "أرقام مكررة: 1")
	p.RunScript(`document.querySelector('[name^="fix."][aria-invalid]').value = ""`)
	p.TypeText(`[name^="fix."][aria-invalid]`, "0511111192")
	p.ClickElement(`[aria-labelledby="faulty"] [formaction]`)
	p.WaitFor(`document.querySelector(".check-sums b").textContent === "401"`)
	p.WaitText("#check", "يُتصل بـ401 شخص بسيناريو")
	p.ClickElement("[name=shared][value=once]")
	p.ClickElement("[name=sure]")
	p.ExpectText("/console/campaigns/camp_") // the page requests the campaign before it exists if booking is slow
	p.ClickElement("#check button.primary")
	p.WaitVisible("#campaign")
	t.Logf("from the list of campaigns to a running one: %s", time.Since(began).Round(100*time.Millisecond))
	p.ClickElement(`form[action$="/pause"] button`) // before it ends: its calls are fast
	p.WaitVisible(`form[action$="/resume"] button`)
	p.CheckAccessibility()
	p.ClickElement(`form[action$="/resume"] button`)
	p.WaitVisible(`form[action$="/pause"] button`)
	p.WaitFor(`document.querySelector("#answers .answer-list a")`) // without a reload
	id := browsertest.EvalExpression[string](p, `location.pathname.split("/").pop()`)
	c := awaitCampaign(t, a, p, id)
	p.CheckAccessibility()
	checkCampaignPage(t, a, p, c)
	results, err := csv.NewReader(strings.NewReader(string(a.requestAPI(t, "GET", "/campaigns/"+id+"/results.csv", nil).wantStatus(t, 200).Body))).ReadAll()
	if err != nil || len(results) != 402 {
		t.Errorf("%d lines of results, %v", len(results), err)
	}
	callByHand(t, a, p)
	printForManager(t, a, p, c)
	if shots := os.Getenv("MUNADI_LOOK"); shots != "" {
		lookAtCampaigns(t, a, p, id, file, shots)
	}
}

// lookAtCampaigns saves screenshots of the campaign pages in both languages and themes, at desktop and telephone width,
// in the folder MUNADI_LOOK.
func lookAtCampaigns(t *testing.T, a *testInstance, p *browsertest.BrowserPage, id, file, folder string) {
	t.Helper()
	for _, look := range []struct {
		name string
		view browsertest.PageView
	}{
		{"ar-light-1440", browsertest.PageView{Width: 1440, Height: 900}},
		{"ar-dark-360", browsertest.PageView{Width: 360, Height: 780, Dark: true}},
		{"en-dark-1440", browsertest.PageView{Width: 1440, Height: 900, Dark: true}},
		{"en-light-360", browsertest.PageView{Width: 360, Height: 780}},
	} {
		p.SetView(look.view)
		save := func(page string) { p.SaveFullPage(filepath.Join(folder, page+"-"+look.name+".png")) }
		p.NavigateTo(a.URL + "/console/campaigns?theme=auto&lang=" + look.name[:2])
		save("list")
		p.NavigateTo(a.URL + "/console/campaigns/" + id)
		save("one")
		p.NavigateTo(a.URL + "/console/campaigns/new")
		save("upload")
		p.UploadFiles("#f-file", file)
		p.ClickElement("form.stack button.primary")
		p.WaitVisible("#columns")
		save("columns")
		p.ClickElement("#columns button.primary")
		p.WaitVisible("#check")
		save("check")
	}
}
