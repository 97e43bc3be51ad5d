package console

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// systemSection declares the appliance and its speech models.
func (s *ConsoleService) systemSection() kit.Section {
	shown := layout.ConsoleSection{
		ID: "system", Name: locale.Text{"النظام", "System"}, Icon: "system",
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 160, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/system", s.showSystem),
		kit.PostForm(account.Owner, "/system/backup", s.startBackup, kit.RequireGovernor),
		kit.GetPage(account.Owner, "/system/models/events", s.watchModels, kit.RequireGovernor),
		kit.GetPage(account.Owner, "/system/models/offer", s.offerModel, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/models/install", s.installModel, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/models/import", s.importModel, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/models/cancel", s.cancelModel, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/models/resume", s.resumeModel, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/models/forget", s.forgetModelJob, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/models/use", s.useModel, kit.RequireGovernor),
		kit.GetPage(account.Owner, "/system/models/remove", s.askRemoveModel, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/models/remove", s.removeModel, kit.RequireGovernor),
		kit.GetPage(account.Owner, "/system/models/try", s.showModelTrial, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/system/models/try", s.tryModel, kit.RequireGovernor),
		kit.PostUpload(account.Owner, "/system/models/upload", s.uploadModel, kit.RequireGovernor),
	}}
}
