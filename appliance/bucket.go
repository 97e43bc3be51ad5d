package appliance

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/installation"
	"munadi/appliance/monitor/doctor"
	"munadi/appliance/monitor/metrics"
	"munadi/appliance/supervisor"
	"munadi/store"
	"munadi/store/bucket"
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

// bucketLink is the bucket of the setting recordings, with what goes there by way of the data folder.
type bucketLink struct {
	shared      *spool.SharedBucket
	calls, live *spool.RecordingSpool
	log         *slog.Logger
}

// openBucket opens the bucket and the spools of recordings in the data folder. It does not ask the bucket.
func (a *Appliance) openBucket(calls, live string) ([]installation.RecordingFolder, error) {
	objects, err := bucket.OpenBucket(a.config.Recordings, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	l := &bucketLink{shared: &spool.SharedBucket{ObjectBucket: objects, Data: a.config.Data, Log: a.log}, log: a.log}
	if l.calls, err = spool.OpenSpool(spool.Options{
		Dir: calls, Bucket: l.shared, Prefix: "recordings/", Mend: true, Log: a.log,
	}); err != nil {
		return nil, err
	}
	if l.live, err = spool.OpenSpool(spool.Options{Dir: live, Bucket: l.shared, Prefix: "live/", Log: a.log}); err != nil {
		return nil, err
	}
	a.bucket, a.recordings, a.liveRecordings = l, l.calls, l.live
	return []installation.RecordingFolder{l.calls.Local(), l.live.Local()}, nil
}

// joinBucket checks that the bucket can be used and belongs to the installation. One that does not answer refuses no
// start: recordings wait on this disk.
func (l *bucketLink) joinBucket(id string, warn func(subject, message string)) error {
	ctx, cancel := context.WithTimeout(context.Background(), joinTimeout)
	defer cancel()
	err := l.shared.Join(ctx, id)
	if err == nil {
		l.log.Info("recordings go to a bucket", "bucket", l.shared.Location())
		return nil
	}
	if store.CodeOf(err) != store.CodeUnavailable && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("--recordings (MUNADI_RECORDINGS): %w", err)
	}
	l.log.Warn("the bucket of recordings cannot be used now; recordings wait on this disk", "err", err)
	warn("bucket", l.describe())
	return nil
}

// listWorkers returns the uploaders, and the watch that reports to the health status.
func (l *bucketLink) listWorkers(warn func(subject, message string)) []supervisor.BackgroundWorker {
	return []supervisor.BackgroundWorker{
		{Name: "recordings", Run: l.calls.Run},
		{Name: "live recordings", Run: l.live.Run},
		{Name: "bucket", Run: func(ctx context.Context) error { return l.watchBucket(ctx, warn) }},
	}
}

// watchBucket reports to the health status what is wrong with the bucket, and logs when it goes away and comes back.
func (l *bucketLink) watchBucket(ctx context.Context, warn func(subject, message string)) error {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	away := false
	for {
		message := l.describe()
		warn("bucket", message)
		if _, fault := l.shared.CurrentFault(); away != (fault != nil) {
			if away = fault != nil; away {
				l.log.Warn("the bucket of recordings cannot be used; recordings wait on this disk", "err", fault)
			} else {
				l.log.Info("the bucket of recordings answers again", "bucket", l.shared.Location())
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// backlog returns what waits on this disk.
func (l *bucketLink) backlog() (waiting, removed int, oldest time.Time) {
	for _, b := range []spool.Backlog{l.calls.CurrentBacklog(), l.live.CurrentBacklog()} {
		waiting, removed = waiting+b.Waiting, removed+b.Removed
		if oldest.IsZero() || !b.Oldest.IsZero() && b.Oldest.Before(oldest) {
			oldest = b.Oldest
		}
	}
	return waiting, removed, oldest
}

// describe says what is wrong with the bucket; empty while all goes well.
func (l *bucketLink) describe() string {
	waiting, removed, oldest := l.backlog()
	since, fault := l.shared.CurrentFault()
	switch {
	case fault != nil:
		var known *store.Error
		text := fault.Error()
		if errors.As(fault, &known) {
			text = known.Message // without the server's words
		}
		text = strings.ReplaceAll(text, l.shared.Location(), "of recordings") // /health is public
		return fmt.Sprintf("%s, since %s; %d recordings wait on this disk, %d are to be removed there",
			text, since.UTC().Format(time.RFC3339), waiting, removed)
	case waiting > 0 && time.Since(oldest) > warnAfter:
		return fmt.Sprintf("%d recordings wait to be uploaded to the bucket, the oldest since %s",
			waiting, oldest.UTC().Format(time.RFC3339))
	}
	return ""
}

// checkUp is doctor's check of the bucket.
func (l *bucketLink) checkUp(ctx context.Context) admin.CheckFinding {
	f := doctor.CheckBucket(ctx, l.shared.ObjectBucket)
	if waiting, removed, _ := l.backlog(); waiting+removed > 0 {
		f.Text += fmt.Sprintf("; %d recordings wait on this disk, %d are to be removed in the bucket", waiting, removed)
	}
	return f
}

// listGauges returns the gauges of the bucket.
func (l *bucketLink) listGauges() []metrics.Gauge {
	if l == nil {
		return nil
	}
	return []metrics.Gauge{
		{Name: "recordings_waiting", Help: "Recordings on this disk that wait for the bucket.", Value: func() float64 {
			waiting, _, _ := l.backlog()
			return float64(waiting)
		}},
		{Name: "bucket_up", Help: "1 while the bucket of recordings can be used, else 0.", Value: func() float64 {
			_, fault := l.shared.CurrentFault()
			return metrics.BoolGauge(fault == nil)
		}},
	}
}

// closeSpools closes the folders of the spools.
func (l *bucketLink) closeSpools() error { return errors.Join(l.calls.Close(), l.live.Close()) }
