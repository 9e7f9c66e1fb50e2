package cachetest_test

// fault is one way of getting a cache wrong that somebody could write in good faith.
type fault string

const (
	none fault = ""

	// Freshness.
	softInclusive          fault = "a value is fresh at its soft expiry"
	hardInclusive          fault = "a value is stale at its hard expiry"
	softEarly              fault = "a value is stale a millisecond early"
	hardEarly              fault = "an entry is over a millisecond early"
	tombstoneForEver       fault = "a tombstone has no expiry"
	freshWithoutExpiries   fault = "a fresh value comes without its expiries"
	staleUnobserved        fault = "a stale value has no observation"
	absenceUnobserved      fault = "an absence has no observation"
	tooLateStored          fault = "a result whose life is over is stored"
	storeExpiryAtSoft      fault = "the store's expiry is the soft one"
	staleWithoutValue      fault = "a stale value is left out"
	staleWithoutExpiry     fault = "a stale value comes without its hard expiry"
	absenceForEver         fault = "an absence has no expiry"
	absenceTakesHard       fault = "an absence lives as long as a value"
	absenceWithValue       fault = "an absence carries the value of its entry"
	lateCountsFromNow      fault = "the expiries of a late result count from the record"
	outcomeWithoutExpiries fault = "a record tells no expiries"
	lookupDeletesExpired   fault = "a lookup deletes what is expired"
	lookupProlongs         fault = "a lookup prolongs what it finds"
	lifetimesOverstated    fault = "the shortest life is told as that of a value"
	tombstoneLifeForgotten fault = "the life of a tombstone is told as that of a value"
	expiredUnobserved      fault = "an expired entry has no observation"
	appliedWithReason      fault = "an applied record has a reason"
	absentObserved         fault = "an absent key has an observation"

	// Values and keys.
	revisionDropped    fault = "revisions are not stored"
	longRevisionStored fault = "revisions have no limit"
	emptySliceDropped  fault = "an empty slice comes back as none"
	numberThroughFloat fault = "numbers go through a float"
	keysFolded         fault = "keys are folded to lower case"
	keysCut            fault = "long keys are cut"
	oversizeStored     fault = "values have no limit"
	oversizeDropsOld   fault = "a value above the limit costs the old one"

	// Conditions.
	unconditional          fault = "a record overwrites whatever is there"
	absentMatchesAll       fault = "the empty observation matches anything"
	absenceOverwrites      fault = "an absence counts as absent"
	refusalStored          fault = "a record is stored and then told as refused"
	absenceUnconditional   fault = "an absence is recorded whatever is there"
	refusalAsApplied       fault = "a refused record is told as applied"
	versionOfValue         fault = "the observation is a hash of the value"
	lifeOfReplaced         fault = "a replacing entry keeps the expiry of the old one"
	goneAsChanged          fault = "gone is told as changed"
	staleObservationOrGone fault = "a stale value's observation is satisfied by one that is gone"
	expiredNeedsEqual      fault = "an expired entry's observation is refused when it is gone"
	expiredMatchesAll      fault = "an expired entry's observation matches anything"
	checkThenAct           fault = "the condition is checked in one step and the entry written in another"

	// Tombstones.
	invalidateDeletes     fault = "an invalidation deletes"
	invalidateSkipsAbsent fault = "an invalidation of an absent key does nothing"
	tombstoneUnobserved   fault = "a tombstone has no observation"
	tombstoneKeepsVersion fault = "a tombstone has the observation of what it replaced"

	// Sharing, unusable entries, failures.
	localCopies          fault = "an instance answers from copies of its own"
	instancesApart       fault = "a second instance has a store of its own"
	corruptAsMiss        fault = "a corrupt entry is a miss"
	corruptObserved      fault = "a corrupt entry has an observation"
	oversizeAsCorrupt    fault = "an entry that is too large is told as corrupt"
	foreignAsOutage      fault = "a foreign value is told as a failure of the store"
	futureAsRetired      fault = "an unknown version is told as a retired one"
	quarantineUnobserved fault = "an entry that may be replaced has no observation"
	foreignOverwritten   fault = "only-if-absent overwrites a foreign value"
	unusableReplaceable  fault = "any observation replaces an unusable entry"
	failureAsMiss        fault = "a failure is a miss"
	failureAsApplied     fault = "a failed record is told as applied"
	failureUnexplained   fault = "a failure is told without its error"
	contextErrorReplaced fault = "the error of a done context is replaced by another"
	contextOfRecord      fault = "a record does not look at its context"
	contextOfTombstone   fault = "an invalidation does not look at its context"
	contextIgnored       fault = "a done context is not looked at"
	errorNamesKey        fault = "an error names the key"

	// What a cache is free to do.
	keysOutliveEntries fault = "only-if-absent asks whether the key is there, expired or not"
)
