package template_test

import (
	"testing"

	"munadi/appliance/conversation/template"
	"munadi/store/scenario"
)

func TestWords(t *testing.T) {
	t.Parallel()
	values := map[string]any{
		"date": "2026-11-26", "stamp": "2026-11-26T14:05:00+03:00", "time": "17:30", "hijri": "1448-06-15", "n": 57.0, "text": "12", "name": " سارة ",
		"phone": "+966501", "size": "large", "empty": "", "yes": true, "whole": 3, "code": 1234567890.0,
	}
	slots := map[string]scenario.AnswerSlot{"size": {Name: "size", Type: scenario.Choice, Choices: []scenario.ChoiceOption{
		{Value: "large", Phrases: []string{"كبير"}},
	}}}
	for in, want := range map[string]string{
		"مرحبا":                   "مرحبا",
		"":                        "",
		"{{date|date}}":           "يوم الخميس السادس والعشرين من نوفمبر",
		"{{stamp|date}}":          "يوم الخميس السادس والعشرين من نوفمبر",
		"{{time|time}}":           "الساعة الخامسة والنصف مساء",
		"{{stamp|time}}":          "الساعة الثانية وخمس دقائق مساء",
		"{{n|number}} ريالا":      "سبعة وخمسون ريالا",
		"{{text|number}}":         "اثنا عشر",
		"{{n}}":                   "سبعة وخمسون",
		"{{whole}}":               "ثلاثة",
		"{{phone|digits}}":        "تسعة ستة ستة خمسة صفر واحد",
		"{{code|digits}}":         "واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة صفر",
		"يا {{ name }}":           "يا سارة",
		"{{size}} أم {{size}}":    "كبير أم كبير",
		"{{yes}}":                 "نعم",
		"{{missing}}":             "-",
		"{{empty}}":               "-",
		"{{hijri|date}}":          "-",
		"{{name|date}}":           "-",
		"{{name|time}}":           "-",
		"{{name|number}}":         "-",
		"{{name|digits}}":         "-",
		"{{n|date}}":              "-",
		"{{broken":                "-",
		"{{date|date}} {{empty}}": "-",
	} {
		got, ok := template.RenderText(in, func(name string) any { return values[name] }, slots)
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
