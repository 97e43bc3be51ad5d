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
	sampleEvery  = 30 * time.Second // a point of the dashboard's lines
	samplesKept  = 120              // an hour of them
	measureEvery = 20               // samples between two looks at how large the folders are
)

// vitals remembers how the appliance fared in the last hour. It is safe for concurrent use.
type vitals struct {
	mu         sync.Mutex
	started    time.Time
	at         time.Time // of the last sample
	audio      float64   // totals at the last sample
	work       float64
	samples    []console.Sample
	database   int64
	recordings int64
}

// watchVitals samples until ctx ends.
func (a *Appliance) watchVitals(ctx context.Context) error {
	a.measure()
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case at := <-tick.C:
			a.sample(at)
		case <-ctx.Done():
			return nil
		}
		if n == 1 || n%measureEvery == 0 {
			a.measure()
		}
	}
}

func (a *Appliance) sample(at time.Time) {
	audio, work := a.metrics.Decoding()
	v := &a.vitals
	v.mu.Lock()
	defer v.mu.Unlock()
	v.samples = append(v.samples, console.Sample{At: at, Length: sampleEvery, Audio: audio - v.audio, Work: work - v.work})
	v.samples = v.samples[max(0, len(v.samples)-samplesKept):]
	v.at, v.audio, v.work = at, audio, work
}

// load is what was sampled, and what the recognizer did since. The caller holds the lock.
func (v *vitals) load(now time.Time, audio, work float64) []console.Sample {
	since := v.at
	if since.IsZero() {
		since = v.started
	}
	return append(slices.Clone(v.samples), console.Sample{
		At: now, Length: now.Sub(since), Audio: audio - v.audio, Work: work - v.work,
	})
}

// measure sums up the folders, which takes a while where there are many recordings.
func (a *Appliance) measure() {
	database, recordings := folderSize(a.config.Database()), folderSize(filepath.Join(a.config.Data, "recordings"))
	a.vitals.mu.Lock()
	defer a.vitals.mu.Unlock()
	a.vitals.database, a.vitals.recordings = database, recordings
}

// folderSize is the size of all files below a folder; what cannot be read counts as nothing.
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

// shown is what the console shows of the appliance.
func (a *Appliance) shown() console.Vitals {
	v := &a.vitals
	v.mu.Lock()
	audio, work := a.metrics.Decoding()
	out := console.Vitals{
		Started: v.started, Load: v.load(time.Now(), audio, work), Database: v.database, Recordings: v.recordings,
	}
	v.mu.Unlock()
	if e := a.engine.current.Load(); e != nil {
		info := e.Info()
		out.Model = &info
	}
	_, out.Queue = a.engine.load()
	out.Lines, out.Held, out.Trunk = a.lines(), a.calls.scheduler.Held(), a.trunkShown()
	out.Workers, out.Sources, out.Settings = a.duties(), assets.Sources(), settingsOf(a.inForce())
	out.Log = a.tail.last()
	out.Data, out.Backups = a.config.Data, a.backups()
	if path, err := filepath.Abs(a.config.Data); err == nil {
		out.Data = path
	}
	if s, err := disk.Look(a.config.Data); err == nil {
		out.Free, out.Disk = s.Free, s.Size
	}
	return out
}

// duties are the workers, and what those that fail fail with.
func (a *Appliance) duties() []console.WorkerState {
	faults := a.health.Faults()
	out := []console.WorkerState{{Name: "schedule", Fault: faults["schedule"]}}
	for _, w := range a.workers() {
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
