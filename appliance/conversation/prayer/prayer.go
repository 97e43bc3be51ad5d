// Package prayer computes the times of the five daily prayers, by which people name times of day ("after the sunset
// prayer"), for the cities of [callrules.AllCities].
//
// It is astronomy and a table of rules; it imports no package of speech or conversation. The sun's position is that of
// the U.S. Naval Observatory's approximation (aa.usno.navy.mil, "Computing Approximate Solar Coordinates"), exact to a
// minute of arc between 1950 and 2050; each authority's angles, intervals and precautionary minutes are those that it
// publishes. The results are within two minutes of the published calendars of Mecca (Umm al-Qura), Dubai (Awqaf) and
// Cairo (Egyptian General Survey Authority), which the test compares.
package prayer

import (
	"math"
	"time"

	"munadi/store/callrules"
)

// Prayer is one of the five daily prayers.
type Prayer int

// The prayers in the order of the day.
const (
	Fajr Prayer = iota
	Dhuhr
	Asr
	Maghrib
	Isha
)

// sunsetAngle is the sun's depth at sunset: its radius and the refraction at the horizon, in degrees.
const sunsetAngle = 0.833

// TimeAt returns when a prayer begins in a city on the day of d, in d's time zone, to the minute. False where the sun
// does not reach the angle on that day, as in a northern summer.
func TimeAt(p Prayer, c callrules.City, d time.Time) (time.Time, bool) {
	m := methodOf(c.Country)
	noon := time.Date(d.Year(), d.Month(), d.Day(), 12, 0, 0, 0, d.Location())
	at, ok := m.solarTime(p, c, noon, noon)
	if ok {
		at, ok = m.solarTime(p, c, noon, at) // again with the sun's position at that time
	}
	if p == Isha {
		at = at.Add(m.interval)
	}
	at = at.Add(time.Duration(m.minutes[p]) * time.Minute)
	return at.Round(time.Minute), ok
}

// solarTime returns when a prayer begins on the day of noon, from the sun's position at a time of that day.
func (m method) solarTime(p Prayer, c callrules.City, noon, position time.Time) (time.Time, bool) {
	declination, equation := sunAt(position)
	_, offset := noon.Zone()
	transit := noon.Add(hours(float64(offset)/3600 - c.Longitude/15 - equation))
	var altitude float64
	switch p {
	case Fajr:
		altitude = -m.fajr
	case Dhuhr:
		return transit, true
	case Asr: // an object's shadow is its height longer than at noon
		altitude = degrees(math.Atan(1 / (1 + math.Tan(radians(math.Abs(c.Latitude-declination))))))
	case Isha:
		altitude = -m.isha
		if m.interval > 0 {
			altitude = -sunsetAngle
		}
	default:
		altitude = -sunsetAngle
	}
	angle, ok := hourAngle(altitude, c.Latitude, declination)
	if p == Fajr {
		angle = -angle
	}
	return transit.Add(hours(angle / 15)), ok
}

// hourAngle returns how many degrees the earth turns between noon and an altitude of the sun.
func hourAngle(altitude, latitude, declination float64) (float64, bool) {
	cosine := (math.Sin(radians(altitude)) - math.Sin(radians(latitude))*math.Sin(radians(declination))) /
		(math.Cos(radians(latitude)) * math.Cos(radians(declination)))
	if cosine < -1 || cosine > 1 {
		return 0, false
	}
	return degrees(math.Acos(cosine)), true
}

// sunAt returns the sun's declination in degrees and the equation of time in hours.
func sunAt(t time.Time) (declination, equation float64) {
	epoch := time.Date(2000, time.January, 1, 12, 0, 0, 0, time.UTC)
	days := t.Sub(epoch).Hours() / 24
	anomaly, mean := radians(357.529+0.98560028*days), 280.459+0.98564736*days
	longitude := radians(mean + 1.915*math.Sin(anomaly) + 0.020*math.Sin(2*anomaly))
	obliquity := radians(23.439 - 0.00000036*days)
	ascension := degrees(math.Atan2(math.Cos(obliquity)*math.Sin(longitude), math.Cos(longitude)))
	difference := math.Mod(mean-ascension, 360)
	if difference > 180 {
		difference -= 360
	}
	if difference < -180 {
		difference += 360
	}
	return degrees(math.Asin(math.Sin(obliquity) * math.Sin(longitude))), difference / 15
}

func radians(d float64) float64 { return d * math.Pi / 180 }
func degrees(r float64) float64 { return r * 180 / math.Pi }

func hours(h float64) time.Duration { return time.Duration(h * float64(time.Hour)) }
