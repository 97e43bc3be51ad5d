package apimodel_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"munadi/appliance/apimodel"
	"munadi/store/call"
)

// fillValue sets v, and everything below it, to values that are not zero.
func fillValue(v reflect.Value) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(at))
		return
	case json.RawMessage:
		v.Set(reflect.ValueOf(json.RawMessage(`{"confirmed":true}`)))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillValue(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			fillValue(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillValue(v.Index(0))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fillValue(key)
		fillValue(value)
		v.SetMapIndex(key, value)
	case reflect.Interface:
		v.Set(reflect.ValueOf("x"))
	default:
		fillScalar(v)
	}
}

func fillScalar(v reflect.Value) {
	switch {
	case v.CanInt():
		v.SetInt(1)
	case v.CanUint():
		v.SetUint(1)
	case v.CanFloat():
		v.SetFloat(1)
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.Kind() == reflect.String:
		v.SetString("x")
	}
}

// TestEveryFieldOfTheBodyIsSet checks that the body of a call that has every field has every field, too: a new field of
// CallBody needs its line in CallOf.
func TestEveryFieldOfTheBodyIsSet(t *testing.T) {
	t.Parallel()
	var full call.Call
	fillValue(reflect.ValueOf(&full).Elem())
	full.Status, full.ErasedAt = call.Completed, nil // the recording of an erased call has no URL
	full.Corrections = []call.CallCorrection{{Slot: "confirmed", Value: json.RawMessage("false")}}
	checkFieldsSet(t, "CallBody", reflect.ValueOf(apimodel.CallOf(full, triedDelivery(), fixedLinks{})))
}

// checkFieldsSet fails for fields that are zero.
func checkFieldsSet(t *testing.T, path string, v reflect.Value) {
	t.Helper()
	for i := range v.NumField() {
		field, f := v.Type().Field(i), v.Field(i)
		switch {
		case field.Anonymous:
			checkFieldsSet(t, path, f)
		case f.IsZero():
			t.Errorf("%s.%s is empty for a call that has everything", path, field.Name)
		}
	}
}
