package voiceinstall

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"munadi/appliance/modelhub"
	"munadi/appliance/models/modelinstall"
	"munadi/appliance/recovery"
)

// PullPhase is the state of a download.
type PullPhase string

// Phases. Fetching and Testing are active; the others are final.
const (
	Fetching  PullPhase = "fetching"
	Testing   PullPhase = "testing"
	Installed PullPhase = "installed"
	Failed    PullPhase = "failed"
	Cancelled PullPhase = "cancelled"
)

// IsActive reports whether the download goes on.
func (p PullPhase) IsActive() bool { return p == Fetching || p == Testing }

// VoicePull is the download of a voice from the hub, and its progress in bytes.
type VoicePull struct {
	Asked      string // as it was asked for, with the commit that was found
	Name       string // that it is installed under
	Phase      PullPhase
	Done, Size int64
	Fault      string // why it failed
}

// ErrBusy is the refusal of a second download at a time.
var ErrBusy = errors.New("another voice is being downloaded; wait for it, or cancel it")

// progressEvery is the least time between two progress events.
const progressEvery = 300 * time.Millisecond

// VoicePuller downloads voices from the hub in the background, one at a time. What was downloaded when it was
// cancelled, failed or the appliance stopped is kept, and the next download of the same voice goes on from there. It is
// safe for concurrent use.
type VoicePuller struct {
	VoiceDesk
	Hub     func() *modelhub.Hub
	Publish func(VoicePull) // notifies open pages
	Log     *slog.Logger

	mu     sync.Mutex
	pull   *VoicePull // nil: none yet
	cancel context.CancelFunc
}

// CurrentPull returns the download that runs, or the last one; nil without one.
func (p *VoicePuller) CurrentPull() *VoicePull {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pull == nil {
		return nil
	}
	pull := *p.pull
	return &pull
}

// FindVoice looks a voice up on the hub, before its download.
func (p *VoicePuller) FindVoice(ctx context.Context, asked string) (*modelhub.Model, error) {
	name, err := modelhub.ParseVoiceName(asked)
	if err != nil {
		return nil, err
	}
	return p.Hub().FindVoice(ctx, name)
}

// PullVoice looks a voice up and begins its download.
func (p *VoicePuller) PullVoice(ctx context.Context, asked string, who Actor) error {
	found, err := p.FindVoice(ctx, asked)
	if err != nil {
		return err
	}
	name := UsualName(found)
	if err := p.Voices.CheckNameFree(name); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pull != nil && p.pull.Phase.IsActive() {
		return ErrBusy
	}
	p.pull = &VoicePull{Asked: asked, Name: name, Phase: Fetching, Size: found.Size()}
	ctx, p.cancel = context.WithCancel(context.WithoutCancel(ctx)) // it goes on without the request
	go p.runPull(ctx, found, who)
	return nil
}

// CancelPull stops the download; what was fetched is kept for the next one.
func (p *VoicePuller) CancelPull() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cancel != nil {
		p.cancel()
	}
}

// ForgetPull removes the record of an ended download from the pages.
func (p *VoicePuller) ForgetPull() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pull != nil && !p.pull.Phase.IsActive() {
		p.pull = nil
	}
}

// runPull downloads, tests and installs the voice.
func (p *VoicePuller) runPull(ctx context.Context, found *modelhub.Model, who Actor) {
	var err error
	panicked := recovery.RecoverPanic(func() error {
		err = p.installFound(ctx, found, who)
		return nil
	})
	if panicked != nil {
		err = panicked
	}
	stopped := ctx.Err() != nil
	p.changePull(func(v *VoicePull) {
		switch {
		case err == nil:
			v.Phase = Installed
		case stopped:
			v.Phase = Cancelled
		default:
			v.Phase, v.Fault = Failed, err.Error()
			p.Log.Warn("a voice could not be downloaded", "voice", v.Asked, "err", err)
		}
	})
	p.CancelPull() // releases the context
}

func (p *VoicePuller) installFound(ctx context.Context, found *modelhub.Model, who Actor) error {
	hub := p.Hub()
	folder := p.Voices.Fetched(found.Name + ":" + filepath.Base(found.Files[0].Name) + "@" + found.Revision)
	var told time.Time
	err := hub.Download(ctx, found, folder, func(done int64) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.pull.Done = done
		if now := time.Now(); now.Sub(told) >= progressEvery {
			told = now
			p.Publish(*p.pull)
		}
	})
	if err != nil {
		return err
	}
	p.changePull(func(v *VoicePull) { v.Phase = Testing })
	prepared, err := p.PrepareVoice(ctx, folder, p.CurrentPull().Name, found.License)
	if err != nil {
		return err
	}
	err = errors.Join(prepared.InstallVoice(modelinstall.SourceFrom(hub, found)), prepared.DiscardVoice())
	if err != nil {
		return err
	}
	return errors.Join(p.auditChange(ctx, "voice.install", prepared.Name, who), os.RemoveAll(folder))
}

// changePull changes the record and notifies open pages.
func (p *VoicePuller) changePull(change func(*VoicePull)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p.pull)
	p.Publish(*p.pull)
}
