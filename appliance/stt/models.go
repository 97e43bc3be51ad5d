package stt

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/middleware"
)

// ModelID is the name of the only model in requests.
const ModelID = "svc-stt"

// modelBody is OpenAI's model object. Created is the publication date of this interface, since a model folder has no
// date.
type modelBody struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"` // Unix time
	OwnedBy string `json:"owned_by"`
}

type modelList struct {
	Object string      `json:"object"`
	Data   []modelBody `json:"data"`
}

func onlyModel() modelBody {
	return modelBody{ID: ModelID, Object: "model", Created: 1795219200, OwnedBy: "munadi"}
}

// listModels handles GET /compat/v1/models.
func (*TranscriptionService) listModels(c echo.Context) error {
	return c.JSON(http.StatusOK, modelList{Object: "list", Data: []modelBody{onlyModel()}})
}

// getModel handles GET /compat/v1/models/{model}.
func (*TranscriptionService) getModel(c echo.Context) error {
	if c.Param("model") != ModelID {
		return &middleware.HTTPProblem{Status: http.StatusNotFound, Detail: "The only model is " + ModelID}
	}
	return c.JSON(http.StatusOK, onlyModel())
}
