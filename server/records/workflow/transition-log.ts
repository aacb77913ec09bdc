import { z } from 'zod'
import type { LoggedTransition } from '#domain/workflow/evaluate-transition.ts'
import type { FieldId, OptionId, RecordId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'

export type LogEntry = LoggedTransition & { readonly id: string }

type TransitionQuery = {
  readonly record: RecordId
  readonly field: FieldId
}

/** The newest transitions of a record, excluding those of a previous status field. */
export async function findTransitions(
  db: Reader,
  { record, field }: TransitionQuery,
  limit: number,
): Promise<LogEntry[]> {
  const rows = await db
    .selectFrom('changes')
    .select(['id', 'at', 'user_id', 'before', 'after'])
    .where('record_id', '=', record)
    .where('kind', '=', 'record-moved')
    .where('after', 'like', `%"${field}":%`)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id, at, user_id: userId, ...values }) => ({
    id,
    at,
    userId,
    from: statusIn(values.before, field),
    to: statusIn(values.after, field),
  }))
}

/** The ID of the record's last logged change of any kind. */
export async function lastChangeId(db: Reader, record: RecordId): Promise<string | undefined> {
  const last = await db
    .selectFrom('changes')
    .select('id')
    .where('record_id', '=', record)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.id
}

const valuesSchema = z.record(z.string(), z.unknown())

function statusIn(json: string | null, field: FieldId): OptionId | null {
  const value = json === null ? null : valuesSchema.parse(JSON.parse(json))[field]
  return typeof value === 'string' ? value : null
}

/** When each record was last moved to another status; records that were never moved are left out. */
export async function lastTransitionTimes(
  db: Reader,
  records: readonly RecordId[],
): Promise<ReadonlyMap<RecordId, string>> {
  const times = new Map<RecordId, string>()
  for (const some of chunkIds(records)) {
    const rows = await db
      .selectFrom('changes')
      .select((eb) => ['record_id', eb.fn.max('at').as('at')])
      .where('record_id', 'in', some)
      .where('kind', '=', 'record-moved')
      .groupBy('record_id')
      .execute()
    for (const { record_id: id, at } of rows) if (id !== null) times.set(id, String(at))
  }
  return times
}
