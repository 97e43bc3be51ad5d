package hijri

import (
	"strings"

	"munadi/engine/arabic"
)

// monthSpellings are the names of months as people write them, separated by commas, from Muharram on.
var monthSpellings = [12]string{
	"محرم,المحرم,محرم الحرام,muharram", "صفر,صفر الخير,safar",
	"ربيع الأول,ربيع اول,ربيع 1,rabi al awwal,rabi i,rabi 1,rabi al-awwal",
	"ربيع الآخر,ربيع الثاني,ربيع ثاني,ربيع 2,rabi al thani,rabi ii,rabi 2,rabi al akhir,rabi al-thani,rabi al-akhir",
	"جمادى الأولى,جمادى الأول,جماد الأول,جماد أول,جماد الأولى,جمادى 1," +
		"jumada al ula,jumada i,jumada 1,jumada al-ula,jumada al-awwal",
	"جمادى الآخرة,جمادى الثانية,جمادى الثاني,جمادى الآخر,جماد الثاني,جماد ثاني,جماد الآخر,جماد الآخرة,جمادى 2," +
		"jumada al akhira,jumada ii,jumada 2,jumada al-akhirah,jumada al-thani",
	"رجب,رجب الفرد,rajab", "شعبان,shaban,sha'ban,shaaban", "رمضان,رمضان المبارك,ramadan,ramadhan",
	"شوال,shawwal,shawal",
	"ذو القعدة,ذي القعدة,ذوالقعدة,ذى القعدة,القعدة,dhu al qadah,dhu al-qadah,dhul qadah,dhu al-qi'dah",
	"ذو الحجة,ذي الحجة,ذوالحجة,ذى الحجة,الحجة,dhu al hijjah,dhu al-hijjah,dhul hijjah,dhu al-hijja",
}

// monthNumbers are the months by folded name.
var monthNumbers = func() map[string]int {
	all := map[string]int{}
	for i, spellings := range monthSpellings {
		for _, name := range strings.Split(spellings, ",") {
			all[foldMonth(name)] = i + 1
		}
	}
	return all
}()

// ParseMonth returns the month of an Arabic or English name, 1 to 12; false for any other text.
func ParseMonth(name string) (int, bool) {
	month, ok := monthNumbers[foldMonth(name)]
	return month, ok
}

// foldMonth normalizes a name: without marks, letter variants and case, with single spaces.
func foldMonth(name string) string {
	return strings.Join(strings.Fields(strings.ToLower(arabic.FoldSpelling(name))), " ")
}
