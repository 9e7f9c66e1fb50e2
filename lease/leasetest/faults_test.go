package leasetest_test

// fault is what a wrong store does wrong.
type fault string

const (
	none fault = ""

	// Whole stores as they are often written.
	idiom            fault = "SET NX PX, PEXPIRE and DEL"
	readThenWrite    fault = "it reads in one step and writes in another"
	callersClock     fault = "it decides on the caller's clock"
	callersDeadline  fault = "it stores a deadline of the caller's clock"
	inProcessCounter fault = "each client counts tokens for itself"

	// Grants.
	tokenZero      fault = "its first token is 0"
	expiryNow      fault = "the expiry that is told is the present"
	ownerDropped   fault = "the owner is not recorded"
	reentrant      fault = "an owner is granted its own lease again"
	remainingWhole fault = "a refusal tells of a whole lease"
	oneGlobalLease fault = "there is one lease for all keys"
	keysFolded     fault = "keys are compared without case"
	keysTrimmed    fault = "spaces around keys are dropped"
	neverExpires   fault = "a lease has no end"

	// Ends.
	deleteOnRelease   fault = "a release deletes the record"
	keyTTL            fault = "the record is kept for an hour"
	keyTTLAtExpiry    fault = "the record is kept as long as the lease"
	expiredLooksLive  fault = "an expired lease inspects as live"
	expiredLooksEmpty fault = "an expired lease inspects without its token"
	releaseWaits      fault = "a released key is free at its expiry"
	releaseTwice      fault = "releasing what is released is told as done"
	closedExpiry      fault = "a lease lives at its expiry"
	validAmid         fault = "a holder has the rest of a microsecond as well"
	earlyExpiry       fault = "a lease is over a microsecond early"

	// Tokens.
	ignoresToken        fault = "whoever calls, the live lease is meant"
	renewIgnoresToken   fault = "a renewal looks at no token"
	releaseIgnoresToken fault = "a release looks at no token"
	releaseTakesLower   fault = "a release takes any lower token"
	higherTokenRenews   fault = "a renewal takes any higher token"
	tokenStays          fault = "a takeover keeps the token"
	tokenCounts         fault = "tokens are counted from 1"

	// Renewals.
	renewReissues        fault = "a renewal issues a new token"
	renewIdle            fault = "a renewal changes nothing"
	renewAdds            fault = "a renewal adds to what is left"
	renewOnlyExtends     fault = "a renewal for less than is left changes nothing"
	renewShortensInWords fault = "a renewal for less than is left is told, and changes nothing"
	renewRevives         fault = "an expired lease is renewed"
	renewCreates         fault = "a renewal makes what is not there"
	noMaxHold            fault = "there is no MaxHold"
	maxHoldSinceRenewal  fault = "MaxHold counts from the last renewal"
	renewalPassesMaxHold fault = "the last renewal passes MaxHold"
	maxHoldAsExpired     fault = "MaxHold is told as an expiry"

	// Inspections.
	inspectDropsToken fault = "an inspection tells no token"
	inspectDropsOwner fault = "an inspection tells no owner"
	inspectNoneFails  fault = "inspecting an unheld key is an error"
	inspectRenews     fault = "an inspection prolongs"
	inspectFrees      fault = "an inspection of an expired lease forgets it"
	inspectGrows      fault = "an inspection lets the token grow"

	// Repeats.
	repeatRefused  fault = "a repeated request is refused"
	repeatReissues fault = "a repeated request is granted another token"
	repeatProlongs fault = "a repeated request begins its lease anew"
	repeatForEver  fault = "a repeated request gets its old token after its lease"

	// Failures.
	failureAsHeld       fault = "a lost store is told as held"
	failureAsUnheld     fault = "a lost store is told as unheld"
	failureAmbiguous    fault = "a lost store is told as indeterminate"
	lostAsNoDecision    fault = "a lost answer is told as no decision"
	lostAsLost          fault = "a lost answer is told as a lost lease"
	errorNamesKey       fault = "an error holds the key"
	errorUntyped        fault = "an error has no type"
	contextIgnored      fault = "a done context is not looked at"
	argumentsUnchecked  fault = "arguments are not looked at"
	answerBesideFailure fault = "a failure comes with an answer"

	// Losses.
	crashForgets     fault = "a crash loses everything: append-only file off"
	crashLosesLast   fault = "a crash loses the last change: fsync every second"
	crashKeepsLeases fault = "a crash loses the tokens of unheld keys"
	pressureDrops    fault = "pressure drops records"
	pressureUnheld   fault = "pressure drops records of unheld keys"
	evictingOpened   fault = "a store that may drop leases is opened"
)
