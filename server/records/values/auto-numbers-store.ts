import type { FieldId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/platform/database/database.ts'

export async function raiseLast({ db }: Transaction, field: FieldId, by: number): Promise<number> {
  const { last } = await db
    .insertInto('auto_numbers')
    .values({ field_id: field, last: by })
    .onConflict((conflict) =>
      conflict
        .column('field_id')
        .doUpdateSet((eb) => ({ last: eb('auto_numbers.last', '+', eb.ref('excluded.last')) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return Number(last)
}

export async function readLast({ db }: Transaction, field: FieldId): Promise<number | undefined> {
  const row = await db.selectFrom('auto_numbers').select('last').where('field_id', '=', field).executeTakeFirst()
  return row && Number(row.last)
}

export async function writeLast({ db }: Transaction, field: FieldId, last: number): Promise<void> {
  await db
    .insertInto('auto_numbers')
    .values({ field_id: field, last })
    .onConflict((conflict) => conflict.column('field_id').doUpdateSet({ last }))
    .execute()
}

export async function deleteLast({ db }: Transaction, fields: readonly FieldId[]): Promise<void> {
  await db
    .deleteFrom('auto_numbers')
    .where('field_id', 'in', [...fields])
    .execute()
}
