package admin

import (
	"context"
	"time"

	"munadi/appliance/config"
	"munadi/store"
	"munadi/store/alert"
	"munadi/store/call"
)

// ProcessControl holds the operations that need a running appliance, in addition to those on its database.
type ProcessControl struct {
	ReloadModel func() error                 // opens the model that is selected now
	Reload      func() (ReloadResult, error) // reloads the settings
	CheckUp     func(ctx context.Context) []CheckFinding
	Support     func() (SupportReport, error)
	TestMail    func(ctx context.Context, to string) error // by the mail server in force
	Config      func() *config.Config                      // in force
	// Settings returns the settings in force as text by name, see [config.Config.ExportSettings].
	Settings func() map[string]string
}

// ReloadResult lists the settings that a reload changed, and those that need a restart.
type ReloadResult struct {
	Changed []string `json:"changed"`
	Waiting []string `json:"waiting"`
}

// The states of a [CheckFinding].
const (
	StateOK      = "ok"
	StateWarning = "note" // a warning; the appliance runs in spite of it
	StateFailed  = "FAIL"
)

// CheckFinding is the result of one check of munadi doctor.
type CheckFinding struct {
	Name  string `json:"name"`
	State string `json:"state"`
	Text  string `json:"text"`
}

// SupportReport is a running appliance's part of a support bundle, without secrets and personal data.
type SupportReport struct {
	Version    string    `json:"version"`
	Started    time.Time `json:"started"`
	Settings   string    `json:"settings"` // in force, one a line
	Metrics    string    `json:"metrics"`
	Log        []string  `json:"log"` // last lines
	Goroutines string    `json:"goroutines"`
	// Signalling holds the last SIP messages, without numbers and credentials; empty without a trunk.
	Signalling []string `json:"signalling"`
	// Refused are the last inbound calls that were refused.
	Refused []call.RefusedCall `json:"refused"`
}

// backupEncryption says how the appliance encrypts its nightly backups.
type backupEncryption struct {
	Passphrase bool `json:"passphrase"` // with the appliance's passphrase
}

func (p ProcessControl) reloadModel(context.Context, nothing) (nothing, error) {
	return nothing{}, asInvalid(p.ReloadModel())
}

func (p ProcessControl) reloadSettings(context.Context, nothing) (ReloadResult, error) {
	done, err := p.Reload()
	return done, asInvalid(err)
}

func (p ProcessControl) checkUp(ctx context.Context, _ nothing) ([]CheckFinding, error) {
	return p.CheckUp(ctx), nil
}

func (p ProcessControl) support(context.Context, nothing) (SupportReport, error) { return p.Support() }

func (p ProcessControl) settings(context.Context, nothing) (map[string]string, error) {
	return p.Settings(), nil
}

func (p ProcessControl) encryption(context.Context, nothing) (backupEncryption, error) {
	return backupEncryption{p.Config().BackupPassphrase != ""}, nil
}

// asInvalid converts the failure of a reload, which is the operator's to correct.
func asInvalid(err error) error {
	if err == nil {
		return nil
	}
	return store.Errorf(store.CodeInvalid, "%v", err)
}

// ReloadModel makes the appliance on a data folder open the model that is selected now; the old one serves until
// then. It returns false when no appliance runs there.
func ReloadModel(ctx context.Context, dir string) (running bool, err error) {
	_, running, err = reloadModel.ask(ctx, dir, nothing{})
	return running, err
}

// ReloadSettings makes the appliance on a data folder reload its settings. It returns false when none runs there.
func ReloadSettings(ctx context.Context, dir string) (done ReloadResult, running bool, err error) {
	return reloadSettings.ask(ctx, dir, nothing{})
}

// CheckUp runs the checks of the appliance on a data folder. It returns false when none runs there.
func CheckUp(ctx context.Context, dir string) (found []CheckFinding, running bool, err error) {
	return checkUp.ask(ctx, dir, nothing{})
}

// AskSupport fetches the support report of the appliance on a data folder. It returns false when none runs there.
func AskSupport(ctx context.Context, dir string) (s SupportReport, running bool, err error) {
	return askSupport.ask(ctx, dir, nothing{})
}

// NeedsPassphrase reports whether the appliance on a data folder encrypts its nightly backups with a passphrase, which
// only its own environment may hold. It is false when none runs there, or an older version that does not say.
func NeedsPassphrase(ctx context.Context, dir string) bool {
	found, _, err := askEncryption.ask(ctx, dir, nothing{})
	return err == nil && found.Passphrase
}

// AskSettings returns cfg with the settings of the appliance that runs on its data folder, whose flags and environment
// may be others than this process's; secrets stay cfg's. It returns false when none runs there.
func AskSettings(ctx context.Context, cfg *config.Config) (inForce *config.Config, running bool, err error) {
	texts, running, err := askSettings.ask(ctx, cfg.Data, nothing{})
	if err != nil || !running {
		return cfg, running, err
	}
	inForce, err = cfg.ImportSettings(texts)
	return inForce, true, err
}

// testMailRequest asks for a test e-mail.
type testMailRequest struct {
	To string `json:"to"`
}

func (p ProcessControl) testMail(ctx context.Context, r testMailRequest) (nothing, error) {
	err := alert.CheckAddress(r.To)
	if err == nil {
		err = p.TestMail(ctx, r.To)
	}
	return nothing{}, asInvalid(err)
}

// TestMail sends a test e-mail by the mail server of the appliance on a data folder; its error says what the server
// answered. It returns false when no appliance runs there.
func TestMail(ctx context.Context, dir, to string) (running bool, err error) {
	_, running, err = testMail.ask(ctx, dir, testMailRequest{to})
	return running, err
}
