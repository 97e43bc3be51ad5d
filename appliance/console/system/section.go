// Package system is the console's section of the appliance: its figures, backups, speech models and neural voices.
package system

import (
	"context"

	"munadi/appliance/cluster"
	"munadi/appliance/console/kit"
	"munadi/appliance/modelhub"
	"munadi/appliance/recognizer"
	"munadi/appliance/ssehub"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// Parts is what the section needs beside what all share.
type Parts struct {
	OpenSound recognizer.SoundOpener
	// Appliances returns the appliances that share the database, this one included; nil or empty: there is only this one.
	Appliances func(ctx context.Context) ([]cluster.Member, error)
	// BackUp starts a backup in the background.
	BackUp func()
	// Models installs speech models; FindModel looks one up on the hub; ModelTopic is the SSE topic of installations.
	Models     SpeechModels
	FindModel  func(ctx context.Context, name, revision string) (*modelhub.Model, error)
	ModelTopic ssehub.EventTopic
	Voices     NeuralVoices // nil: there are none
}

// handlers are the section's pages and actions.
type handlers struct {
	*kit.Console
	Parts
}

// DeclareSection declares the appliance and its speech models.
func DeclareSection(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts}
	shown := layout.ConsoleSection{
		ID: "system", Name: locale.Text{"النظام", "System"}, Icon: "system", Group: layout.Administration,
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 170, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/system", s.showSystem),
		kit.PostForm(account.Owner, "/system/backup", s.startBackup, kit.RequireGovernor),
		kit.GetPage(account.Owner, "/system/models/events", s.watchModels, kit.RequireGovernor),
		kit.GetPage(account.Owner, "/system/models/offer", s.offerModel, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/models/install", s.installModel, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/models/import", s.importModel, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/models/cancel", s.cancelModel, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/models/resume", s.resumeModel, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/models/forget", s.forgetModelJob, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/models/quantize", s.quantizeModel, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/models/use", s.useModel, kit.RequireGovernor),
		kit.GetPage(account.Owner, "/system/models/remove", s.askRemoveModel, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/models/remove", s.removeModel, kit.RequireGovernor),
		kit.GetPage(account.Owner, "/system/models/try", s.showModelTrial, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/models/try", s.tryModel, kit.RequireGovernor),
		kit.PostUpload(account.Owner, "/system/models/upload", s.uploadModel, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/voices/import", s.importVoice, kit.RequireGovernor),
		kit.GetPage(account.Owner, "/system/voices/offer", s.offerVoice, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/voices/pull", s.pullVoice, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/voices/cancel", s.cancelVoice, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/voices/forget", s.forgetVoicePull, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/voices/use", s.useVoice, kit.RequireGovernor),
		kit.GetPage(account.Owner, "/system/voices/remove", s.askRemoveVoice, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/voices/remove", s.removeVoice, kit.RequireGovernor),
	}}
}
