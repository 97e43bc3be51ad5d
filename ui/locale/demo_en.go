package locale

func demoEnglish() DemoWords {
	return DemoWords{
		Title:       "Munadi: Arabic speech recognition",
		Description: "Record or upload Arabic speech and read the text as it is written, on your own appliance.",
		Heading:     "Speak Arabic, read what you said",
		Lead:        "Record a sentence or upload an audio file, and the text appears as it is decoded. All of it runs on this appliance; your voice does not leave it.",

		Capture:    "Sound",
		Record:     "Press and speak",
		RecordHint: "then press again when you are done",
		Upload:     "Upload a file",
		DropHint:   "or drop one anywhere on the page",
		DropHere:   "Drop the file here",
		Formats:    "WAV, FLAC, MP3, Ogg, WebM",
		Examples:   "Or try an example",
		Synthetic:  "The examples are a synthetic voice",

		Key:         "API key",
		KeyHint:     "It stays in this tab only and is forgotten when you close it.",
		KeyWhere:    "Make one on the appliance with:",
		KeySave:     "Use this key",
		KeyShow:     "Show the key",
		KeyChange:   "Change",
		KeyForget:   "Forget",
		KeyPresent:  "Key kept",
		Options:     "Options",
		Restaurant:  "Restaurant mode",
		RestaurantP: "Favours the names of dishes and writes quantities and prices as digits.",
		Microphone:  "Microphone",
		MicDefault:  "The usual microphone",

		Channels: "Channels", ChannelsHint: "For the recording of a call with two channels: each is one speaker.",
		ChannelsMix: "Both mixed", ChannelLeft: "Left only", ChannelRight: "Right only", ChannelsEach: "Each by itself",

		Transcript:  "Text",
		Placeholder: "What is said appears here.",
		Cancel:      "Cancel",
		Dismiss:     "Dismiss",
		Copy:        "Copy",
		Download:    "Download",

		Player:       "Segments on the waveform",
		WaveLabel:    "Waveform. Time runs left to right. The left and right arrows go from segment to segment, Enter plays one.",
		Play:         "Play all",
		Segments:     "Segments",
		SegmentsHint: "Press a segment or a word to hear it.",

		Compare:     "Compare decoders",
		CompareHint: "Three readings of the same encoder output: RNNT, CTC and the hybrid of both. Words that differ are underlined.",
		CompareRun:  "Compare",
		Beam:        "Beam search",
		Weight:      "CTC weight",

		About:   "What this model is, and what it is not",
		Model:   "Model",
		Code:    "From your program",
		CodeP:   "The interface that OpenAI's clients speak, at another address:",
		CodePy:  "And with OpenAI's Python client:",
		NoJS:    "This page needs JavaScript to record and upload audio.",
		NoJSWhy: "A plain HTML form can't do it, because the key travels in the Authorization header. The service itself works from a command line:",
	}
}

// defaultLabelEnglish describes the built-in model, see [DefaultLabel].
func defaultLabelEnglish() []string {
	return []string{
		"Trained on synthetic speech (espeak-ng's voices and one Festival voice) and on command words spoken by 24 people.",
		"A demo for limited domains: confirmations and cancellations, orders, numbers and times, short commands.",
		"Not for open dictation: it is often wrong on words it was not trained on. For dictation, replace it with a full NeMo FastConformer model (setting MUNADI_MODEL).",
	}
}
