// Package figure writes numbers and words for people: a few digits, a unit that fits, thousands apart, and nothing that a terminal or an XML
// parser could stumble over. All functions are pure and safe for concurrent use.
package figure
