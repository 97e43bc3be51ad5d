package hijri_test

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"munadi/appliance/hijri"
)

// TestPublishedMonths compares the first day of each month of 1420 to 1450 with the table of the Unicode Consortium's ICU
// 78 (calendar islamic-umalqura), whose published data ends there.
func TestPublishedMonths(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/icu78.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	months := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		year, _ := strconv.Atoi(fields[0])
		for i, want := range fields[1:] {
			first := hijri.HijriDate{Year: year, Month: i + 1, Day: 1}
			day, ok := first.Gregorian()
			if got := day.Format(time.DateOnly); !ok || got != want {
				t.Errorf("%s is %s, %t, want %s", first, got, ok, want)
			}
			months++
		}
	}
	if months != 31*12 {
		t.Errorf("%d months were compared", months)
	}
}

// TestKnownDays compares with days that the Saudi press and ministries announced in both calendars.
func TestKnownDays(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"1400-01-01": "1979-11-20", "1441-09-01": "2020-04-24", "1443-01-01": "2021-08-09", "1445-09-01": "2024-03-11",
		"1446-01-01": "2024-07-07", "1446-08-23": "2025-02-22", "1448-06-15": "2026-11-25", "1500-12-30": "2077-11-16",
	} {
		h := parseHijri(t, written)
		day, ok := h.Gregorian()
		if got := day.Format(time.DateOnly); !ok || got != want {
			t.Errorf("%s is %s, %t, want %s", written, got, ok, want)
		}
	}
}

// TestEveryDay converts each day of the table there and back: the days follow each other without gap.
func TestEveryDay(t *testing.T) {
	t.Parallel()
	day, last := time.Date(1979, 11, 20, 0, 0, 0, 0, time.UTC), time.Date(2077, 11, 16, 0, 0, 0, 0, time.UTC)
	for ; !day.After(last); day = day.AddDate(0, 0, 1) {
		h, ok := hijri.FromGregorian(day.Add(23 * time.Hour))
		back, known := h.Gregorian()
		if !ok || !known || !back.Equal(day) {
			t.Fatalf("%s: %s, %t, back %s, %t", day.Format(time.DateOnly), h, ok, back.Format(time.DateOnly), known)
		}
	}
	for _, outside := range []time.Time{last.AddDate(0, 0, 1), time.Date(1979, 11, 19, 23, 0, 0, 0, time.UTC)} {
		if h, ok := hijri.FromGregorian(outside); ok {
			t.Errorf("%s is %s", outside, h)
		}
	}
}

// TestDaysThatDoNotExist checks that no other day is made of one that the calendar does not have.
func TestDaysThatDoNotExist(t *testing.T) {
	t.Parallel()
	for _, written := range []string{"1448-13-01", "1448-00-01", "1448-06-00", "1448-06-31", "1448-01-30", "1399-12-29", "1501-01-01"} {
		if day, ok := parseHijri(t, written).Gregorian(); ok {
			t.Errorf("%s is %s", written, day.Format(time.DateOnly))
		}
	}
}

func TestMonthNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{
		"محرم": 1, "ربيع الآخر": 4, "جُمَادى الآخرة": 6, "جمادى  الاخره": 6, "جمادي الثانية": 6, "رجب": 7, "ذي الحجّة": 12, "Ramadan": 9,
		"يونيو": 0, "جمادى": 0, "ربيع": 0, "": 0,
	} {
		if got, ok := hijri.ParseMonth(name); got != want || ok != (want > 0) {
			t.Errorf("%q: %d, %t, want %d", name, got, ok, want)
		}
	}
}

func parseHijri(t *testing.T, written string) hijri.HijriDate {
	t.Helper()
	var n [3]int
	for i, part := range strings.Split(written, "-") {
		n[i], _ = strconv.Atoi(part)
	}
	return hijri.HijriDate{Year: n[0], Month: n[1], Day: n[2]}
}
