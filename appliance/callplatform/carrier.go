package callplatform

import (
	"cmp"
	"context"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/simulator"
	"munadi/appliance/carrier/trunk"
	"munadi/appliance/config"
	"munadi/appliance/conversation/llm"
	"munadi/appliance/conversation/tool"
	"munadi/appliance/recovery"
	"munadi/appliance/tts"
	"munadi/appliance/webhook"
)

// newChat returns the client of the operator's language models (LLM). Their URLs are set by the operator, so private
// networks are allowed for every value of webhook-to.
func (p *CallPlatform) newChat() *llm.ChatClient {
	transport := webhook.OutboundNetwork{Proxy: p.Config.OutboundProxy()}.NewTransport()
	return llm.NewClient(transport, func(orgID, name string) (llm.ChatEndpoint, bool) {
		e, ok := p.InForce().LLMEndpoints.FindEndpoint(orgID, name)
		return llm.ChatEndpoint{URL: e.URL, Model: e.Model, KeyEnv: e.KeyEnv}, ok
	})
}

// newTools returns the client of the operator's tools. What scenarios send to them comes from bookings and from what
// people said, so the network is that of webhooks.
func (p *CallPlatform) newTools() *tool.Client {
	return tool.NewClient(p.Network.NewTransport(), func(orgID, name string) (tool.Endpoint, bool) {
		t, ok := p.InForce().Tools.FindTool(orgID, name)
		return tool.Endpoint{URL: t.URL, Method: t.HTTPMethod(), KeyEnv: t.KeyEnv, Timeout: t.Timeout()}, ok
	})
}

// openCarrier constructs the carrier: the SIP trunks or the simulator.
func (p *CallPlatform) openCarrier() (err error) {
	if p.callees, err = simulator.NewSimulator(simulator.SimulatorOptions{
		Bundle: p.Voice, Seed: seed, Speak: p.simulatedVoice,
	}); err != nil {
		return err
	}
	if p.Config.Carrier == config.SIP && p.Config.ServesCalls() {
		if p.Trunks, err = trunk.OpenTrunks(p.Config, p.Version, p.Log); err == nil {
			p.Carrier = p.Trunks
		}
		return err
	}
	p.simulator, err = simulator.NewSimulator(simulator.SimulatorOptions{
		Bundle: p.Voice, TimeScale: p.Config.TimeScale, Seed: seed, Speak: p.simulatedVoice,
	})
	p.Carrier = p.simulator
	return err
}

// simulateCaller lets a simulated person call a number, and returns when it rings or the SIP status of a refusal. The
// call goes on by itself.
func (p *CallPlatform) simulateCaller(ctx context.Context, from, to string) (refused int, err error) {
	person := p.simulator.NewCaller(from, to)
	go func() {
		defer person.Refuse(carrier.RefuseUnavailable) // unless it was answered or refused
		err := recovery.RecoverPanic(func() error {
			p.Inbound.TakeCall(context.WithoutCancel(ctx), person)
			return nil
		})
		if err != nil {
			p.Log.Error("panic in a simulated inbound call", "err", err)
		}
	}()
	why, err := person.Heard(ctx)
	return int(why), err
}

// Close closes the SIP trunks, after remaining hang-ups were sent.
func (p *CallPlatform) Close() error {
	if p == nil || p.Trunks == nil {
		return nil
	}
	return p.Trunks.Close()
}

// NewSpeaker returns the chain of voices of the settings.
func (p *CallPlatform) NewSpeaker(cfg *config.Config) (*tts.VoiceChain, error) {
	transport := webhook.OutboundNetwork{Proxy: cfg.OutboundProxy()}.NewTransport()
	return tts.NewConfiguredChain(cfg, p.Voice, p.shelf, transport, p.Log)
}

// NeuralNames lists the installed neural voices.
func (p *CallPlatform) NeuralNames() []string { return p.shelf.VoiceNames() }

// simulatedVoice speaks text that is not a bundled recording for a simulated callee.
func (p *CallPlatform) simulatedVoice(ctx context.Context, text string) ([]int16, error) {
	sound, err := p.Speaker.Speak(ctx, tts.SpeechRequest{Text: text})
	return sound.PCM, err
}

// LineLimit returns the concurrent call limit: the setting if there is one, else as many lines as
// the carrier has and the machine handles in real time. With a SIP trunk it is lower, or 0, while the trunk takes
// no calls.
func (p *CallPlatform) LineLimit() int {
	if !p.Config.ServesCalls() {
		return 0
	}
	wanted, sessions := p.InForce().Lines, p.Sessions()
	if p.Trunks == nil {
		lines := p.Carrier.Lines()
		if p.Config.TimeScale == 1 { // a faster or slower simulation waits for the recognizer: no call is late there
			lines = p.Capacity.LimitCalls(lines, sessions)
		}
		return cmp.Or(wanted, lines)
	}
	lines := p.sipLines()
	if wanted == 0 {
		lines = p.Capacity.LimitCalls(lines, sessions)
	}
	return min(lines, p.Trunks.Lines())
}

// holdStaffLine holds a line for the second leg of a call, to a member of staff.
func (p *CallPlatform) holdStaffLine(orgID, number string) (free func(), err error) {
	return p.Scheduler.HoldLine(orgID, number, p.inboundLimit())
}

// inboundLimit returns how many calls there may be at once, those of the platform included, for one to come in. Unlike
// [CallPlatform.LineLimit] it does not depend on whether the trunks take our calls.
func (p *CallPlatform) inboundLimit() int {
	if p.Trunks == nil || !p.Config.ServesCalls() {
		return p.LineLimit()
	}
	lines := p.sipLines()
	if p.InForce().Lines == 0 {
		lines = p.Capacity.LimitCalls(lines, p.Sessions())
	}
	return min(lines, p.Trunks.IncomingLines())
}

// trunkRoom returns the allocator of lines by number if several trunks serve different numbers; else nil.
func (p *CallPlatform) trunkRoom() func(held []string) func(number string) bool {
	if p.Trunks == nil {
		return nil
	}
	return p.Trunks.LineAllocator
}

// dueTrials returns what lists the paused trunks that the next call tries; nil with the simulator.
func (p *CallPlatform) dueTrials() func() []func(number string) bool {
	if p.Trunks == nil {
		return nil
	}
	return p.Trunks.DueTrials
}
