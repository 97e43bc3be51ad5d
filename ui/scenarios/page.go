package scenarios

import (
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// scenarioAddress returns where a scenario lies, or something below it.
func scenarioAddress(id, below string) string { return "/console/scenarios/" + id + below }

// NewScenario is the form of a new scenario: a template, or a copy.
type NewScenario struct {
	layout.ConsolePage
	Templates    []TemplateCard
	Copied       []component.ListChoice // scenarios to copy; the first, without a value, copies none
	Fields, More []form.Field
}

// ChooseFirst chooses the first template, unless one is chosen.
func (p NewScenario) ChooseFirst() {
	for _, card := range p.Templates {
		if card.Chosen {
			return
		}
	}
	p.Templates[0].Chosen = true
}

// TemplateCard is a template.
type TemplateCard struct {
	ID, Name, About string
	Picture         FlowMap
	Chosen          bool
}

// TemplateCards returns the templates in the order in which they are offered, without their pictures.
func TemplateCards(l locale.Language) (cards []TemplateCard) {
	for _, one := range []struct {
		id          string
		name, about locale.Text
	}{
		{"appointment_confirmation", TemplateAppointment, TemplateAppointmentAbout},
		{"delivery", TemplateDelivery, TemplateDeliveryAbout},
		{"reminder", TemplateReminder, TemplateReminderAbout},
		{"survey", TemplateSurvey, TemplateSurveyAbout},
		{"payment", TemplatePayment, TemplatePaymentAbout},
		{"restaurant_order", TemplateRestaurant, TemplateRestaurantAbout},
		{"blank", TemplateBlank, TemplateBlankAbout},
	} {
		cards = append(cards, TemplateCard{ID: one.id, Name: one.name.In(l), About: one.about.In(l)})
	}
	return cards
}

// ScenarioFault is one rule that the scenario breaks, at its place.
type ScenarioFault struct {
	Field, Message string
	Line           int            // of the JSON, from 1; 0: unknown
	Around         []NumberedLine // the lines about it
}

// NumberedLine is a line of the JSON.
type NumberedLine struct {
	Number int
	Text   string
	Here   bool
}
