package trunks

import (
	"net/url"
	"slices"

	"github.com/a-h/templ"

	"munadi/store/callerid"
	"munadi/store/siptrunk"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// Path is the page of all trunks.
const Path = "/console/trunks"

// TrunkPath returns the page of a trunk.
func TrunkPath(name string) string { return Path + "/" + url.PathEscape(name) }

// Row is a trunk with its state.
type Row struct {
	Name, Address string
	Known         bool // it is in use, and has a state
	Up            bool
	Unheard       bool   // nothing has answered since it was opened
	Calls         string // of its lines, such as "2 / 30"
	Full          bool   // all are in use
	Registers     bool
	Registered    bool
	Fault         string // why calls wait, with the remedy
}

// View is the page of all trunks.
type View struct {
	layout.ConsolePage
	Rows      []Row
	Fixed     bool // they are set in munadi.yaml, the environment or flags
	Simulated bool
	Form      []form.Field // of a new one
}

// OneView is the page of a trunk.
type OneView struct {
	layout.ConsolePage
	form.ReplacedSetting
	Row  Row
	Form []form.Field
	Test []form.Field // of a test call; nil with the simulator
}

// Typed is what the forms of a trunk ask for.
type Typed struct {
	siptrunk.Trunk
	Password string // a new one; the stored one is never shown
	Stored   bool   // there is one, which stays if none is typed
	New      bool
	callers  []string // lines of CallerNumbers
}

var exactText = templ.Attributes{"spellcheck": "false", "autocapitalize": "none"}

// usualFields are the settings that most trunks need.
var usualFields = []form.Declared[*Typed]{
	{
		Name: "name", Label: Name, Help: NameHint, Dir: "ltr", Usual: "stc", Most: 64, Required: true, Attributes: exactText,
		Fault: BadName, Value: func(t *Typed) any { return &t.Name }, Has: func(t *Typed) bool { return t.New },
	},
	{
		Name: "trunk", Label: locale.TrunkAddress, Dir: "ltr", Usual: "sip:trunk.example.com", Most: 300, Required: true,
		Attributes: exactText, Fault: BadAddress, Value: func(t *Typed) any { return &t.Address },
	},
	{
		Name: "user", Label: locale.KitUserName, Help: UserHint, Dir: "ltr", Most: 320, Attributes: exactText, Fault: BadUser,
		Value: func(t *Typed) any { return &t.User },
	},
	{
		Name: "password", Label: locale.KitPassword, Help: PasswordHint, Kind: form.Password, Most: 1000,
		Attributes: templ.Attributes{"autocomplete": "new-password"}, Fault: BadPassword,
		Value: func(t *Typed) any { return &t.Password }, Has: func(t *Typed) bool { return !t.Stored },
	},
	{
		Name: "password", Label: locale.KitPassword, Help: PasswordKept, Kind: form.Password, Most: 1000,
		Attributes: templ.Attributes{"autocomplete": "new-password"}, Fault: BadPassword,
		Value: func(t *Typed) any { return &t.Password }, Has: func(t *Typed) bool { return t.Stored },
	},
	{Name: "register", Label: Register, Value: func(t *Typed) any { return &t.Register }},
	{
		Name: "from", Label: locale.TrunkFrom, Help: FromHint, Dir: "ltr", Most: 100, Attributes: exactText, Fault: BadFrom,
		Value: func(t *Typed) any { return &t.From },
	},
	{
		Name: "lines", Label: locale.TrunkLines, Help: LinesHint, Kind: form.Number, Fault: BadLines,
		Attributes: templ.Attributes{"min": "1", "max": "10000", "step": "1"}, Value: func(t *Typed) any { return &t.Lines },
	},
}

// furtherFields are the others, which are folded.
var furtherFields = []form.Declared[*Typed]{
	{
		Name: "inbound-digest", Label: InboundDigest, Help: InboundDigestHint, Kind: form.List, Fault: BadInboundDigest,
		Missing: BadInboundDigest, Value: func(t *Typed) any { return &t.InboundDigest },
		Options: func(*Typed) []form.Option {
			return []form.Option{{Name: "—"}, {Value: "md5", Name: "MD5"}, {Value: "sha-256", Name: "SHA-256"}}
		},
	},
	{
		Name: "identity", Label: Identity, Help: IdentityHint, Dir: "ltr", Most: 100, Attributes: exactText, Fault: BadFrom,
		Value: func(t *Typed) any { return &t.Identity },
	},
	{
		Name: "callers", Label: Allowed, Help: AllowedHint, Kind: form.Area, Dir: "ltr", Most: 2000, Fault: BadPrefixes,
		Value: func(t *Typed) any { return &t.Callers },
	},
	{
		Name: "caller-numbers", Label: Callers, Help: CallersHint, Kind: form.Area, Dir: "ltr", Most: 10_000,
		Attributes: exactText, Fault: BadCallers, Value: func(t *Typed) any { return &t.callers },
	},
	{
		Name: "prefixes", Label: Prefixes, Help: PrefixesHint, Kind: form.Area, Dir: "ltr", Most: 2000, Fault: BadPrefixes,
		Value: func(t *Typed) any { return &t.Prefixes },
	},
	{
		Name: "calls-per-second", Label: locale.TrunkRate, Help: RateHint, Kind: form.Number, Fault: BadRate,
		Attributes: templ.Attributes{"min": "1", "max": "100", "step": "1"},
		Value:      func(t *Typed) any { return &t.CallsPerSecond },
	},
	{
		Name: "plus", Label: Plus, Help: PlusHint, Dir: "ltr", Most: 8, Attributes: exactText, Fault: BadPlus,
		Value: func(t *Typed) any { return &t.Plus },
	},
	{
		Name: "listen", Label: locale.TrunkListen, Help: ListenHint, Dir: "ltr", Usual: "0.0.0.0:5060", Most: 100,
		Attributes: exactText,
		Fault:      BadListen, Value: func(t *Typed) any { return &t.Listen },
	},
	{
		Name: "codecs", Label: locale.TrunkCodecs, Help: CodecsHint, Kind: form.Area, Dir: "ltr", Most: 200,
		Attributes: exactText, Fault: BadCodecs, Value: func(t *Typed) any { return &t.Codecs },
	},
	{
		Name: "ca", Label: locale.TrunkCA, Help: CAHint, Kind: form.Area, Dir: "ltr", Most: 100_000, Attributes: exactText,
		Value: func(t *Typed) any { return &t.Authority },
	},
	{Name: "srtp", Label: SRTP, Fault: BadSRTP, Value: func(t *Typed) any { return &t.SRTP }},
}

// BindTrunk binds the form of a trunk.
func BindTrunk(b *form.Binder, t *Typed) []form.Field {
	t.callers = t.CallerNumbers.FormatLines()
	fields := form.BindDeclared(b, "", t, slices.Concat(usualFields, furtherFields))
	t.CallerNumbers = callerid.ParseLines(t.callers)
	return fields
}

// foldFields returns the fields that are always shown, and the folded ones.
func foldFields(fields []form.Field) (shown, folded []form.Field) {
	for i, f := range fields {
		if f.FieldName() == furtherFields[0].Name {
			return fields[:i], fields[i:]
		}
	}
	return fields, nil
}

// isFilled reports whether a field has a value or a fault.
func isFilled(f form.Field) bool { return f.Value != "" || f.Checked || f.Fault != "" }

// TestCall is what the form of a test call asks for.
type TestCall struct {
	Number, Scenario string
	Scenarios        []form.Option
}

var testFields = []form.Declared[*TestCall]{
	{
		Name: "phone_number", Label: TestNumber, Kind: form.Phone, Dir: "ltr", Usual: "+966500000000", Most: 40,
		Required: true, Fault: BadNumber, Value: func(t *TestCall) any { return &t.Number },
	},
	{
		Name: "scenario_id", Label: TestScenario, Kind: form.List, Fault: BadScenario, Missing: BadScenario,
		Value: func(t *TestCall) any { return &t.Scenario }, Options: func(t *TestCall) []form.Option { return t.Scenarios },
	},
}

// BindTest binds the form of a test call.
func BindTest(b *form.Binder, t *TestCall) []form.Field {
	return form.BindDeclared(b, "", t, testFields)
}
