package postgres

import (
	"bytes"
	"testing"
	"time"
)

// TestMessages: messages reach their appliance, or all others, complete and in order; none is returned to its sender.
func TestMessages(t *testing.T) {
	t.Parallel()
	one, server := openAlone(t)
	stores := map[string]*PostgresStore{"one": one}
	for _, id := range []string{"two", "three"} {
		s, err := OpenStore(t.Context(), server.URL(""), OpenOptions{Appliance: id})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		stores[id] = s
	}
	heard := map[string]chan []byte{}
	for id, s := range stores {
		heard[id] = make(chan []byte, 1000)
		s.ReceiveMessages(func(from string, body []byte) {
			if from == id {
				t.Error("a message came back to its sender")
			}
			heard[id] <- body
		})
	}
	await := func(id string, want []byte) {
		t.Helper()
		select {
		case got := <-heard[id]:
			if !bytes.Equal(got, want) {
				t.Errorf("%s received %d bytes %.40q, want %d %.40q", id, len(got), got, len(want), want)
			}
		case <-time.After(2 * time.Minute):
			t.Fatalf("%s received nothing, want %.40q", id, want)
		}
	}
	for id, s := range stores { // all listen
		for other := range stores {
			for len(heard[other]) == 0 && other != id {
				s.SendMessage(other, []byte("hello"))
				time.Sleep(50 * time.Millisecond)
			}
		}
		time.Sleep(300 * time.Millisecond)
		for _, c := range heard {
			for len(c) > 0 {
				<-c
			}
		}
	}
	long := bytes.Repeat([]byte("0123456789abcdef"), 100_000)
	one.SendMessage("", []byte("to all"))
	one.SendMessage("two", long)
	one.SendMessage("two", nil)
	for i := range 200 {
		one.SendMessage("two", []byte{byte(i)})
	}
	await("three", []byte("to all"))
	await("two", []byte("to all"))
	await("two", long)
	await("two", nil)
	for i := range 200 {
		await("two", []byte{byte(i)})
	}
	if len(heard["three"]) > 0 {
		t.Error("a message for the second reached the third")
	}
	if one.SendMessage("two", make([]byte, maxMessage+1)) {
		t.Error("a message that is too long was accepted")
	}
}

// TestMissedParts: a message that lacks a part is dropped, and the next one is received.
func TestMissedParts(t *testing.T) {
	t.Parallel()
	unfinished := messageParts{}
	for _, step := range []struct {
		payload, want string
	}{
		{formatPart("a", 1, 1, 3, []byte("x")), ""},
		{formatPart("b", 1, 1, 2, []byte("1")), ""},
		{formatPart("a", 1, 3, 3, []byte("z")), ""},
		{formatPart("a", 2, 2, 2, []byte("z")), ""},
		{formatPart("a", 3, 1, 2, []byte("u")), ""},
		{formatPart("a", 3, 2, 2, []byte("v")), "uv"},
		{formatPart("b", 1, 2, 2, []byte("2")), "12"},
	} {
		p, ok := parsePart(step.payload)
		if !ok {
			t.Fatalf("%q is not parsed", step.payload)
		}
		if got, whole := unfinished.joinPart(p); string(got) != step.want || whole != (step.want != "") {
			t.Errorf("%q completes %q, want %q", step.payload, got, step.want)
		}
	}
}

// FuzzPart: any payload is parsed or refused, and a parsed one is formatted identically.
func FuzzPart(f *testing.F) {
	f.Add(formatPart("a", 1, 1, 1, []byte("x")))
	f.Add("a 1 2 1 eA==")
	f.Add("a 1 1 99999999999 eA==")
	f.Fuzz(func(t *testing.T, payload string) {
		p, ok := parsePart(payload)
		if !ok {
			return
		}
		again, ok := parsePart(formatPart(p.from, p.number, p.part, p.parts, p.body))
		if !ok || again.number != p.number || again.part != p.part || !bytes.Equal(again.body, p.body) {
			t.Errorf("%q is parsed as %+v and then as %+v", payload, p, again)
		}
		messageParts{}.joinPart(p)
	})
}
