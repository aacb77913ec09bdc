import { join } from 'node:path'
import { DATABASE_FILE, type DatabasePlace } from './open-database.ts'
import type { SnapshotFacts, SnapshotReturn, SnapshotWish } from './snapshot-parts.ts'
import { placeSqliteSnapshot, writeSqliteSnapshot } from './sqlite/snapshot.ts'

/** Writes all that a database holds as it is in one moment, while others go on writing. */
export async function writeSnapshot(place: DatabasePlace, wish: SnapshotWish): Promise<SnapshotFacts> {
  if (place.databaseUrl === undefined) return writeSqliteSnapshot(join(place.dataFolder, DATABASE_FILE), wish)
  const { writePostgresSnapshot } = await import('./postgres/write-snapshot.ts')
  return writePostgresSnapshot(place.databaseUrl.reveal(), wish)
}

/** Puts what a snapshot holds into its place, at once and whole; answers how many rows each table has there. */
export async function placeSnapshot(place: DatabasePlace, back: SnapshotReturn): Promise<SnapshotFacts['rows']> {
  if (place.databaseUrl === undefined) return placeSqliteSnapshot(place.dataFolder, back)
  const { placePostgresSnapshot } = await import('./postgres/place-snapshot.ts')
  return placePostgresSnapshot(place.databaseUrl.reveal(), back)
}
