// Package cachetest is the conformance suite of the cache port: what every [cacheaside.Cache] must do, as named assertions that run on any of
// them.
//
// # Use
//
// A test of the cache hands [Run] a function that makes a fresh [Subject] for each assertion:
//
//	func TestTheCacheKeepsTheContractOfThePort(t *testing.T) {
//		cachetest.Run(t, func(t testing.TB, opt cachetest.Options) cachetest.Subject {
//			mock := clock.NewMock()
//			cache := newCache(t, opt, mock) // with the durations of opt, without jitter
//			return cachetest.Subject{
//				Cache:   cache,
//				Now:     mock.Now,
//				Advance: func(d time.Duration) { mock.Add(d) },
//			}
//		})
//	}
//
// Cache, Now and Advance are required. The other fields of [Subject] are what a harness may be able to do to the store; an assertion that needs
// one that is missing is skipped and says which. A cache that is no [cacheaside.Invalidator] skips the assertions about tombstones.
//
// # Time
//
// The suite never waits: time passes by Advance. A store with a clock of its own, as a Redis server, may or may not follow. If it does not, an
// entry past its hard expiry is still there and must read as [cacheaside.MissExpired]; if it does, or if it forgets by itself, it reads as
// [cacheaside.MissAbsent]. Both pass, and the assertions go on from what the lookup told, as a region does. What only the store's own expiry can
// show, a test of the store must show. An assertion takes far less real time than the shortest of [Options], so that a store whose clock runs on
// expires nothing early.
//
// # Fences, ordered revisions, generations
//
// The assertions about [cacheaside.Fencer], [cacheaside.Putter] and [cacheaside.RegionInvalidator] ask for subjects with Options.Fenced,
// Options.OrderedRevisions or Options.GenerationAge set, and are skipped where the cache is not so built. Grants are decided on the store's clock: where
// Advance does not move that, Subject.AgeFence lets a fence record grow old instead.
//
// # What a cache is free to do
//
// Only-if-absent over an entry past its hard expiry may be applied or refused as [cacheaside.RecordConditionFailed]. The observation of an expired
// entry must replace it. A fresh lookup needs no observation. The empty key may be refused. An observation that no lookup gave may be told as
// [cacheaside.GrantAlreadyFilled] or [cacheaside.GrantUnavailable]. What is loaded for an older generation may be refused or stored as expired.
//
// # A suite is worth what it catches
//
// [Try] runs one assertion on one subject and tells how it went instead of failing the test, so that a test can show that a wrong cache turns the
// assertion red which is named for the fault. The tests of this package do so for every fault they know.
package cachetest
