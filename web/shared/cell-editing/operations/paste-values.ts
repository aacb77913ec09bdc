import type { Field } from '#domain/fields/field.ts'
import type { TextFormat } from '#domain/fields/field-kind.ts'
import { type ReferenceField, type RowReader, createRowReader } from '#domain/imports/row-to-values.ts'
import { apiValue } from '#domain/records/named-values.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import { definitionOf } from '#web/shared/conditions/path-fields.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { t } from '#web/i18n/t.ts'

export type NameMatch = { readonly id: string; readonly name: string } | 'none' | 'several'

/** Resolves linked records by title and users by name. */
export type ResolveNames = (field: ReferenceField, names: readonly string[]) => Promise<ReadonlyMap<string, NameMatch>>

export type ParsedText = Result<unknown, string>

/** Parses text for one field as an import would. */
export function textParser(collection: TypedCollection, field: Field, format: TextFormat) {
  const reader: RowReader = createRowReader({
    collection: definitionOf({ ...collection, fields: [field] }),
    columns: [{ at: 0, header: field.label, field: field.id, format }],
    width: 1,
    // A key column makes empty text clear the value instead of applying the default.
    key: { at: 0, header: '', field: NO_FIELD },
  })
  const read = (text: string) => reader.read([text])
  return {
    /** Distinct names to resolve before parsing. */
    namesIn: (texts: readonly string[]): readonly string[] => {
      if (reader.references.length === 0) return []
      const names = texts.flatMap((text) => {
        const row = read(text)
        return row.ok ? row.titles.flat() : []
      })
      return [...new Set(names)]
    },
    read: (text: string, found: ReadonlyMap<string, NameMatch>): ParsedText => {
      const row = read(text)
      if (!row.ok) return fail(row.faults[0]?.message ?? t('Couldn’t read the value.'))
      const [pointer] = reader.references
      const [value = null] = row.values
      if (!pointer) return ok(apiValue(field, value, { choices: 'name', richText: 'text' }))
      return matchReferences(pointer, row.titles[0] ?? [], found)
    },
  }
}

/** Matches no field, because pasted text has no key column. */
const NO_FIELD = ''

function matchReferences(
  field: ReferenceField,
  names: readonly string[],
  found: ReadonlyMap<string, NameMatch>,
): ParsedText {
  const meant: { readonly id: string; readonly name: string }[] = []
  for (const name of names) {
    const one = found.get(name) ?? 'none'
    if (typeof one === 'string') return fail(one === 'none' ? noMatchError(field, name) : ambiguousError(field, name))
    meant.push(one)
  }
  return ok(field.kind === 'user' ? meant : meant.map(({ id, name }) => ({ id, title: name })))
}

const noMatchError = ({ kind }: ReferenceField, name: string): string =>
  kind === 'user'
    ? t('Couldn’t find a person named “{name}”.', { name })
    : t('Couldn’t find a record named “{name}”.', { name })

const ambiguousError = ({ kind }: ReferenceField, name: string): string =>
  kind === 'user'
    ? t('Several people are named “{name}”.', { name })
    : t('Several records are named “{name}”.', { name })

export async function parseTexts(
  collection: TypedCollection,
  field: Field,
  texts: readonly string[],
  { find, format }: { readonly find: ResolveNames; readonly format: TextFormat },
): Promise<readonly ParsedText[]> {
  const reader = textParser(collection, field, format)
  const names = reader.namesIn(texts)
  const found = names.length > 0 && isPointer(field) ? await find(field, names) : new Map<string, NameMatch>()
  // Cached, because texts often repeat.
  const known = new Map<string, ParsedText>()
  return texts.map((text) => {
    const value = known.get(text) ?? reader.read(text, found)
    known.set(text, value)
    return value
  })
}

const isPointer = (field: Field): field is ReferenceField => field.kind === 'relation' || field.kind === 'user'
