// Package recordings connects an appliance with the bucket of the setting recordings: recordings are written to the
// data folder and uploaded from there; the health status, doctor and metrics report the backlog.
package recordings

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/monitor/doctor"
	"munadi/appliance/monitor/metrics"
	"munadi/appliance/supervisor"
	"munadi/store"
	"munadi/store/bucket"
	"munadi/store/mirror"
	"munadi/store/spool"
)

const (
	// joinTimeout bounds how long a start waits for the bucket.
	joinTimeout = 10 * time.Second
	// watchEvery is the interval at which the health status learns of the bucket.
	watchEvery = 2 * time.Second
	// warnAfter is how long a recording may wait before the health status warns, while the bucket answers.
	warnAfter = 5 * time.Minute
)

// BucketLink is the bucket of the setting recordings, with the folders that are synchronized with it.
type BucketLink struct {
	Shared      *spool.SharedBucket
	Calls, Live *spool.RecordingSpool // of calls and of live sessions
	Prompts     *mirror.FolderMirror  // recorded prompts
	log         *slog.Logger
}

// OpenBucket opens the bucket and the spools of recordings in the data folder: calls and live are their folders. It
// does not ask the bucket.
func OpenBucket(location, data, calls, live string, log *slog.Logger) (*BucketLink, error) {
	objects, err := bucket.OpenBucket(location, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	l := &BucketLink{Shared: &spool.SharedBucket{ObjectBucket: objects, Data: data, Log: log}, log: log}
	if l.Calls, err = spool.OpenSpool(spool.Options{
		Dir: calls, Bucket: l.Shared, Prefix: "recordings/", Waveforms: "waveforms/", Mend: true, Log: log,
	}); err != nil {
		return nil, err
	}
	l.Live, err = spool.OpenSpool(spool.Options{Dir: live, Bucket: l.Shared, Prefix: "live/", Log: log})
	return l, err
}

// WakePrompts triggers a comparison of the recorded prompts with the bucket; a no-op without a bucket.
func (l *BucketLink) WakePrompts() {
	if l != nil {
		l.Prompts.WakeUp()
	}
}

// MirrorPrompts has the folder of recorded prompts mirrored in the bucket.
func (l *BucketLink) MirrorPrompts(folder string, announce func(), warn func(subject, message string)) {
	l.Prompts = mirror.NewMirror(mirror.Options{
		Dir: folder, Bucket: l.Shared, Prefix: "prompts/", Announce: announce, Log: l.log,
		Warn: func(message string) { warn("prompts", message) },
	})
}

// CheckPrompts is doctor's check of the recorded prompts.
func (l *BucketLink) CheckPrompts() admin.CheckFinding {
	s, f := l.Prompts.CurrentStatus(), admin.CheckFinding{Name: "prompts", State: admin.StateOK}
	switch {
	case s.Fault != "":
		f.State, f.Text = admin.StateFailed, s.Fault
	case s.Seen.IsZero():
		f.State, f.Text = admin.StateWarning, "the bucket has not answered yet; the prompts of this machine are used"
	default:
		f.Text = fmt.Sprintf("%d files in the bucket, the same as here", s.Files)
	}
	return f
}

// JoinBucket checks that the bucket can be used and belongs to the installation. One that does not answer refuses no
// start: recordings wait on this disk.
func (l *BucketLink) JoinBucket(id string, warn func(subject, message string)) error {
	ctx, cancel := context.WithTimeout(context.Background(), joinTimeout)
	defer cancel()
	err := l.Shared.Join(ctx, id)
	if err == nil {
		l.log.Info("recordings go to a bucket", "bucket", l.Shared.Location())
		return nil
	}
	if store.CodeOf(err) != store.CodeUnavailable && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("--recordings (MUNADI_RECORDINGS): %w", err)
	}
	l.log.Warn("the bucket of recordings cannot be used now; recordings wait on this disk", "err", err)
	warn("bucket", l.DescribeFault())
	return nil
}

