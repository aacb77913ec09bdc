import { join } from 'node:path'
import { Problem } from '#domain/shared/problem.ts'
import { DATABASE_FILE, type DatabaseLocation } from '#server/platform/database/open-database.ts'
import type { SchemaSwitch, SnapshotFacts, SnapshotRequest, SwitchTransaction } from './snapshot-types.ts'
import { writeSqliteSnapshot } from '#server/platform/database/sqlite/sqlite-snapshot.ts'

export async function writeSnapshot(place: DatabaseLocation, request: SnapshotRequest): Promise<SnapshotFacts> {
  if (place.databaseUrl === undefined) return writeSqliteSnapshot(join(place.dataFolder, DATABASE_FILE), request)
  const { writePostgresSnapshot } = await import('#server/platform/database/postgres/snapshot/write-snapshot.ts')
  return writePostgresSnapshot(place.databaseUrl.reveal(), request)
}

export async function switchPostgresSchema(url: string, request: SchemaSwitch): Promise<SnapshotFacts> {
  const { switchSchema } = await import('#server/platform/database/postgres/snapshot/switch-schema.ts')
  return switchSchema(url, request)
}

export async function isSwitched({ databaseUrl }: DatabaseLocation, transaction: SwitchTransaction): Promise<boolean> {
  const { databaseName, isCommitted } = await import('#server/platform/database/postgres/snapshot/switch-schema.ts')
  const url = databaseUrl?.reveal()
  if (url !== undefined && databaseName(url) === transaction.database) return isCommitted(url, transaction.id)
  throw new Problem(
    'not-ready',
    `DATABASE_URL: a restore to the PostgreSQL database ${transaction.database} was interrupted, but DATABASE_URL has changed since. Nothing was changed. Start once with the previous DATABASE_URL to complete or roll back the restore.`,
  )
}
