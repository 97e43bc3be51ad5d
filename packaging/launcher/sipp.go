package launcher

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"

	"munadi/appliance/tts/voicepack"
	"munadi/assets/prompts"
	"munadi/engine/audio"
)

// StartSIPp starts SIPp as the remote side of a SIP trunk on port 5060 of an address, with a scenario whose callees
// repeat talk.al: that they confirm the appointment, with a short pause. Its files are in dir; stop ends it.
func StartSIPp(dir, address, scenario string) (stop func(), err error) {
	voice, err := voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes(), prompts.WideVoiceBytes())
	if err != nil {
		return nil, err
	}
	clip, ok := voice.Clip("callee.yes_confirm")
	if !ok {
		return nil, errors.New("the voice does not confirm")
	}
	said := append(make([]int16, 3*voicepack.Rate), voice.PCM(clip)...)
	said = append(said, make([]int16, -len(said)&159)...) // SIPp plays whole packets
	coded := make([]byte, len(said))
	for i, s := range said {
		coded[i] = audio.EncodeALaw(s)
	}
	for name, content := range map[string][]byte{"talk.al": coded, "scenario.xml": []byte(scenario)} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command("sipp", "-sf", "scenario.xml", "-i", address, "-mi", address, "-ci", address, "-bind_local",
		"-p", "5060", "-nostdin", "-skip_rlimit",
		// SIPp aborts when it is delayed too often; on a busy machine that is no failure of the call.
		"-watchdog_minor_threshold", "600000", "-watchdog_major_threshold", "600000")
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}, nil
}
