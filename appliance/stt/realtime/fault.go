package realtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// fault is what was wrong with a client's event, as the event "error" tells it. The session goes on.
type fault struct {
	Type    string  // empty: invalid_request_error
	Code    string  //
	Message string  //
	Param   string  // empty: none
	EventID *string // the client's own name of its event
}

type faultBody struct {
	Type    string  `json:"type"`
	Code    string  `json:"code"`
	Message string  `json:"message"`
	Param   *string `json:"param"`
	EventID *string `json:"event_id"`
}

func (f *fault) body() faultBody {
	b := faultBody{Type: f.Type, Code: f.Code, Message: f.Message, EventID: f.EventID}
	if b.Type == "" {
		b.Type = "invalid_request_error"
	}
	if f.Param != "" {
		b.Param = &f.Param
	}
	return b
}

// invalid is a value that is none of those supported.
func invalid(param, value string, supported ...string) *fault {
	const most = 100 // bytes of the value that are repeated
	if len(value) > most {
		value = strings.ToValidUTF8(value[:most], "") + "…"
	}
	return &fault{Code: "invalid_value", Param: param, Message: fmt.Sprintf(
		"Invalid value: '%s'. Supported values are: '%s'.", value, strings.Join(supported, "', '"))}
}

// beyond is a number out of its range.
func beyond(param string, value, least, most float64) *fault {
	code, limit, word := "decimal_above_max_value", most, "<="
	if value < least {
		code, limit, word = "decimal_below_min_value", least, ">="
	}
	return &fault{Code: code, Param: param, Message: fmt.Sprintf(
		"Invalid '%s': expected a value %s %v, but got %v instead.", param, word, limit, value)}
}

// absent is a parameter that must be there.
func absent(param string) *fault {
	return &fault{
		Code: "missing_required_parameter", Param: param, Message: fmt.Sprintf("Missing required parameter: '%s'.", param),
	}
}

// decode reads JSON into v, and says which parameter has the wrong type.
func decode(raw json.RawMessage, v any, param string) *fault {
	if len(raw) == 0 || string(raw) == "null" {
		return absent(param)
	}
	err := json.Unmarshal(raw, v)
	if err == nil {
		return nil
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		if kind.Field != "" {
			param += "." + kind.Field
		}
		return &fault{Code: "invalid_type", Param: param, Message: fmt.Sprintf(
			"Invalid type for '%s': got %s.", param, kind.Value)}
	}
	return &fault{Code: "invalid_json", Param: param, Message: "The event is not valid JSON."}
}
