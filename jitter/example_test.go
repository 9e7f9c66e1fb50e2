package jitter_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/cacheaside/resilience/jitter"
)

func examplePolicy() jitter.Policy {
	return jitter.Policy{
		Soft:         time.Minute,
		Hard:         10 * time.Minute,
		Negative:     5 * time.Second,
		MinHard:      time.Second,
		TombstoneTTL: time.Minute,
		JitterRatio:  0.2,
	}
}

func ExampleNew() {
	j, err := jitter.New([]byte("32 bytes from a key derivation.."), 1, 0.2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, key := range []string{"product 1", "product 2", "product 3"} {
		fmt.Printf("%s %.3f %.3f\n", key, j.Factor(key, jitter.Positive), j.Factor(key, jitter.Negative))
	}
	// Output:
	// product 1 0.888 1.137
	// product 2 0.930 1.122
	// product 3 1.061 0.878
}

func ExampleNewSchedule() {
	s, err := jitter.NewSchedule([]byte("32 bytes from a key derivation.."), examplePolicy())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, key := range []string{"product 1", "product 2"} {
		soft, hard := s.Positive(key)
		fmt.Println(key, soft, hard, s.Negative(key), s.Tombstone())
	}
	// Output:
	// product 1 1m8.987s 11m29.877s 4.223s 1m0s
	// product 2 56.042s 9m20.42s 5.777s 1m0s
}

func ExamplePolicy_Validate() {
	p := examplePolicy()
	p.Soft = time.Hour
	p.Negative = 0
	err := p.Validate()
	fmt.Println(err)
	var first *jitter.FieldError
	fmt.Println(errors.As(err, &first), first.Field)
	// Output:
	// jitter: Negative (0s) must be positive
	// jitter: Soft (1h0m0s) must not be above Hard, 10m0s
	// jitter: MinHard (1s) must not be above Negative, 0s
	// true Negative
}

func ExamplePolicy_Fingerprint() {
	p := examplePolicy()
	fmt.Printf("%016x\n", p.Fingerprint())
	p.Revision++
	fmt.Printf("%016x\n", p.Fingerprint())
	// Output:
	// dfdd425c34cdd66a
	// bb9a8b0175aaf006
}

func ExampleCheckTTL() {
	fmt.Println(jitter.CheckTTL("LeaseTTL", 31*24*time.Hour))
	fmt.Println(jitter.CheckTTL("LeaseTTL", time.Second))
	// Output:
	// jitter: LeaseTTL (744h0m0s) must be at most 720h0m0s
	// <nil>
}
