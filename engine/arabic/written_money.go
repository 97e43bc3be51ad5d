package arabic

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// currency is a currency word: its ISO 4217 codes by country, and the code in other countries (empty: none).
type currency struct {
	byCountry map[string]string
	usual     string
}

// currencyWords are the singulars, by folded word.
var currencyWords = map[string]currency{
	"ريال":  {map[string]string{"QA": "QAR", "OM": "OMR", "YE": "YER"}, "SAR"},
	"درهم":  {map[string]string{"MA": "MAD"}, "AED"},
	"جنيه":  {map[string]string{"SD": "SDG"}, "EGP"},
	"دولار": {nil, "USD"},
	"يورو":  {nil, "EUR"},
	"شيكل":  {nil, "ILS"},
	"دينار": {map[string]string{
		"KW": "KWD", "BH": "BHD", "JO": "JOD", "IQ": "IQD", "TN": "TND", "DZ": "DZD", "LY": "LYD",
	}, ""},
	"ليره": {map[string]string{"LB": "LBP", "SY": "SYP"}, ""},
}

// currencyForms are other forms of the words.
var currencyForms = unitTable(
	"ريال ريالات ريالا", "درهم دراهم درهما", "جنيه جنيهات جنيها جني", "دولار دولارات دولارا", "يورو يوروات",
	"شيكل شيقل شواكل", "دينار دنانير دينارا", "ليره ليرات",
)

// nationalities are the countries of a currency, after its word.
var nationalities = map[string]string{
	"سعودي": "SA", "سعوديه": "SA", "قطري": "QA", "عماني": "OM", "يمني": "YE", "اماراتي": "AE", "مغربي": "MA", "مصري": "EG",
	"سوداني": "SD", "امريكي": "US", "كويتي": "KW", "بحريني": "BH", "اردني": "JO", "عراقي": "IQ", "تونسي": "TN",
	"جزائري": "DZ", "ليبي": "LY", "لبنانيه": "LB", "سوريه": "SY",
}

// subunit is a coin: how many make a unit, and the currency word that it belongs to; the usual code without one.
type subunit struct {
	per   float64
	units string // currency words
	usual string
}

var subunits = map[string]subunit{
	"هلله": {100, "ريال", "SAR"}, "فلس": {100, "درهم دينار", "AED"}, "قرش": {100, "جنيه ليره دينار", "EGP"},
	"سنت": {100, "دولار يورو", "USD"}, "اغوره": {100, "شيكل", "ILS"},
}

var subunitForms = unitTable("هلله هللات هلالات", "فلس فلوس فلسا", "قرش قروش قرشا", "سنت سنتات سنتا", "اغوره")

// thousandCoins are the codes of currencies of 1,000 coins.
var thousandCoins = wordSet("KWD BHD JOD IQD TND LYD OMR")

// moneyAt writes an amount of money: "خمسة ريال", "ريالين", "عشرين ريال وخمسة وعشرين هللة", "خمسين هللة".
func (w *spanWriter) moneyAt(i int) (writtenSpan, bool) {
	n, next, ok := w.plainNumber(i)
	word := ""
	switch {
	case ok && next < len(w.s) && w.s[next-1].tail == "":
		if coin, code := w.coinAt(next); code != "" {
			return moneySpanOf(n/coin, code, true, i, next), true
		}
		word = currencyForms[w.s.fullWordAt(next)]
	case ok:
		return writtenSpan{}, false
	default:
		n, word, next = w.countlessCurrency(i)
	}
	if word == "" {
		return writtenSpan{}, false
	}
	code, last := w.currencyCode(word, next)
	if code == "" {
		return writtenSpan{}, false
	}
	if part, end := w.coinsAfter(word, code, last); end > last {
		return moneySpanOf(n+part, code, true, i, end), true
	}
	if part, end := w.s.readFraction(0, last+1); end > last+1 && part > 0 && part != math.Trunc(part) {
		return moneySpanOf(n+part, code, true, i, end-1), true
	}
	if ok || n == 2 {
		return moneySpanOf(n, code, n != math.Trunc(n), i, last), true
	}
	return writtenSpan{}, false // a currency without a number
}

func moneySpanOf(n float64, code string, coins bool, first, last int) writtenSpan {
	amount := formatNumber(n)
	if coins {
		places := 2
		if thousandCoins[strings.ToLower(code)] {
			places = 3
		}
		amount = strconv.FormatFloat(n, 'f', places, 64)
	}
	return writtenSpan{kind: moneySpan, texts: []string{amount, code}, first: first, last: last}
}

// countlessCurrency reads a currency that contains its number at word i: a dual ("ريالين"), or one before coins ("درهم
// وخمسين فلس").
func (w *spanWriter) countlessCurrency(i int) (n float64, word string, next int) {
	folded := strings.TrimPrefix(w.s.fullWordAt(i), "و")
	if currencyWords[folded].usual != "" || currencyWords[folded].byCountry != nil {
		return 1, folded, i
	}
	for _, ending := range []string{"ين", "ان"} {
		stem, cut := strings.CutSuffix(folded, ending)
		if !cut || utf8.RuneCountInString(stem) < 3 {
			continue
		}
		if single, t := strings.CutSuffix(stem, "ت"); t && single+"ه" == "ليره" {
			stem = "ليره"
		}
		if _, known := currencyWords[stem]; known {
			return 2, stem, i
		}
	}
	return 0, "", i
}

// currencyCode returns the code of the currency word at i, and its last word: a nationality may follow it.
func (w *spanWriter) currencyCode(word string, i int) (code string, last int) {
	country, last := w.form.Country, i
	if nation := nationalities[w.s.fullWordAt(i+1)]; nation != "" && w.s[i].tail == "" {
		country, last = nation, i+1
	}
	c := currencyWords[word]
	if code = c.byCountry[country]; code == "" {
		code = c.usual
	}
	if code == "" && last > i {
		last = i
	}
	return code, last
}

// coinAt returns how many of the coins at word i make a unit, and the code of the unit; "" if word i is no coin.
func (w *spanWriter) coinAt(i int) (per float64, code string) {
	name := subunitForms[w.s.fullWordAt(i)]
	coin, ok := subunits[name]
	if !ok {
		return 0, ""
	}
	code = coin.usual
	for unit := range strings.FieldsSeq(coin.units) {
		if local := currencyWords[unit].byCountry[w.form.Country]; local != "" {
			code = local
		}
	}
	if thousandCoins[strings.ToLower(code)] {
		return 1000, code
	}
	return coin.per, code
}

// coinsAfter reads "وخمسين هللة" after a currency whose last word is i.
func (w *spanWriter) coinsAfter(word, code string, i int) (part float64, last int) {
	j, joined := w.s.joinedByWaw(i + 1)
	if !joined {
		return 0, i
	}
	n, next, ok := w.plainNumber(j)
	if !ok || next >= len(w.s) || w.s[next-1].tail != "" {
		return 0, i
	}
	coin, ok := subunits[subunitForms[w.s.fullWordAt(next)]]
	if !ok || !strings.Contains(coin.units, word) {
		return 0, i
	}
	per := coin.per
	if thousandCoins[strings.ToLower(code)] {
		per = 1000
	}
	return n / per, next
}
