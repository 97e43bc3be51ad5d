package sip_test

import (
	"net"
	"os"
	"testing"

	"munadi/appliance/carrier/sip/sipptest"
	"munadi/appliance/tts/voicepack"
	"munadi/assets/prompts"
)

const patience = sipptest.Patience

// sippPeer is SIPp as the peer of a trunk.
type sippPeer struct{ *sipptest.SIPpPeer }

// startSIPp runs a scenario over UDP until the test ends.
func startSIPp(t *testing.T, scenario string) *sippPeer {
	t.Helper()
	return &sippPeer{sipptest.PlayScenario(t, sipptest.ScenarioSettings{Scenario: scenario, Sound: speechClip(t)})}
}

// sippOverTCP runs it over TCP.
func sippOverTCP(t *testing.T, scenario string) *sippPeer {
	t.Helper()
	return &sippPeer{sipptest.PlayScenario(t, sipptest.ScenarioSettings{Scenario: scenario, Sound: speechClip(t), TCP: true})}
}

// silentAddress returns the address of a trunk that is down: a bound socket, so that no other process uses the port,
// that never answers.
func silentAddress(t *testing.T) string {
	t.Helper()
	socket, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	return "sip:" + socket.LocalAddr().String()
}

func writeFile(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// speechClip returns a spoken yes, and a second of silence.
func speechClip(t testing.TB) []int16 {
	t.Helper()
	b, err := voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes(), prompts.WideVoiceBytes())
	if err != nil {
		t.Fatal(err)
	}
	clip, ok := b.Clip("callee.yes")
	if !ok {
		t.Fatal("there is no clip of a yes")
	}
	return append(b.PCM(clip), make([]int16, voicepack.Rate)...)
}
