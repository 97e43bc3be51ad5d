package console

import (
	"context"

	"github.com/labstack/echo/v4"

	"munadi/appliance/modelhub"
	"munadi/appliance/models/modeljob"
)

// The speech models are part of the system page.
const (
	systemPath   = Root + "/system"
	modelsPath   = systemPath + "/models"
	modelsAnchor = systemPath + "#models"
)

// SpeechModels installs speech models and switches between them.
type SpeechModels interface {
	DescribeModels() modeljob.ModelOverview
	StartInstall(ctx context.Context, r modeljob.InstallRequest) error
	CancelInstall(ctx context.Context, orgID, actor string) error
	ResumeInstall(ctx context.Context, orgID, actor string) error
	ForgetJob(ctx context.Context, orgID, actor string) error
	UseModel(ctx context.Context, name, orgID, actor string) error
	RemoveModel(ctx context.Context, name, orgID, actor string) error
	CompareModels(ctx context.Context, name string, samples []float32) (*modeljob.ModelComparison, error)
	ReceiveUpload(u modeljob.Upload) (path string, err error)
}

// mountModels adds the routes of speech models, which are for governors.
func (s *ConsoleService) mountModels(g routeGroups) {
	g.owner.GET("/system/models/events", s.watchModels, requireGovernor)
	g.owner.GET("/system/models/offer", s.offerModel, requireGovernor)
	g.owner.POST("/system/models/install", s.installModel, requireGovernor)
	g.owner.POST("/system/models/import", s.importModel, requireGovernor)
	g.owner.POST("/system/models/cancel", s.cancelModel, requireGovernor)
	g.owner.POST("/system/models/resume", s.resumeModel, requireGovernor)
	g.owner.POST("/system/models/forget", s.forgetModelJob, requireGovernor)
	g.owner.POST("/system/models/use", s.useModel, requireGovernor)
	g.owner.GET("/system/models/remove", s.askRemoveModel, requireGovernor)
	g.owner.POST("/system/models/remove", s.removeModel, requireGovernor)
	g.owner.GET("/system/models/try", s.showModelTrial, requireGovernor)
	g.owner.POST("/system/models/try", s.tryModel, requireGovernor)
	g.upload.POST("/system/models/upload", s.uploadModel, requireGovernor)
}

// watchModels streams the progress of installations (SSE); all governors share one topic.
func (s *ConsoleService) watchModels(c echo.Context) error {
	return s.serveTopic(c, s.ModelTopic)
}

// recommendedModel returns the first of the models known to work.
func recommendedModel() modelhub.KnownModel { return modelhub.KnownModels()[0] }

// OfferPath returns the path of the page that offers the recommended model.
func OfferPath() string { return modelsPath + "/offer?model=" + recommendedModel().Name }
