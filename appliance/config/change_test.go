package config_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/config"
)

// TestChanges checks that a reload applies what can change at runtime, and names the settings that need a restart.
func TestChanges(t *testing.T) {
	t.Parallel()
	old, next := config.Default(), config.Default()
	next.Listen, next.Data = "127.0.0.1:1", "elsewhere"
	next.RateLimit, next.MetricsToken, next.LogLevel = 5, "token", -4
	live, waiting := old.CompareSettings(next)
	if !slices.Equal(live, []string{"rate-limit", "metrics-token", "log-level"}) ||
		!slices.Equal(waiting, []string{"listen", "data"}) {
		t.Errorf("live %v, waiting %v", live, waiting)
	}
	merged := old.WithReloadable(next)
	if merged.Listen != old.Listen || merged.Data != old.Data || merged.RateLimit != 5 || merged.MetricsToken != "token" {
		t.Errorf("merged %+v", merged)
	}
	if live, waiting := merged.CompareSettings(next); len(live) > 0 || len(waiting) != 2 {
		t.Errorf("afterwards %v, %v", live, waiting)
	}
	if *old != *config.Default() {
		t.Error("the old settings were changed")
	}
}

// TestDefaultFileIsNamed checks that the configuration names the file of the working directory when no flag does, and
// that this alone is no change of the settings.
func TestDefaultFileIsNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("munadi.yaml", []byte("queue: 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := loadConfig(t, nil, "serve")
	if err != nil || got.Queue != 3 || got.File != "munadi.yaml" {
		t.Errorf("queue %d of file %q, %v", got.Queue, got.File, err)
	}
	if live, waiting := config.Default().CompareSettings(&got); len(live)+len(waiting) != 1 {
		t.Errorf("changed: %v, %v; want the queue alone", live, waiting)
	}
}

// TestAnnotationsSayWhenAChangeCounts checks that the annotation of each setting says whether a reload applies it.
func TestAnnotationsSayWhenAChangeCounts(t *testing.T) {
	t.Parallel()
	var annotated bytes.Buffer
	if err := config.WriteAnnotated(&annotated); err != nil {
		t.Fatal(err)
	}
	comment, seen := "", 0
	for line := range strings.Lines(annotated.String()) {
		name, _, found := strings.Cut(line, ":")
		switch {
		case strings.HasPrefix(line, "#"):
			comment += line
		case line == "\n":
			comment = ""
		case found:
			seen++
			if strings.HasSuffix(comment, "(restart)\n") == config.IsReloadable(name) {
				t.Errorf("%s: live %v, and the file says %s", name, config.IsReloadable(name), comment)
			}
		}
	}
	if all := len(config.Default().InForce()) - 1; seen != all { // all but config, which names the file
		t.Errorf("%d settings in the file, %d in all", seen, all)
	}
}

func TestDaily(t *testing.T) {
	t.Parallel()
	riyadh := time.FixedZone("", 3*3600)
	for _, c := range []struct {
		daily config.DailyTime
		from  time.Time
		want  time.Time
	}{
		{"02:30", time.Date(2026, 11, 21, 2, 29, 59, 0, riyadh), time.Date(2026, 11, 21, 2, 30, 0, 0, riyadh)},
		{"02:30", time.Date(2026, 11, 21, 2, 30, 0, 0, riyadh), time.Date(2026, 11, 22, 2, 30, 0, 0, riyadh)},
		{"00:00", time.Date(2026, 12, 31, 23, 0, 0, 0, riyadh), time.Date(2027, 1, 1, 0, 0, 0, 0, riyadh)},
	} {
		if got, ok := c.daily.Next(c.from); !ok || !got.Equal(c.want) {
			t.Errorf("%s after %v is %v, %v; want %v", c.daily, c.from, got, ok, c.want)
		}
	}
	if at, ok := config.DailyTime("none").Next(time.Now()); ok {
		t.Errorf("none comes at %v", at)
	}
	for text, want := range map[string]config.DailyTime{"2:05": "02:05", " 23:59 ": "23:59", "none": "none"} {
		var d config.DailyTime
		if err := d.UnmarshalText([]byte(text)); err != nil || d != want {
			t.Errorf("%q reads as %q, %v", text, d, err)
		}
	}
	for _, text := range []string{"", "24:00", "2", "off", "02:60", "02:30:00", "nightly"} {
		var d config.DailyTime
		if err := d.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q reads as %q", text, d)
		}
	}
}

// TestNextInSummerTime checks that there is one backup in a night without that time of day, and in a night that has it
// twice.
func TestNextInSummerTime(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	at, days := time.Date(2026, 3, 20, 12, 0, 0, 0, berlin), map[string]int{}
	for range 240 { // over both changes
		next, ok := config.DailyTime("02:30").Next(at)
		if !ok || !next.After(at) || next.Sub(at) > 26*time.Hour {
			t.Fatalf("after %v comes %v", at, next)
		}
		days[next.Format(time.DateOnly)]++
		at = next
	}
	for day, n := range days {
		if n != 1 {
			t.Errorf("%d backups on %s", n, day)
		}
	}
}
