import type { Collection } from '#domain/collections/collection.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import type { Json } from '#domain/shared/json.ts'
import type { Change } from '#server/records/changes/change-log.ts'

/** A record as it was, and what of it changes. */
export type ChangedValues = { readonly record: CollectionRecord; readonly values: RecordValues }

/** What is written down of changed values, record by record. */
export const valueChanges = (collection: Collection, moves: readonly ChangedValues[]): Change[] =>
  moves.map(({ record, values: after }) => ({
    kind: 'record-changed',
    collection: collection.id,
    record: record.id,
    before: json(Object.fromEntries(Object.keys(after).map((field) => [field, record.values[field] ?? null]))),
    after: json(after),
  }))

/** Values are plain data; the type only forgets that documents are too. */
const json = (values: unknown): Json => values as Json
