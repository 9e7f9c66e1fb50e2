// Package scenario holds the questions that the lab puts to the contenders in virtual time, S1 to S17, and the metastability map: what is set up, which
// figures count, and what this library must give. S18 needs real time.
package scenario
