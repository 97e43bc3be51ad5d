package prayer

import "time"

// method is an authority's rules: angles of the sun below the horizon in degrees, an interval instead of the angle of
// the night prayer, and precautionary minutes by prayer.
type method struct {
	fajr, isha float64
	interval   time.Duration // between sunset and the night prayer; 0: by the angle
	minutes    [5]int
}

// The authorities' rules. Sources: Umm al-Qura University (18.5°, 90 minutes; the 120 of Ramadan are announced, and not
// computed here); Egyptian General Survey Authority (19.5°, 17.5°); Emirates (18.2°, with precautionary minutes);
// Kuwait (18°, 17.5°); Qatar (18°, 90 minutes); Morocco (19°, 17°, noon and sunset 5 minutes later); Tunisia (18°); the
// Muslim World League (18°, 17°) for other countries.
var (
	league  = method{fajr: 18, isha: 17}
	egypt   = method{fajr: 19.5, isha: 17.5, minutes: [5]int{Dhuhr: 1}}
	qura    = method{fajr: 18.5, interval: 90 * time.Minute}
	methods = map[string]method{ // by country
		"SA": qura, "BH": qura,
		"AE": {fajr: 18.2, isha: 18.2, minutes: [5]int{Dhuhr: 3, Asr: 3, Maghrib: 3}},
		"KW": {fajr: 18, isha: 17.5}, "QA": {fajr: 18, interval: 90 * time.Minute},
		"EG": egypt, "PS": egypt, "SY": egypt, "LB": egypt, "SD": egypt, "LY": egypt,
		"MA": {fajr: 19, isha: 17, minutes: [5]int{Dhuhr: 5, Maghrib: 5}}, "TN": {fajr: 18, isha: 18},
	}
)

func methodOf(country string) method {
	if m, ok := methods[country]; ok {
		return m
	}
	return league
}
