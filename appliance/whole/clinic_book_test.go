package whole_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
)

// clinicRows is the number of rows of people in the clinic's workbook.
const clinicRows = 500

// expectedPerson is a row of the workbook as its call must be booked.
type expectedPerson struct {
	row          int // of the sheet
	name, number string
	day          time.Time
	clock        string // 15:04
	doctor       string
	fault        string // why the row is not booked: "", past, missing, number, duplicate
}

// clinicBook is a workbook as a clinic keeps it: a merged title, a blank row, six styles of numbers, dates in five, blank
// and total rows, a duplicate, children with their mother's number, and another sheet.
type clinicBook struct {
	t      *testing.T
	file   *excelize.File
	sheet  string
	row    int
	people []expectedPerson
	hijri  func(day time.Time) string // 1448/06/25
}

// The names of the sheets.
const (
	clinicSheet = "مواعيد الأسبوع"
	otherSheet  = "أجهزة العيادة"
)

// writeClinicBook writes the workbook and returns its people.
func writeClinicBook(t *testing.T, path string, hijri func(day time.Time) string) []expectedPerson {
	t.Helper()
	b := &clinicBook{t: t, file: excelize.NewFile(), sheet: clinicSheet, row: 4, hijri: hijri}
	defer func() { _ = b.file.Close() }()
	mustSucceed(t, b.file.SetSheetName("Sheet1", clinicSheet))
	mustSucceed(t, b.file.MergeCell(clinicSheet, "A1", "F1"))
	b.write(1, "عيادات الندى: كشف مواعيد الأسبوع القادم")
	b.write(3, "م", "اسم المريض", "رقم الجوال", "تاريخ الموعد", "وقت الموعد", "الطبيب المعالج")
	for i := range clinicRows {
		b.addPerson(i)
		if i%125 == 124 { // the end of a page on paper
			b.write(b.row, "", "المجموع", 125)
			b.row += 2
		}
	}
	b.addOtherSheet()
	mustSucceed(t, b.file.SaveAs(path))
	return b.people
}

func (b *clinicBook) write(row int, cells ...any) {
	b.t.Helper()
	mustSucceed(b.t, b.file.SetSheetRow(b.sheet, fmt.Sprintf("A%d", row), &cells))
}

// addPerson writes the i-th person. A few rows have a fault.
func (b *clinicBook) addPerson(i int) {
	b.t.Helper()
	p := expectedPerson{
		row: b.row, name: clinicName(i), number: clinicNumber(i), doctor: []string{"سامي", "نورة", "خالد"}[i%3],
		day: midnightOf(time.Now().UTC()).AddDate(0, 0, 3+i%20), clock: []string{"16:30", "09:15", "17:00"}[i%3],
	}
	switch { // i%100 == 50 answers, of those below
	case i == 40 || i == 41: // mother and child
		p.number = clinicNumber(39)
	case i == 60: // written twice
		p.number, p.name, p.day, p.clock, p.doctor, p.fault = clinicNumber(59), clinicName(59), b.people[59].day, b.people[59].clock, b.people[59].doctor, "duplicate"
	case i%100 == 70:
		p.day, p.fault = midnightOf(time.Now().UTC()).AddDate(0, 0, -6), "past"
	case i%100 == 80:
		p.fault = "missing"
	case i%250 == 90:
		p.number, p.fault = "05123", "number"
	}
	style := i
	if p.fault == "duplicate" {
		style = 59
	}
	day := b.dayCell(style, p.day)
	if p.fault == "missing" {
		day = ""
	}
	number := numberCell(i, p.number)
	if p.fault == "number" {
		number = p.number
	}
	b.write(b.row, i+1, p.name, number, day, clockCell(style, p.clock), p.doctor)
	if at, isDate := day.(time.Time); isDate && at.Equal(p.day) {
		style, err := b.file.NewStyle(&excelize.Style{NumFmt: 14})
		mustSucceed(b.t, err)
		mustSucceed(b.t, b.file.SetCellStyle(b.sheet, fmt.Sprintf("D%d", b.row), fmt.Sprintf("D%d", b.row), style))
	}
	b.people = append(b.people, p)
	b.row++
}

// addOtherSheet adds a sheet that has nobody to call.
func (b *clinicBook) addOtherSheet() {
	b.t.Helper()
	_, err := b.file.NewSheet(otherSheet)
	mustSucceed(b.t, err)
	b.sheet = otherSheet
	b.write(1, "الجهاز", "الغرفة", "آخر صيانة")
	for i := range 7 {
		b.write(2+i, "كرسي أسنان", i+1, "2026-03-01")
	}
}

// clinicNumber is the number of the i-th person: one in forty answers and confirms, reschedules or cancels; the others do
// not answer, decline or are unavailable.
func clinicNumber(i int) string {
	last := []string{"92", "91", "90"}[i%3]
	if i%40 == 11 {
		last = []string{"07", "21", "80", "83"}[i/40%4]
	}
	return fmt.Sprintf("+96650%05d%s", 10000+i, last)
}

// clinicName is the name of the i-th person.
func clinicName(i int) string {
	given := []string{"سارة", "أحمد", "نورة", "خالد", "فاطمة", "عبدالله", "ريم", "يوسف", "لولوة", "إبراهيم"}
	family := []string{"العتيبي", "القحطاني", "الحربي", "الغامدي", "الدوسري", "الشهري", "الزهراني"}
	return given[i%len(given)] + " " + given[i/7%len(given)] + " " + family[i%len(family)]
}

// numberCell writes a number in one of six styles.
func numberCell(i int, number string) any {
	local := "0" + strings.TrimPrefix(number, "+966")
	switch i % 6 {
	case 0:
		return local
	case 1:
		return arabicDigits(local)
	case 2:
		return "00966" + local[1:]
	case 3:
		return "+966 " + local[1:3] + " " + local[3:6] + " " + local[6:]
	case 4:
		return local[:3] + "-" + local[3:6] + "-" + local[6:]
	}
	n, _ := strconv.Atoi(local) // nine digits: Excel drops the zero before them
	return n
}

// dayCell writes a day in one of five styles.
func (b *clinicBook) dayCell(i int, day time.Time) any {
	switch i % 5 {
	case 0:
		return b.hijri(day)
	case 1:
		return day.Format("02/01/06")
	case 2: // days since 1899-12-30
		return int(day.Sub(time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)).Hours() / 24)
	case 3:
		return day
	}
	return arabicDigits(fmt.Sprintf("%d %s %d", day.Day(), arabicMonths[day.Month()-1], day.Year()))
}

// clockCell writes a time as people do.
func clockCell(i int, clock string) string {
	at, _ := time.Parse("15:04", clock)
	switch i % 3 {
	case 0:
		return arabicDigits(at.Format("3:04")) + " م"
	case 1:
		return clock
	}
	return arabicDigits(at.Format("3")) + " عصراً"
}

var arabicMonths = []string{
	"يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر",
}

func arabicDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r - '0' + '٠'
		}
		return r
	}, text)
}

func midnightOf(at time.Time) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
}

// countFault returns how many rows have a fault; "" counts those that are booked.
func countFault(people []expectedPerson, faults ...string) (n int) {
	for _, p := range people {
		if slices.Contains(faults, p.fault) {
			n++
		}
	}
	return n
}
