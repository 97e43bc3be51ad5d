package contactfile_test

import (
	"testing"
	"time"

	"munadi/appliance/contactfile"
)

// saudi returns the rules of a Saudi organization on 25 November 2026, 15 Jumada al-Akhira 1448; choices are those of a
// choice.
func saudi(choices ...string) contactfile.ReadingRules {
	return contactfile.ReadingRules{
		Region: "SA", Choices: choices, Today: time.Date(2026, 11, 25, 14, 0, 0, 0, time.FixedZone("Riyadh", 3*60*60)),
	}
}

// reading is a text with what it is read as.
type reading struct {
	typed, want string
	doubt       contactfile.ValueDoubt
}

func checkReadings(t *testing.T, kind contactfile.ValueKind, rules contactfile.ReadingRules, all []reading) {
	t.Helper()
	for _, c := range all {
		want := c.want
		if want == "" {
			want = c.typed
		}
		if got := contactfile.ReadValue(c.typed, kind, rules); got.Value != want || got.Doubt != c.doubt {
			t.Errorf("%s %q: %q, %q, want %q, %q", kind, c.typed, got.Value, got.Doubt, want, c.doubt)
		}
	}
}

// TestDates checks days as people write them, in both calendars.
func TestDates(t *testing.T) {
	t.Parallel()
	checkReadings(t, contactfile.DateValue, saudi(), []reading{
		{"2026-11-25", "2026-11-25", ""},
		{"2026/12/5", "2026-12-05", ""},
		{"25/12/2026", "2026-12-25", ""},
		{"٢٥/١٢/٢٠٢٦", "2026-12-25", ""},
		{"12/25/2026", "2026-12-25", ""},
		{"25.12.2026", "2026-12-25", ""},
		{"25-12-26", "2026-12-25", ""},
		{"25/12/2026م", "2026-12-25", ""},
		{"الجمعة 25/12/2026", "2026-12-25", ""},
		{"Friday, 25/12/2026", "2026-12-25", ""},
		{"\u200f25/12/2026\u200e", "2026-12-25", ""},
		{"\u202b٢٥ / ١٢ / ٢٠٢٦\u202c", "2026-12-25", ""},
		{"2026-12-25 16:30", "2026-12-25", ""},
		{"2026-12-25T16:30:00", "2026-12-25", ""},
		{"46381", "2026-12-25", ""}, // Excel's serial number
		{"12/12/2026", "2026-12-12", ""},
		{"25 ديسمبر 2026", "2026-12-25", ""},
		{"25 من ديسمبر 2026", "2026-12-25", ""},
		{"الخامس والعشرين من كانون الأول 2026", "2026-12-25", ""},
		{"25-Dec-2026", "2026-12-25", ""},
		{"Friday, Dec 25, 2026", "2026-12-25", ""},
		{"25 December 2026", "2026-12-25", ""},
		{"Dec 25th, 2026", "2026-12-25", ""},

		{"1448/06/16", "2026-11-26", ""},
		{"1448-06-16", "2026-11-26", ""},
		{"١٤٤٨/٦/١٦", "2026-11-26", ""},
		{"16/06/1448", "2026-11-26", ""},
		{"05/07/1448", "2026-12-14", ""},
		{"5/7/48", "2026-12-14", ""},
		{"16/06/1448هـ", "2026-11-26", ""},
		{"16/06/1448 هـ", "2026-11-26", ""},
		{"16-6-48 AH", "2026-11-26", ""},
		{"5 رجب 1448", "2026-12-14", ""},
		{"٥ رجب ١٤٤٨هـ", "2026-12-14", ""},
		{"الاثنين 5 رجب 1448", "2026-12-14", ""},
		{"16 جمادى الآخرة 1448", "2026-11-26", ""},
		{"16 جمادى الثانية 1448هـ الموافق 26 نوفمبر 2026م", "2026-11-26", ""},

		{"5 ديسمبر", "2026-12-05", contactfile.YearAssumed},
		{"5 رجب", "2026-12-14", contactfile.YearAssumed},
		{"25/12", "2026-12-25", contactfile.YearAssumed},
		{"24/11", "2027-11-24", contactfile.YearAssumed},
		{"24/11/2026", "2026-11-24", contactfile.PastDay},
		{"1448/06/14", "2026-11-24", contactfile.PastDay},
		{"1446/06/15", "2024-12-16", contactfile.PastDay},
		{"25/12/1999", "1999-12-25", contactfile.PastDay},
		{"2029-01-01", "2029-01-01", contactfile.FarDay},
		{"60000", "2064-04-08", contactfile.FarDay},
	})
}

// TestDatesThatAreNone checks that no day is made of a text that names none, or more than one.
func TestDatesThatAreNone(t *testing.T) {
	t.Parallel()
	checkReadings(t, contactfile.DateValue, saudi(), []reading{
		{"05/12/2026", "", contactfile.OrderUnknown},
		{"5/12/26", "", contactfile.OrderUnknown},
		{"5/12", "", contactfile.OrderUnknown},
		{"30/02/2027", "", contactfile.NoSuchDay},
		{"30 فبراير 2027", "", contactfile.NoSuchDay},
		{"30 February 2027", "", contactfile.NoSuchDay},
		{"2026-13-01", "", contactfile.NoSuchDay},
		{"1448-13-01", "", contactfile.NoSuchDay},
		{"1448/06/30", "", contactfile.NoSuchDay}, // it has 29 days
		{"0/0/2026", "", contactfile.NoSuchDay},
		{"1399/01/01", "", contactfile.NoSuchDay},
		{"1601/01/01", "", contactfile.NoSuchDay},
		{"2300-01-01", "", contactfile.NoSuchDay},
		{"16 جمادى الآخرة 1448 الموافق 27/11/2026", "", contactfile.NoSuchDay},
		{"غدا", "", contactfile.RelativeDay},
		{"الخميس القادم", "", contactfile.RelativeDay},
		{"25/12/2026 - 27/12/2026", "", contactfile.Unreadable},
		{"25 دجمبرر 2026", "", contactfile.Unreadable},
		{"25 Foo 2026", "", contactfile.Unreadable},
		{"0512345601", "", contactfile.Unreadable},
		{"خالد", "", contactfile.Unreadable},
		{"2026", "", contactfile.Unreadable},
		{"#REF!", "", contactfile.Unreadable},
	})
}

