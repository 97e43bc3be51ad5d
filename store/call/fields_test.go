package call_test

import (
	"reflect"
	"testing"
	"time"

	"munadi/store/call"
)

// fullOutcome is an outcome with a value in every field.
func fullOutcome() (outcome call.CallOutcome) {
	v := reflect.ValueOf(&outcome).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		case reflect.String:
			f.SetString("x")
		case reflect.Int:
			f.SetInt(3)
		case reflect.Bool:
			f.SetBool(true)
		}
	}
	outcome.Status = call.Completed
	return outcome
}

// TestEndWithKeepsEveryField checks that each field of an outcome is in the ended call: a new field of CallOutcome needs
// a field of Call with its name, which EndWith sets.
func TestEndWithKeepsEveryField(t *testing.T) {
	t.Parallel()
	outcome := fullOutcome()
	ended, err := call.Call{Status: call.InProgress, ReleasedAt: new(time.Time)}.EndWith(outcome,
		time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	from, to := reflect.ValueOf(outcome), reflect.ValueOf(ended)
	for i := range from.NumField() {
		name := from.Type().Field(i).Name
		kept := to.FieldByName(name)
		switch {
		case from.Field(i).IsZero():
			t.Errorf("fullOutcome gives %s no value: it needs a case for its kind", name)
		case name == "Trace": // is stored beside the call
		case name == "NotDialled": // takes the release back
			if ended.ReleasedAt != nil {
				t.Errorf("a call that was not dialled was released at %v", ended.ReleasedAt)
			}
		case !kept.IsValid():
			t.Errorf("Call has no field %s", name)
		case name == "Need": // becomes a PersonNeed with its time
			if ended.Need == nil || ended.Need.Reason != outcome.Need {
				t.Errorf("EndWith loses Need: %+v", ended.Need)
			}
		case !reflect.DeepEqual(kept.Interface(), from.Field(i).Interface()):
			t.Errorf("EndWith loses %s: the call has %v, the outcome %v", name, kept, from.Field(i))
		}
	}
}
