package delivery_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"munadi/store/delivery"
)

var now = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

// deliveryState is a row of the transition table: a state, and the attempts of a pending delivery.
type deliveryState struct {
	state delivery.DeliveryState
	round int
}

// TestEveryPair tests every state with every event; the listed transitions are the only ones.
func TestEveryPair(t *testing.T) {
	t.Parallel()
	const pending, delivered, failed = delivery.Pending, delivery.Delivered, delivery.Failed
	places := []deliveryState{{pending, 0}, {pending, 1}, {pending, 2}, {delivered, 1}, {failed, 3}, {delivery.None, 0}}
	arrows := map[string]deliveryState{
		"pending 0 ok":          {delivered, 1},
		"pending 1 ok":          {delivered, 2},
		"pending 2 ok":          {delivered, 3},
		"pending 0 fails":       {pending, 1},
		"pending 1 fails":       {pending, 2},
		"pending 2 fails":       {failed, 3},
		"delivered 1 redeliver": {pending, 0},
		"failed 3 redeliver":    {pending, 0},
	}
	for _, from := range places {
		for _, event := range []string{"ok", "fails", "redeliver"} {
			name := fmt.Sprintf("%s %d %s", from.state, from.round, event)
			want, moves := arrows[name]
			before := delivery.Delivery{State: from.state, Round: from.round, NextAt: now.Add(-time.Hour)}
			after := followTries(t, before, event, moves)
			if !moves {
				want = from
			}
			if after.State != want.state || after.Round != want.round {
				t.Errorf("%s: %s %d, want %s %d", name, after.State, after.Round, want.state, want.round)
			}
			if !moves && (len(after.Tries) > 0 || !after.NextAt.Equal(before.NextAt)) {
				t.Errorf("%s is no arrow, yet it changed something: %+v", name, after)
			}
			if moves {
				checkNext(t, name, event, after)
			}
		}
	}
}

func followTries(t *testing.T, d delivery.Delivery, event string, moves bool) delivery.Delivery {
	t.Helper()
	switch event {
	case "redeliver":
		after, ok := d.BeginAgain(now)
		if ok != moves {
			t.Errorf("Again of a %s delivery: %v", d.State, ok)
		}
		return after
	case "fails":
		return d.RecordTry(delivery.DeliveryTry{StatusCode: 500, Error: "answered 500"}, now)
	default:
		return d.RecordTry(delivery.DeliveryTry{StatusCode: 204}, now)
	}
}

// checkNext: the next attempt is due two seconds after a failed one, immediately after a redelivery request, and never
// after the end.
func checkNext(t *testing.T, name, event string, d delivery.Delivery) {
	t.Helper()
	var want time.Time
	switch {
	case event == "redeliver":
		want = now
	case d.State == delivery.Pending:
		want = now.Add(2 * time.Second)
	}
	if !d.NextAt.Equal(want) {
		t.Errorf("%s: next at %v, want %v", name, d.NextAt, want)
	}
}

func TestTriesStayListed(t *testing.T) {
	t.Parallel()
	d := delivery.NewDelivery("bakery", delivery.CallEnded, "call_x", now)
	if d.State != delivery.Pending || !d.NextAt.Equal(now) || !strings.HasPrefix(d.ID, delivery.Prefix) || d.Round != 0 {
		t.Fatalf("a new one is %+v", d)
	}
	for i := range 40 {
		if d.State != delivery.Pending {
			d, _ = d.BeginAgain(now)
		}
		older := d
		d = d.RecordTry(delivery.DeliveryTry{StatusCode: 500 + i, Error: "no"}, now)
		if n := len(older.Tries); n > 0 && older.Tries[n-1].StatusCode != 499+i {
			t.Fatalf("try %d changed an older value", i)
		}
	}
	if len(d.Tries) != delivery.MaxListed || d.Tries[0].StatusCode != 516 || d.Tries[23].StatusCode != 539 {
		t.Fatalf("%d tries are listed, from %d", len(d.Tries), d.Tries[0].StatusCode)
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	if a, b := delivery.NewID(), delivery.NewID(); a == b || !strings.HasPrefix(a, delivery.Prefix) || strings.Contains(a, ".") {
		t.Errorf("ids %s and %s", a, b)
	}
}

func TestKeep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, body, want string }{
		{"empty", "", ""},
		{"small", "سلام", "سلام"},
		{"garbage", "a\xff\xfe\x00b", "a\uFFFD\x00b"},
		{"just fits", strings.Repeat("a", 16384), strings.Repeat("a", 16384)},
		{"one too many", strings.Repeat("a", 16385), strings.Repeat("a", 16384)},
		{"between characters", "a" + strings.Repeat("م", 8192), "a" + strings.Repeat("م", 8191)},
		{"garbage grows", strings.Repeat("a\xff", 9000), strings.Repeat("a\uFFFD", 4096)},
	} {
		if got := delivery.TruncateBody([]byte(c.body)); got != c.want {
			t.Errorf("%s: kept %d bytes, want %d", c.name, len(got), len(c.want))
		}
	}
}

func FuzzKeep(f *testing.F) {
	f.Add([]byte("a\xffسلام"), 9000)
	f.Add([]byte("\xe0\x80"), 8192)
	f.Fuzz(func(t *testing.T, body []byte, times int) {
		kept := delivery.TruncateBody(slices.Repeat(body, min(max(times, 0), 1<<20/(len(body)+1))))
		if len(kept) > delivery.MaxKept || !utf8.ValidString(kept) {
			t.Errorf("kept %d bytes, valid %v", len(kept), utf8.ValidString(kept))
		}
	})
}
