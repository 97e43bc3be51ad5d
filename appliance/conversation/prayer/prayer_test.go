package prayer_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"munadi/appliance/conversation/prayer"
	"munadi/store/callrules"
)

// tolerance is how far a computed time may lie from a published one, which authorities round up or down.
const tolerance = 2 * time.Minute

func TestTimesOfPublishedCalendars(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/published.tsv")
	if err != nil {
		t.Fatal(err)
	}
	compared, exact := 0, 0
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSpace(line), "\t")
		city, ok := callrules.FindCity(fields[0])
		zone, err := time.LoadLocation(fields[1])
		if !ok || err != nil {
			t.Fatalf("%s: %v, %v", line, ok, err)
		}
		for p, clock := range fields[3:] {
			want, err := time.ParseInLocation("2006-01-02 15:04", fields[2]+" "+clock, zone)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := prayer.TimeAt(prayer.Prayer(p), city, want)
			if off := got.Sub(want).Abs(); !ok || off > tolerance {
				t.Errorf("%s %s, prayer %d: %s, published %s", fields[0], fields[2], p, got.Format("15:04"), clock)
			} else if off == 0 {
				exact++
			}
			compared++
		}
	}
	t.Logf("%d of %d times are exact", exact, compared)
	if compared < 135 {
		t.Errorf("only %d times were compared", compared)
	}
}

func TestPrayersFollowEachOtherEverywhere(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, c := range callrules.AllCities() {
		if names[c.Name] || c.Arabic == "" || c.English == "" {
			t.Errorf("%+v", c)
		}
		names[c.Name] = true
		for day := range 366 {
			d := time.Date(2027, time.January, 1+day, 0, 0, 0, 0, time.FixedZone("", int(c.Longitude/15+.5)*3600))
			var before time.Time
			for p := prayer.Fajr; p <= prayer.Isha; p++ {
				at, ok := prayer.TimeAt(p, c, d)
				if !ok || at.YearDay() != d.YearDay() || !at.After(before) {
					t.Fatalf("%s, %s, prayer %d: %s, %v", c.Name, d.Format(time.DateOnly), p, at, ok)
				}
				before = at
			}
		}
	}
}

func TestNoNightInANorthernSummer(t *testing.T) {
	t.Parallel()
	c, _ := callrules.FindCity("cairo")
	c.Latitude = 60
	if at, ok := prayer.TimeAt(prayer.Isha, c, time.Date(2026, time.June, 21, 0, 0, 0, 0, time.UTC)); ok {
		t.Errorf("the night prayer is at %s", at)
	}
	if _, ok := callrules.FindCity("atlantis"); ok {
		t.Error("found atlantis")
	}
}
