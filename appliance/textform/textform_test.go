package textform_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/textform"
	"munadi/engine"
)

// segmentOf is a segment of words of one second and one token each.
func segmentOf(text string) engine.Segment {
	s := engine.Segment{Text: text}
	for i, word := range strings.Fields(text) {
		s.Words = append(s.Words, engine.Word{
			Text: word, Start: float64(i), End: float64(i + 1), Confidence: 1 - float64(i)/100, TokenCount: 1,
		})
		s.Tokens = append(s.Tokens, i)
	}
	return s
}

func TestNothingChangesUnlessAsked(t *testing.T) {
	t.Parallel()
	s := segmentOf("رقمي صفر خمسة صفر واحد اتنين وعشرين ريال")
	for _, o := range []textform.Options{{}, {Form: textform.Spoken}, {Numerals: textform.ArabicIndic, Country: "AE"}} {
		if diff := cmp.Diff(s, o.FormatSegment(s)); diff != "" || o.FormatText(" a  b ") != " a  b " {
			t.Errorf("%+v: %s", o, diff)
		}
	}
}

func TestWrittenSegment(t *testing.T) {
	t.Parallel()
	got := textform.Options{Form: textform.Written}.FormatSegment(segmentOf("دفعت خمسة وعشرين ريال ثم ريالين"))
	want := engine.Segment{Text: "دفعت 25 SAR ثم 2 SAR", Tokens: []int{0, 4}, Words: []engine.Word{
		{Text: "دفعت", Start: 0, End: 1, Confidence: 1, TokenCount: 1},
		{Text: "25", Start: 1, End: 3, Confidence: .98},
		{Text: "SAR", Start: 3, End: 4, Confidence: .97},
		{Text: "ثم", Start: 4, End: 5, Confidence: .96, TokenCount: 1},
		{Text: "2", Start: 5, End: 5.5, Confidence: .95},
		{Text: "SAR", Start: 5.5, End: 6, Confidence: .95},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got %s", diff)
	}
}

// TestWrittenAcrossAPause: a number is one word though the speaker paused in it, unless for long.
func TestWrittenAcrossAPause(t *testing.T) {
	t.Parallel()
	first, next, rest, late := segmentOf("رقمي صفر خمسة صفر"), segmentOf("واحد اتنين تلاتة"), segmentOf("اربعة خمسة ستة سبعة شكرا"), segmentOf("تمنية")
	for i, s := range []*engine.Segment{&first, &next, &rest, &late} {
		shift := float64([]int{0, 5, 9, 30}[i])
		for n := range s.Words {
			s.Words[n].Start += shift
			s.Words[n].End += shift
		}
		s.Start, s.End = shift, shift+float64(len(s.Words))
	}
	got := textform.Options{Form: textform.Written}.FormatSegments([]engine.Segment{first, next, rest, late})
	if got[0].Text != "رقمي +966501234567" || got[1].Text != "" || got[2].Text != "شكرا" || got[3].Text != "تمنية" {
		t.Fatalf("%+v", got)
	}
	if w := got[0].Words[1]; w.Start != 1 || w.End != 13 || got[0].End != 13 || len(got[1].Words)+len(got[1].Tokens) != 0 {
		t.Errorf("%+v", got[:2])
	}
	if diff := cmp.Diff([][]int{{0}, {4}, {0}}, [][]int{got[0].Tokens, got[2].Tokens, got[3].Tokens}); diff != "" {
		t.Errorf("tokens: %s", diff)
	}
}

func TestRedactedSegments(t *testing.T) {
	t.Parallel()
	o := textform.Options{Redact: true, Form: textform.Written}
	got := o.FormatSegments([]engine.Segment{
		segmentOf("رقمي صفر خمسة صفر"), segmentOf("واحد اتنين شكرا"), segmentOf("بخمسة وعشرين ريال"),
	})
	for i, want := range []string{"رقمي […]", "[…] شكرا", "ب25 SAR"} {
		var words []string
		for _, w := range got[i].Words {
			words = append(words, w.Text)
		}
		if got[i].Text != want || strings.Join(words, " ") != want {
			t.Errorf("segment %d is %q, words %q; want %q", i, got[i].Text, words, want)
		}
	}
	if diff := cmp.Diff([][]int{{0}, {2}}, [][]int{got[0].Tokens, got[1].Tokens}); diff != "" {
		t.Errorf("tokens of redacted words are left: %s", diff)
	}
}

// TestRedactionOfLooseAlignment: nothing of a redacted number is left where words or tokens are not those of the text.
func TestRedactionOfLooseAlignment(t *testing.T) {
	t.Parallel()
	o := textform.Options{Redact: true}
	fewer := segmentOf("رقمي صفر خمسة صفر واحد اتنين")
	fewer.Words = fewer.Words[:5]
	fewer.Words[0].Text = "رقمي،"
	loose := segmentOf("صفر خمسة صفر واحد اتنين")
	loose.Words[0].TokenCount = 0
	loose.Readings = []engine.GrammarReading{{Text: "صفر خمسة صفر واحد ثلاثة", Probability: 1}}
	for _, s := range []engine.Segment{fewer, loose} {
		got := o.FormatSegment(s)
		if strings.Contains(got.Text, "صفر") || len(got.Tokens) > 0 {
			t.Errorf("%q is %+v", s.Text, got)
		}
		for _, w := range got.Words {
			if w.Text != "[…]" && w.Text != "رقمي،" {
				t.Errorf("a word is %q", w.Text)
			}
		}
		for _, r := range got.Readings {
			if r.Text != "[…]" {
				t.Errorf("a reading is %q", r.Text)
			}
		}
	}
	if loose.Readings[0].Text == "[…]" {
		t.Error("the reading was changed in place")
	}
}

// TestRedactionOverTurns: a number that is dictated a digit a turn is redacted from its fifth digit on, and the readings
// of such a turn with it.
func TestRedactionOverTurns(t *testing.T) {
	t.Parallel()
	o := textform.Options{Redact: true}
	heard := ""
	var got []string
	for _, turn := range strings.Split("رقمي صفر|خمسة|صفر|واحد|اتنين|تلاتة شكرا|نعم|ستة", "|") {
		e := o.FormatEvent(heard, engine.StreamEvent{Type: engine.Final, Text: turn, Readings: []engine.GrammarReading{
			{Text: turn, Probability: 0.9}, {Text: "سبعة", Probability: 0.1},
		}})
		heard = textform.KeepHeard(heard, turn)
		got = append(got, e.Text)
		want := "سبعة"
		if strings.Contains(e.Text, "[…]") {
			want = "[…]"
		}
		if e.Readings[0].Text != e.Text || e.Readings[1].Text != want {
			t.Errorf("readings of %q are %+v", e.Text, e.Readings)
		}
	}
	if want := "رقمي صفر|خمسة|صفر|واحد|[…]|[…] شكرا|نعم|ستة"; strings.Join(got, "|") != want {
		t.Errorf("the turns are %q, want %q", got, want)
	}
	for range 100 {
		heard = textform.KeepHeard(heard, "نعم طيب")
	}
	if n := len(strings.Fields(heard)); n > 20 {
		t.Errorf("%d words are kept", n)
	}
}

func TestFormatText(t *testing.T) {
	t.Parallel()
	const said = "الكود صفر خمسة صفر واحد اتنين تلاتة والحساب عشرين درهم"
	for want, o := range map[string]textform.Options{
		"الكود […] والحساب عشرين درهم": {Redact: true},
		"الكود […] والحساب 20 MAD":     {Redact: true, Form: textform.Written, Country: "MA"},
		"الكود ٠٥٠١٢٣ والحساب ٢٠ AED":  {Form: textform.Written, Numerals: textform.ArabicIndic},
	} {
		if got := o.FormatText(said); got != want {
			t.Errorf("%+v: %s, want %s", o, got, want)
		}
	}
}
