// Package measure counts what happens in one run: each attempt of each caller, each load at the source, second by second, from the time a request
// was meant to arrive and not from when somebody got round to sending it. What several processes counted of one run can be added up.
package measure
