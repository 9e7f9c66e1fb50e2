// Package draw turns a result.Plot or a result.Map into an SVG. What it draws is made to be read on a light ground, without colour where need be,
// and by selecting the text; the same data give the same bytes. Drawings have no ids, no scripts and no references, so many of them can stand in
// one page. All functions are safe for concurrent use.
package draw
