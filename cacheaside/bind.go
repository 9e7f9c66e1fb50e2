package cacheaside

import "context"

// Bound is a region with its one loader. Hand it to code that only reads, behind an interface of that code's own.
type Bound[K comparable, V any] struct {
	region *Region[K, V]
	load   Loader[K, V]
}

// Bind joins a region to its one loader. What is wrong with either is told by the first Get.
func Bind[K comparable, V any](region *Region[K, V], load Loader[K, V]) Bound[K, V] {
	return Bound[K, V]{region: region, load: load}
}

// Get is [Get] with the bound region and loader.
func (b Bound[K, V]) Get(ctx context.Context, key K) (Result[V], error) {
	return Get(ctx, b.region, key, b.load)
}

// Invalidate is [Invalidate] on the bound region.
func (b Bound[K, V]) Invalidate(ctx context.Context, key K) error {
	return Invalidate(ctx, b.region, key)
}

// Read is [Get] with an ordinary repository read: [Classify] with zero [Rules], so that only marked errors and plain values mean anything.
func Read[K comparable, V any](ctx context.Context, region *Region[K, V], key K, read func(context.Context, K) (V, error)) (Result[V], error) {
	return Get(ctx, region, key, Classify(read, Rules[V]{}))
}
