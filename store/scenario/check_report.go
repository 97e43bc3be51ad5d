package scenario

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"munadi/store/strictjson"
)

// checkReport validates the report.
func (c *scenarioChecker) checkReport() {
	for _, name := range slices.Sorted(maps.Keys(c.s.Report.Values)) {
		c.jsonTemplate("report.values."+name, c.s.Report.Values[name])
	}
	if body := c.s.ResponseBody; len(body) > 0 && bytes.TrimSpace(body)[0] != '{' {
		c.addFailure("response_body", "must be an object")
	} else if len(body) > 0 {
		c.jsonTemplate("response_body", body)
	}
	c.checkSchema()
}

func (c *scenarioChecker) checkSchema() {
	const field = "report.schema"
	raw := SchemaOf(c.s)
	if len(raw) > maxSchema {
		c.addFailure(field, "has more than %d bytes", maxSchema)
		return
	}
	if raw[0] != '{' {
		c.addFailure(field, "must be an object")
		return
	}
	schema, err := CompileSchema(raw)
	if err != nil {
		c.addFailure(field, "is not a usable JSON Schema: %s", firstLine(err))
		return
	}
	empty, err := c.s.ReportOf(UnknownValues)
	if err != nil {
		return // a template, which is validated separately
	}
	if _, err := schema.ValidateReport(c.ctx, empty); err != nil {
		c.addFailure(field, "must allow a report without any answers, %s: %s", empty, firstLine(err))
	}
}

// jsonTemplate validates the templates in the strings of a JSON value.
func (c *scenarioChecker) jsonTemplate(field string, raw json.RawMessage) {
	if len(raw) > maxSchema {
		c.addFailure(field, "has more than %d bytes", maxSchema)
		return
	}
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		c.addFailure(field, "is not JSON: %s", err)
		return
	}
	c.jsonTexts(field, tree)
}

func (c *scenarioChecker) jsonTexts(path string, v any) {
	switch v := v.(type) {
	case string:
		for _, p := range c.checkTemplate(path, v) {
			if p.Filter != "" {
				c.addFailure(path, "{{%s|%s}}: filters are only for spoken texts", p.Name, p.Filter)
			}
		}
	case []any:
		for i := range v {
			c.jsonTexts(IndexPath(path, i), v[i])
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			c.jsonTexts(strictjson.JoinPath(path, key), v[key])
		}
	}
}

// checkTemplate validates one text and returns its parts.
func (c *scenarioChecker) checkTemplate(field, text string) []TemplatePart {
	parts, err := ParseTemplate(text)
	if err != nil {
		c.addFailure(field, "%s", err)
	}
	for _, p := range parts {
		if p.Name != "" && !c.names[p.Name] {
			c.addFailure(field, "{{%s}} is neither a variable nor a slot", p.Name)
		}
	}
	return parts
}