// ListWorkers returns the uploaders, and the watch that reports to the health status.
func (l *BucketLink) ListWorkers(warn func(subject, message string)) []supervisor.BackgroundWorker {
	return []supervisor.BackgroundWorker{
		{Name: "recordings", Run: l.Calls.Run},
		{Name: "live recordings", Run: l.Live.Run},
		{Name: "prompts", Run: l.Prompts.Run},
		{Name: "bucket", Run: func(ctx context.Context) error { return l.watchBucket(ctx, warn) }},
	}
}

// watchBucket reports the bucket's faults to the health status, and logs the beginning and end of outages.
func (l *BucketLink) watchBucket(ctx context.Context, warn func(subject, message string)) error {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	away := false
	for {
		message := l.DescribeFault()
		warn("bucket", message)
		if _, fault := l.Shared.CurrentFault(); away != (fault != nil) {
			if away = fault != nil; away {
				l.log.Warn("the bucket of recordings cannot be used; recordings wait on this disk", "err", fault)
			} else {
				l.log.Info("the bucket of recordings answers again", "bucket", l.Shared.Location())
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// readBacklog returns how many recordings wait to be uploaded or removed, and since when.
func (l *BucketLink) readBacklog() (waiting, removed int, oldest time.Time) {
	for _, b := range []spool.Backlog{l.Calls.CurrentBacklog(), l.Live.CurrentBacklog()} {
		waiting, removed = waiting+b.Waiting, removed+b.Removed
		if oldest.IsZero() || !b.Oldest.IsZero() && b.Oldest.Before(oldest) {
			oldest = b.Oldest
		}
	}
	return waiting, removed, oldest
}

// DescribeFault describes the bucket's fault; empty without one.
func (l *BucketLink) DescribeFault() string {
	waiting, removed, oldest := l.readBacklog()
	since, fault := l.Shared.CurrentFault()
	switch {
	case fault != nil:
		text := fault.Error()
		if known, ok := errors.AsType[*store.Error](fault); ok {
			text = known.Message // without the server's words
		}
		text = strings.ReplaceAll(text, l.Shared.Location(), "of recordings") // /health is public
		return fmt.Sprintf("%s, since %s; %d recordings wait on this disk, %d are to be removed there",
			text, since.UTC().Format(time.RFC3339), waiting, removed)
	case waiting > 0 && time.Since(oldest) > warnAfter:
		return fmt.Sprintf("%d recordings wait to be uploaded to the bucket, the oldest since %s",
			waiting, oldest.UTC().Format(time.RFC3339))
	}
	return ""
}

// CheckBucket is doctor's check of the bucket.
func (l *BucketLink) CheckBucket(ctx context.Context) admin.CheckFinding {
	f := doctor.CheckBucket(ctx, l.Shared.ObjectBucket)
	if waiting, removed, _ := l.readBacklog(); waiting+removed > 0 {
		f.Text += fmt.Sprintf("; %d recordings wait on this disk, %d are to be removed in the bucket", waiting, removed)
	}
	return f
}

// ListGauges returns the gauges of the bucket.
func (l *BucketLink) ListGauges() []metrics.Gauge {
	if l == nil {
		return nil
	}
	return []metrics.Gauge{
		{Name: "recordings_waiting", Help: "Recordings on this disk that wait for the bucket.", Value: func() float64 {
			waiting, _, _ := l.readBacklog()
			return float64(waiting)
		}},
		{Name: "bucket_up", Help: "1 while the bucket of recordings can be used, else 0.", Value: func() float64 {
			_, fault := l.Shared.CurrentFault()
			return metrics.BoolGauge(fault == nil)
		}},
	}
}

// CloseSpools closes the folders of the spools.
func (l *BucketLink) CloseSpools() error { return errors.Join(l.Calls.Close(), l.Live.Close()) }
