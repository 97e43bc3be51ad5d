package simulator_test

import (
	"testing"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/carriertest"
	"munadi/appliance/carrier/simulator"
	"munadi/appliance/tts/voicepack"
	"munadi/assets/prompts"
)

func clipNames(t testing.TB) *voicepack.VoicePack {
	t.Helper()
	b, err := voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes(), prompts.WideVoiceBytes())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func simulatedNumber(t testing.TB, o simulator.SimulatorOptions) *simulator.Simulator {
	t.Helper()
	o.Bundle = clipNames(t)
	s, err := simulator.NewSimulator(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const leaves = "+966500000010"

func TestConformance(t *testing.T) {
	t.Parallel()
	numbers := carriertest.TestNumbers{
		Talks: "+966500000001", Leaves: leaves, Presses: "+966500000086", RingsOut: "+966500000090",
		Declines: "+966500000091", Unavailable: "+966500000092", Busy: "+966500000096", Broken: "+966500000094",
	}
	for _, c := range []struct {
		name  string
		scale float64
	}{{"in real time", 1}, {"fifty times as fast", 50}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			carriertest.RunSuite(t, carriertest.TestSetup{
				Numbers: numbers, Bubble: true,
				New: func(t *testing.T) carrier.Carrier {
					return simulatedNumber(t, simulator.SimulatorOptions{
						TimeScale: c.scale, People: map[string]simulator.Person{leaves: simulator.SwitchedOff},
					})
				},
			})
		})
	}
}
