package component

import (
	"context"
	"time"

	"munadi/ui/locale"
)

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

// readerKey is the context key of [WithReader].
type readerKey struct{}

type reader struct {
	lang locale.Language
	now  time.Time
}

// WithReader makes pages that are rendered under the context show moments of the last day relative to now.
func WithReader(ctx context.Context, l locale.Language, now time.Time) context.Context {
	return context.WithValue(ctx, readerKey{}, reader{l, now})
}

// relativeTime says how long ago a moment of the last day was; empty for others, and without a reader.
func relativeTime(ctx context.Context, t time.Time) string {
	r, known := ctx.Value(readerKey{}).(reader)
	ago := r.now.Sub(t)
	switch {
	case !known || ago < 0 || ago >= 24*time.Hour:
		return ""
	case ago < time.Minute:
		return locale.KitJustNow.In(r.lang)
	case ago < time.Hour:
		return locale.KitMinutesAgo.In(r.lang).Fill(int(ago.Minutes()))
	}
	return locale.KitHoursAgo.In(r.lang).Fill(int(ago.Hours()))
}
