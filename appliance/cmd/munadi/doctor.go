package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/appliance/installation"
	"munadi/appliance/models"
	"munadi/appliance/models/voiceinstall"
	"munadi/appliance/recognizer"
	"munadi/assets/web"
	"munadi/engine"
	"munadi/engine/mic"
)

// DoctorCmd is munadi doctor.
type DoctorCmd struct {
	Bundle string `placeholder:"FILE" help:"Write a support bundle: findings, settings, metrics and log, without secrets and telephone numbers."`
}

// checkFinding is the result of one check. A warning is not a failure: the appliance runs in spite of it.
type checkFinding struct {
	name    string
	message string
	err     error
	warning bool
}

// Run runs all checks and prints a line for each; its error counts the failures.
func (d DoctorCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	var text strings.Builder
	failed, err := runChecks(ctx, cfg, io.MultiWriter(out, &text))
	if err != nil {
		return err
	}
	if d.Bundle != "" {
		if err := writeBundle(ctx, d.Bundle, cfg, text.String()); err != nil {
			return fmt.Errorf("write the bundle: %w", err)
		}
		if _, err := fmt.Fprintf(out, "\n%s was written. It contains no secrets, telephone numbers or transcripts; "+
			"review it before you share it.\n", d.Bundle); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("failed checks: %d (lines that begin with FAIL)", failed)
	}
	return nil
}

// runChecks runs all checks and counts the failures.
func runChecks(ctx context.Context, cfg *config.Config, out io.Writer) (failed int, err error) {
	var found []admin.CheckFinding
	cfg, _, err = admin.AskSettings(ctx, cfg)
	if err != nil {
		found = append(found, admin.CheckFinding{
			Name: "settings", State: admin.StateWarning,
			Text: fmt.Sprintf("those of the running appliance are unknown, is it another version? Restart it. "+
				"Those of this command are checked: %v", err),
		})
	}
	for _, check := range []func(context.Context, *config.Config) checkFinding{
		checkData, checkDisk, checkClock, checkRunning, checkTLS, checkModel, checkVoices, checkFFmpeg,
		checkMicrophone, checkCarrier,
	} {
		found = append(found, check(ctx, cfg).toAdmin())
	}
	for _, f := range append(found, applianceFindings(ctx, cfg)...) {
		if f.State == admin.StateFailed {
			failed++
		}
		if _, err := fmt.Fprintf(out, "%-4s  %-12s %s\n", f.State, f.Name, f.Text); err != nil {
			return failed, err
		}
	}
	return failed, nil
}

// toAdmin converts a result to the form of the running appliance's findings.
func (f checkFinding) toAdmin() admin.CheckFinding {
	switch {
	case f.err == nil:
		return admin.CheckFinding{Name: f.name, State: admin.StateOK, Text: f.message}
	case f.warning:
		return admin.CheckFinding{Name: f.name, State: admin.StateWarning, Text: f.err.Error()}
	default:
		return admin.CheckFinding{Name: f.name, State: admin.StateFailed, Text: f.err.Error()}
	}
}

// checkData checks that the data folder is writable and can be synced.
func checkData(_ context.Context, cfg *config.Config) checkFinding {
	f := checkFinding{name: "data folder", message: cfg.Data + " is writable"}
	if f.err = os.MkdirAll(cfg.Data, 0o700); f.err != nil {
		return f
	}
	probe, err := os.CreateTemp(cfg.Data, ".doctor-*")
	if err != nil {
		f.err = err
		return f
	}
	defer func() { _ = os.Remove(probe.Name()) }()
	_, werr := probe.WriteString("munadi")
	if f.err = errors.Join(werr, probe.Sync(), probe.Close()); f.err == nil {
		f.err, f.warning = installation.CheckPermissions(cfg.Data), true
	}
	return f
}

// checkRunning checks whether an appliance runs on the data folder, and otherwise whether its port is free.
func checkRunning(ctx context.Context, cfg *config.Config) checkFinding {
	f := checkFinding{name: "appliance"}
	if admin.IsRunning(ctx, cfg.Data) {
		f.message = "runs on this data folder; its settings are checked, also those of its flags and environment"
		return f
	}
	l, err := net.Listen("tcp", cfg.Listen.String())
	if err != nil {
		f.err = fmt.Errorf("no appliance runs on this data folder, but another program uses the address: %w", err)
		return f
	}
	f.message = "not running; " + cfg.Listen.String() + " is free"
	f.err = l.Close()
	return f
}

