package storybook

import (
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/models"
	uisystem "munadi/ui/system"
	"munadi/ui/voices"
)

// ModelsFixture returns the fixture of the part about speech models, with an installation in a phase.
func ModelsFixture(phase string) *models.CardView {
	m := &models.CardView{
		Hub: "https://hub.example", Demo: true,
		Shared: &models.SharedModels{Bucket: "s3://voice/<clinic> at s3.example", Count: 3},
		Installed: []models.InstalledRow{
			{Title: "Built-in model", From: "with the program", InUse: true, BuiltIn: true},
			{
				Name: "large", Title: "large", Size: "437 MiB", From: "organization/large_<model> · cc-by-4.0",
				Measured: "3 of 40 words wrong", Quantizable: true,
			},
			{Name: "other-int8", Title: "other-int8", Measured: "4 of 40 words wrong", Compared: "instead of <3>"},
		},
		Known: []models.KnownRow{
			{
				Name: "organization/large", About: "Arabic", License: "CC BY 4.0", Size: "459 MB", Languages: "ar",
				Rates: []string{"1.55 %"},
			},
			{Name: "organization/other", About: "Other", License: "CC BY 4.0", Size: "2.5 GB", Languages: "en", Installed: true},
		},
	}
	switch phase {
	case "":
	case "failed":
		m.Shared = &models.SharedModels{Bucket: "s3://voice at s3.example", Away: true, Problems: []models.SharedProblem{
			{Text: "The model <large> is another one here", Detail: "open <config.json>: permission denied"},
		}}
		m.Job = &models.JobView{
			Name: "large", Phase: phase, Fault: "This machine <can't> reach the hub.", Offline: true,
			Detail: "dial tcp 192.0.2.1:443: <refused>",
		}
	default:
		m.Shared = &models.SharedModels{Bucket: "s3://voice at s3.example", Moving: "large: 20 of 437 MiB", Percent: 5}
		m.Job = &models.JobView{Name: "large", Phase: phase, Compared: "files <4> instead of 9", Done: "200 MiB", Size: "437 MiB", Percent: 45}
	}
	return m
}

// modelExhibits returns the pages about speech models.
func modelExhibits(l locale.Language) []Exhibit {
	frame := ConsoleFrame(l, "system", models.Title.In(l))
	var all []Exhibit
	for _, phase := range []string{"", "fetching", "testing", "installed", "failed", "cancelled"} {
		system := SystemFixture(l)
		system.Models = ModelsFixture(phase)
		system.Voices = &voices.CardView{
			Installed: []voices.VoiceRow{
				{},
				{Name: "ar_JO-kareem-medium", Language: "العربية", License: "CC0", Speed: "9.1 ×", InUse: true},
				{Name: "own", Language: "العربية", License: "—"},
				{Name: "damaged", Language: "العربية", License: "—", Fault: "own.onnx is damaged"},
			},
			Known:  []string{"ar_JO-kareem-medium"},
			Import: voices.BindImport(form.NewBinder(l, nil, nil), &voices.ImportedVoice{}),
		}
		all = append(all, Exhibit{"console-models-" + phase, uisystem.Page(system)})
	}
	all[0].Name = "console-models"
	missing := SystemFixture(l)
	b := form.NewBinder(l, nil, []form.Violation{{Path: voices.PathField, Message: "no <file>"}})
	missing.Voices = &voices.CardView{
		Asked: "no/<voice>", Installed: []voices.VoiceRow{{InUse: true}},
		Import: voices.BindImport(b, &voices.ImportedVoice{Path: "/media/<usb>", License: "CC0"}),
	}
	all = append(all, Exhibit{"console-voices-refused", uisystem.Page(missing)})
	return append(all,
		Exhibit{"console-models-offer", models.OfferPage(models.OfferView{
			ConsolePage: frame, Model: "organization/large", Revision: "0123456789abcdef", License: "cc-by-4.0", Size: "437 MiB",
			Card: "https://hub.example/organization/large", Files: []component.FactLine{{Name: "large.nemo", Value: "437 MiB"}},
			Rates: []string{"1.55 %"}, Name: "large", English: true, Busy: true,
		})},
		Exhibit{"console-models-offline", models.OfferPage(models.OfferView{
			ConsolePage: frame, Asked: "a/<b>", Fault: models.Offline.In(l), Offline: true, Hub: "https://hub.example",
		})},
		Exhibit{"console-models-trial", models.TrialPage(models.TrialView{
			ConsolePage: frame, Name: "large", Result: &models.Heard{
				Seconds: "2.10 s", Serving: models.HeardLine{Model: "small", Took: "0.02 s"},
				Other: models.HeardLine{Model: "large", Text: "نعم <أؤكد> الموعد", Took: "0.31 s"},
			},
		})},
	)
}
