package arabic_test

import (
	"testing"

	"munadi/engine/arabic"
)

var choices = map[string][]arabic.ChoiceOption{
	"size": {
		{Value: "small", Phrases: []string{"صغير", "حجم صغير", "الصغير"}},
		{Value: "medium", Phrases: []string{"وسط", "متوسط", "حجم وسط"}},
		{Value: "large", Phrases: []string{"كبير", "حجم كبير", "لارج"}},
	},
	"delivery": {
		{Value: "delivery", Phrases: []string{"توصيل إلى البيت", "دليفري"}},
		{Value: "pickup", Phrases: []string{"استلام من المطعم", "آخذه بنفسي", "أمر عليكم"}},
	},
	"dish": {
		{Value: "برجر", Phrases: []string{"برغر", "همبرجر"}},
		{Value: "برجر دجاج", Phrases: []string{"برغر دجاج", "تشكن برجر"}},
		{Value: "بيتزا خضار"},
		{Value: "بيتزا لحم"},
		{Value: "شاورما"},
		{Value: "قهوة عربية"},
		{Value: "قهوة تركية"},
		{Value: "عصير برتقال"},
	},
	"dues": {
		{Value: "pays", Phrases: []string{"في الموعد", "بدفع"}},
		{Value: "paid", Phrases: []string{"دفعت", "مسددة", "تم الدفع"}},
		{Value: "unable", Phrases: []string{"لن أدفع", "ما عندي فلوس"}},
	},
	"drink": {
		{Value: "none", Phrases: []string{"بدون مشروب", "ما أبغى", "لا أريد", "لا شكرا", "ولا شي"}},
		{Value: "cola", Phrases: []string{"كولا"}},
	},
	"payment": {
		{Value: "cash", Phrases: []string{"نقدا", "كاش", "عند الاستلام"}},
		{Value: "card", Phrases: []string{"بالبطاقة", "فيزا", "مدى", "شبكة"}},
	},
}

func TestChoice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ question, said, want string }{
		{"drink", "أبغى برجر بدون بصل", ""},
		{"drink", "أريد برجر لا شاورما", ""},
		{"drink", "ما أبغى مشروب", "none"},
		{"drink", "بدون مشروب", "none"},
		{"drink", "برجر بدون مشروب", "none"},
		{"drink", "مشروب غازي", ""},
		{"drink", "نفس الشي", ""},
		{"drink", "ولا شي", "none"},
		{"delivery", "وعليكم السلام", ""},
		{"drink", "لا شكرا ما أريد", "none"},
		{"dues", "ما راح أدفع", "unable"},
		{"dues", "بدفع بكرة", "pays"},
		{"dues", "ليش أدفع أنا", ""},
		{"dues", "ما دفعت", ""},
		{"dues", "مسددة من زمان", "paid"},
		{"dues", "لن أدفع شيئا", "unable"},
		{"dues", "ما عندي فلوس الحين", "unable"},
		{"dues", "لن أتأخر", ""},
		{"dish", "برجرين كبار وشوارمة", "برجر"},
		{"size", "كبير", "large"},
		{"size", "الكبير", "large"},
		{"size", "كبيرة", "large"},
		{"size", "حجم كبير لو سمحت", "large"},
		{"size", "أبغى الكبيرة", "large"},
		{"size", "وسط", "medium"},
		{"size", "الوسط", "medium"},
		{"size", "متوسطة", "medium"},
		{"size", "صغيرة", "small"},
		{"size", "صغيير", "small"},
		{"size", "لا كبير", "large"},
		{"size", "كبير لا وسط", "medium"},
		{"size", "كبير لا قصدي صغير", "small"},
		{"size", "مو كبير صغير", "small"},
		{"size", "مش صغيرة وسط", "medium"},
		{"size", "large", "large"},
		{"size", "كبير أو صغير", ""},
		{"size", "حجم", ""},
		{"size", "مو كبير", ""},
		{"size", "لا أدري", ""},
		{"size", "", ""},
		{"delivery", "توصيل", "delivery"},
		{"delivery", "توصيل للبيت", "delivery"},
		{"delivery", "أريد التوصيل", "delivery"},
		{"delivery", "استلام", "pickup"},
		{"delivery", "الاستلام من المطعم", "pickup"},
		{"delivery", "استلم من المطعم", "pickup"},
		{"delivery", "دلفري", "delivery"},
		{"delivery", "من المطعم", "pickup"},
		{"delivery", "توصيل ولا استلام", ""},
		{"dish", "برجر", "برجر"},
		{"dish", "واحد برغر", "برجر"},
		{"dish", "برجر دجاج", "برجر دجاج"},
		{"dish", "اتنين برجر دجاج لو سمحت", "برجر دجاج"},
		{"dish", "دجاج", "برجر دجاج"},
		{"dish", "بيتزا", ""},
		{"dish", "بيتزا باللحم", "بيتزا لحم"},
		{"dish", "بيتزا خضار", "بيتزا خضار"},
		{"dish", "خضار", "بيتزا خضار"},
		{"dish", "قهوة", ""},
		{"dish", "قهوة عربية", "قهوة عربية"},
		{"dish", "قهوه تركيه", "قهوة تركية"},
		{"dish", "شاورمة", "شاورما"},
		{"dish", "شوارما", ""},
		{"dish", "عصير برتقان", "عصير برتقال"},
		{"dish", "عصير", "عصير برتقال"},
		{"dish", "شاورما وعصير برتقال", ""},
		{"dish", "كبسة", ""},
		{"payment", "كاش", "cash"},
		{"payment", "نقدًا", "cash"},
		{"payment", "الدفع عند الاستلام", "cash"},
		{"payment", "بطاقة", "card"},
		{"payment", "بالبطاقه", "card"},
		{"payment", "فيزة", "card"},
		{"payment", "مدى", "card"},
		{"payment", "كاش لا فيزا", "card"},
	} {
		options := choices[c.question]
		got := ""
		if m, ok := arabic.FindChoice(c.said, options); ok {
			got = options[m.Index].Value
		}
		if got != c.want {
			t.Errorf("%s of %s: got %q, want %q", c.said, c.question, got, c.want)
		}
	}
}

// TestGuessedChoice checks that an option is guessed if it is like a part of what was said.
func TestGuessedChoice(t *testing.T) {
	t.Parallel()
	for said, guessed := range map[string]bool{
		"دفعت": false, "ضفعت": false, "رفعت عليكم شكوى": true, "دفعت عليكم أمس": false,
	} {
		if m, ok := arabic.FindChoice(said, choices["dues"]); !ok || m.Guessed != guessed {
			t.Errorf("%q: %+v, %v", said, m, ok)
		}
	}
	if i, ok := arabic.FindWholeChoice("رفعت عليكم شكوى", choices["dues"]); ok {
		t.Errorf("an answer to another question chose %d", i)
	}
}

func TestChoiceOfNothing(t *testing.T) {
	t.Parallel()
	if i, ok := arabic.FindChoice("كبير", nil); ok {
		t.Errorf("chose %d of nothing", i.Index)
	}
	same := []arabic.ChoiceOption{{Value: "a", Phrases: []string{"كبير"}}, {Value: "b", Phrases: []string{"كبيرة"}}}
	if i, ok := arabic.FindChoice("كبير جدا", same); ok {
		t.Errorf("chose %d of two that are said alike", i.Index)
	}
}
