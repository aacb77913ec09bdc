import type { Kysely } from 'kysely'
import type { UserId } from '#domain/shared/ids.ts'
import type { Tables } from '#server/platform/database/database.ts'

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

export async function offerTourRow(
  db: Kysely<Tables>,
  userId: UserId,
  { tour, version, at }: { readonly tour: string; readonly version: number; readonly at: string },
): Promise<boolean> {
  const met = { version, state: 'seen', step: 0, at }
  const [written] = await db
    .insertInto('tours')
    .values({ user_id: userId, tour, ...met })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'tour']).doUpdateSet(met).where('tours.version', '<', version),
    )
    .execute()
  return (written?.numInsertedOrUpdatedRows ?? 0n) > 0n
}

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
