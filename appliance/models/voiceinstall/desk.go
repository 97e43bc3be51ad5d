package voiceinstall

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"munadi/appliance/models"
	"munadi/store"
)

// Refusals of a request.
var (
	ErrNoVoice = errors.New("no such voice is installed")
	ErrNoPath  = errors.New("give the absolute path of NAME.onnx, of a Supertonic voice's style, or of a voice's folder")
	ErrInUse   = errors.New("the voice is in use: select another first")
	ErrDamaged = errors.New("the voice is not selected, its files are damaged")
)

// VoiceDesk lists, installs, selects and removes voices for the console, with entries of the audit log. It is safe for
// concurrent use.
type VoiceDesk struct {
	VoiceInstaller

	Watch    *VoiceWatch
	AddAudit func(ctx context.Context, orgID string, e store.AuditEntry) error
	Now      func() time.Time
}

// InstalledVoice is one installed voice.
type InstalledVoice struct {
	Name   string
	InUse  bool  // it is selected for calls that name no voice
	Fault  error // its files are damaged or missing, so that other voices speak for it
	Report VoiceReport
}

// ListVoices lists the installed voices.
func (d VoiceDesk) ListVoices() []InstalledVoice {
	current, _ := d.Voices.CurrentModel() // one that is missing is in use by nobody
	var all []InstalledVoice
	for _, name := range d.Voices.InstalledNames() {
		folder := d.Voices.Folder(name)
		v := InstalledVoice{Name: name, InUse: folder == current}
		v.Fault = d.Watch.FindFault(name)
		v.Report, _ = ReadReport(folder) // one that can't be read is shown without
		all = append(all, v)
	}
	return all
}

// Actor is who asks, for the audit log of an organization.
type Actor struct{ OrgID, Name string }

// ImportVoice tests and installs the voice at a path of this machine, and returns its name.
func (d VoiceDesk) ImportVoice(ctx context.Context, path, license string, who Actor) (string, error) {
	if !filepath.IsAbs(path) {
		return "", ErrNoPath
	}
	p, err := d.PrepareVoice(ctx, path, "", license)
	if err != nil {
		return "", err
	}
	if err := errors.Join(p.InstallVoice(nil), p.DiscardVoice()); err != nil {
		return "", err
	}
	return p.Name, d.auditChange(ctx, "voice.install", p.Name, who)
}

// UseVoice lets a voice speak in calls that name none; an empty name: no neural one.
func (d VoiceDesk) UseVoice(ctx context.Context, name string, who Actor) error {
	if name != "" && !d.isInstalled(name) {
		return ErrNoVoice
	}
	if name != "" {
		if err := d.Watch.VerifyNow(name); err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
	}
	if err := d.Voices.UseModel(name); err != nil {
		return err
	}
	if name == "" {
		name = models.BuiltIn
	}
	return d.auditChange(ctx, "voice.use", name, who)
}

// RemoveVoice removes a voice that is not selected; calls that speak with it go on.
func (d VoiceDesk) RemoveVoice(ctx context.Context, name string, who Actor) error {
	if !d.isInstalled(name) {
		return ErrNoVoice
	}
	if current, err := d.Voices.CurrentModel(); err == nil && current == d.Voices.Folder(name) {
		return ErrInUse
	}
	if err := d.Voices.Remove(name); err != nil {
		return err
	}
	return d.auditChange(ctx, "voice.remove", name, who)
}

func (d VoiceDesk) isInstalled(name string) bool {
	return slices.Contains(d.Voices.InstalledNames(), name)
}

func (d VoiceDesk) auditChange(ctx context.Context, action, name string, who Actor) error {
	return d.AddAudit(ctx, who.OrgID, store.AuditEntry{At: d.Now().UTC(), Actor: who.Name, Action: action, Subject: name})
}
