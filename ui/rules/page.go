package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// View is the page of the dialling rules.
type View struct {
	layout.ConsolePage
	Stopped   bool // no call goes out
	MayStop   bool
	MayChange bool
	form.ReplacedSetting

	Form   Form
	Always bool // no calling hours
	Days   []DayRow

	Faults map[string]string // of the hours: sentence by the field's name
	Wrong  bool              // nothing was saved
}

// DayRow is a weekday's row.
type DayRow struct {
	Key   string // its English name
	Slots []SlotRow
	Open  []MinuteRange // for the strip: what is open now
}

// SlotRow is a stretch of the day as typed.
type SlotRow struct{ From, To string }

// MinuteRange is a part of a day, in minutes since midnight.
type MinuteRange struct{ From, To int }

// shownSlots are the slots with hours and, where they may be changed, the empty ones.
func (d DayRow) shownSlots(mayChange bool) []SlotRow {
	if mayChange {
		return d.Slots
	}
	return slices.DeleteFunc(slices.Clone(d.Slots), func(s SlotRow) bool { return s == SlotRow{} })
}

// fieldName returns the name of a slot's field.
func (d DayRow) fieldName(i int, end string) string {
	return fmt.Sprintf("hours.%s.%d.%s", d.Key, i, end)
}

// slotFault returns the fault of a slot, or of one of its ends.
func (p View) slotFault(d DayRow, i int) string {
	for _, end := range []string{"from", "to", "slot"} {
		if fault := p.Faults[d.fieldName(i, end)]; fault != "" {
			return fault
		}
	}
	return ""
}

// slotLabel returns the accessible label of a slot's field.
func slotLabel(l locale.Language, d DayRow, i int, end string) string {
	return WeekdayName(l, d.Key) + ", " + strconv.Itoa(i+1) + ", " + end
}

// UsualZones are the time zones that forms suggest; every other IANA name can be typed.
func UsualZones() []string {
	return strings.Fields(`Asia/Riyadh Asia/Dubai Asia/Kuwait Asia/Qatar Asia/Bahrain Asia/Muscat Asia/Aden Asia/Baghdad
		Asia/Amman Asia/Beirut Asia/Damascus Asia/Gaza Africa/Cairo Africa/Khartoum Africa/Tripoli Africa/Tunis
		Africa/Algiers Africa/Casablanca Africa/Nouakchott Europe/Istanbul Europe/London Europe/Berlin UTC`)
}
