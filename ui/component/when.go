package component

import "time"

// clockFace is the date format: sortable digits, to the minute.
const clockFace = "2006-01-02 15:04"

// stampOf returns a moment for the datetime attribute.
func stampOf(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func faceOf(t time.Time, zone *time.Location) string { return inZone(zone, t).Format(clockFace) }

func exactTime(t time.Time, zone *time.Location) string {
	return inZone(zone, t).Format(clockFace + ":05")
}

func inZone(zone *time.Location, t time.Time) time.Time {
	if zone == nil {
		zone = time.UTC
	}
	return t.In(zone)
}
