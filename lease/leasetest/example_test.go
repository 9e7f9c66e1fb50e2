package leasetest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/lease/leasetest"
)

// careless is a store whose release looks at no token: it ends whatever lease is live.
type careless struct{ lease.Store }

func (c careless) Release(ctx context.Context, key string, _ lease.Token) (lease.Released, error) {
	seen, err := c.Inspect(ctx, key)
	if err != nil {
		return lease.Released{}, err
	}
	return c.Store.Release(ctx, key, seen.Token)
}

// A test of the suite shows that a wrong store is caught by the assertion that is named for its fault.
func ExampleTry() {
	for _, assertion := range leasetest.Assertions() {
		finding := leasetest.Try(nil, assertion, func(t testing.TB, opt leasetest.Options) leasetest.Subject {
			subject := standingStill(t, opt)
			subject.Store, subject.Second = careless{subject.Store}, careless{subject.Second}
			return subject
		})
		if finding.Failed {
			fmt.Println(assertion)
			fmt.Println("  ", finding.Messages[0])
			break
		}
	}
	// Output:
	// 12 a superseded token cannot release
	//    a release is lost as None, want Superseded
}

func ExampleAssertions() {
	for _, assertion := range leasetest.Assertions()[:3] {
		fmt.Println(assertion)
	}
	// Output:
	// 01 an unheld key is granted with its owner, a token and an expiry ahead
	// 02 a live lease is refused to everyone, its holder included
	// 03 leases of different keys do not exclude each other
}

func ExampleExploration() {
	finding := leasetest.Try(nil, leasetest.Exploration(8, 0, 0), func(t testing.TB, opt leasetest.Options) leasetest.Subject {
		subject := standingStill(t, opt)
		subject.Second = careless{subject.Second}
		return subject
	})
	fmt.Println(finding.Failed)
	// Output: true
}
