package api

import (
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/evidence"
)

const typeJSONLines = "application/x-ndjson"

// exportAudit streams the organization's audit log, oldest first: JSON Lines that munadi audit verify checks, or CSV
// for a client that accepts text/csv. After a failure the JSON Lines lack their end, and the last row of CSV says so.
func (s *APIService) exportAudit(c echo.Context) error {
	q := queryOf(c)
	filter := evidence.AuditFilter{
		From: q.timeParam("from"), To: q.timeParam("to"), Actor: q.textParam("actor"), Action: q.textParam("action"),
	}
	q.checkRange("from", "to", filter.From, filter.To)
	if err := q.validationError(nil); err != nil {
		return err
	}
	ctx, orgID, kind, name := c.Request().Context(), requestPrincipal(c).OrgID, typeJSONLines, "audit.jsonl"
	asCSV := strings.Contains(c.Request().Header.Get(echo.HeaderAccept), typeCSV)
	if asCSV {
		kind, name = typeCSV+"; charset=utf-8", "audit.csv"
	}
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, kind)
	h.Set(echo.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	var err error
	if asCSV {
		err = evidence.WriteAuditCSV(ctx, c.Response(), s.Store, orgID, filter.Selection())
	} else {
		err = evidence.WriteAudit(ctx, c.Response(), s.Store, s.Signer, orgID, filter.Selection(), s.Now())
	}
	if err != nil && !c.Response().Committed {
		h.Del(echo.HeaderContentDisposition)
	}
	return err
}

// getEvidence answers the signed evidence of a call as a file, which munadi evidence FILE checks.
func (s *APIService) getEvidence(c echo.Context) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	made, err := evidence.MakeCallEvidence(c.Request().Context(), s.Store, s.Signer, found.OrgID, found.ID, s.Now())
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentType, evidence.CallMediaType)
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="evidence-`+found.ID+`.json"`)
	return made.WriteFile(c.Response())
}
