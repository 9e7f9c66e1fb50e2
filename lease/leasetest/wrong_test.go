package leasetest_test

import (
	"fmt"
	"testing"

	"github.com/cacheaside/resilience/lease/leasetest"
)

// caught names, for each fault, the assertions that must find it. Others may too.
var caught = map[fault][]int{
	idiom:            {4, 10, 12},
	readThenWrite:    {14},
	callersClock:     {15},
	callersDeadline:  {15},
	inProcessCounter: {16},

	tokenZero:      {1},
	expiryNow:      {1},
	ownerDropped:   {1, 7},
	reentrant:      {2, 19},
	remainingWhole: {2},
	oneGlobalLease: {3},
	keysFolded:     {3},
	keysTrimmed:    {3},
	neverExpires:   {5},

	deleteOnRelease:   {4, 17},
	keyTTL:            {4, 17},
	keyTTLAtExpiry:    {4, 17},
	expiredLooksLive:  {6},
	expiredLooksEmpty: {6},
	releaseWaits:      {11},
	releaseTwice:      {18},
	closedExpiry:      {21},
	earlyExpiry:       {21},
	validAmid:         {21},

	ignoresToken:        {10, 12},
	renewIgnoresToken:   {10},
	releaseIgnoresToken: {12},
	releaseTakesLower:   {12},
	higherTokenRenews:   {10},
	tokenStays:          {4},
	tokenCounts:         {1, 4},

	renewReissues:        {8},
	renewIdle:            {8},
	renewAdds:            {8},
	renewOnlyExtends:     {8},
	renewShortensInWords: {8},
	renewRevives:         {9},
	renewCreates:         {10},
	noMaxHold:            {20},
	maxHoldSinceRenewal:  {20},
	renewalPassesMaxHold: {20},
	maxHoldAsExpired:     {20},

	inspectDropsToken: {7},
	inspectDropsOwner: {7},
	inspectNoneFails:  {13},
	inspectRenews:     {23},
	inspectFrees:      {23},
	inspectGrows:      {23},

	repeatRefused:  {19},
	repeatReissues: {19},
	repeatProlongs: {19},
	repeatForEver:  {19},

	failureAsHeld:       {22},
	failureAsUnheld:     {22},
	failureAmbiguous:    {22},
	lostAsNoDecision:    {22},
	lostAsLost:          {22},
	errorNamesKey:       {22},
	errorUntyped:        {22},
	contextIgnored:      {22},
	argumentsUnchecked:  {22},
	answerBesideFailure: {22},

	crashForgets:     {24},
	crashLosesLast:   {24},
	crashKeepsLeases: {24},
	pressureDrops:    {25},
	pressureUnheld:   {25},
	evictingOpened:   {25},
}

func TestEveryWrongStoreTurnsItsNamedAssertionsRed(t *testing.T) {
	t.Parallel()
	for wrong, numbers := range caught {
		for _, number := range numbers {
			t.Run(fmt.Sprintf("%s %d", wrong, number), func(t *testing.T) {
				t.Parallel()
				finding := leasetest.Try(t, leasetest.Assertions()[number-1], newModel(wrong))
				switch {
				case finding.Panicked != nil:
					t.Errorf("it panicked with %v, want a failed assertion", finding.Panicked)
				case finding.Skipped:
					t.Errorf("the assertion was skipped: %q", finding.Messages)
				case !finding.Failed || len(finding.Messages) == 0:
					t.Errorf("the assertion passed: %s", leasetest.Assertions()[number-1])
				}
			})
		}
	}
}

func TestTheRightStoreFailsAndSkipsNoAssertion(t *testing.T) {
	t.Parallel()
	for _, assertion := range leasetest.Assertions() {
		finding := leasetest.Try(t, assertion, newModel(none))
		if finding.Failed || finding.Skipped || finding.Panicked != nil {
			t.Errorf("%s: %+v", assertion, finding)
		}
	}
}

func TestNoAssertionIsIdle(t *testing.T) {
	t.Parallel()
	red := map[int]bool{}
	for _, numbers := range caught {
		for _, number := range numbers {
			red[number] = true
		}
	}
	for i, assertion := range leasetest.Assertions() {
		if assertion.Number != i+1 {
			t.Errorf("assertion %d has the number %d", i+1, assertion.Number)
		}
		if !red[assertion.Number] {
			t.Errorf("no wrong store is to fail %s", assertion)
		}
	}
	if n := len(leasetest.Assertions()); n != 25 {
		t.Errorf("%d assertions, want 25", n)
	}
}
