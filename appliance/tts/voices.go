package tts

// DefaultVoice is the id of the chain itself: each text is spoken by the first voice that can.
const DefaultVoice = "default"

// NamedVoice is a voice that a client may choose.
type NamedVoice struct {
	ID       string
	Name     string
	Language string // ISO 639-1; eSpeak and endpoints speak others, too
	Source   VoiceSource
	Endpoint string // voice name of the endpoint; empty for the others
}

// ListVoices lists the voices of the chain, the default first.
func (c *VoiceChain) ListVoices() []NamedVoice {
	voices := []NamedVoice{
		{ID: DefaultVoice, Name: "Default: the best voice for each text", Language: "ar"},
		{ID: string(Recorded), Name: "Recorded phrases, and sentences joined of them", Language: "ar", Source: Recorded},
	}
	for _, l := range c.links {
		switch l.source {
		case Endpoint:
			if name := c.options.Endpoint.Voice; name != "" {
				voices = append(voices, NamedVoice{
					ID: name, Name: "Speech endpoint: " + name, Language: "ar", Source: Endpoint, Endpoint: name,
				})
			}
		case ESpeak:
			voices = append(voices, NamedVoice{ID: string(ESpeak), Name: "eSpeak NG (robotic)", Language: "ar", Source: ESpeak})
		}
	}
	return voices
}

// EndpointModel returns the name of the speech endpoint's model; empty without one.
func (c *VoiceChain) EndpointModel() string {
	if c.options.Endpoint == nil {
		return ""
	}
	return c.options.Endpoint.Model
}
