package voices

import (
	"github.com/a-h/templ"

	"munadi/ui/form"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// CardView is the part of the system page about neural voices; for governors.
type CardView struct {
	Installed []VoiceRow // the first is none
	Known     []string   // names to download
	Pull      *PullView  // the download that runs, or the last one; nil without one
	Asked     string     // what was not found to download
	Import    []form.Field
}

// PullView is the download of a voice.
type PullView struct {
	Asked, Name, Phase, Fault string
	Done, Size                string
	Percent                   int
	Active                    bool
}

// PhaseName names a phase of a download.
func PhaseName(l locale.Language, phase string) string {
	return map[string]locale.Text{
		"fetching": PullFetching, "testing": PullTesting, "installed": PullInstalled, "failed": PullFailed,
		"cancelled": PullCancelled,
	}[phase].In(l)
}

// VoiceRow is a voice to choose from; without a name it is none.
type VoiceRow struct {
	Name, Language, License, Speed string
	InUse                          bool
	Fault                          string // of its files; empty: none
}

// badge returns the state of the phase's badge.
func (v PullView) badge() string {
	switch v.Phase {
	case "installed":
		return "good"
	case "failed":
		return "bad"
	}
	return "plain"
}

// voiceTable returns the table of installed voices.
func voiceTable() list.Table[VoiceRow] {
	return list.Table[VoiceRow]{
		{Title: Name, Cell: func(at list.At, r VoiceRow) templ.Component { return voiceName(at.Lang, r) }},
		{Title: locale.KitState, Cell: func(at list.At, r VoiceRow) templ.Component { return voiceState(at.Lang, r) }},
		{Title: Language, Text: func(r VoiceRow) string { return r.Language }},
		{Title: License, Text: func(r VoiceRow) string { return r.License }},
		{Title: Speed, Text: func(r VoiceRow) string { return r.Speed }},
		{Title: Actions, Acts: true, Cell: func(at list.At, r VoiceRow) templ.Component { return voiceActs(at, r) }},
	}
}

// ImportedVoice is what the form asks for that installs a voice from a path.
type ImportedVoice struct{ Path, License string }

var importFields = []form.Declared[*ImportedVoice]{
	{
		Name: PathField, Label: Path, Help: PathHint, Dir: "ltr", Usual: "/media/usb/voice.onnx", Most: 1000,
		Required:   true,
		Attributes: templ.Attributes{"class": "mono", "autocapitalize": "off", "spellcheck": "false"},
		Value:      func(i *ImportedVoice) any { return &i.Path },
	},
	{
		Name: "voice_license", Label: License, Help: LicenseHint, Dir: "ltr", Usual: "CC0", Most: 120,
		Value: func(i *ImportedVoice) any { return &i.License },
	},
}

// pullFields ask for the voice that is looked up before its download.
var pullFields = []form.Declared[*string]{{
	Name: "voice", Label: PullName, Help: PullHint, Dir: "ltr", Most: 300, Required: true,
	Attributes: templ.Attributes{
		"class": "mono", "list": form.SuggestionsID("voice"), "autocapitalize": "off", "spellcheck": "false",
	},
	Value: func(name *string) any { return name },
}}

// bindPull binds the form of a download.
func (v CardView) bindPull(l locale.Language) []form.Field {
	return form.BindDeclared(form.NewBinder(l, nil, nil), "", &v.Asked, pullFields)
}

// PathField is the name of the field of the path.
const PathField = "voice_path"

// BindImport binds the form.
func BindImport(b *form.Binder, typed *ImportedVoice) []form.Field {
	return form.BindDeclared(b, "", typed, importFields)
}
