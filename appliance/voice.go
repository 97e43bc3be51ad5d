package appliance

import (
	"time"

	"munadi/appliance/config"
	"munadi/appliance/installation"
	"munadi/appliance/models"
	"munadi/appliance/models/modeljob"
	"munadi/appliance/models/voiceinstall"
	assetsort "munadi/assets/ort"
	"munadi/engine/ort"
	"munadi/engine/voice"
)

// OpenVoice opens the neural voice in a folder. One sentence has one thread, as a run of a small recognition model has:
// the cores are for the calls at once.
func OpenVoice(cfg *config.Config, dir string) (*voice.NeuralVoice, error) {
	zst, sum, version := assetsort.PackedLibrary()
	path, _, err := ort.PackedLibrary{Zstd: zst, SHA256: sum, Version: version}.UnpackTo(cfg.CacheDir())
	if err != nil {
		return nil, installation.ExplainCacheError(cfg.CacheDir(), err)
	}
	if err := ort.LoadLibrary(path); err != nil {
		return nil, err
	}
	return voice.OpenFolder(dir, 1)
}

// voiceDesk returns what the console does with neural voices.
func (a *Appliance) voiceDesk() *voiceinstall.VoicePuller {
	return &voiceinstall.VoicePuller{
		VoiceDesk: voiceinstall.VoiceDesk{
			VoiceInstaller: voiceinstall.VoiceInstaller{Voices: models.OpenVoices(a.config.Data), Open: a.openVoice},
			AddAudit:       a.store.AddAudit, Now: time.Now,
		},
		Hub: a.models.Hub, Log: a.log,
		Publish: func(v voiceinstall.VoicePull) {
			a.events.PublishTransient(modelTopic(), "voice", modeljob.JobEvent{
				Phase: modeljob.JobPhase(v.Phase), Done: v.Done, Size: v.Size,
			})
		},
	}
}

// openVoice is [OpenVoice] with the settings in force.
func (a *Appliance) openVoice(dir string) (*voice.NeuralVoice, error) {
	return OpenVoice(a.inForce(), dir)
}
