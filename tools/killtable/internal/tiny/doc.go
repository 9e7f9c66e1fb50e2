// Package tiny holds a made-up module of a few lines and sabotages of it, on which the runner of the kill table is tested.
package tiny
