import type { Kysely } from 'kysely'
import type { UserId } from '#domain/shared/ids.ts'
import type { Reader, Tables } from '#server/platform/database/database.ts'
import { readWorkspaceValue, storeWorkspaceValue } from '#server/platform/database/workspace-values.ts'

export type TourProgress = {
  readonly tour: string
  readonly version: number
  readonly state: 'seen' | 'done' | 'dismissed'
  readonly step: number
}

const STATES = ['seen', 'done', 'dismissed'] as const

export async function listTourRows(db: Kysely<Tables>, userId: UserId): Promise<TourProgress[]> {
  const rows = await db
    .selectFrom('tours')
    .select(['tour', 'version', 'state', 'step'])
    .where('user_id', '=', userId)
    .orderBy('tour')
    .execute()
  return rows.map((row) => ({ ...row, state: STATES.find((state) => state === row.state) ?? 'seen' }))
}

/** Workspace setting; enabled by default. */
const TOURS = 'tours'

export async function areToursOn(db: Reader): Promise<boolean> {
  return (await readWorkspaceValue(db, TOURS)) !== 'off'
}

export const storeToursOn = (db: Reader, isOn: boolean): Promise<void> =>
  storeWorkspaceValue(db, TOURS, isOn ? 'on' : 'off')

export async function saveTourRow(
  db: Kysely<Tables>,
  userId: UserId,
  progress: TourProgress,
  at: string,
): Promise<void> {
  await db
    .insertInto('tours')
    .values({ user_id: userId, ...progress, at })
    .onConflict((conflict) => conflict.columns(['user_id', 'tour']).doUpdateSet({ ...progress, at }))
    .execute()
}
