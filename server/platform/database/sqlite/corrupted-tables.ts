import { sql } from 'kysely'
import type { Reader } from '#server/platform/database/database.ts'
import { describeCause, isCorruption } from './sqlite-errors.ts'

/** Message of the structural check about a damaged table. */
export type CorruptedTable = { readonly name: string; readonly findings: readonly string[] }

/** Damage to a database file: data tables, and search indexes in use, which can be rebuilt from them. */
export type FileCorruption = { readonly tables: readonly CorruptedTable[]; readonly searchIndexes: readonly string[] }

export const WHOLE_FILE = 'file'

/**
 * Checks the structure of the whole file and, since that check ends at its first bad page, of every table of a
 * damaged one. A damaged search index that was replaced stays in the file, because SQLite cannot drop it, and no
 * longer matters.
 */
export async function findCorruption(read: Reader): Promise<FileCorruption> {
  const whole = await check(sql`pragma quick_check`, read)
  if (whole.length === 0) return { tables: [], searchIndexes: [] }
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' order by name`.execute(read)
  const hurt: CorruptedTable[] = []
  for (const { name } of rows) {
    const findings = await check(sql`pragma quick_check(${sql.lit(name)})`, read)
    if (findings.length > 0) hurt.push({ name, findings })
  }
  const tables = hurt.filter(({ name }) => searchIndexOf(name) === undefined)
  const ids = new Set(hurt.flatMap(({ name }) => searchIndexOf(name) ?? []))
  return {
    tables: hurt.length > 0 ? tables : [{ name: WHOLE_FILE, findings: whole }],
    searchIndexes: ids.size === 0 || tables.length > 0 ? [...ids] : await inUse(read, [...ids]),
  }
}

async function check(pragma: ReturnType<typeof sql>, read: Reader): Promise<string[]> {
  try {
    const { rows } = await pragma.execute(read)
    return (rows as { quick_check: string }[]).flatMap(({ quick_check: found }) =>
      found === 'ok' ? [] : found.split('\n').filter((line) => !line.startsWith('***')),
    )
  } catch (error) {
    if (!isCorruption(error)) throw error
    return [describeCause(error)]
  }
}

const searchIndexOf = (table: string): string | undefined => /^[st]_([0-9a-z]{26})(?:_[a-z]+)?$/.exec(table)?.[1]

async function inUse(read: Reader, ids: readonly string[]): Promise<string[]> {
  const rows = await read
    .selectFrom('search_parts')
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  return rows.map(({ id }) => id)
}
