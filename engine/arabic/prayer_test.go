package arabic_test

import (
	"testing"

	"munadi/engine/arabic"
)

func TestTimesNamedByPrayers(t *testing.T) {
	t.Parallel()
	type want struct {
		prayer int
		side   arabic.PrayerSide
	}
	for said, w := range map[string]want{
		"بعد صلاة المغرب":              {3, arabic.AfterPrayer},
		"اليوم بعد المغرب إن شاء الله": {3, arabic.AfterPrayer},
		"عقب صلاة العشاء":              {4, arabic.AfterPrayer},
		"قبل العشا":                    {4, arabic.BeforePrayer},
		"مع أذان العصر":                {2, arabic.AtPrayer},
		"صلاة الفجر":                   {0, arabic.AtPrayer},
		"بعد صلاة الجمعة":              {1, arabic.AfterPrayer},
		"قبل صلاة الظهر":               {1, arabic.BeforePrayer},
		"ورا المغرب":                   {3, arabic.AfterPrayer},
		"العصر":                        {-1, 0},
		"بعد الظهر":                    {-1, 0},
		"قبل الظهر":                    {-1, 0},
		"بين المغرب والعشاء":           {-1, 0},
		"بعد المغرب وقبل العشاء":       {-1, 0},
		"مو بعد المغرب":                {-1, 0},
		"يوم الجمعة":                   {-1, 0},
		"بعد الجمعة":                   {-1, 0},
		"مرحبا":                        {-1, 0},
	} {
		got, ok := arabic.FindPrayerTime(said)
		if ok != (w.prayer >= 0) || ok && (got.Prayer != w.prayer || got.Side != w.side) {
			t.Errorf("%s: %+v, %v; want %+v", said, got, ok, w)
		}
	}
}
