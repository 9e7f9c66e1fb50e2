// Package plain writes values as JSON the way encoding/json does, in the order of their fields and with sorted map keys, save that a number that
// JSON has no words for, NaN or an infinity, is null instead of an error: a figure that could not be had is no figure, and takes no others with it.
// All functions are safe for concurrent use, unless the value changes meanwhile.
package plain
