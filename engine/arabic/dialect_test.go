package arabic_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"munadi/engine/arabic"
)

// dialect is a table of testdata/dialects: forms by key, the usual one first, _ for a space.
type dialect map[string][]string

func readDialects(t *testing.T) map[string]dialect {
	t.Helper()
	files, err := filepath.Glob("testdata/dialects/*.tsv")
	if err != nil || len(files) != 6 {
		t.Fatalf("%d tables, %v", len(files), err)
	}
	all := map[string]dialect{}
	for _, name := range files {
		d := dialect{}
		for key, words := range readTable(t, name) {
			for _, w := range strings.Fields(words) {
				d[key] = append(d[key], strings.ReplaceAll(w, "_", " "))
			}
		}
		all[strings.TrimSuffix(filepath.Base(name), ".tsv")] = d
	}
	return all
}

// form returns one of the forms of a key; turn goes through all of them.
func (d dialect) form(key string, turn int) string {
	forms := d[key]
	if len(forms) == 0 {
		panic("no form of " + key)
	}
	return forms[turn%len(forms)]
}

// spellNumber spells n, 0 to 9,999,999.
func (d dialect) spellNumber(n, turn int) string {
	if n == 0 {
		return d.form("0", turn)
	}
	var parts []string
	parts = d.appendScale(parts, n/1_000_000, "1000000", "2000000", "millions", turn)
	parts = d.appendScale(parts, n/1000%1000, "1000", "2000", "thousands", turn)
	if rest := n % 1000; rest > 0 {
		parts = append(parts, d.belowThousand(rest, turn))
	}
	return strings.Join(parts, " و")
}

func (d dialect) appendScale(parts []string, n int, one, two, many string, turn int) []string {
	switch {
	case n == 0:
		return parts
	case n == 1:
		return append(parts, d.form(one, turn))
	case n == 2:
		return append(parts, d.form(two, turn))
	case n <= 10:
		return append(parts, d["few"][n-3]+" "+d.form(many, turn))
	case n%100 >= 3 && n%100 <= 10:
		return append(parts, d.belowThousand(n/100*100, turn)+" و"+d["few"][n%100-3]+" "+d.form(many, turn))
	}
	return append(parts, d.belowThousand(n, turn)+" "+d.form(one, turn))
}

func (d dialect) belowThousand(n, turn int) string {
	var parts []string
	if n >= 100 {
		parts = append(parts, d.form(strconv.Itoa(n/100*100), turn))
	}
	switch rest := n % 100; {
	case rest == 0:
	case rest < 20 || rest%10 == 0:
		parts = append(parts, d.form(strconv.Itoa(rest), turn))
	default:
		parts = append(parts, d.form(strconv.Itoa(rest%10), turn), d.form(strconv.Itoa(rest/10*10), turn))
	}
	return strings.Join(parts, " و")
}

// TestEveryNumberOfEachDialectIsReadBack goes through 0 to 9,999,999: those below 10,000 and a sample of the others; all
// of them with MUNADI_EVERY_NUMBER=1 in the environment and -timeout 60m.
func TestEveryNumberOfEachDialectIsReadBack(t *testing.T) {
	t.Parallel()
	step := 997
	switch {
	case os.Getenv("MUNADI_EVERY_NUMBER") == "1":
		step = 1
	case testing.Short():
		step = 9973
	}
	for name, d := range readDialects(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failed := 0
			for n := 0; n < 10_000_000 && failed < 10; n++ {
				if n >= 10_000 && step > 1 {
					n += step - 1
				}
				said := d.spellNumber(n, n/7)
				if got, ok := arabic.FindNumber(said); !ok || got != float64(n) {
					t.Errorf("%d is %s, read back as %v, %v", n, said, got, ok)
					failed++
				}
			}
		})
	}
}

// spellTime spells a time of day as people say it: to the half hour forwards, then backwards where it is shorter.
func (d dialect) spellTime(minute, turn int) string {
	h, m, tail := minute/60, minute%60, ""
	part := d.dayPart(h, turn)
	switch {
	case m == 0:
	case m == 15:
		tail = " " + d.form("quarter", turn)
	case m == 20:
		tail = " " + d.form("third", turn)
	case m == 30:
		tail = " " + d.form("half", turn)
	case m == 40 && turn%2 == 0:
		h, tail = h+1, " "+d.form("minus", turn)+" "+d.form("less_third", turn)
	case m == 45:
		h, tail = h+1, " "+d.form("minus", turn)+" "+d.form("less_quarter", turn)
	case m > 50 && turn%2 == 0:
		h, tail = h+1, " "+d.form("minus", turn)+" "+d.spellMinutes(60-m, turn)
	default:
		tail = " و" + d.spellMinutes(m, turn)
	}
	return "الساعة " + d.form(strconv.Itoa((h+11)%12+1), turn) + tail + " " + part
}

// spellMinutes spells minutes with their noun.
func (d dialect) spellMinutes(m, turn int) string {
	switch {
	case m <= 2:
		return [...]string{1: "دقيقة", 2: "دقيقتين"}[m]
	case m <= 10:
		return d["few"][m-3] + " " + d.form("minutes", turn)
	}
	return d.belowThousand(m, turn) + " " + d.form("minute", turn)
}

func (d dialect) dayPart(hour, turn int) string {
	switch {
	case hour < 4 || hour >= 21:
		return d["night"][0]
	case hour < 12:
		return d.form("morning", turn)
	case hour < 15:
		return d.form("noon", turn)
	}
	return d.form("evening", turn)
}

func TestEveryMinuteOfEachDialectIsReadBack(t *testing.T) {
	t.Parallel()
	for name, d := range readDialects(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failed := 0
			for turn := range 6 {
				for minute := 0; minute < 1440 && failed < 20; minute++ {
					want := arabic.ClockTime{Hour: minute / 60, Minute: minute % 60}
					said := d.spellTime(minute, turn)
					if got, ok := arabic.TimeOfDay(said); !ok || got != want {
						t.Errorf("%v is %s, read back as %v, %v", want, said, got, ok)
						failed++
					}
				}
			}
		})
	}
}
