package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/call"
	"munadi/store/record"
)

// fillCalls adds n calls to the database of a new installation: it writes a dump of format 4 with the records of the
// calls alone, restores it, and lets the upgrade to the current format write their indexes and counters. Of 100 calls
// whose time has come 75 ended completed with a report, 15 unanswered or failed, and 5 are cancelled; dial times lie in
// the 50 days before now and the 5 after it, so that one call in eleven is still scheduled; one in 500 waits for staff.
func fillCalls(database string, n int, now time.Time) error {
	s, err := badger.OpenStore(database, badger.OpenOptions{})
	if err != nil {
		return err
	}
	var fresh bytes.Buffer
	if err := errors.Join(s.WriteBackup(context.Background(), &fresh), s.Close()); err != nil {
		return err
	}
	if err := os.RemoveAll(database); err != nil {
		return err
	}
	source, sink := io.Pipe()
	go func() { sink.CloseWithError(writeFilledDump(sink, fresh.Bytes(), n, now)) }()
	if _, err := badger.RestoreDump(database, source, badger.OpenOptions{}); err != nil {
		return err
	}
	upgraded, err := badger.OpenStore(database, badger.OpenOptions{})
	if err != nil {
		return err
	}
	return upgraded.Close()
}

// filledRecord is a record of the dump; that of a call is made when it is written.
type filledRecord struct {
	key   string
	value []byte
	call  int // from 0; -1: value is the record
}

const dumpMagic = "munadi-dump 1\n"

// writeFilledDump writes a dump with the records of a fresh one and n calls, in the order of their keys.
func writeFilledDump(w io.Writer, fresh []byte, n int, now time.Time) error {
	records, err := readFreshDump(fresh)
	if err != nil {
		return err
	}
	for i := range n {
		records = append(records, filledRecord{key: "call/" + account.Default + "/" + call.NewID(), call: i})
	}
	slices.SortFunc(records, func(a, b filledRecord) int { return cmp.Compare(a.key, b.key) })
	out := dumpWriter{to: bufio.NewWriter(w), sum: sha256.New()}
	out.writeParts([]byte(dumpMagic))
	for _, r := range records {
		if r.call >= 0 {
			id := r.key[strings.LastIndexByte(r.key, '/')+1:]
			if r.value, err = json.Marshal(record.CallRecord{Call: filledCall(id, r.call, n, now), Lines: 0}); err != nil {
				return err
			}
		}
		out.writeParts(binary.AppendUvarint(nil, uint64(len(r.key))), []byte(r.key))
		out.writeParts(binary.AppendUvarint(nil, uint64(len(r.value))), r.value)
	}
	out.writeParts([]byte{0}, binary.AppendUvarint(nil, uint64(len(records))))
	out.writeParts(out.sum.Sum(nil))
	return errors.Join(out.err, out.to.Flush())
}

// readFreshDump reads the records of a dump, and makes it one of format 4.
func readFreshDump(dump []byte) (records []filledRecord, err error) {
	r := bytes.NewReader(dump[len(dumpMagic):])
	part := func() []byte {
		size, fault := binary.ReadUvarint(r)
		text := make([]byte, min(size, uint64(r.Len())))
		_, short := io.ReadFull(r, text)
		err = errors.Join(err, fault, short)
		return text
	}
	for key := part(); err == nil && len(key) > 0; key = part() {
		one := filledRecord{key: string(key), value: part(), call: -1}
		if one.key == "format" {
			one.value = []byte("4")
		}
		records = append(records, one)
	}
	return records, err
}

// dumpWriter writes bytes and their checksum.
type dumpWriter struct {
	to  *bufio.Writer
	sum hash.Hash
	err error
}

func (d *dumpWriter) writeParts(parts ...[]byte) {
	for _, part := range parts {
		if d.err == nil {
			_, d.err = d.to.Write(part)
			d.sum.Write(part)
		}
	}
}

// filledCall returns the i-th of n calls.
func filledCall(id string, i, n int, now time.Time) call.Call {
	due := now.Add(-50*24*time.Hour + time.Duration(float64(i)/float64(n)*float64(55*24*time.Hour))).Truncate(time.Second)
	c := call.Call{
		ID: id, OrgID: account.Default, Status: call.Scheduled, PhoneNumber: fmt.Sprintf("+9665%08d", i*7919%100_000_000),
		ScenarioID: []string{"appointment_confirmation", "restaurant_order"}[i%2], Booking: call.Booked,
		Variables: map[string]any{"name": filledName(i)}, CreatedAt: due.Add(-time.Hour), ScheduledAt: due,
		Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: id},
	}
	if i%2 == 1 { // the others are as an older version booked them
		c.NameVariable = "name"
	}
	if due.After(now) {
		return c
	}
	ended := due.Add(time.Minute)
	c.EndedAt = &ended
	if i%20 == 19 {
		c.Status, c.EndedBy = call.Cancelled, call.ByPlatform
		return c
	}
	c.ReleasedAt = &due
	switch {
	case i%20 < 2:
		c.Status, c.EndedBy, c.Failure = call.NoAnswer, call.ByCarrier, &call.CallFailure{Reason: call.RingTimeout}
	case i%20 == 2:
		c.Status, c.EndedBy, c.Failure = call.Failed, call.ByCarrier, &call.CallFailure{Reason: call.CarrierFailure}
	default:
		seconds := 20 + i%60
		c.Status, c.EndedBy, c.StartedAt, c.Duration = call.Completed, call.ByCustomer, &due, &seconds
		c.Report = json.RawMessage(fmt.Sprintf(`{"confirmed":%t,"guests":%d}`, i%4 != 3, 1+i%9))
		switch i % 500 {
		case 4:
			c.EndedBy = call.ByOperator
		case 8:
			c.Need = &call.PersonNeed{Reason: call.NeedAsked, At: ended, By: "dialler"}
		}
	}
	return c
}
