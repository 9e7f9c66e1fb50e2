package faults_test

import "github.com/cacheaside/resilience/redisadapter"

// matrix is the whole of what a broken connection may come to.
//
// It follows from four rules. A command that never left is certainly not applied. One that left and was not answered is indeterminate, whether the
// server has executed it or not; if the connection broke, and time is left, it is read back once, and applied if it is found. Every command is sent
// once. And of a large record nothing is applied before its second command is sent, which it is only after the answer to the first.
func matrix() []cell {
	const (
		dial       = redisadapter.FaultDial
		timeout    = redisadapter.FaultTimeout
		connection = redisadapter.FaultConnection
		none       = redisadapter.Fault(0)
	)
	return []cell{
		{refuse, lookup, unavailable, dial, sent{0, 0, 0}, old, noLeftover, atOnce},
		{refuse, recordAbsent, neverSent, dial, sent{0, 0, 0}, nothing, noLeftover, atOnce},
		{refuse, recordObserved, neverSent, dial, sent{0, 0, 0}, old, noLeftover, atOnce},
		{refuse, stageLarge, neverSent, dial, sent{0, 0, 0}, old, noLeftover, atOnce},
		{refuse, swapLarge, neverSent, dial, sent{0, 1, 0}, old, leftStaged, atOnce},
		{refuse, invalidate, neverSent, dial, sent{0, 0, 0}, old, noLeftover, atOnce},

		{blackHole, lookup, unavailable, timeout, sent{1, 0, 0}, old, noLeftover, atLimit},
		{blackHole, recordAbsent, indeterminate, timeout, sent{0, 1, 0}, nothing, noLeftover, atLimit},
		{blackHole, recordObserved, indeterminate, timeout, sent{0, 0, 1}, old, noLeftover, atLimit},
		{blackHole, stageLarge, neverSent, timeout, sent{0, 1, 0}, old, noLeftover, atLimit},
		{blackHole, swapLarge, indeterminate, timeout, sent{0, 1, 1}, old, leftStaged, atLimit},
		{blackHole, invalidate, indeterminate, timeout, sent{0, 0, 1}, old, noLeftover, atLimit},

		{late, lookup, unavailable, timeout, sent{1, 0, 0}, old, noLeftover, atLimit},
		{late, recordAbsent, indeterminate, timeout, sent{0, 1, 0}, renewed, noLeftover, atLimit},
		{late, recordObserved, indeterminate, timeout, sent{0, 0, 1}, renewed, noLeftover, atLimit},
		{late, stageLarge, neverSent, timeout, sent{0, 1, 0}, old, leftStaged, atLimit},
		{late, swapLarge, indeterminate, timeout, sent{0, 1, 1}, renewed, noLeftover, atLimit},
		{late, invalidate, indeterminate, timeout, sent{0, 0, 1}, tombstone, noLeftover, atLimit},

		{resetBefore, lookup, unavailable, connection, sent{1, 0, 0}, old, noLeftover, atOnce},
		{resetBefore, recordAbsent, applied, none, sent{1, 1, 0}, renewed, noLeftover, atOnce},
		{resetBefore, recordObserved, applied, none, sent{1, 0, 1}, renewed, noLeftover, atOnce},
		{resetBefore, stageLarge, neverSent, connection, sent{0, 1, 0}, old, leftStaged, atOnce},
		{resetBefore, swapLarge, applied, none, sent{1, 1, 1}, renewed, noLeftover, atOnce},
		{resetBefore, invalidate, applied, none, sent{1, 0, 1}, tombstone, noLeftover, atOnce},

		{resetMid, lookup, unavailable, connection, sent{1, 0, 0}, old, noLeftover, atOnce},
		{resetMid, recordAbsent, applied, none, sent{1, 1, 0}, renewed, noLeftover, atOnce},
		{resetMid, recordObserved, applied, none, sent{1, 0, 1}, renewed, noLeftover, atOnce},
		{resetMid, stageLarge, neverSent, connection, sent{0, 1, 0}, old, leftStaged, atOnce},
		{resetMid, swapLarge, applied, none, sent{1, 1, 1}, renewed, noLeftover, atOnce},
		{resetMid, invalidate, applied, none, sent{1, 0, 1}, tombstone, noLeftover, atOnce},

		{truncate, lookup, unavailable, connection, sent{1, 0, 0}, old, noLeftover, atOnce},
		{truncate, recordAbsent, applied, none, sent{1, 1, 0}, renewed, noLeftover, atOnce},
		{truncate, recordObserved, applied, none, sent{1, 0, 1}, renewed, noLeftover, atOnce},
		{truncate, stageLarge, neverSent, connection, sent{0, 1, 0}, old, leftStaged, atOnce},
		{truncate, swapLarge, applied, none, sent{1, 1, 1}, renewed, noLeftover, atOnce},
		{truncate, invalidate, applied, none, sent{1, 0, 1}, tombstone, noLeftover, atOnce},

		{swallowKeep, lookup, unavailable, timeout, sent{1, 0, 0}, old, noLeftover, atLimit},
		{swallowKeep, recordAbsent, indeterminate, timeout, sent{0, 1, 0}, renewed, noLeftover, atLimit},
		{swallowKeep, recordObserved, indeterminate, timeout, sent{0, 0, 1}, renewed, noLeftover, atLimit},
		{swallowKeep, stageLarge, neverSent, timeout, sent{0, 1, 0}, old, leftStaged, atLimit},
		{swallowKeep, swapLarge, indeterminate, timeout, sent{0, 1, 1}, renewed, noLeftover, atLimit},
		{swallowKeep, invalidate, indeterminate, timeout, sent{0, 0, 1}, tombstone, noLeftover, atLimit},

		{swallowClose, lookup, unavailable, connection, sent{1, 0, 0}, old, noLeftover, atOnce},
		{swallowClose, recordAbsent, applied, none, sent{1, 1, 0}, renewed, noLeftover, atOnce},
		{swallowClose, recordObserved, applied, none, sent{1, 0, 1}, renewed, noLeftover, atOnce},
		{swallowClose, stageLarge, neverSent, connection, sent{0, 1, 0}, old, leftStaged, atOnce},
		{swallowClose, swapLarge, applied, none, sent{1, 1, 1}, renewed, noLeftover, atOnce},
		{swallowClose, invalidate, applied, none, sent{1, 0, 1}, tombstone, noLeftover, atOnce},

		{halfOpen, lookup, unavailable, timeout, sent{1, 0, 0}, old, noLeftover, atLimit},
		{halfOpen, recordAbsent, indeterminate, timeout, sent{0, 1, 0}, nothing, noLeftover, atLimit},
		{halfOpen, recordObserved, indeterminate, timeout, sent{0, 0, 1}, old, noLeftover, atLimit},
		{halfOpen, stageLarge, neverSent, timeout, sent{0, 1, 0}, old, noLeftover, atLimit},
		{halfOpen, swapLarge, indeterminate, timeout, sent{0, 1, 1}, old, leftStaged, atLimit},
		{halfOpen, invalidate, indeterminate, timeout, sent{0, 0, 1}, old, noLeftover, atLimit},
	}
}
