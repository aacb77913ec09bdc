import { readRecord } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { hasDefault } from '#domain/fields/kinds.ts'
import { call } from '#web/data/api/call.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { isEmptyClientValue } from '#web/shared/fields/client-value.ts'
import { t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { canBeSetInNew, isSetByWorkflow } from '#web/shared/fields/editable-cells.ts'
import { traitsOf } from '#web/shared/fields/kinds.ts'

type Values = { readonly [field: string]: unknown }

/** Loads full rich-text documents first, because lists contain only their plain text. */
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

/** Marks unique values as copies, or omits them. */
export function copyOf(collection: TypedCollection, values: Values): Values {
  const { fields } = collection
  const isCopied = (field: Field): boolean =>
    traitsOf(field).onDuplicate !== 'omit' &&
    !isSetByWorkflow(collection, field) &&
    canBeSetInNew(collection, field) &&
    !isEmptyClientValue(field.kind, values[field.name])
  return Object.fromEntries(
    fields.filter(isCopied).flatMap((field): [string, unknown][] => {
      const value = values[field.name]
      if (!field.unique) return [[field.name, value]]
      return traitsOf(field).onDuplicate === 'mark' && typeof value === 'string'
        ? [[field.name, t('{value} (copy)', { value })]]
        : []
    }),
  )
}

/** Values that put a new record into the given group; undefined if the user can't set one of them. */
export function groupValues(collection: TypedCollection, group: readonly string[], values: Values): Values | undefined {
  const grouped = Object.fromEntries(group.map((name) => [name, values[name]]))
  const copy = copyOf(collection, grouped)
  const isSettable = (name: string): boolean => {
    const field = collection.fields.find((each) => each.name === name)
    return (
      field !== undefined &&
      !field.unique &&
      (Object.hasOwn(copy, name) || (!hasDefault(field) && isEmptyClientValue(field.kind, values[name])))
    )
  }
  return group.every(isSettable) ? copy : undefined
}
