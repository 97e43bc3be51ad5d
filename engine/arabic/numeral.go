package arabic

import (
	"strconv"
	"strings"
)

// parseNumeral reads a written number with any prefix or suffix letters: "ب20", "20ريال", "2.5", "1,000".
func parseNumeral(w string) (float64, bool) {
	w = strings.TrimLeft(strings.ReplaceAll(w, " ", ""), "وبل")
	end := strings.IndexFunc(w, func(r rune) bool { return r != '.' && r != ',' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(w)
	}
	digits := w[:end]
	if digits == "" || len(digits) > 15 {
		return 0, false
	}
	if i := strings.LastIndexByte(digits, ','); i >= 0 && len(digits)-i != 4 && strings.Count(digits, ",") == 1 {
		digits = digits[:i] + "." + digits[i+1:] // a decimal comma: three digits after it would be thousands
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
	return n, err == nil
}

// readDecimals reads "فاصلة خمسة", digit by digit, after a whole number.
func (s inputSentence) readDecimals(n float64, i int) (float64, int) {
	if w := s.fullWordAt(i); w != "فاصله" && w != "فاصل" && w != "نقطه" {
		return n, i
	}
	digits, next := "", i+1
	for next < len(s) && len(digits) < 6 && s[next].prefix == "" {
		value, end, ok := s.readWholeNumber(next)
		if !ok || value > 99 {
			break
		}
		digits += strconv.Itoa(value)
		next = end
	}
	part, err := strconv.ParseFloat("0."+digits, 64)
	if digits == "" || err != nil {
		return n, i
	}
	return n + part, next
}

// ordinals are places in a list, by folded word without article; 0 is the last one.
var ordinals = func() map[string]int {
	out := map[string]int{}
	for i, words := range []string{
		0: "أخير أخيرة آخر", 1: "أول أولى أولاني أولانية", 2: "ثاني ثانية تاني تانية", 3: "ثالث ثالثة تالت تالتة",
		4: "رابع رابعة", 5: "خامس خامسة", 6: "سادس سادسة سات ساتة", 7: "سابع سابعة", 8: "ثامن ثامنة تامن تامنة",
		9: "تاسع تاسعة", 10: "عاشر عاشرة",
	} {
		for w := range wordSet(words) {
			out[w] = i
		}
	}
	return out
}()

// FindPlace returns which of n options s picks by its place in the list, from 0: "الخيار الثاني", "رقم اثنين", "الأول",
// "الأخير". A bare number is no place, since options may be numbers; ok is false for a place beyond n and for two
// places.
func FindPlace(s string, n int) (place int, ok bool) {
	heard := parseSentence(s)
	for i := range heard {
		p, named := heard.placeAt(i)
		if !named || refusals[heard.fullWordAt(i-1)] {
			continue
		}
		if p == 0 {
			p = n
		}
		if ok && p != place {
			return 0, false
		}
		place, ok = p, true
	}
	return place - 1, ok && place >= 1 && place <= n
}

// placeAt reads a place at word i: 1 for the first, 0 for the last.
func (s inputSentence) placeAt(i int) (place int, ok bool) {
	w := s.fullWordAt(i)
	if placeNouns[w] && i+1 < len(s) && s[i+1].atom.kind != other {
		n, _ := s.belowHundred(i + 1)
		return n, n > 0
	}
	bare := strings.TrimPrefix(strings.TrimPrefix(w, "و"), "ب")
	rest, article := strings.CutPrefix(bare, "ال")
	next := s.fullWordAt(i + 1)
	endmost := (rest == "اخر" || rest == "اول") && (next == "" || placedOnes[next]) // "آخر الشهر" is a day
	if !article && !placeNouns[next] && !placeNouns[s.fullWordAt(i-1)] && !endmost {
		return 0, false
	}
	place, ok = ordinals[rest]
	return place, ok
}

var placedOnes = wordSet("واحد واحدة وحدة شي شيء")

var placeNouns = wordSet("رقم نمرة الخيار خيار الاختيار اختيار النمرة الرقم")
