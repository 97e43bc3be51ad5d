package strictjson

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
)

func (b *ValueBinder) bindScalar(path string, from any, to reflect.Value) {
	if err := assignScalar(from, to); err != nil {
		b.AddViolation(path, "%v", err)
	}
}

func assignScalar(from any, to reflect.Value) error {
	switch to.Kind() {
	case reflect.String:
		if text, ok := from.(string); ok {
			to.SetString(text)
			return nil
		}
		return errors.New("must be a string")
	case reflect.Bool:
		if yes, ok := from.(bool); ok {
			to.SetBool(yes)
			return nil
		}
		return errors.New("must be true or false")
	case reflect.Int, reflect.Int64:
		return assignInteger(from, to)
	case reflect.Float64:
		number, _ := from.(json.Number)
		n, err := number.Float64()
		if err != nil {
			return errors.New("must be a number")
		}
		to.SetFloat(n)
		return nil
	default:
		return errors.New("cannot be set")
	}
}

var errNoInteger = errors.New("must be an integer")

// assignInteger accepts 3, and 3.0 as JSON Schema does.
func assignInteger(from any, to reflect.Value) error {
	text, ok := from.(json.Number)
	if !ok {
		return errNoInteger
	}
	n, err := strconv.ParseInt(text.String(), 10, 64)
	if err != nil {
		f, bad := text.Float64()
		if bad != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
			return errNoInteger
		}
		n = int64(f)
	}
	if to.OverflowInt(n) {
		return errors.New("must be a smaller integer")
	}
	to.SetInt(n)
	return nil
}
