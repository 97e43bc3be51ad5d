package system

import (
	"context"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/modelhub"
	"munadi/appliance/models/modeljob"
)

// The speech models are part of the system page.
const (
	systemPath   = kit.Root + "/system"
	modelsPath   = systemPath + "/models"
	modelsAnchor = systemPath + "#models"
)

// SpeechModels installs speech models and switches between them.
type SpeechModels interface {
	DescribeModels() modeljob.ModelOverview
	StartInstall(ctx context.Context, r modeljob.InstallRequest) error
	QuantizeModel(ctx context.Context, name, orgID, actor string) error
	CancelInstall(ctx context.Context, orgID, actor string) error
	ResumeInstall(ctx context.Context, orgID, actor string) error
	ForgetJob(ctx context.Context, orgID, actor string) error
	UseModel(ctx context.Context, name, orgID, actor string) error
	RemoveModel(ctx context.Context, name, orgID, actor string) error
	CompareModels(ctx context.Context, name string, samples []float32) (*modeljob.ModelComparison, error)
	ReceiveUpload(u modeljob.Upload) (path string, err error)
}

// watchModels streams the progress of installations (SSE); all governors share one topic.
func (s handlers) watchModels(c echo.Context) error {
	return s.ServeTopic(c, s.ModelTopic)
}

// recommendedModel returns the first of the models known to work.
func recommendedModel() modelhub.KnownModel { return modelhub.KnownModels()[0] }

// OfferPath returns the path of the page that offers the recommended model.
func OfferPath() string { return modelsPath + "/offer?model=" + recommendedModel().Name }
