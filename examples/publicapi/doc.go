// Package publicapi holds no code of its own. Its tests use the library from another module, as its users do: they compile every name that users
// depend on with its exact type, and tell every error from the others by its type. What they would have to change for is a breaking change.
package publicapi
