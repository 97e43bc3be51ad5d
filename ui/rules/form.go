package rules

import (
	"github.com/a-h/templ"

	"munadi/store/callerid"
	"munadi/store/callrules"
	"munadi/ui/form"
	"munadi/ui/locale"
)

// Form is the form of the dialling rules, but for the hours of the week.
type Form struct{ Zone, Holidays, Limits, Prefixes, Caller, Transcript, Said, Keep []form.Field }

// ruleFields are fields of the rules.
type ruleFields = []form.Declared[ruleForm]

// ruleForm is the record of the form.
type ruleForm struct {
	*callrules.CallRules
	callers *[]string // lines of CallerNumbers
	lang    locale.Language
}

var unspelled = templ.Attributes{"spellcheck": "false"}

// The fields by their place on the page. A new rule is a line here.
var (
	zoneFields = ruleFields{
		{
			Name: "time_zone", Label: locale.KitTimeZone, Help: ZoneHint, Dir: "ltr", Usual: "UTC", Fault: BadZone,
			Attributes: templ.Attributes{"list": form.SuggestionsID("time_zone"), "spellcheck": "false"},
			Value:      func(r ruleForm) any { return &r.TimeZone },
		},
		{
			Name: "city", Label: City, Help: CityHint, Kind: form.List, Fault: BadCity, Options: ruleForm.cities,
			Value: func(r ruleForm) any { return &r.City },
		},
	}
	holidayFields = ruleFields{{
		Name: "holidays", Label: Holidays, Help: HolidaysHint, Kind: form.Area, Dir: "ltr",
		Attributes: templ.Attributes{"rows": "4", "spellcheck": "false"}, Value: func(r ruleForm) any { return &r.Holidays },
	}}
	limitFields = ruleFields{
		{
			Name: "attempts_per_day", Label: PerDay, Usual: "∞", Fault: BadCount,
			Value: func(r ruleForm) any { return &r.AttemptsPerDay },
		},
		{
			Name: "attempts_per_week", Label: PerWeek, Usual: "∞", Fault: BadCount,
			Value: func(r ruleForm) any { return &r.AttemptsPerWeek },
		},
		{
			Name: "max_concurrent_calls", Label: Lines, Help: LinesHint, Usual: "∞", Fault: BadCount,
			Value: func(r ruleForm) any { return &r.MaxConcurrent },
		},
	}
	prefixFields = ruleFields{
		{
			Name: "allowed_prefixes", Label: Allowed, Help: AllowedHint, Kind: form.Area, Dir: "ltr", Attributes: unspelled,
			Value: func(r ruleForm) any { return &r.AllowedPrefixes },
		},
		{
			Name: "blocked_prefixes", Label: Blocked, Help: BlockedHint, Kind: form.Area, Dir: "ltr", Attributes: unspelled,
			Value: func(r ruleForm) any { return &r.BlockedPrefixes },
		},
	}
	callerFields = ruleFields{
		{
			Name: "caller_number", Label: Caller, Help: CallerHint, Kind: form.Phone, Usual: "+966112345678", Most: 40,
			Fault: BadNumber, Value: func(r ruleForm) any { return &r.CallerNumber },
		},
		{
			Name: "caller_numbers", Label: Callers, Help: CallersHint, Kind: form.Area, Dir: "ltr", Attributes: unspelled,
			Fault: BadCallers, Value: func(r ruleForm) any { return r.callers },
		},
		{
			Name: "suppress_invalid", Label: Invalid, Help: InvalidHint,
			Value: func(r ruleForm) any { return &r.SuppressInvalid },
		},
	}
	transcriptFields = ruleFields{
		{
			Name: "recording", Label: Recording, Kind: form.Radios, Options: ruleForm.recordings,
			Value: func(r ruleForm) any { return &r.Recording },
		},
		{
			Name: "text_form", Label: TextForm, Help: TextFormHint, Kind: form.List, Fault: BadTextForm,
			Value: func(r ruleForm) any { return &r.TextForm }, Options: func(r ruleForm) []form.Option {
				return []form.Option{{Name: Spoken.In(r.lang)}, {Value: "written", Name: Written.In(r.lang)}}
			},
		},
		{
			Name: "numerals", Label: Numerals, Kind: form.List, Fault: BadTextForm,
			Value: func(r ruleForm) any { return &r.Numerals }, Options: func(r ruleForm) []form.Option {
				return []form.Option{{Name: LatinDigits.In(r.lang)}, {Value: "arab", Name: ArabicDigits.In(r.lang)}}
			},
		},
		{Name: "redact", Label: Redact, Help: RedactHint, Value: func(r ruleForm) any { return &r.Redact }},
	}
	saidFields = ruleFields{
		{
			Name: "disclosure", Label: Disclosure, Help: DisclosureHint, Kind: form.Area, Fault: TooLong,
			Value: func(r ruleForm) any { return &r.Disclosure },
		},
		{
			Name: "consent_basis", Label: Consent, Help: ConsentHint, Kind: form.Area, Fault: TooLong,
			Value: func(r ruleForm) any { return &r.ConsentBasis },
		},
	}
	keepFields = ruleFields{
		{
			Name: "retention_days.audio", Label: KeepAudio, Usual: "∞", Fault: BadDays,
			Value: func(r ruleForm) any { return &r.RetentionDays.Audio },
		},
		{
			Name: "retention_days.transcript", Label: KeepText, Usual: "∞", Fault: BadDays,
			Value: func(r ruleForm) any { return &r.RetentionDays.Transcript },
		},
	}
)

// cities returns the cities to choose.
func (r ruleForm) cities() []form.Option {
	options := []form.Option{{Name: NoCity.In(r.lang)}}
	for _, c := range callrules.AllCities() {
		name := c.English
		if r.lang == locale.Arabic {
			name = c.Arabic
		}
		options = append(options, form.Option{Value: c.Name, Name: name})
	}
	return options
}

func (r ruleForm) recordings() []form.Option {
	return []form.Option{
		{Value: string(callrules.RecordOn), Name: RecordOn.In(r.lang)},
		{Value: string(callrules.RecordAnnounce), Name: RecordAnnounce.In(r.lang)},
		{Value: string(callrules.RecordOff), Name: RecordOff.In(r.lang)},
	}
}

// BindRules binds the form of the rules.
func BindRules(b *form.Binder, r *callrules.CallRules) Form {
	if r.Recording == "" {
		r.Recording = callrules.RecordOn
	}
	callers := r.CallerNumbers.FormatLines()
	bind := func(fields ruleFields) []form.Field {
		return form.BindDeclared(b, "", ruleForm{r, &callers, b.Lang}, fields)
	}
	f := Form{
		Zone: bind(zoneFields), Holidays: bind(holidayFields), Limits: bind(limitFields), Prefixes: bind(prefixFields),
		Caller: bind(callerFields), Transcript: bind(transcriptFields), Said: bind(saidFields), Keep: bind(keepFields),
	}
	r.CallerNumbers = callerid.ParseLines(callers)
	return f
}

// Fields returns all fields of the form in the order of the page.
func (f Form) Fields() (all []form.Field) {
	for _, some := range [][]form.Field{
		f.Zone, f.Holidays, f.Limits, f.Prefixes, f.Caller, f.Transcript, f.Said, f.Keep,
	} {
		all = append(all, some...)
	}
	return all
}
