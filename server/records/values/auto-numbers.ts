import type { FieldId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/platform/database/database.ts'

/**
 * Allocates the next numbers of a field, and returns the first one. A rollback releases them, so that a rejected record
 * leaves no gap; on PostgreSQL, the next write that allocates numbers waits for this one.
 */
export async function allocateNumbers({ db }: Transaction, field: FieldId, count: number): Promise<number> {
  const { last } = await db
    .insertInto('auto_numbers')
    .values({ field_id: field, last: count })
    .onConflict((conflict) =>
      conflict
        .column('field_id')
        .doUpdateSet((eb) => ({ last: eb('auto_numbers.last', '+', eb.ref('excluded.last')) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return Number(last) - count + 1
}

export async function lastNumberOf({ db }: Transaction, field: FieldId): Promise<number | undefined> {
  const row = await db.selectFrom('auto_numbers').select('last').where('field_id', '=', field).executeTakeFirst()
  return row && Number(row.last)
}

export async function continueNumbersAfter({ db }: Transaction, field: FieldId, last: number): Promise<void> {
  await db
    .insertInto('auto_numbers')
    .values({ field_id: field, last })
    .onConflict((conflict) => conflict.column('field_id').doUpdateSet({ last }))
    .execute()
}

export async function deleteNumbers({ db }: Transaction, fields: readonly FieldId[]): Promise<void> {
  if (fields.length === 0) return
  await db
    .deleteFrom('auto_numbers')
    .where('field_id', 'in', [...fields])
    .execute()
}
