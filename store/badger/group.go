package badger

import (
	"errors"
	"fmt"
	"runtime/debug"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// commitBatch is one transaction of the group commit while it is being filled.
type commitBatch struct {
	txn     *badgerdb.Txn
	number  uint64      // of the transaction, from 1
	written []keyChange // changes of the commands so far, in order
	spoiled bool        // txn also holds part of a command that did not fit
	reserve reserveVerdict
	lost    *unreadableRecords
}

// commitGroup implements group commit: it puts the queued commands that fit, at least one, into one transaction, sets
// their outcomes, and returns how many it settled and the transaction's number; 0 when nothing was written. Answers
// wait for the commit even for refused commands, because the reason may be an earlier command's change, which only
// counts once it is on disk. watermarks, if any, is notified before and after. A command refused for lack of disk space
// fails alone.
func commitGroup(
	db *badgerdb.DB, watermarks *lowWatermarks, reserve reserveVerdict, lost *unreadableRecords, waiting []*writeCommand,
) (settled int, number uint64) {
	g := &commitBatch{reserve: reserve, lost: lost}
	if err := g.beginBatch(db); err != nil {
		waiting[0].err = err
		return 1, 0
	}
	defer func() { g.txn.Discard() }()
	for _, cmd := range waiting {
		g.addCommand(cmd)
		if g.spoiled && len(g.written) > 0 {
			break // cmd starts the next transaction, which is empty
		}
		settled++
		if g.spoiled {
			break
		}
	}
	watermarks.beginWrite(g.written)
	err := g.commitToDisk(db)
	watermarks.endWrite()
	if err != nil {
		for _, cmd := range waiting[:settled] {
			cmd.err = err
		}
		return settled, 0
	}
	if len(g.written) == 0 {
		return settled, 0
	}
	return settled, g.number
}

// errNotWritten means that Badger refused a transaction.
var errNotWritten = errors.New("the database cannot be written")

// beginBatch opens the transaction and reserves its number first, so that the number always fits.
func (g *commitBatch) beginBatch(db *badgerdb.DB) error {
	g.txn = db.NewTransaction(true)
	last, err := lastCommit(g.txn)
	if err == nil {
		g.number = last + 1
		err = g.txn.Set(commitsKey, encodeCounter(g.number))
	}
	if err != nil {
		g.txn.Discard()
		return fmt.Errorf("%w: %w", errNotWritten, err)
	}
	return nil
}

// addCommand runs cmd's decide function and adds its changes.
func (g *commitBatch) addCommand(cmd *writeCommand) {
	var wanted changeSet
	cmd.err = decideCommand(cmd, snapshotView{g.txn, g.lost, cmd.report}, &wanted)
	if cmd.err == nil && len(wanted.list) > 0 {
		cmd.err = g.reserve.verdictFor(wanted.urgent)
	}
	if cmd.err != nil {
		return
	}
	if cmd.err = applyChanges(g.txn, wanted.list); cmd.err != nil {
		g.spoiled = true
		return
	}
	cmd.kinds = wanted.kinds
	g.written = append(g.written, wanted.list...)
}

// decideCommand runs cmd on the view. A panic is recovered and fails cmd alone, because the whole process depends on
// the committer.
func decideCommand(cmd *writeCommand, v snapshotView, wanted *changeSet) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("panic: %v\n%s", value, debug.Stack())
		}
	}()
	return cmd.decide(v, wanted)
}

// commitToDisk commits the transaction, rebuilt without the command that did not fit.
func (g *commitBatch) commitToDisk(db *badgerdb.DB) error {
	if len(g.written) == 0 {
		return nil
	}
	if g.spoiled {
		g.txn.Discard()
		if err := g.beginBatch(db); err != nil {
			return err
		}
		if err := applyChanges(g.txn, g.written); err != nil {
			return err
		}
	}
	if err := g.txn.Commit(); err != nil {
		return fmt.Errorf("%w: %w", errNotWritten, err)
	}
	return nil
}

// applyChanges writes the changes to txn; [store.CodeTooLarge] when they do not fit.
func applyChanges(txn *badgerdb.Txn, list []keyChange) error {
	for _, ch := range list {
		err := ch.applyTo(txn)
		if errors.Is(err, badgerdb.ErrTxnTooBig) {
			return &store.Error{Code: store.CodeTooLarge, Message: "the change is too large for one transaction", Err: err}
		}
		if err != nil {
			return fmt.Errorf("write: %w", err)
		}
	}
	return nil
}
