import { readRecord } from '#api/records.ts'
import type { Field, FieldKind } from '#domain/fields/field.ts'
import { call } from '#web/data/api/call.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { isEmptyClientValue } from '#web/shared/fields/client-value.ts'
import { t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { isSetByWorkflow } from '#web/shared/fields/editable-cells.ts'

type Values = { readonly [field: string]: unknown }

/** Auto numbers are assigned by the server, and a file belongs to one record. */
const NEVER_COPIED: ReadonlySet<FieldKind> = new Set(['auto-number', 'files'])

/** Types in which a copy can be marked. */
const CAN_SAY_SO: ReadonlySet<FieldKind> = new Set(['text', 'long-text'])

/** Reads documents first, because lists hold only their text. */
export async function copiesOf(
  collection: TypedCollection,
  lines: readonly RecordRow[],
): Promise<readonly { readonly values: Values }[]> {
  const hasDocuments = collection.fields.some(({ kind }) => kind === 'rich-text')
  const whole = (line: RecordRow): Promise<Values> | Values =>
    hasDocuments ? readWhole(collection, line.record.id) : line.record.values
  const copies: { readonly values: Values }[] = []
  for (const line of lines) copies.push({ values: copyOf(collection, await whole(line)) })
  return copies
}

const readWhole = async ({ name }: TypedCollection, record: string): Promise<Values> =>
  (await call(readRecord, { params: { collection: name, record }, query: { expand: '*' } })).values

/** Unique values are marked as copies or left out. */
export function copyOf(collection: TypedCollection, values: Values): Values {
  const { closed = {}, fields } = collection
  const isCopied = (field: Field): boolean =>
    !NEVER_COPIED.has(field.kind) &&
    !isSetByWorkflow(collection, field) &&
    closed[field.name]?.create !== 'wholly' &&
    !isEmptyClientValue(field.kind, values[field.name])
  return Object.fromEntries(
    fields.filter(isCopied).flatMap((field): [string, unknown][] => {
      const value = values[field.name]
      if (!field.unique) return [[field.name, value]]
      return CAN_SAY_SO.has(field.kind) && typeof value === 'string'
        ? [[field.name, t('{value} (copy)', { value })]]
        : []
    }),
  )
}
