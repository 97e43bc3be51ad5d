package arabic_test

import (
	"testing"

	"munadi/engine/arabic"
)

func TestChangeRequests(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]arabic.ChangeRequest{
		"أيوه بس أبغى أغير الوقت":        arabic.MoveRequest,
		"أجل الموعد لو سمحت":             arabic.MoveRequest,
		"أَجِّلوه":                       arabic.MoveRequest,
		"ممكن نأجله لبكرة":               arabic.MoveRequest,
		"أريد موعدا آخر":                 arabic.MoveRequest,
		"ممكن يوم ثاني":                  arabic.MoveRequest,
		"غير الوقت":                      arabic.MoveRequest,
		"ألغوه لو سمحت":                  arabic.CancelRequest,
		"خلاص كنسل":                      arabic.CancelRequest,
		"ما أبغى أغيره ألغوه":            arabic.CancelRequest,
		"لا تلغوه":                       arabic.NoChange,
		"ما أبغى أغير الموعد":            arabic.NoChange,
		"لا أريد إلغاء الموعد":           arabic.NoChange,
		"غير مناسب":                      arabic.NoChange,
		"أجل":                            arabic.NoChange,
		"نعم أؤكد الموعد":                arabic.NoChange,
		"الموعد مناسب":                   arabic.NoChange,
		"لا أبغى الموعد نفسه لا تغيرونه": arabic.NoChange,
		"": arabic.NoChange,
		"لا ما يناسبني ممكن نغيره لأحد": arabic.MoveRequest,
		"أبغى أعدل الحجز":               arabic.MoveRequest,
		"هذا موعد عمل":                  arabic.NoChange,
		"الأجل":                         arabic.NoChange,
		"لا ألغوه":                      arabic.CancelRequest,
		"لا أريد تغيير الموعد":          arabic.NoChange,
		"خلوه يوم الأحد":                arabic.MoveRequest,
		"خليها الساعة خمسة":             arabic.MoveRequest,
		"خله بكرة":                      arabic.MoveRequest,
		"خلوه زي ما هو":                 arabic.NoChange,
		"خله":                           arabic.NoChange,
		"ممكن بكرة بدل الخميس":          arabic.MoveRequest,
		"ما أبغى الأحد بدل الخميس":      arabic.NoChange,
		"بدل السلطة بطاطس":              arabic.NoChange,
		"أبغى موعد أقرب":                arabic.MoveRequest,
		"لا قصدي أجلوا الموعد":          arabic.MoveRequest,
		"أبي أأخر الموعد":               arabic.MoveRequest,
		"قدموا لي الموعد":               arabic.MoveRequest,
		"قدموا لي الحساب":               arabic.NoChange,
		"شيلوا الموعد":                  arabic.CancelRequest,
		"شيلوا البصل":                   arabic.NoChange,
		"غيروا العنوان":                 arabic.NoChange,
		"أبغى أغير رقمي":                arabic.NoChange,
	} {
		if got, _ := arabic.FindChangeRequest(said); got != want {
			t.Errorf("%q: %v, want %v", said, got, want)
		}
	}
	for said, want := range map[string]arabic.ChangeRequest{
		"لا تلغوه": arabic.CancelRequest, "ما أبغى أغير الموعد": arabic.MoveRequest, "لا أريد إلغاء الموعد": arabic.NoChange,
		"أجلوه": arabic.NoChange,
	} {
		if _, got := arabic.FindChangeRequest(said); got != want {
			t.Errorf("%q denies %v, want %v", said, got, want)
		}
	}
}

func TestScales(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]float64{
		"أربعة من عشرة": 10, "خمسة على خمسة": 5, "تسعين بالمية": 100, "أعطيكم 4 من 5": 5, "خمسة": 0, "واحد من الموظفين": 0, "": 0,
	} {
		if got, ok := arabic.FindScale(said); got != want || ok != (want > 0) {
			t.Errorf("%q: %v, %v, want %v", said, got, ok, want)
		}
	}
}

// TestDigitsDictatedAnew checks that a number is read from the correction on.
func TestDigitsDictatedAnew(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"أربعة لا خمسة ستة": "56", "واحد اثنين لا آسف ثلاثة أربعة": "34", "لا واحد اثنين": "12", "واحد اثنين غلط": "",
	} {
		if got, _ := arabic.ReadDigits(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// TestBoundedTimes checks which times are not meant as they are named.
func TestBoundedTimes(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]bool{
		"بعد الخامسة مساء": true, "قبل الساعة خمسة العصر": true, "الخامسة مساء": false, "الساعة خمسة بعد الظهر": false,
	} {
		if got, ok := arabic.TimeOfDay(said); !ok || got.Hour != 17 || got.Bounded != want {
			t.Errorf("%q: %+v, %v, want bounded %v", said, got, ok, want)
		}
	}
	if got, ok := arabic.TimeOfDay("أبكر من الخامسة مساء"); ok {
		t.Errorf("earlier than a time: %+v", got)
	}
}

// TestPlaces checks what is a place in a list, of three, and what only looks like one.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]int{
		"الأول": 0, "الخيار الثاني": 1, "آخر واحد": 2, "أول شي": 0, "الأخير": 2, "آخر": 2, "آخر الشهر": -1, "أول الأسبوع": -1,
	} {
		if got, ok := arabic.FindPlace(said, 3); ok != (want >= 0) || ok && got != want {
			t.Errorf("%s: place %d, %v, want %d", said, got, ok, want)
		}
	}
}
