// Package hijri converts days between the Gregorian calendar and the Hijri one of Saudi Arabia, the Umm al-Qura
// calendar, which is published as a table of months and not computed.
//
// It knows the years 1400 to 1500 (20 November 1979 to 16 November 2077). It reads and writes no text but the names of
// months; package contactfile reads dates.
package hijri

import (
	"fmt"
	"time"
)

// HijriDate is a day of the Umm al-Qura calendar. Month is 1 (Muharram) to 12 (Dhu al-Hijja), Day 1 to 30.
type HijriDate struct{ Year, Month, Day int }

// The years of the table.
const (
	FirstYear = 1400
	LastYear  = 1500
)

// tableStart is the first day of the table, 1 Muharram 1400.
var tableStart = time.Date(1979, 11, 20, 0, 0, 0, 0, time.UTC)

// longMonths has the months of 30 days of each year from 1400 on: bit 0 is Muharram. The others have 29 days. Source:
// the Umm al-Qura calendar of King Abdulaziz City for Science and Technology, as two independent tables give it
// (hijridate 2.6.0 and go-hijri 1.0.2, which agree in every month).
var longMonths = [...]uint16{
	0xd4b, 0x52a, 0xa57, 0x4ae, 0x976, 0x56c, 0xb55, 0xaaa, 0xa55, 0x4ad, // 1400
	0x95d, 0x2da, 0x5d9, 0xdb2, 0xba4, 0xb4a, 0xa55, 0x2b5, 0x575, 0xb6a, // 1410
	0xbd2, 0xbc4, 0xb89, 0xa95, 0x52d, 0x5ad, 0xb6a, 0x6d4, 0xdc9, 0xd92, // 1420
	0xaa6, 0x956, 0x2ae, 0x56d, 0x36a, 0xb55, 0xaaa, 0x94d, 0x49d, 0x95d, // 1430
	0x2ba, 0x5b5, 0x5aa, 0xd55, 0xa9a, 0x92e, 0x26e, 0x55d, 0xada, 0x6d4, // 1440
	0x6a5, 0x54b, 0xa97, 0x54e, 0xaae, 0x5ac, 0xba9, 0xd92, 0xb25, 0x64b, // 1450
	0xcab, 0x55a, 0xb55, 0x6d2, 0xea5, 0xe4a, 0xa95, 0x52d, 0xaad, 0x36c, // 1460
	0x759, 0x6d2, 0x695, 0x52d, 0xa5b, 0x4ba, 0x9ba, 0x3b4, 0xb69, 0xb52, // 1470
	0xaa6, 0x4b6, 0x96d, 0x2ec, 0x6d9, 0xeb2, 0xd54, 0xd2a, 0xa56, 0x4ae, // 1480
	0x96d, 0xd6a, 0xb54, 0xb29, 0xa93, 0x52b, 0xa57, 0x536, 0xab5, 0x6aa, // 1490
	0xe93, // 1500
}

// monthLength returns the days of a month.
func monthLength(year, month int) int {
	return 29 + int(longMonths[year-FirstYear]>>(month-1)&1)
}

// Gregorian returns the day in the Gregorian calendar, at midnight UTC; false for a day that the table does not have.
func (h HijriDate) Gregorian() (time.Time, bool) {
	if h.Year < FirstYear || h.Year > LastYear || h.Month < 1 || h.Month > 12 || h.Day < 1 ||
		h.Day > monthLength(h.Year, h.Month) {
		return time.Time{}, false
	}
	days := h.Day - 1
	for year := FirstYear; year <= h.Year; year++ {
		for month := 1; month <= 12 && (year < h.Year || month < h.Month); month++ {
			days += monthLength(year, month)
		}
	}
	return tableStart.AddDate(0, 0, days), true
}

// FromGregorian returns a day, whose clock time is ignored, in the Hijri calendar; false outside the table.
func FromGregorian(day time.Time) (HijriDate, bool) {
	day = time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, time.UTC)
	days := int(day.Sub(tableStart).Hours() / 24)
	if day.Before(tableStart) {
		return HijriDate{}, false
	}
	for year := FirstYear; year <= LastYear; year++ {
		for month := 1; month <= 12; month++ {
			if days < monthLength(year, month) {
				return HijriDate{year, month, days + 1}, true
			}
			days -= monthLength(year, month)
		}
	}
	return HijriDate{}, false
}

// String writes the date as 1448-06-15.
func (h HijriDate) String() string { return fmt.Sprintf("%04d-%02d-%02d", h.Year, h.Month, h.Day) }
