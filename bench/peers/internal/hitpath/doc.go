// Package hitpath measures what a read of a warm key takes through each library, in turns within one process on one Redis, beside a raw GET and a
// decode of the same row. Raw is measured against raw as well, in the same turns, so that the noise of the machine is seen. Nothing is judged.
package hitpath
