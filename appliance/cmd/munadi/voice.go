package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"munadi/appliance"
	"munadi/appliance/config"
	"munadi/appliance/modelhub"
	"munadi/appliance/models"
	"munadi/appliance/models/modelinstall"
	"munadi/appliance/models/voiceinstall"
	"munadi/engine/voice"
	"munadi/store/disk"
)

// VoiceCmd is munadi voice.
type VoiceCmd struct {
	List   VoiceListCmd   `cmd:"" help:"List the installed neural voices, and Arabic ones that can be downloaded."`
	Pull   VoicePullCmd   `cmd:"" help:"Download a voice from the hub, test it and install it."`
	Import VoiceImportCmd `cmd:"" help:"Test and install a voice in Piper's or Supertonic's layout."`
	Use    VoiceUseCmd    `cmd:"" help:"Let an installed voice speak in calls that name no voice, or built-in for none."`
	Remove VoiceRemoveCmd `cmd:"" help:"Remove an installed voice that is not in use."`
}

// VoiceListCmd is munadi voice list.
type VoiceListCmd struct{}

// Run lists the installed voices, with the one in use marked, and known ones.
func (VoiceListCmd) Run(cfg *config.Config, out io.Writer) error {
	s := models.OpenVoices(cfg.Data)
	current, err := s.CurrentModel()
	if err != nil {
		current = "(unknown)" // installed voices can still be listed
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "INSTALLED\tIN USE\tLANGUAGE\tSIZE\tLICENCE\tSPEED\tFILES\tFROM")
	var faults []string
	for _, name := range s.InstalledNames() {
		folder := s.Folder(name)
		speed := ""
		r, err := voiceinstall.ReadReport(folder)
		if err == nil && r.Trial.Took > 0 {
			speed = fmt.Sprintf("%.1f × real time", r.Trial.Speed())
		}
		files := "verified"
		if err := voiceinstall.VerifyVoice(folder); err != nil {
			files = "damaged"
			faults = append(faults, fmt.Sprintf("%s does not speak: %v\n", name, err))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", name, inUse(current == folder), r.Language,
			formatMegabytes(disk.SizeOf(folder)), licenseName(r.License), speed, files, sourceLine(folder))
	}
	fmt.Fprintln(w, "\nKNOWN\t\tLANGUAGE\tSIZE\t\t\tWHAT IT IS")
	for _, k := range modelhub.KnownVoices() {
		fmt.Fprintf(w, "%s\t\t%s\t≈ %d MB\t\t\t%s; %s\n", k.Name, k.Language, k.Megabytes, k.About, k.Repository)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "\n%sTo download one: munadi voice pull NAME, which shows its licence first.\n",
		strings.Join(faults, ""))
	return err
}

// licenseName returns a licence for display.
func licenseName(license string) string { return cmp.Or(license, "not given") }

// VoiceImportCmd is munadi voice import PATH.
type VoiceImportCmd struct {
	Path    string `arg:"" help:"NAME.onnx, with NAME.onnx.json beside it; voice_styles/NAME.json of a Supertonic voice; or the folder of one voice."`
	Name    string `placeholder:"NAME" help:"Name of the voice; default: the name of its file."`
	License string `placeholder:"TEXT" help:"Its licence, where its files do not name it."`
}

// Run tests and installs the voice.
func (v *VoiceImportCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	if err := checkOwner(cfg); err != nil {
		return err
	}
	return installVoice(ctx, cfg, v.Path, v.Name, v.License, nil, out)
}

// installVoice tests and installs the voice at path, and prints what it is.
func installVoice(
	ctx context.Context, cfg *config.Config, path, name, license string, source *modelinstall.Source, out io.Writer,
) (err error) {
	open := func(dir string) (*voice.NeuralVoice, error) { return appliance.OpenVoice(cfg, dir) }
	in := voiceinstall.VoiceInstaller{Voices: models.OpenVoices(cfg.Data), Open: open}
	p, err := in.PrepareVoice(ctx, path, name, license)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.DiscardVoice()) }()
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	r := p.Report
	fmt.Fprintf(w, "voice\t%s\nlanguage\t%s\nlicence\t%s\nnetwork\t%.1f M parameters, %d Hz\n", p.Name, r.Language,
		licenseName(r.License), float64(r.Parameters)/1e6, r.SampleRate)
	fmt.Fprintf(w, "speed\t%.1f × real time: %.0f ms for %.1f s of speech\n", r.Trial.Speed(),
		1000*r.Trial.Took, r.Trial.Speech)
	if err := errors.Join(w.Flush(), p.InstallVoice(source)); err != nil {
		return err
	}
	if _, err := exec.LookPath(cmp.Or(cfg.ESpeak, "espeak-ng")); err != nil && r.Phonemes != voice.TextPhonemes {
		fmt.Fprintln(out, "\nespeak-ng is not installed: it makes the phonemes of the voice, which is mute without it.")
	}
	_, err = fmt.Fprintf(out, "\n%s is installed: scenarios name it as their voice. "+
		"For all calls: munadi voice use %[1]s\n", p.Name)
	return err
}

