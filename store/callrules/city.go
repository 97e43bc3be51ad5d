package callrules

import (
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // embedded zone database: the machine may have none
)

// City is a city by which an organization's people tell times of prayer, with coordinates in degrees, north and east
// positive.
type City struct {
	Name      string // in settings
	Arabic    string
	English   string
	Country   string // ISO 3166-1 alpha-2
	Latitude  float64
	Longitude float64
}

// FindCity returns a city by its name in settings.
func FindCity(name string) (City, bool) {
	i := slices.IndexFunc(cities, func(c City) bool { return c.Name == name })
	if i < 0 {
		return City{}, false
	}
	return cities[i], true
}

// AllCities returns the cities, ordered by country.
func AllCities() []City { return slices.Clone(cities) }

func cityNames() string {
	names := make([]string, len(cities))
	for i, c := range cities {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

// cities: the centres' coordinates from GeoNames (CC BY 4.0), to a hundredth of a degree.
var cities = []City{
	{"riyadh", "الرياض", "Riyadh", "SA", 24.69, 46.72},
	{"mecca", "مكة المكرمة", "Mecca", "SA", 21.43, 39.83},
	{"medina", "المدينة المنورة", "Medina", "SA", 24.47, 39.61},
	{"jeddah", "جدة", "Jeddah", "SA", 21.49, 39.19},
	{"dammam", "الدمام", "Dammam", "SA", 26.43, 50.10},
	{"taif", "الطائف", "Taif", "SA", 21.27, 40.42},
	{"tabuk", "تبوك", "Tabuk", "SA", 28.40, 36.57},
	{"buraydah", "بريدة", "Buraydah", "SA", 26.33, 43.97},
	{"abha", "أبها", "Abha", "SA", 18.22, 42.51},
	{"hail", "حائل", "Hail", "SA", 27.52, 41.69},
	{"dubai", "دبي", "Dubai", "AE", 25.26, 55.30},
	{"abu_dhabi", "أبوظبي", "Abu Dhabi", "AE", 24.45, 54.38},
	{"sharjah", "الشارقة", "Sharjah", "AE", 25.34, 55.41},
	{"kuwait", "مدينة الكويت", "Kuwait City", "KW", 29.37, 47.98},
	{"doha", "الدوحة", "Doha", "QA", 25.29, 51.53},
	{"manama", "المنامة", "Manama", "BH", 26.23, 50.59},
	{"muscat", "مسقط", "Muscat", "OM", 23.58, 58.41},
	{"sanaa", "صنعاء", "Sanaa", "YE", 15.35, 44.21},
	{"aden", "عدن", "Aden", "YE", 12.78, 45.04},
	{"baghdad", "بغداد", "Baghdad", "IQ", 33.34, 44.40},
	{"basra", "البصرة", "Basra", "IQ", 30.51, 47.78},
	{"mosul", "الموصل", "Mosul", "IQ", 36.34, 43.12},
	{"cairo", "القاهرة", "Cairo", "EG", 30.06, 31.25},
	{"alexandria", "الإسكندرية", "Alexandria", "EG", 31.20, 29.92},
	{"asyut", "أسيوط", "Asyut", "EG", 27.18, 31.18},
	{"amman", "عمّان", "Amman", "JO", 31.96, 35.95},
	{"jerusalem", "القدس", "Jerusalem", "PS", 31.77, 35.22},
	{"gaza", "غزة", "Gaza", "PS", 31.50, 34.47},
	{"damascus", "دمشق", "Damascus", "SY", 33.51, 36.29},
	{"aleppo", "حلب", "Aleppo", "SY", 36.20, 37.16},
	{"beirut", "بيروت", "Beirut", "LB", 33.89, 35.50},
	{"khartoum", "الخرطوم", "Khartoum", "SD", 15.55, 32.53},
	{"tripoli", "طرابلس", "Tripoli", "LY", 32.89, 13.19},
	{"benghazi", "بنغازي", "Benghazi", "LY", 32.12, 20.07},
	{"tunis", "تونس", "Tunis", "TN", 36.82, 10.17},
	{"algiers", "الجزائر", "Algiers", "DZ", 36.73, 3.09},
	{"oran", "وهران", "Oran", "DZ", 35.70, -0.64},
	{"casablanca", "الدار البيضاء", "Casablanca", "MA", 33.59, -7.61},
	{"rabat", "الرباط", "Rabat", "MA", 34.01, -6.83},
	{"nouakchott", "نواكشوط", "Nouakchott", "MR", 18.09, -15.98},
}

// Country returns the ISO 3166-1 alpha-2 code of the organization's country: that of its city, else of its time zone;
// empty if neither tells.
func (r CallRules) Country() string {
	if c, ok := FindCity(r.City); ok {
		return c.Country
	}
	return zoneCountries[r.TimeZone]
}

// zoneCountries are the countries of time zones, after the tz database's zone1970.tab.
var zoneCountries = map[string]string{
	"Asia/Riyadh": "SA", "Asia/Dubai": "AE", "Asia/Kuwait": "KW", "Asia/Qatar": "QA", "Asia/Bahrain": "BH",
	"Asia/Muscat": "OM", "Asia/Aden": "YE", "Asia/Baghdad": "IQ", "Asia/Amman": "JO", "Asia/Beirut": "LB",
	"Asia/Damascus": "SY", "Asia/Gaza": "PS", "Asia/Hebron": "PS", "Africa/Cairo": "EG", "Africa/Khartoum": "SD",
	"Africa/Tripoli": "LY", "Africa/Tunis": "TN", "Africa/Algiers": "DZ", "Africa/Casablanca": "MA",
	"Africa/Nouakchott": "MR",
}

// loadLocation loads a zone by its IANA name; empty is UTC.
func loadLocation(name string) (*time.Location, error) {
	if name == "" {
		return time.UTC, nil
	}
	return time.LoadLocation(name)
}

// timeZone returns the organization's zone; UTC for an unknown one, which [CheckRules] refuses.
func (r CallRules) timeZone() *time.Location {
	if loc, err := loadLocation(r.TimeZone); err == nil {
		return loc
	}
	return time.UTC
}

// LocalMidnight returns when the calendar day of at began in the organization's zone: the start of "today" for its
// limits.
func LocalMidnight(rules CallRules, at time.Time) time.Time { return StartOfDay(at, rules.timeZone()) }

// Week is the window of the weekly attempt limit.
const Week = 7 * 24 * time.Hour

// StartOfDay returns the first instant of at's calendar day in loc. Where daylight saving begins at midnight (Cairo,
// Beirut) that is 01:00; where it ends at midnight and the hour before repeats, it is the midnight after both.
func StartOfDay(at time.Time, loc *time.Location) time.Time {
	local := at.In(loc)
	for {
		day := atMidnight(local)
		from, _ := local.ZoneBounds()
		if from.IsZero() || !day.Before(from) {
			return day.In(loc)
		}
		before := from.Add(-1).In(loc)
		if dateOf(before) != dateOf(local) {
			return from.In(loc)
		}
		local = before
	}
}

// atMidnight returns 00:00 of local's day, as if the UTC offset were constant all day.
func atMidnight(local time.Time) time.Time {
	_, offset := local.Zone()
	y, m, d := local.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.FixedZone("", offset))
}

// calendarDate is a calendar day, in the format of [CallRules.Holidays].
type calendarDate string

func dateOf(t time.Time) calendarDate { return calendarDate(t.Format(time.DateOnly)) }
