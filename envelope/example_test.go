package envelope_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/cacheaside/resilience/envelope"
)

func exampleEntry() envelope.Envelope {
	recorded := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	return envelope.Envelope{
		Kind:          envelope.KindPositive,
		WriteID:       [8]byte{1, 2, 3, 4, 5, 6, 7, 8}, // random in earnest
		SoftExpiresAt: recorded.Add(10 * time.Second),
		HardExpiresAt: recorded.Add(60 * time.Second),
		Schema:        1,
		Revision:      "42",
		Payload:       []byte("hello"),
	}
}

func ExampleAppend() {
	d := envelope.HMAC([]byte("32 bytes from a key derivation.."))
	raw, err := envelope.Append(nil, "shop:product:-:{slot}:v", exampleEntry(), d)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d bytes, beginning with %q, version %d\n", len(raw), raw[:2], raw[2])

	tooLong := exampleEntry()
	tooLong.SoftExpiresAt = tooLong.HardExpiresAt.Add(time.Second)
	_, err = envelope.Append(nil, "shop:product:-:{slot}:v", tooLong, d)
	var fault *envelope.FieldError
	fmt.Println(errors.As(err, &fault), fault.Field)
	fmt.Println(err)
	// Output:
	// 72 bytes, beginning with "CA", version 2
	// true SoftExpiresAt
	// envelope: SoftExpiresAt (2030-01-01T12:01:01Z) must not be after HardExpiresAt, 2030-01-01T12:01:00Z
}

func ExampleParse() {
	d := envelope.HMAC([]byte("32 bytes from a key derivation.."))
	raw, err := envelope.Append(nil, "product 1", exampleEntry(), d)
	if err != nil {
		fmt.Println(err)
		return
	}
	limits := envelope.Limits{
		Now:      time.Date(2030, 1, 1, 12, 0, 9, 0, time.UTC),
		MaxAhead: 30*24*time.Hour + time.Minute,
	}
	e, err := envelope.Parse(raw, "product 1", d, limits)
	fmt.Printf("%v %q of revision %q, %v, error %v\n", e.Kind, e.Payload, e.Revision, e.FreshnessAt(limits.Now), err)

	_, err = envelope.Parse(raw, "product 2", d, limits)
	fmt.Println(err)
	_, err = envelope.Parse(raw[:len(raw)-1], "product 1", d, limits)
	fmt.Println(errors.Is(err, envelope.ErrCorrupt))
	// Output:
	// Positive "hello" of revision "42", Fresh, error <nil>
	// envelope: corrupt entry
	// true
}

func ExampleEnvelope_FreshnessAt() {
	e := exampleEntry()
	for _, now := range []time.Time{
		e.SoftExpiresAt.Add(-time.Millisecond), e.SoftExpiresAt,
		e.HardExpiresAt.Add(-time.Millisecond), e.HardExpiresAt,
	} {
		fmt.Println(now.Format("15:04:05.000"), e.FreshnessAt(now))
	}
	// Output:
	// 12:00:09.999 Fresh
	// 12:00:10.000 Stale
	// 12:00:59.999 Stale
	// 12:01:00.000 Expired
}

func ExampleVersionError() {
	d := envelope.SHA256()
	for _, version := range []byte{1, 3} {
		raw := []byte{'C', 'A', version, 'w', 'h', 'a', 't', 'e', 'v', 'e', 'r'}
		sum := d.Sum("product 1", raw)
		_, err := envelope.Parse(append(raw, sum[:]...), "product 1", d, envelope.Limits{})
		var v *envelope.VersionError
		if errors.As(err, &v) {
			fmt.Println(err, v.Retired(), v.Future(), v.Digest == sum)
		}
	}
	// Output:
	// envelope: version 1 is retired true false true
	// envelope: version 3 is unknown false true true
}

func ExampleHMAC() {
	d := envelope.HMAC([]byte("32 bytes from a key derivation.."))
	sum := d.Sum("product 1", []byte("any bytes"))
	fmt.Printf("%x\n", sum[:8])
	// Output: 42b991b942dc1e97
}

func ExampleSHA256() {
	d := envelope.SHA256()
	sum := d.Sum("product 1", []byte("any bytes"))
	fmt.Printf("%x\n", sum[:8])
	// Output: c3b2be22127037cb
}