// VoiceUseCmd is munadi voice use NAME.
type VoiceUseCmd struct {
	Name string `arg:"" help:"An installed voice's name, or built-in for the voices without a neural one."`
}

// Run selects the voice; a running appliance speaks with it at once.
func (v *VoiceUseCmd) Run(cfg *config.Config, out io.Writer) error {
	if err := checkOwner(cfg); err != nil {
		return err
	}
	s := models.OpenVoices(cfg.Data)
	if slices.Contains(s.InstalledNames(), v.Name) {
		if err := voiceinstall.VerifyVoice(s.Folder(v.Name)); err != nil {
			return fmt.Errorf("the voice %s is not selected: %w", v.Name, err)
		}
	}
	if err := s.UseModel(modelName(v.Name)); err != nil {
		return err
	}
	said := "Calls that name no voice, and lines without a recording, are spoken by " + v.Name + " from now on."
	if v.Name == builtIn {
		said = "No neural voice speaks from now on, except where a scenario or the setting speech-voice names one."
	}
	_, err := fmt.Fprintln(out, said)
	return err
}

// VoiceRemoveCmd is munadi voice remove NAME.
type VoiceRemoveCmd struct {
	Name string `arg:"" help:"An installed voice's name."`
}

// Run removes the voice. Calls that speak with it now go on.
func (v *VoiceRemoveCmd) Run(cfg *config.Config, out io.Writer) error {
	if err := checkOwner(cfg); err != nil {
		return err
	}
	if err := models.OpenVoices(cfg.Data).Remove(v.Name); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%s is removed. Scenarios that name it are spoken by the installation's other voices.\n",
		v.Name)
	return err
}

// VoicePullCmd is munadi voice pull NAME[@REVISION].
type VoicePullCmd struct {
	Name string `arg:"" name:"voice" placeholder:"NAME" help:"ORGANIZATION/NAME:VOICE on the hub, or a name that munadi voice list shows; optionally @ and a commit, branch or tag."`
	As   string `name:"name" placeholder:"NAME" help:"Name of the installed voice; default: its name on the hub."`
	hubFlags
}

// Run finds the voice, prints its size and licence, asks for confirmation, downloads and installs it.
func (v *VoicePullCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	asked, err := modelhub.ParseVoiceName(v.Name)
	if err != nil {
		return err
	}
	if err := checkOwner(cfg); err != nil {
		return err
	}
	hub, err := v.openHub(cfg)
	if err != nil {
		return err
	}
	found, err := hub.FindVoice(ctx, asked)
	if err != nil {
		return withVoiceAdvice(err)
	}
	s := models.OpenVoices(cfg.Data)
	if v.As == "" {
		v.As = voiceinstall.UsualName(found)
	}
	if err := s.CheckNameFree(v.As); err != nil {
		return err
	}
	folder := s.Fetched(found.Name + ":" + filepath.Base(found.Files[0].Name) + "@" + found.Revision)
	if err := v.downloadModel(ctx, hub, found, folder, out); err != nil {
		return withVoiceAdvice(err)
	}
	err = installVoice(ctx, cfg, folder, v.As, found.License, modelinstall.SourceFrom(hub, found), out)
	return endDownload(folder, err)
}

// withVoiceAdvice adds to the error of an unreachable hub how to install a voice from files.
func withVoiceAdvice(err error) error {
	if !isUnreachable(err) {
		return err
	}
	return fmt.Errorf("%w\nTo install the voice without a network: download NAME.onnx, NAME.onnx.json and MODEL_CARD "+
		"on another machine, copy them to this one into one folder, and run: munadi voice import FOLDER", err)
}
