import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { readWorkspaceValue, storeWorkspaceValue } from '#server/platform/database/workspace-values.ts'

const SETTING = 'trash-days'

const HISTORY_SETTING = 'history-days'

const DEFAULT_DAYS = 30

const DAY_MS = 24 * 60 * 60 * 1000

/** How many days deleted records, and files removed from records, can be restored. */
export async function readTrashDays(db: Reader): Promise<number> {
  return Number((await readWorkspaceValue(db, SETTING)) ?? DEFAULT_DAYS)
}

export const storeTrashDays = ({ db }: Transaction, days: number): Promise<void> =>
  storeWorkspaceValue(db, SETTING, String(days))

/** Records deleted before this time have expired. */
export async function trashCutoff(db: Reader, now: Date): Promise<string> {
  return new Date(now.getTime() - (await readTrashDays(db)) * DAY_MS).toISOString()
}

/** How many days changes of records stay in the history; null: forever. */
export async function readHistoryDays(db: Reader): Promise<number | null> {
  return Number((await readWorkspaceValue(db, HISTORY_SETTING)) ?? 0) || null
}

export const storeHistoryDays = ({ db }: Transaction, days: number | null): Promise<void> =>
  storeWorkspaceValue(db, HISTORY_SETTING, String(days ?? 0))

/** The history begins at this time; undefined if all of it is kept. */
export async function historyCutoff(db: Reader, now: Date): Promise<string | undefined> {
  const days = await readHistoryDays(db)
  return days === null ? undefined : new Date(now.getTime() - days * DAY_MS).toISOString()
}

export const expiryOf = (deletedAt: string, days: number): string =>
  new Date(Date.parse(deletedAt) + days * DAY_MS).toISOString()
