import { z } from 'zod'
import type { OptionId, FieldId, RecordId, UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'

/** A logged transition, its statuses by id. */
export type LoggedTransition = {
  readonly id: string
  readonly at: string
  readonly userId: UserId | null
  readonly from: OptionId | null
  readonly to: OptionId | null
  readonly note: string | null
}

type TransitionQuery = {
  readonly record: RecordId
  /** The status field. */
  readonly field: FieldId
  /** Entries older than this one. */
  readonly before?: string | undefined
}

/** The newest transitions of a record; those of a status field it had before are not among them. */
export async function findTransitions(
  db: Reader,
  { record, field, before }: TransitionQuery,
  limit: number,
): Promise<LoggedTransition[]> {
  const rows = await db
    .selectFrom('changes')
    .select(['id', 'at', 'user_id', 'before', 'after', 'note'])
    .where('record_id', '=', record)
    .where('kind', '=', 'record-moved')
    .where('after', 'like', `%"${field}":%`)
    .$if(before !== undefined, (page) => page.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id, at, user_id: userId, note, ...values }) => ({
    id,
    at,
    userId,
    from: statusIn(values.before, field),
    to: statusIn(values.after, field),
    note,
  }))
}

const valuesSchema = z.record(z.string(), z.unknown())

function statusIn(json: string | null, field: FieldId): OptionId | null {
  const value = json === null ? null : valuesSchema.parse(JSON.parse(json))[field]
  return typeof value === 'string' ? value : null
}
