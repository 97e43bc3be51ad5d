package main

import (
	"context"
	"log/slog"
	"sync"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/simulator"
	"munadi/appliance/config"
	"munadi/appliance/conversation"
	"munadi/appliance/conversation/runner"
	"munadi/appliance/recognizer"
	"munadi/appliance/tts/voicepack"
	"munadi/assets/prompts"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/store/scenario"
)

// testSounds are what tests with sounds need; each part is opened for the first test that needs it.
type testSounds struct {
	cfg      *config.Config
	opening  sync.Mutex
	ears     *recognizer.Recognizer // nil: not opened
	simulate *simulator.Simulator
}

// listen opens the recognizer of a test.
func (s *testSounds) listen() (conversation.StreamRecognizer, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	if s.ears == nil {
		e, err := openEngine(s.cfg)
		if err != nil {
			return nil, err
		}
		s.ears = &recognizer.Recognizer{}
		useAll := func(engine.EngineInfo) (enable func(), err error) { return func() {}, nil }
		if err := s.ears.ReplaceEngine(e, useAll, slog.New(slog.DiscardHandler)); err != nil {
			return nil, err
		}
	}
	return runner.OpenBackground(s.ears)
}

// answerCallee returns the line to a callee of the simulator, who has no words beyond the recorded ones.
func (s *testSounds) answerCallee(number string) (carrier.Line, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	if s.simulate == nil {
		voice, err := voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes(), prompts.WideVoiceBytes())
		if err != nil {
			return nil, err
		}
		if s.simulate, err = simulator.NewSimulator(simulator.SimulatorOptions{Bundle: voice, Seed: 1}); err != nil {
			return nil, err
		}
	}
	return s.simulate.AnswerAtOnce(number)
}

func (s *testSounds) close() {
	if s.ears != nil {
		_ = s.ears.Close()
	}
}

// readClipFile reads a clip of a test from a sound file, as a telephone line carries it.
func readClipFile(ctx context.Context, path string) ([]int16, error) {
	in, _, err := openInput(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	wide, err := audio.DecodeAll(ctx, in, audio.DecodeOptions{MaxDuration: scenario.MaxClip, FFmpeg: "none"})
	if err != nil {
		return nil, err
	}
	narrow := audio.NewResampler(audio.Rate, carrier.Rate)
	return audio.AppendInt16(nil, narrow.Flush(narrow.Push(nil, wide))), nil
}
