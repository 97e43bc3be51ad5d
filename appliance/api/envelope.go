package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/httpserver"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/jsontext"
)

// successEnvelope is the body of every success.
type successEnvelope struct {
	Data any `json:"data"`
	Meta any `json:"meta"`
}

type responseMeta struct {
	RequestID string `json:"request_id"`
	// Warnings say what is missing because the database could not read it; left out if nothing is.
	Warnings []string `json:"warnings,omitempty"`
}

// pageMeta is the meta object of a list, with the cursor of its next page.
type pageMeta struct {
	responseMeta
	NextCursor *string `json:"next_cursor"`
}

// savedMeta is the meta object of what was saved, with warnings about lines that no voice can say and failing tests.
type savedMeta struct {
	RequestID string                  `json:"request_id"`
	Warnings  service.FieldViolations `json:"warnings"`
}

// answerSaved answers a saved scenario with its warnings; those of a published one name the tests that fail, too.
func (s *APIService) answerSaved(c echo.Context, status int, saved service.SavedScenario) error {
	warnings := saved.Warnings
	if saved.Scenario.Draft == nil && saved.Scenario.IsPublished() {
		warnings = append(warnings, s.UseCases.FailedTests(c.Request().Context(), saved.Scenario)...)
	}
	return writeWarned(c, status, apimodel.ScenarioOf(saved.Scenario), warnings)
}

// writeWarned writes what was saved in the success envelope, with warnings.
func writeWarned(c echo.Context, status int, data any, warnings service.FieldViolations) error {
	meta := savedMeta{requestID(c), append(service.FieldViolations{}, warnings...)} // a list, also without any
	return writeJSON(c, status, successEnvelope{data, meta})
}

// newMeta returns the meta object of an answer to which everything was read.
func newMeta(c echo.Context) responseMeta {
	return responseMeta{requestID(c), store.DamageReportOf(c.Request().Context()).Warnings()}
}

func requestID(c echo.Context) string { return c.Response().Header().Get(echo.HeaderXRequestID) }

// setLocation sets the header Location to what has a path below [Root].
func (s *APIService) setLocation(c echo.Context, path string) {
	c.Response().Header().Set(echo.HeaderLocation, httpserver.PublicPath(s.Links.PublicURL(), Root+path))
}

// writeSuccess writes data in the success envelope.
func writeSuccess(c echo.Context, status int, data any) error {
	return writeJSON(c, status, successEnvelope{data, newMeta(c)})
}

// answer writes what was found or changed in the success envelope, or returns the error.
func answer(c echo.Context, status int, data any, err error) error {
	if err != nil {
		return err
	}
	return writeSuccess(c, status, data)
}

// answerWith is [answer] with the body of what was found or changed.
func answerWith[T, B any](c echo.Context, status int, found T, err error, bodyOf func(T) B) error {
	if err != nil {
		return err
	}
	return writeSuccess(c, status, bodyOf(found))
}

// answerSetting writes the body of a setting in the success envelope, with its revision as ETag, or returns the error.
func answerSetting[T, B any](c echo.Context, setting T, err error, bodyOf func(T) B) error {
	if err == nil {
		setETag(c, setting)
	}
	return answerWith(c, http.StatusOK, setting, err, bodyOf)
}

// deletedBody is the answer to the deletion of what has an id.
type deletedBody struct {
	ID      string `json:"id"`
	Deleted bool   `json:"deleted"`
}

// answerList writes a page that was read with the parameters of q, or returns their faults, or the error.
func answerList[T, B any](c echo.Context, q *queryReader, page store.ListPage[T], err error, bodyOf func(T) B) error {
	if err = q.validationError(err); err != nil {
		return err
	}
	return answerPage(c, http.StatusOK, bodiesOf(page.Items, bodyOf), page.Next)
}

// bodiesOf returns the bodies of a list, which is never null.
func bodiesOf[T, B any](all []T, bodyOf func(T) B) []B {
	list := make([]B, len(all))
	for i, one := range all {
		list[i] = bodyOf(one)
	}
	return list
}

// answerPage writes a page of a list; next is the cursor of the following page, empty on the last one.
func answerPage(c echo.Context, status int, data any, next string) error {
	m := pageMeta{responseMeta: newMeta(c)}
	if next != "" {
		m.NextCursor = &next
	}
	return writeJSON(c, status, successEnvelope{data, m})
}

func writeJSON(c echo.Context, status int, body any) error {
	out, err := jsontext.MarshalUnescaped(body)
	if err != nil {
		return err
	}
	return c.JSONBlob(status, out)
}
