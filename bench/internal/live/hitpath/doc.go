// Package hitpath measures what a hit on this library costs beyond a raw GET and a decode of the same value: in turns within one process, with raw
// against raw measured in the same way, so that the noise of the machine is seen and not taken for a cost.
package hitpath
