package appliance

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/appliance/models"
	"munadi/appliance/monitor/systemd"
	"munadi/appliance/recognizer"
	"munadi/engine"
)

// errNoSettingsSource is the error of a reload in an embedding program that has not set Appliance.Settings.
var errNoSettingsSource = errors.New("this appliance was started with settings that cannot be reloaded")

// inForce returns the current settings: those of the start with the changes of reloads.
func (a *Appliance) inForce() *config.Config { return a.settings.Load() }

// ReloadSettings reads the settings again and applies those that can change while the appliance runs (config reload).
// If any of them is invalid, or a model cannot be opened, no setting changes and the error names it. It is safe for
// concurrent use.
func (a *Appliance) ReloadSettings() (admin.ReloadResult, error) {
	a.reloading.Lock()
	defer a.reloading.Unlock()
	a.notifyManager(systemd.ReloadingState(), "reloading the settings")
	done, err := a.reloadSettings()
	if err != nil {
		a.log.Error("the settings were not reloaded; the old ones stay in force", "err", err)
		a.notifyManager(systemd.Ready, "serves on "+a.publicURL()+"; the last reload was refused")
		return done, err
	}
	a.log.Info("the settings were reloaded", "changed", strings.Join(done.Changed, " "),
		"needs a restart", strings.Join(done.Waiting, " "))
	a.notifyManager(systemd.Ready, "serves on "+a.publicURL())
	return done, nil
}

func (a *Appliance) reloadSettings() (done admin.ReloadResult, err error) {
	if a.Settings == nil {
		return done, errNoSettingsSource
	}
	if a.engine.CurrentEngine() == nil {
		return done, recognizer.ErrLoading
	}
	next, err := a.Settings()
	if err != nil {
		return done, err
	}
	old := a.inForce()
	if done.Changed, done.Waiting = old.CompareSettings(next); len(done.Changed) == 0 {
		return done, nil
	}
	return done, a.applySettings(old, old.WithReloadable(next))
}

// applySettings puts settings in force. All that may fail is constructed first.
func (a *Appliance) applySettings(old, next *config.Config) error {
	speaker, err := a.calls.NewSpeaker(next)
	if err != nil {
		return err
	}
	trunks, err := a.calls.PrepareTrunks(next)
	if err != nil {
		return err
	}
	e, err := a.engineFor(old, next)
	if err != nil {
		trunks.Discard()
		return err
	}
	a.settings.Store(next)
	if err := a.activateEngine(e); err != nil {
		trunks.Discard()
		a.settings.Store(old)
		return err
	}
	trunks.Apply()
	if old.Model != "" && next.Model == "" {
		selected, _ := models.OpenFolder(a.config.Data).CurrentModel() // it has just been opened
		a.installed.NoteFolder(selected)
	}
	a.calls.Speaker.ReplaceChain(speaker)
	a.calls.Webhooks.ResetConnections()
	a.callbacks.Reconnect()
	a.destinations.ResetConnections()
	if a.Level != nil {
		a.Level.Set(next.LogLevel)
	}
	return nil
}

// engineFor returns the engine for the settings: the current one, unless they need another.
func (a *Appliance) engineFor(old, next *config.Config) (*engine.Engine, error) {
	if old.Model == next.Model && old.Threads == next.Threads && old.Queue == next.Queue &&
		old.Diacritics == next.Diacritics && old.Punctuation == next.Punctuation {
		return a.engine.CurrentEngine(), nil
	}
	e, err := OpenEngine(next)
	if err != nil {
		return nil, fmt.Errorf("open the model: %w", err)
	}
	return e, nil
}

// uploadLimits returns the upload size limit in bytes (max-upload) and the duration limit (max-duration).
func (a *Appliance) uploadLimits() (bytes int64, duration time.Duration) {
	now := a.inForce()
	return int64(now.MaxUpload), time.Duration(now.MaxDuration)
}
