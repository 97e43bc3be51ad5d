package appliance

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"munadi/appliance/config"
	"munadi/appliance/console"
	"munadi/assets"
	"munadi/store/disk"
)

const (
	sampleEvery  = 30 * time.Second // one point of the dashboard's charts
	samplesKept  = 120              // an hour
	measureEvery = 20               // samples between two measurements of folder sizes
)

// vitalsHistory keeps the appliance's figures of the last hour for the dashboard. It is safe for concurrent use.
type vitalsHistory struct {
	mu         sync.Mutex
	started    time.Time
	at         time.Time // of the last sample
	audio      float64   // totals at the last sample
	work       float64
	samples    []console.RecognizerSample
	database   int64
	recordings int64
}

// watchVitals takes samples until ctx ends.
func (a *Appliance) watchVitals(ctx context.Context) error {
	a.measureFolders()
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case at := <-tick.C:
			a.sampleVitals(at)
		case <-ctx.Done():
			return nil
		}
		if n == 1 || n%measureEvery == 0 {
			a.measureFolders()
		}
	}
}

func (a *Appliance) sampleVitals(at time.Time) {
	audio, work := a.metrics.DecodingTotals()
	v := &a.vitals
	v.mu.Lock()
	defer v.mu.Unlock()
	v.samples = append(
		v.samples,
		console.RecognizerSample{At: at, Length: sampleEvery, Audio: audio - v.audio, Work: work - v.work},
	)
	v.samples = v.samples[max(0, len(v.samples)-samplesKept):]
	v.at, v.audio, v.work = at, audio, work
}

// recentSamples returns the samples, and what the recognizer did since the last one. The caller holds the lock.
func (v *vitalsHistory) recentSamples(now time.Time, audio, work float64) []console.RecognizerSample {
	since := v.at
	if since.IsZero() {
		since = v.started
	}
	return append(slices.Clone(v.samples), console.RecognizerSample{
		At: now, Length: now.Sub(since), Audio: audio - v.audio, Work: work - v.work,
	})
}

// measureFolders measures the sizes of the folders, which is slow with many recordings.
func (a *Appliance) measureFolders() {
	database, recordings := folderSize(a.config.DatabaseFolder()), folderSize(filepath.Join(a.config.Data, "recordings"))
	a.vitals.mu.Lock()
	defer a.vitals.mu.Unlock()
	a.vitals.database, a.vitals.recordings = database, recordings
}

// folderSize returns the size of all files below a folder in bytes; unreadable ones are left out.
func folderSize(path string) (bytes int64) {
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil //nolint:nilerr // a file that went meanwhile is no fault
		}
		if info, err := d.Info(); err == nil {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}

// currentVitals returns the appliance's figures for the console.
func (a *Appliance) currentVitals() console.ApplianceVitals {
	v := &a.vitals
	v.mu.Lock()
	audio, work := a.metrics.DecodingTotals()
	out := console.ApplianceVitals{
		Started: v.started, Load: v.recentSamples(time.Now(), audio, work), Database: v.database, Recordings: v.recordings,
	}
	v.mu.Unlock()
	if e := a.engine.current.Load(); e != nil {
		info := e.ModelInfo()
		out.Model = &info
	}
	_, out.Queue = a.engine.queueLoad()
	out.Lines, out.Held, out.Trunk = a.lineLimit(), a.calls.scheduler.HeldLines(), a.trunkShown()
	out.Workers, out.Sources, out.Settings = a.workerStates(), assets.ReadSources(), settingsOf(a.inForce())
	out.Log = a.tail.lastLines()
	out.Data, out.Backups = a.config.Data, a.backupPages()
	if path, err := filepath.Abs(a.config.Data); err == nil {
		out.Data = path
	}
	if s, err := disk.ReadState(a.config.Data); err == nil {
		out.Free, out.Disk = s.Free, s.Size
	}
	return out
}

// workerStates returns the background workers with the errors of those that fail.
func (a *Appliance) workerStates() []console.WorkerState {
	faults := a.health.WorkerFaults()
	out := []console.WorkerState{{Name: "schedule", Fault: faults["schedule"]}}
	for _, w := range a.listWorkers() {
		out = append(out, console.WorkerState{Name: w.name, Fault: faults[w.name]})
	}
	return out
}

func settingsOf(c *config.Config) []console.SettingState {
	var out []console.SettingState
	for _, s := range c.InForce() {
		out = append(out, console.SettingState(s))
	}
	return out
}
