package callrules

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
