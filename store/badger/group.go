package badger

import (
	"errors"
	"fmt"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// group is one transaction in the making.
type group struct {
	txn     *badgerdb.Txn
	written []change // what the commands so far have written, in order
	spoiled bool     // txn also holds part of a command that did not fit
}

// commitGroup makes one transaction of as many of the waiting commands as fit, at least one, sets their outcomes
// and says how many it settled. Answers wait for the commit even where a command was refused: the reason may lie in
// a neighbour's change, which is true only once that is on disk.
func commitGroup(db *badgerdb.DB, waiting []*command) int {
	g := &group{txn: db.NewTransaction(true)}
	defer func() { g.txn.Discard() }()
	settled := 0
	for _, cmd := range waiting {
		g.add(cmd)
		if g.spoiled && len(g.written) > 0 {
			break // cmd begins the next transaction, where it has all the room
		}
		settled++
		if g.spoiled {
			break
		}
	}
	if err := g.commit(db); err != nil {
		for _, cmd := range waiting[:settled] {
			cmd.err = err
		}
	}
	return settled
}

// add lets cmd decide and writes its changes.
func (g *group) add(cmd *command) {
	var wanted changes
	cmd.err = cmd.decide(view{g.txn}, &wanted)
	if cmd.err == nil {
		cmd.err = wanted.err
	}
	if cmd.err != nil {
		return
	}
	if cmd.err = apply(g.txn, wanted.list); cmd.err != nil {
		g.spoiled = true
		return
	}
	g.written = append(g.written, wanted.list...)
}

// commit writes the transaction to disk, without what spoiled it.
func (g *group) commit(db *badgerdb.DB) error {
	if len(g.written) == 0 {
		return nil
	}
	if g.spoiled {
		g.txn.Discard()
		g.txn = db.NewTransaction(true)
		if err := apply(g.txn, g.written); err != nil {
			return err
		}
	}
	if err := g.txn.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// apply makes the changes in txn; [store.CodeTooLarge] when they do not fit.
func apply(txn *badgerdb.Txn, list []change) error {
	for _, ch := range list {
		err := ch.apply(txn)
		if errors.Is(err, badgerdb.ErrTxnTooBig) {
			return &store.Error{Code: store.CodeTooLarge, Message: "too much for one transaction", Err: err}
		}
		if err != nil {
			return fmt.Errorf("write: %w", err)
		}
	}
	return nil
}
