import { sql } from 'kysely'
import { Problem } from '#domain/shared/problem.ts'
import { StaleSchemaError } from '#server/platform/database/database-errors.ts'
import { type Database, DIALECT_TYPES, type Reader, type Transaction } from '#server/platform/database/database.ts'
import { initial } from './0028-initial.ts'
import { descriptions } from './0029-descriptions.ts'
import { pendingIndexes } from './0030-pending-indexes.ts'
import { changeSets } from './0031-change-sets.ts'
import { undoneChanges } from './0032-undone-changes.ts'
import { deletedDefinitions } from './0033-deleted-definitions.ts'
import { commitOrder } from './0034-commit-order.ts'
import { formulaFunctions } from './0035-formula-functions.ts'
import { rollups } from './0036-rollups.ts'
import { formulaIndexes } from './0037-formula-indexes.ts'
import { dashboards } from './0038-dashboards.ts'
import { recordLayouts } from './0039-record-layouts.ts'
import { functionsInIndexes } from './0040-functions-in-indexes.ts'
import { defaultFormulas } from './0041-default-formulas.ts'
import { manualOrder } from './0042-manual-order.ts'
import { fasterTextFunctions } from './0043-faster-text-functions.ts'
import { exactTextsInIndexes } from './0044-exact-texts-in-indexes.ts'
import { pendingParts } from './0045-pending-parts.ts'
import { changedInputs } from './0046-changed-inputs.ts'
import { discardedIndexes } from './0047-discarded-indexes.ts'
import { entryCounts } from './0048-entry-counts.ts'
import type { Migration } from './migration.ts'

export const ALL_MIGRATIONS: readonly Migration[] = [
  initial,
  descriptions,
  pendingIndexes,
  changeSets,
  undoneChanges,
  deletedDefinitions,
  commitOrder,
  formulaFunctions,
  rollups,
  formulaIndexes,
  dashboards,
  recordLayouts,
  functionsInIndexes,
  defaultFormulas,
  manualOrder,
  fasterTextFunctions,
  exactTextsInIndexes,
  pendingParts,
  changedInputs,
  discardedIndexes,
  entryCounts,
]

export type MigrateOptions = { readonly migrations?: readonly Migration[]; readonly now?: Date }

/**
 * Applies pending migrations and returns their names. All run in one transaction under a lock: with concurrent starts,
 * each migration is applied once, and a failure leaves everything unchanged. Rejects a database from a newer version.
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<string[]> {
  const { migrations = ALL_MIGRATIONS, now = new Date() } = options
  return database.write(async (transaction) => {
    if (transaction.dialect === 'postgres') await sql`set local statement_timeout = 0`.execute(transaction.db)
    await createMigrationTable(transaction)
    const taken = await lastMigration(transaction.db)
    const known = migrations.at(-1)?.number ?? 0
    if (taken > known) throw writtenByNewer(taken, known)
    const missing = migrations.filter(({ number }) => number > taken)
    for (const migration of missing) await take(transaction, migration, now)
    return missing.map(({ name }) => name)
  }, MIGRATING)
}

export async function stepsTo(
  database: Database,
  { migrations = ALL_MIGRATIONS }: MigrateOptions = {},
): Promise<{ readonly taken: number; readonly missing: readonly Migration[] }> {
  const taken = await lastMigration(database.read).catch((error: unknown) => {
    // A new database has no migrations table.
    if (error instanceof StaleSchemaError) return 0
    throw error
  })
  const known = migrations.at(-1)?.number ?? 0
  if (taken > known) throw writtenByNewer(taken, known)
  return { taken, missing: migrations.filter(({ number }) => number > taken) }
}

/** Rewriting a large table can take a long time. */
const MIGRATING = { alone: 'migrations', limitMs: 60 * 60 * 1000 }

const writtenByNewer = (taken: number, known: number): Problem =>
  new Problem(
    'not-ready',
    `The database was last used by a newer version of Dossier (schema version ${taken}, this version supports ${known}). Nothing was changed. Start the newer version, or restore a backup from before the upgrade.`,
  )

async function createMigrationTable({ db, dialect }: Transaction): Promise<void> {
  const { text, integer } = DIALECT_TYPES[dialect]
  await sql
    .raw(
      `create table if not exists migrations (number ${integer} primary key not null, name ${text} not null, at ${text} not null)`,
    )
    .execute(db)
}

async function lastMigration(db: Reader): Promise<number> {
  const row = await db
    .selectFrom('migrations')
    .select((eb) => eb.fn.max('number').as('last'))
    .executeTakeFirst()
  return Number(row?.last ?? 0)
}

async function take(transaction: Transaction, migration: Migration, now: Date): Promise<void> {
  await migration.apply(transaction, DIALECT_TYPES[transaction.dialect])
  const { number, name } = migration
  await transaction.db.insertInto('migrations').values({ number, name, at: now.toISOString() }).execute()
}
