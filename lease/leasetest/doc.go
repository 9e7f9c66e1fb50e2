// Package leasetest is the conformance suite of the lease port: what every [lease.Store] must do, as 25 numbered and named assertions that run on any of
// them.
//
// # Use
//
// A test of the store hands [Run] a function that makes a fresh [Subject] for each assertion:
//
//	func TestTheStoreKeepsTheContractOfThePort(t *testing.T) {
//		leasetest.Run(t, func(t testing.TB, opt leasetest.Options) leasetest.Subject {
//			mock := clock.NewMock()
//			store := newStore(t, opt.MaxHold, mock)
//			return leasetest.Subject{Store: store, Second: store, Advance: mock.Add, StandsStill: true, Now: mock.Now}
//		})
//	}
//
// Store, Second and Advance are required. The other fields of [Subject] are what a harness may be able to do to the store; an assertion that needs one
// that is missing is skipped and says which.
//
// # Time
//
// The suite never waits: time passes by Advance. A store whose own clock cannot be moved may move its records into the past instead, which it cannot tell
// from time that passed; its clock then runs on between the steps, and the suite asks for no exact instants. Leases are of 10 seconds, far longer than an
// assertion takes. That the store's own clock ends a lease is what a test of that store must show.
//
// # A suite is worth what it catches
//
// [Try] runs one assertion on one subject and tells how it went instead of failing the test, so that a test can show that a wrong store turns the
// assertion red which is named for the fault. The tests of this package do so for every fault they know. [Explore] does what no list of assertions can:
// it runs whole schedules of two and three clients against the rules of the port.
package leasetest
