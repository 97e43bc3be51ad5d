package storybook

import (
	"time"

	"munadi/store/delivery"
	"munadi/ui/destinations"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/webhook"
)

// destinationPages returns the pages of destinations of events.
func destinationPages(l locale.Language) []Exhibit {
	frame := consoleFrame(l, "destinations", destinations.Title.In(l))
	usual := destinations.SettingsForm{Enabled: true}
	return []Exhibit{
		{"page-destinations", destinations.Page(destinations.View{
			ConsolePage: frame, Destinations: sampleDestinations(), Made: "whsec_MDEyMzQ1Njc4OWFiY2RlZg==",
			Form: destinations.BindForm(form.NewBinder(l, nil, []form.Violation{
				{Path: "url", Message: locale.DescribeURLFault(l, "must name a host")}, {Path: "events"},
			}), &usual),
		})},
		{"page-destinations-empty", destinations.Page(destinations.View{ConsolePage: frame})},
		{"page-destination", destinations.OnePage(onePage(l, sampleDestinations()[0], sampleEvents()))},
		{"page-destination-off", destinations.OnePage(onePage(l, sampleDestinations()[2], nil))},
	}
}

// onePage returns the page of a destination.
func onePage(l locale.Language, d delivery.Destination, log []delivery.Delivery) destinations.OneView {
	typed := destinations.FormOf(d)
	until, replay := hoursBeforeNoon(-17), destinations.ReplayForm{}
	p := destinations.OneView{
		ConsolePage: consoleFrame(l, "destinations", d.Host()), Destination: d, Deliveries: log,
		Subjects: webhook.Subjects{"camp_2": {Name: "موعد <الأسنان>", URL: "/console/campaigns/camp_2"}},
		Secrets: []delivery.SigningSecret{
			{CreatedAt: hoursBeforeNoon(1)}, {CreatedAt: hoursBeforeNoon(9), ExpiresAt: &until},
		},
		Replay: destinations.BindReplay(form.NewBinder(l, nil, []form.Violation{{Path: "from"}}), &replay),
		Form:   destinations.BindForm(form.NewBinder(l, nil, nil), &typed),
	}
	if log != nil {
		p.State, p.Next = delivery.Failed, destinations.PageAddress(d.ID, delivery.Failed, "x")
		p.Made = "whsec_MDEyMzQ1Njc4OWFiY2RlZg=="
		p.First = destinations.PageAddress(d.ID, delivery.Failed, "")
	}
	return p
}

// sampleDestinations returns destinations in every state.
func sampleDestinations() []delivery.Destination {
	since := hoursBeforeNoon(7)
	return []delivery.Destination{
		{
			ID: "dest_1", URL: "https://shop.example/<events>?a=1&b=2", Events: delivery.AllEventTypes(), Enabled: true,
			CreatedAt: hoursBeforeNoon(9), FailingSince: &since,
		},
		{
			ID: "dest_2", URL: "https://crm.example/munadi", Events: []delivery.EventType{delivery.CallCompleted}, Enabled: true,
			CreatedAt: hoursBeforeNoon(5),
		},
		{
			ID: "dest_3", URL: "https://gone.example/", Events: []delivery.EventType{delivery.JobFinished},
			CreatedAt: hoursBeforeNoon(200), FailingSince: &since, SwitchedOffAt: &since,
		},
		{
			ID: "dest_4", URL: "https://off.example/", Events: []delivery.EventType{delivery.JobFinished},
			CreatedAt: hoursBeforeNoon(3),
		},
	}
}

// sampleEvents returns deliveries in every state.
func sampleEvents() []delivery.Delivery {
	event := func(kind delivery.EventType, subject string, state delivery.DeliveryState, tries ...delivery.DeliveryTry) delivery.Delivery {
		return delivery.Delivery{
			ID: "evt_" + subject, Destination: "dest_1", Event: kind, CallID: subject, State: state, Tries: tries,
			CreatedAt: hoursBeforeNoon(1), NextAt: hoursBeforeNoon(-1),
		}
	}
	return []delivery.Delivery{
		event(delivery.CallBooked, "call_1", delivery.Delivered, delivery.DeliveryTry{StatusCode: 204, Duration: time.Second}),
		event(delivery.CampaignFinished, "camp_2", delivery.Failed,
			delivery.DeliveryTry{Error: "the connection was refused: nothing listens"},
			delivery.DeliveryTry{StatusCode: 500, Error: "answered 500 <b>"}),
		event(delivery.JobFinished, "job-3", delivery.Pending, delivery.DeliveryTry{StatusCode: 503, Error: "answered 503"}),
		event(delivery.NeedsStaff, "call_4", delivery.Pending),
	}
}
