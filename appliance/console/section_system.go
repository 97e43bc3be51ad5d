package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// systemSection declares the appliance and its speech models.
func (s *ConsoleService) systemSection() Section {
	shown := layout.ConsoleSection{
		ID: "system", Name: locale.Text{"النظام", "System"}, Icon: "system",
	}
	return Section{ConsoleSection: shown, Role: account.Viewer, Order: 160, Routes: []Route{
		GetPage(account.Viewer, "/system", s.showSystem),
		PostForm(account.Owner, "/system/backup", s.startBackup, requireGovernor),
		GetPage(account.Owner, "/system/models/events", s.watchModels, requireGovernor),
		GetPage(account.Owner, "/system/models/offer", s.offerModel, requireGovernor),
		PostForm(account.Owner, "/system/models/install", s.installModel, requireGovernor),
		PostForm(account.Owner, "/system/models/import", s.importModel, requireGovernor),
		PostForm(account.Owner, "/system/models/cancel", s.cancelModel, requireGovernor),
		PostForm(account.Owner, "/system/models/resume", s.resumeModel, requireGovernor),
		PostForm(account.Owner, "/system/models/forget", s.forgetModelJob, requireGovernor),
		PostForm(account.Owner, "/system/models/use", s.useModel, requireGovernor),
		GetPage(account.Owner, "/system/models/remove", s.askRemoveModel, requireGovernor),
		PostForm(account.Owner, "/system/models/remove", s.removeModel, requireGovernor),
		GetPage(account.Owner, "/system/models/try", s.showModelTrial, requireGovernor),
		PostForm(account.Owner, "/system/models/try", s.tryModel, requireGovernor),
		PostUpload(account.Owner, "/system/models/upload", s.uploadModel, requireGovernor),
	}}
}