// TestOrders checks that 05/12/2026 is read as its column is, and that dates of one reading only show the order.
func TestOrders(t *testing.T) {
	t.Parallel()
	rules := saudi()
	rules.Order = contactfile.DayFirst
	checkReadings(t, contactfile.DateValue, rules, []reading{{"05/12/2026", "2026-12-05", ""}, {"12/25/2026", "2026-12-25", ""}, {"5/12", "2026-12-05", "year_assumed"}})
	rules.Order = contactfile.MonthFirst
	checkReadings(t, contactfile.DateValue, rules, []reading{{"12/05/2026", "2026-12-05", ""}, {"25/12/2026", "2026-12-25", ""}, {"05/07/1448", "2026-12-14", ""}})
	for want, values := range map[contactfile.DateOrder][]string{
		"day": {"05/12/2026", "25/12/2026", "2026-12-25"}, "month": {"05/12/2026", "12/25/26"}, "": {"05/12/2026", "13/1/2027", "1/13/2027"},
	} {
		if got := contactfile.FindOrder(values); got != want {
			t.Errorf("%v: %q, want %q", values, got, want)
		}
	}
}

// TestTimes checks times of day as people write and say them.
func TestTimes(t *testing.T) {
	t.Parallel()
	checkReadings(t, contactfile.TimeValue, saudi(), []reading{
		{"9:30", "09:30", ""},
		{"16:30:00", "16:30", ""},
		{"16.30", "16:30", ""},
		{"4:30 م", "16:30", ""},
		{"٤:٣٠ مساءً", "16:30", ""},
		{"٤ عصراً", "16:00", ""},
		{"4 عصرًا", "16:00", ""},
		{"4:00 بعد العصر", "16:00", ""},
		{"الرابعة والنصف عصرا", "16:30", ""},
		{"الساعة خمسة ونص العصر", "17:30", ""},
		{"4 PM", "16:00", ""},
		{"10pm", "22:00", ""},
		{"4:30 p.m.", "16:30", ""},
		{"0.6875", "16:30", ""},
		{"2026-12-25 16:30", "16:30", ""},
		{"25/12/2026 4:30 م", "16:30", ""},
		{"\u200f16:30", "16:30", ""},
		{"12:00", "12:00", ""},
		{"16", "16:00", ""},
		{"9", "09:00", ""},
		{"12:15 ص", "00:15", contactfile.NightTime},
		{"04:30", "04:30", contactfile.NightTime},
		{"0.1875", "04:30", contactfile.NightTime},
		{"4:30", "", contactfile.ClockUnknown},
		{"4", "", contactfile.ClockUnknown},
		{"بعد العصر", "", contactfile.HourMissing},
		{"العصر", "", contactfile.HourMissing},
		{"بعد صلاة المغرب", "", contactfile.HourMissing},
		{"25:00", "", contactfile.Unreadable},
		{"9:75", "", contactfile.Unreadable},
		{"9:00 - 10:00", "", contactfile.Unreadable},
		{"99", "", contactfile.Unreadable},
		{"متأخر", "", contactfile.Unreadable},
	})
	rules := saudi()
	rules.Clock = contactfile.DaytimeClock
	checkReadings(t, contactfile.TimeValue, rules, []reading{{"4:30", "16:30", ""}, {"9:30", "09:30", ""}, {"12:30", "12:30", ""}, {"04:30", "04:30", "night_time"}})
	rules.Clock = contactfile.FullClock
	checkReadings(t, contactfile.TimeValue, rules, []reading{{"4:30", "04:30", "night_time"}, {"7:00", "07:00", ""}, {"4:30 م", "16:30", ""}})
	for want, values := range map[contactfile.ClockStyle][]string{"24": {"4:30", "14:00"}, "": {"4:30", "9:30", "16:00 م", "2026-12-01"}} {
		if got := contactfile.FindClock(values); got != want {
			t.Errorf("%v: %q, want %q", values, got, want)
		}
	}
}

// TestOtherValues checks numbers, choices and telephone numbers.
func TestOtherValues(t *testing.T) {
	t.Parallel()
	rules := saudi("العليا", "الملز")
	checkReadings(t, contactfile.NumberValue, rules, []reading{{"1,250.5", "1250.5", ""}, {"١٢٥٠٫٥", "1250.5", ""}, {"x", "", ""}})
	checkReadings(t, contactfile.ChoiceValue, rules, []reading{{" العليا", "العليا", ""}, {"شمال", "", ""}})
	checkReadings(t, contactfile.PhoneValue, rules, []reading{{"0512345601", "+966512345601", ""}})
	checkReadings(t, contactfile.TextValue, rules, []reading{{"سارة", "", ""}})
}
