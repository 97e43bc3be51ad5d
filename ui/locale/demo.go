package locale

// DemoWords is the page at /, from top to bottom.
type DemoWords struct {
	Title, Description string
	Heading, Lead      string

	Capture    string // heading of the side with the button
	Record     string // label of the record button
	RecordHint string
	Upload     string
	DropHint   string
	DropHere   string
	Formats    string
	Examples   string
	Synthetic  string // says that the examples are a synthetic voice

	Key         string
	KeyHint     string
	KeyWhere    string // where one comes from; the command follows
	KeySave     string
	KeyShow     string
	KeyChange   string
	KeyForget   string
	KeyPresent  string
	Options     string
	Restaurant  string
	RestaurantP string
	Microphone  string
	MicDefault  string

	Channels, ChannelsHint                               string // which channels of a recording are decoded
	ChannelsMix, ChannelLeft, ChannelRight, ChannelsEach string

	Transcript  string
	Placeholder string
	Cancel      string
	Dismiss     string
	Copy        string
	Download    string

	Player       string
	WaveLabel    string // names the waveform; says that time runs left to right
	Play         string
	Segments     string
	SegmentsHint string

	Compare     string
	CompareHint string
	CompareRun  string
	Beam        string
	Weight      string

	About   string // heading of the honest label
	Model   string
	Code    string // heading of the fold with examples for programs
	CodeP   string
	CodePy  string
	NoJS    string
	NoJSWhy string
}

// DemoIn returns the demo page's strings.
func DemoIn(l Language) DemoWords { return pickLanguage(l, demoArabic(), demoEnglish()) }
