package arabic

import "strings"

// PrayerTime is a time that is named by a daily prayer.
type PrayerTime struct {
	Prayer int        // 0 to 4: fajr, dhuhr, asr, maghrib, isha
	Side   PrayerSide // relative to the call to prayer
}

// PrayerSide is where a time lies relative to the call to prayer.
type PrayerSide int

// The sides.
const (
	AtPrayer PrayerSide = iota
	BeforePrayer
	AfterPrayer
)

// FindPrayerTime returns the time that s names by a prayer: "بعد صلاة المغرب", "قبل العشا", "مع أذان العصر". A part of
// the day alone is none (العصر), nor are بعد الظهر and قبل الظهر, which name parts of the day, and two prayers ("بين
// المغرب والعشاء").
func FindPrayerTime(s string) (PrayerTime, bool) {
	heard := parseSentence(s)
	for i := 0; i < len(heard); i++ {
		p, next := heard.prayerAt(i)
		if next == i {
			continue
		}
		if heard.isRefused(i, next) || heard.namesPrayer(next) {
			return PrayerTime{}, false
		}
		return p, true
	}
	return PrayerTime{}, false
}

// namesPrayer reports whether one of the words from i on is a prayer's name.
func (s inputSentence) namesPrayer(i int) bool {
	for ; i < len(s); i++ {
		if _, known := prayerWords[strings.TrimPrefix(s.fullWordAt(i), "و")]; known {
			return true
		}
	}
	return false
}

// prayerAt reads a side and a prayer at word i; at least one of side and صلاة or أذان is needed.
func (s inputSentence) prayerAt(i int) (p PrayerTime, next int) {
	j := i
	side, sided := prayerSides[s.fullWordAt(j)]
	if sided {
		p.Side = side
		j++
	}
	called := prayerNouns[s.fullWordAt(j)]
	if called {
		j++
	}
	prayer, known := prayerWords[s.fullWordAt(j)]
	if !known || !sided && !called || prayer == dhuhr && !called {
		return PrayerTime{}, i
	}
	p.Prayer = prayer
	return p, j + 1
}

const dhuhr = 1

var (
	prayerSides = map[string]PrayerSide{
		"بعد": AfterPrayer, "عقب": AfterPrayer, "ورا": AfterPrayer, "قبل": BeforePrayer, "مع": AtPrayer, "عند": AtPrayer,
		"وقت": AtPrayer, "على": AtPrayer, "علي": AtPrayer,
	}
	prayerNouns = wordSet("صلاة أذان آذان الأذان اذان صلات")
	prayerWords = map[string]int{
		"الفجر": 0, "الظهر": dhuhr, "الضهر": dhuhr, "الجمعه": dhuhr, "العصر": 2, "المغرب": 3, "العشاء": 4,
		"العشا": 4,
	}
)
