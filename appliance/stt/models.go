package stt

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/multipartform"
)

// ModelID is the name of the model in use in requests; on compatFace the only one.
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

func modelBodyOf(name string) modelBody {
	return modelBody{ID: name, Object: "model", Created: 1795219200, OwnedBy: "munadi"}
}

// faceModels returns the names of models that a face lists.
func (s *TranscriptionService) faceModels(face apiFace) []string {
	if face == compatFace {
		return []string{ModelID}
	}
	return s.modelNames()
}

// listModels handles GET /models of a face.
func (s *TranscriptionService) listModels(face apiFace) echo.HandlerFunc {
	return func(c echo.Context) error {
		list := modelList{Object: "list"}
		for _, name := range s.faceModels(face) {
			list.Data = append(list.Data, modelBodyOf(name))
		}
		return c.JSON(http.StatusOK, list)
	}
}

// getModel handles GET /models/{model} of a face.
func (s *TranscriptionService) getModel(face apiFace) echo.HandlerFunc {
	return func(c echo.Context) error {
		name, names := c.Param("model"), s.faceModels(face)
		switch {
		case slices.Contains(names, name):
			return c.JSON(http.StatusOK, modelBodyOf(name))
		case face == compatFace:
			return &middleware.HTTPProblem{Status: http.StatusNotFound, Detail: "The only model is " + ModelID}
		}
		return multipartform.ValidationError{multipartform.NewChoiceViolation([]any{"path", "model"}, name, names)}
	}
}

// refuseTranslation handles POST /v1/audio/translations.
func refuseTranslation(echo.Context) error {
	return &middleware.HTTPProblem{
		Status: http.StatusNotFound,
		Detail: "There is no model here that translates: POST " + OpenAIRoot + "/audio/transcriptions transcribes Arabic",
	}
}
