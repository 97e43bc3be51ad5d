package arabic_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"munadi/engine/arabic"
)

// saturday is "today" for the dates of the table.
var saturday = time.Date(2026, time.November, 21, 23, 30, 0, 0, time.FixedZone("", 3*3600))

// understanding maps each table of sentences to its function, whose result is formatted as in the table.
var understanding = map[string]struct {
	least int
	read  func(string) string
}{
	"yesno.tsv":  {150, yesNo},
	"number.tsv": {70, spellNumber},
	"price.tsv":  {30, spellNumber},
	"clock.tsv":  {90, spellTime},
	"date.tsv":   {90, spellDate},
}

func TestUnderstanding(t *testing.T) {
	t.Parallel()
	for name, u := range understanding {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			phrases := readTable(t, "testdata/"+name)
			if len(phrases) < u.least {
				t.Errorf("only %d phrases", len(phrases))
			}
			for said, want := range phrases {
				if got := u.read(said); got != want {
					t.Errorf("%s: got %s, want %s", said, got, want)
				}
			}
		})
	}
}

func yesNo(s string) string {
	yes, ok := arabic.YesNo(s)
	switch {
	case !ok:
		return "-"
	case yes:
		return "yes"
	}
	return "no"
}

func spellNumber(s string) string {
	n, ok := arabic.FindNumber(s)
	if !ok {
		return "-"
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

func spellTime(s string) string {
	c, ok := arabic.TimeOfDay(s)
	if !ok {
		return "-"
	}
	open := ""
	if c.Ambiguous {
		open = "?"
	}
	return fmt.Sprintf("%d:%02d%s", c.Hour, c.Minute, open)
}

func spellDate(s string) string {
	y, m, d, ok := arabic.FindDate(s, saturday)
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%04d-%02d-%02d", y, m, d)
}

func TestADayOfTheWeekSeenFromEveryDay(t *testing.T) {
	t.Parallel()
	for offset := range 7 {
		today := saturday.AddDate(0, 0, offset)
		for day, name := range map[time.Weekday]string{
			time.Sunday: "الأحد", time.Thursday: "الخميس", time.Saturday: "السبت",
		} {
			y, m, d, ok := arabic.FindDate("يوم "+name+" القادم", today)
			got := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
			ahead := got.Sub(time.Date(today.Year(), today.Month(), today.Day(), 0, 0, 0, 0, time.UTC)).Hours() / 24
			if !ok || got.Weekday() != day || ahead < 1 || ahead > 7 {
				t.Errorf("%s said on %s: %s, %v days ahead, %v", name, today.Format("Mon 2006-01-02"), got, ahead, ok)
			}
		}
	}
}

func TestSpelledNumbersAreReadBack(t *testing.T) {
	t.Parallel()
	check := func(n int) {
		said := arabic.SpellNumber(n)
		if got, ok := arabic.FindNumber(said); !ok || got != float64(n) {
			t.Errorf("%d is %s, read back as %v, %v", n, said, got, ok)
		}
	}
	for n := range 20_000 {
		check(n)
	}
	for n := 20_000; n < 1_000_000_000; n += n/97 + 1 {
		check(n)
	}
	for _, n := range []int{-1, -25, 200_000, 201_000, 102_000, 100_000, 200_000_000, 999_999_999} {
		check(n)
	}
}

func TestSpelledTimesAreReadBack(t *testing.T) {
	t.Parallel()
	for minute := range 1440 {
		want := arabic.ClockTime{Hour: minute / 60, Minute: minute % 60}
		said := arabic.SpellTime(want.Hour, want.Minute)
		if got, ok := arabic.TimeOfDay(said); !ok || got != want {
			t.Errorf("%v is %s, read back as %v, %v", want, said, got, ok)
		}
	}
}

func TestSpelledDatesAreReadBack(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds of processor time")
	}
	for offset := 0; offset < 3*365; offset += 11 {
		today := saturday.AddDate(0, 0, offset)
		for ahead := range 365 {
			day := today.AddDate(0, 0, ahead)
			said := arabic.SpellDate(day)
			y, m, d, ok := arabic.FindDate(said, today)
			if wy, wm, wd := day.Date(); !ok || y != wy || m != wm || d != wd {
				t.Fatalf("on %s: %s, read back as %d-%d-%d, %v", today.Format(time.DateOnly), said, y, m, d, ok)
			}
		}
	}
}

func TestSpell(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		arabic.SpellNumber(0):       "صفر",
		arabic.SpellNumber(21):      "واحد وعشرون",
		arabic.SpellNumber(300):     "ثلاثمائة",
		arabic.SpellNumber(125):     "مائة وخمسة وعشرون",
		arabic.SpellNumber(2011):    "ألفان وأحد عشر",
		arabic.SpellNumber(45_000):  "خمسة وأربعون ألفا",
		arabic.SpellTime(17, 30):    "الساعة الخامسة والنصف مساء",
		arabic.SpellTime(10, 0):     "الساعة العاشرة صباحا",
		arabic.SpellTime(5, 45):     "الساعة السادسة إلا ربعا صباحا",
		arabic.SpellTime(12, 15):    "الساعة الثانية عشرة والربع ظهرا",
		arabic.SpellTime(0, 0):      "الساعة الثانية عشرة ليلا",
		arabic.SpellTime(9, 20):     "الساعة التاسعة وعشرون دقيقة صباحا",
		arabic.SpellTime(12, 5):     "الساعة الثانية عشرة وخمس دقائق ظهرا",
		arabic.SpellTime(8, 2):      "الساعة الثامنة ودقيقتان صباحا",
		arabic.SpellTime(20, 12):    "الساعة الثامنة واثنتا عشرة دقيقة مساء",
		arabic.SpellTime(20, 23):    "الساعة الثامنة وثلاث وعشرون دقيقة مساء",
		arabic.SpellTime(-1, 0):     "الساعة الحادية عشرة مساء",
		arabic.SpellDigits("+9٦6"):  "تسعة ستة ستة",
		arabic.SpellDate(saturday):  "يوم السبت الحادي والعشرين من نوفمبر",
		arabic.SpellDigits("05-1b"): "صفر خمسة واحد",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestOnlyTheBeginningIsRead: of long input only the first words are read.
func TestOnlyTheBeginningIsRead(t *testing.T) {
	t.Parallel()
	for name, filler := range map[string]string{
		"words": strings.Repeat("كلمة ", 300), "bytes": strings.Repeat("ش", 1<<20) + " ",
	} {
		for read, word := range map[string]string{"yesno.tsv": "نعم", "number.tsv": "خمسة", "clock.tsv": "5:30", "date.tsv": "بكرة"} {
			u := understanding[read].read
			if got := u(filler + word); got != "-" {
				t.Errorf("%s after 300 %s: %s", word, name, got)
			}
			if got := u(word + " " + filler); got == "-" && read != "yesno.tsv" {
				t.Errorf("%s before 300 %s is not read", word, name)
			}
		}
	}
}

func FuzzUnderstanding(f *testing.F) {
	for _, s := range []string{
		"", "و", "الا", "الساعة", "خمسة و", "الساعة خمسة ونص الا", "بعد", "يوم", "لا", "ما", "نعم او لا", "\xff", "خمسة الشهر",
		"الحادي و", "5:", "99/99/9999", "ريال و", "ناقص ناقص", "نص", "كانون", strings.Repeat("خمسة وعشرين ", 300),
		"999999999999999999", "مرتين", "الأخير", "بعد صلاة", "ربع تلاف", "و تالاف", "رقم", "1,2,3.4.5", "الخميس بعد", "ول", "ال", "بعد خمسة",
	} {
		f.Add(s)
	}
	options := []arabic.ChoiceOption{
		{Value: "large", Phrases: []string{"كبير", "حجم كبير"}}, {Value: "small", Phrases: []string{"صغير"}},
	}
	f.Fuzz(func(t *testing.T, s string) {
		arabic.YesNo(s)
		if n, ok := arabic.FindNumber(s); ok && (math.IsNaN(n) || math.IsInf(n, 0)) {
			t.Errorf("Number(%q) = %v", s, n)
		}
		if c, ok := arabic.TimeOfDay(s); ok && (c.Hour < 0 || c.Hour > 23 || c.Minute < 0 || c.Minute > 59 ||
			c.Ambiguous && (c.Hour < 1 || c.Hour > 12)) {
			t.Errorf("TimeOfDay(%q) = %v", s, c)
		}
		if y, m, d, ok := arabic.FindDate(s, saturday); ok {
			if got := time.Date(y, m, d, 0, 0, 0, 0, time.UTC); got.Day() != d || got.Month() != m || y > 2300 {
				t.Errorf("Date(%q) = %d-%d-%d", s, y, m, d)
			}
		}
		arabic.ReadDigits(s)
		arabic.SaysNow(s)
		if p, ok := arabic.FindPlace(s, 3); ok && (p < 0 || p > 2) {
			t.Errorf("FindPlace(%q) = %d", s, p)
		}
		if p, ok := arabic.FindPrayerTime(s); ok && (p.Prayer < 0 || p.Prayer > 4) {
			t.Errorf("FindPrayerTime(%q) = %+v", s, p)
		}
		if m, ok := arabic.FindChoice(s, options); ok && (m.Index < 0 || m.Index > 1) {
			t.Errorf("Choice(%q) = %+v", s, m)
		}
	})
}
