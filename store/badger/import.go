package badger

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/campaign"
	"munadi/store/job"
	"munadi/store/live"
	"munadi/store/record"
)

// indexBuilder writes the index entries and counters that a dump of another kind of database lacks.
type indexBuilder struct {
	batch *badgerdb.WriteBatch
	last  map[string]uint64 // highest number, by the counter's key
}

// entriesOf derives the index entries of a record, by kind; parts are the parts of the record's key after its kind.
var entriesOf = map[string]func(parts []string, value []byte) ([]indexEntry, error){
	kindKey: func(parts []string, value []byte) ([]indexEntry, error) {
		var k account.APIKey
		err := json.Unmarshal(value, &k)
		return []indexEntry{
			{joinKey(kindKeyID, k.ID), []byte(k.OrgID)}, {hashKey(k.Hash), []byte(strings.Join(parts, "/"))},
		}, err
	},
	kindJob: func(_ []string, value []byte) ([]indexEntry, error) {
		var j job.Job
		err := json.Unmarshal(value, &j)
		entries := []indexEntry{{key: placeOf(j)}, {key: creationEntry(j)}}
		if due := callbackOf(j); due != nil {
			entries = append(entries, indexEntry{key: due})
		}
		return entries, err
	},
	kindCall: func(_ []string, value []byte) ([]indexEntry, error) {
		var r callRecord
		err := json.Unmarshal(value, &r)
		return r.indexEntries(), err
	},
	kindDelivery: func(_ []string, value []byte) ([]indexEntry, error) {
		var r deliveryRecord
		err := json.Unmarshal(value, &r)
		return r.indexEntries(), err
	},
	kindCampaign: func(_ []string, value []byte) ([]indexEntry, error) {
		var c campaign.Campaign
		err := json.Unmarshal(value, &c)
		return []indexEntry{{key: joinKey(kindCampaignMade, c.OrgID, encodeTime(c.CreatedAt), c.ID)}}, err
	},
	kindReceipt: func(parts []string, value []byte) ([]indexEntry, error) {
		var r store.IdempotencyReceipt
		err := json.Unmarshal(value, &r)
		return []indexEntry{{key: joinKey(kindReceiptMade, append([]string{encodeTime(r.MadeAt)}, parts...)...)}}, err
	},
	kindUser: func(_ []string, value []byte) ([]indexEntry, error) {
		var u account.User
		err := json.Unmarshal(value, &u)
		return []indexEntry{{nameKey(u.Name), []byte(u.ID)}, {key: joinKey(kindUserOf, u.OrgID, u.ID)}}, err
	},
	kindWebSession: func(_ []string, value []byte) ([]indexEntry, error) {
		var session account.UserSession
		err := json.Unmarshal(value, &session)
		return []indexEntry{{key: joinKey(kindWebSessionOf, session.UserID, hex.EncodeToString(session.Hash))}}, err
	},
	kindLive: func(parts []string, value []byte) ([]indexEntry, error) {
		var l live.LiveSession
		if err := json.Unmarshal(value, &l); err != nil || l.EndedAt != nil {
			return nil, err
		}
		return []indexEntry{{key: joinKey(kindLiveRunning, parts...)}}, nil
	},
}

// addRecord writes the index entries of a record.
func (b *indexBuilder) addRecord(key, value []byte) error {
	kind, rest, _ := strings.Cut(string(key), "/")
	parts := strings.Split(rest, "/")
	if derive, found := entriesOf[kind]; found {
		entries, err := derive(parts, value)
		for _, entry := range entries {
			err = errors.Join(err, b.batch.Set(entry.key, append([]byte{}, entry.value...)))
		}
		if err != nil {
			return err
		}
	}
	return b.countNumber(kind, parts, value)
}

// countNumber raises the counter from which a record's number was taken.
func (b *indexBuilder) countNumber(kind string, parts []string, value []byte) (err error) {
	var counter []byte
	var n uint64
	switch kind {
	case kindAudit:
		counter = joinKey(kindAuditRank, parts[0])
		n, err = strconv.ParseUint(parts[len(parts)-1], 16, 64)
	case kindLiveWords:
		counter = joinKey(kindLiveRank, parts[:len(parts)-1]...)
		n, err = strconv.ParseUint(parts[len(parts)-1], 16, 64)
	case kindDelivery:
		var r record.DeliveryRecord
		err = json.Unmarshal(value, &r)
		counter, n = joinKey(kindDeliveryRank, parts[0]), max(r.Rank, r.Place)
	default:
		return nil
	}
	b.last[string(counter)] = max(b.last[string(counter)], n)
	return err
}

// writeEnd writes the counters and the marker that the database is complete and of this version's format.
func (b *indexBuilder) writeEnd() error {
	err := errors.Join(b.batch.Set(jobsListedKey, []byte{}), b.batch.Set(formatKey, []byte(strconv.Itoa(format))))
	for counter, n := range b.last {
		err = errors.Join(err, b.batch.Set([]byte(counter), encodeCounter(n)))
	}
	return err
}
