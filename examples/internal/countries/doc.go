// Package countries is the source that the examples read through a cache: the 249 countries and areas of ISO 3166-1 in a SQLite file, behind the
// kind of repository that most services have. It knows nothing of caches.
package countries