// checkModel loads the model and transcribes silence.
func checkModel(ctx context.Context, cfg *config.Config) checkFinding {
	f := checkFinding{name: "model"}
	started := time.Now()
	e, err := openEngine(cfg)
	if err != nil {
		f.err = err
		return f
	}
	defer func() { _ = e.Close() }()
	loaded := time.Since(started)
	res, err := e.Transcribe(ctx, &silenceReader{left: 10 * 16000}, engine.TranscribeOptions{NoVAD: true})
	if err != nil {
		f.err = err
		return f
	}
	info := e.ModelInfo()
	f.message = fmt.Sprintf("%s, %s; loaded in %d ms, 10 s of audio in %d ms; files %s", info.Name,
		info.DescribePrecision(), loaded.Milliseconds(), res.Timings.Total.Milliseconds(), info.DescribeChecksums())
	if len(info.Repaired) > 0 || info.Saturates {
		f.err, f.warning = errors.New(f.message), true
	}
	if admin.IsRunning(ctx, cfg.Data) { // the running appliance reports these
		return f
	}
	if c, err := recognizer.MeasureCapacity(ctx, e, web.WebFiles()); err == nil {
		f.message += "; this machine " + c.String()
	}
	return f
}

// checkVoices verifies the files of the installed neural voices.
func checkVoices(_ context.Context, cfg *config.Config) checkFinding {
	f := checkFinding{name: "voices"}
	s := models.OpenVoices(cfg.Data)
	installed := s.InstalledNames()
	for _, name := range installed {
		if err := voiceinstall.VerifyVoice(s.Folder(name)); err != nil {
			f.err = errors.Join(f.err, fmt.Errorf("%s does not speak: %w", name, err))
		}
	}
	if f.message = "no neural voice is installed"; len(installed) > 0 {
		f.message = strings.Join(installed, ", ") + ": files verified"
	}
	return f
}

func checkFFmpeg(_ context.Context, cfg *config.Config) checkFinding {
	f := checkFinding{name: "ffmpeg", warning: true}
	if cfg.FFmpeg == "none" {
		f.message = "turned off; WAV, FLAC, MP3, Ogg and WebM work without it"
		return f
	}
	name := cfg.FFmpeg
	if name == "" {
		name = "ffmpeg"
	}
	if f.message, f.err = exec.LookPath(name); f.err != nil {
		f.err = errors.New("not found: M4A, AMR and other formats are refused; WAV, FLAC, MP3, Ogg and WebM work without it")
		return f
	}
	f.message = filepath.Clean(f.message)
	return f
}

// checkMicrophone lists capture devices; having none is a warning only.
func checkMicrophone(ctx context.Context, _ *config.Config) checkFinding {
	f := checkFinding{name: "microphone", warning: true}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	devices, err := mic.ListDevices(ctx)
	switch {
	case err != nil:
		f.err = err
	case len(devices) == 0:
		f.err = errors.New("none found; needed only for live transcription on this machine")
	default:
		f.message = fmt.Sprintf("%d devices, first: %s", len(devices), devices[0].Name)
	}
	return f
}

// checkCarrier reports the configured carrier. Whether a SIP trunk answers is among the findings of the running
// appliance.
func checkCarrier(_ context.Context, cfg *config.Config) checkFinding {
	f := checkFinding{name: "carrier", message: cfg.Carrier + ": calls are simulated, no real telephone rings"}
	if !cfg.ServesCalls() {
		f.message = "none: an appliance with role " + cfg.Role + " places no calls"
	} else if cfg.Carrier == config.SIP {
		var all []string
		for _, t := range cfg.Trunks() {
			all = append(all, t.Trunk)
		}
		f.message = "sip: calls are placed over " + strings.Join(all, ", ")
		if len(all) == 0 {
			f.message = "sip: no trunk is set here: calls are placed over those of the console, and wait while there is none"
		}
	}
	return f
}
