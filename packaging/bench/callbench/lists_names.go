package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"
)

// The words of the names in the store under measurement: given names and families as often as their place in the list
// says, and one family in three made of letters, so that there are thousands of different words.
var (
	givenNames = []string{
		"محمد", "عبدالله", "نورة", "فهد", "سارة", "خالد", "أحمد", "ريم", "سعود", "منيرة", "عبدالرحمن", "لولوة",
		"تركي", "هند", "ماجد", "مها", "بندر", "أمل", "نايف", "رؤى", "يوسف", "دلال", "مشعل", "وفاء",
		"طلال", "نوف", "راكان", "هيا", "صالح", "العنود",
	}
	fatherNames = []string{"محمد", "عبدالله", "فهد", "خالد", "أحمد", "سعود", "عبدالرحمن", "تركي", "ماجد", "بندر"}
	families    = []string{
		"العتيبي", "القحطاني", "الحربي", "الغامدي", "الدوسري", "الشهري", "الزهراني", "المطيري", "الشمري", "العنزي",
		"السبيعي", "الرشيدي", "البقمي", "المالكي", "الجهني", "الأحمدي", "السلمي", "اليامي", "الخالدي", "الفيفي",
	}
	familyLetters = []rune("بتجحدرزسشصطعغفقكلمنهوي")
)

// filledName is the name of the person of the i-th call: given name, father's name, family. One call in a million is to
// زرقاء اليمامة, and no نورة is of the family القحطاني.
func filledName(i int) string {
	if i == 777_777 {
		return "زرقاء اليمامة"
	}
	n := uint64(i+1) * 0x9E3779B97F4A7C15
	pick := func(all []string) string { // the first words most often
		at := n % uint64(len(all)) * (n / 64 % uint64(len(all))) / uint64(len(all))
		n = n*6364136223846793005 + 1442695040888963407
		return all[at]
	}
	given, father, family := pick(givenNames), pick(fatherNames), pick(families)
	if n>>32%3 == 0 {
		letters := make([]rune, 4)
		for k := range letters {
			letters[k] = familyLetters[n>>(33+5*k)%uint64(len(familyLetters))]
		}
		family = "ال" + string(letters) + "ي"
	}
	if given == "نورة" && family == "القحطاني" {
		family = "العتيبي"
	}
	return given + " " + father + " " + family
}

// namePages are the searches by name that are measured.
func namePages() (pages []measuredPage) {
	for _, search := range []struct{ what, name string }{
		{"a common name", "محمد"},
		{"its first letter", "م"},
		{"a name and a family", "نورة العتيبي"},
		{"in another spelling and order", "العتيبى نُوره"},
		{"the beginnings of three words", "نو عب الع"},
		{"two beginnings of most names", "م ال"},
		{"two that are never together", "نورة القحطاني"},
		{"one call of all", "زرقاء"},
		{"none", "زرقون"},
	} {
		at := "name=" + url.QueryEscape(search.name)
		pages = append(pages,
			measuredPage{"API, by name: " + search.what, "/api/v1/calls?limit=50&" + at, "100 ms"},
			measuredPage{"… by dial time", "/api/v1/calls?limit=50&sort=due_at&" + at, ""})
	}
	return append(pages,
		measuredPage{"list of calls by name", "/console/calls?number=" + url.QueryEscape("نورة العتيبي"), "100 ms"},
		measuredPage{"Ctrl-K by name", "/console/palette?q=" + url.QueryEscape("نورة العتيبي"), "100 ms"})
}

// awaitNames waits until the calls that have no name variable are found by name, and writes how long that took.
func (b *callBench) awaitNames() error {
	began := time.Now()
	for {
		r, err := http.NewRequest(http.MethodGet, b.url+"/api/v1/calls?limit=1&name=x", nil)
		if err != nil {
			return err
		}
		r.Header.Set("Authorization", "Bearer "+apiKey)
		res, err := b.client.Do(r)
		if err != nil {
			return err
		}
		var answer struct{ Meta struct{ Warnings []string } }
		if err := errors.Join(json.NewDecoder(res.Body).Decode(&answer), res.Body.Close()); err != nil {
			return err
		}
		if len(answer.Meta.Warnings) == 0 {
			fmt.Fprintln(os.Stderr, "callbench: older calls were found by name within", time.Since(began).Round(time.Second))
			return nil
		}
		time.Sleep(time.Second)
	}
}
