package destinations

import (
	"net/url"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"munadi/store/delivery"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/list"
	"munadi/ui/locale"
	"munadi/ui/webhook"
)

// View is the page of an organization's destinations.
type View struct {
	layout.ConsolePage
	Zone         *time.Location
	Destinations []delivery.Destination
	Made         string // the signing secret of a new one, shown once
	Form         []form.Field
}

func (p View) at() list.At { return list.At{Lang: p.Lang, Zone: p.Zone, CSRF: p.CSRF} }

// OneView is the page of a destination.
type OneView struct {
	layout.ConsolePage
	Zone        *time.Location
	Destination delivery.Destination
	Secrets     []delivery.SigningSecret // those that sign now, the newest first
	Made        string                   // a new signing secret, shown once
	form.ReplacedSetting
	Form        []form.Field
	Replay      []form.Field
	State       delivery.DeliveryState // that the list is narrowed to
	Deliveries  []delivery.Delivery
	Subjects    webhook.Subjects
	First, Next string
}

func (p OneView) at() list.At { return list.At{Lang: p.Lang, Zone: p.Zone, CSRF: p.CSRF} }

// PageAddress returns the address of a destination's page, with its list narrowed to a state, from a cursor on.
func PageAddress(id string, state delivery.DeliveryState, cursor string) string {
	q := url.Values{}
	if state != "" {
		q.Set("state", string(state))
	}
	if cursor != "" {
		q.Set("cursor", cursor)
	}
	at := "/console/destinations/" + id
	if len(q) > 0 {
		at += "?" + q.Encode()
	}
	return at + "#deliveries"
}

// Table are the destinations.
var Table = list.Table[delivery.Destination]{
	{Title: URL, Cell: func(_ list.At, d delivery.Destination) templ.Component { return pageLink(d) }},
	{
		Title: Events,
		Cell:  func(at list.At, d delivery.Destination) templ.Component { return eventMarks(at.Lang, d.Events) },
	},
	{Title: locale.KitState, Cell: func(at list.At, d delivery.Destination) templ.Component {
		return stateBadge(at.Lang, d)
	}},
	{Title: Created, Time: func(d delivery.Destination) time.Time { return d.CreatedAt }},
	{Title: locale.KitDelete, Acts: true, Cell: func(at list.At, d delivery.Destination) templ.Component {
		return deleteLink(at.Lang, d.ID)
	}},
}

// declareLog declares the deliveries to a destination.
func declareLog(about webhook.Subjects) list.Table[delivery.Delivery] {
	return list.Table[delivery.Delivery]{
		{Title: locale.KitWhen, Time: func(d delivery.Delivery) time.Time { return d.CreatedAt }},
		{Title: Event, Cell: func(at list.At, d delivery.Delivery) templ.Component {
			return eventCell(at.Lang, d.Event)
		}},
		{Title: webhook.About, Cell: func(at list.At, d delivery.Delivery) templ.Component {
			return webhook.SubjectLink(at.Lang, about, d)
		}},
		{Title: locale.DeliveryTries, Mono: true, Text: func(d delivery.Delivery) string {
			return strconv.Itoa(len(d.Tries))
		}},
		{Title: Result, Cell: func(at list.At, d delivery.Delivery) templ.Component {
			return lastAnswer(at, d)
		}},
		{Title: locale.KitState, Cell: func(at list.At, d delivery.Delivery) templ.Component {
			return deliveryBadge(at.Lang, d.State)
		}},
		{Title: locale.DeliveryAgain, Acts: true, Cell: redeliverButton},
	}
}

// SettingsForm is what the forms ask for.
type SettingsForm struct {
	URL     string
	Events  []string
	Enabled bool
}

// FormOf returns the form's values of a destination.
func FormOf(d delivery.Destination) SettingsForm {
	f := SettingsForm{URL: d.URL, Enabled: d.Enabled}
	for _, one := range d.Events {
		f.Events = append(f.Events, string(one))
	}
	return f
}

// EventTypes returns the chosen events.
func (f SettingsForm) EventTypes() []delivery.EventType {
	events := []delivery.EventType{}
	for _, one := range f.Events {
		events = append(events, delivery.EventType(one))
	}
	return events
}

// boundForm is a form's values with the language of the events' names.
type boundForm struct {
	*SettingsForm
	lang locale.Language
}

var settingsFields = []form.Declared[boundForm]{
	{
		Name: "url", Label: URL, Help: locale.DeliveryURLHint, Dir: "ltr", Most: delivery.MaxURL, Required: true,
		Value: func(f boundForm) any { return &f.URL },
	},
	{
		Name: "events", Label: Events, Fault: NoEvents, Value: func(f boundForm) any { return &f.Events },
		Options: func(f boundForm) []form.Option { return eventOptions(f.lang) },
	},
	{Name: "enabled", Label: Enabled, Value: func(f boundForm) any { return &f.Enabled }},
}

// BindForm binds the form of a destination.
func BindForm(b *form.Binder, f *SettingsForm) []form.Field {
	return form.BindDeclared(b, "", boundForm{f, b.Lang}, settingsFields)
}

// ReplayForm is what the form of a replay asks for.
type ReplayForm struct {
	From   string // local time, or with an offset
	Failed bool
}

// BindReplay binds the form of a replay.
func BindReplay(b *form.Binder, f *ReplayForm) []form.Field {
	return form.BindDeclared(b, "", f, []form.Declared[*ReplayForm]{
		{
			Name: "from", Label: ReplayFrom, Kind: form.Moment, Required: true, Fault: ReplayBadFrom,
			Value: func(f *ReplayForm) any { return &f.From },
		},
		{Name: "failed", Label: ReplayFailed, Value: func(f *ReplayForm) any { return &f.Failed }},
	})
}

func eventOptions(l locale.Language) (options []form.Option) {
	for _, one := range delivery.AllEventTypes() {
		options = append(options, form.Option{Value: string(one), Name: EventName(l, one), Note: string(one)})
	}
	return options
}
