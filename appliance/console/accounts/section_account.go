package accounts

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
)

// DeclareAccount declares the own account.
func DeclareAccount(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts}
	return kit.Section{ConsoleSection: layout.ConsoleSection{ID: kit.AccountSection}, Routes: []kit.Route{
		kit.PostForm(account.Viewer, "/sign-out", s.signOut),
		kit.GetPage(account.Viewer, "/account", s.showAccount),
		kit.PostForm(account.Viewer, "/account/password", s.changePassword),
		kit.PostForm(account.Operator, "/account/extension", s.changeOwnExtension),
		kit.GetPage(account.Viewer, kit.SecondFactorPath, s.showSecondFactor),
		kit.PostForm(account.Viewer, kit.SecondFactorPath, s.confirmSecondFactor),
		kit.PostForm(account.Viewer, kit.SecondFactorPath+"/recovery", s.renewRecoveryCodes),
		kit.PostForm(account.Viewer, kit.SecondFactorPath+"/remove", s.removeOwnFactor),
		kit.GetPage(account.Viewer, kit.ConfirmPath, s.showConfirm),
		kit.PostForm(account.Viewer, kit.ConfirmPath, s.confirmWithPassword),
		kit.GetPage(account.Viewer, kit.ConfirmPath+"/company", s.beginCompanyConfirmation, s.requireProvider),
		kit.PostForm(account.Viewer, kit.ConfirmPath+"/passkey/options", s.offerPasskeyConfirmation),
		kit.PostForm(account.Viewer, kit.ConfirmPath+"/passkey", s.confirmWithPasskey),
		kit.GetPage(account.Viewer, passkeysPath, s.showPasskeys),
		kit.PostForm(account.Viewer, passkeysPath, s.addPasskey, s.requireConfirmation),
		kit.PostForm(account.Viewer, passkeysPath+"/options", s.offerPasskey, s.requireConfirmation),
		kit.PostForm(account.Viewer, passkeysPath+"/rename", s.renamePasskey, s.requireConfirmation),
		kit.GetPage(account.Viewer, passkeysPath+"/remove", s.askRemovePasskey, s.requireConfirmation),
		kit.PostForm(account.Viewer, passkeysPath+"/remove", s.removePasskey, s.requireConfirmation),
		kit.PostForm(account.Viewer, passkeysPath+"/recovery", s.renewConfirmedCodes, s.requireConfirmation),
		kit.GetPage(account.Viewer, "/account/sessions.csv", s.exportSessions),
		kit.PostForm(account.Viewer, "/account/sessions/end", s.endSessions),
	}}
}
