import type { Field } from '#domain/fields/field.ts'
import { type PointerField, type RowReader, rowReader } from '#domain/imports/row-to-values.ts'
import { outsideValue } from '#domain/records/named-values.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import { definitionOf } from '#web/shared/conditions/path-fields.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { t } from '#web/i18n/t.ts'
import { type LocalFormats, parseLocalText } from './parse-local-text.ts'

/** What a name in a text stands for: something known by its id and name, nothing, or several things. */
export type NameMatch = { readonly id: string; readonly name: string } | 'none' | 'several'

/** Finds out what names stand for: related records by their titles, people by theirs. */
export type ResolveNames = (field: PointerField, names: readonly string[]) => Promise<ReadonlyMap<string, NameMatch>>

/** A text as a value of its field, as the browser holds it; or why it is none, in a sentence about “it”. */
export type ParsedText = Result<unknown, string>

/** Reads texts of one field by the judge that reads imports. */
export function textParser(collection: TypedCollection, field: Field, forms: LocalFormats) {
  const reader: RowReader = rowReader({
    collection: definitionOf({ ...collection, fields: [field] }),
    columns: [{ at: 0, header: field.label, field: field.id }],
    width: 1,
    // The records are there: what is left empty is emptied, and not begun anew.
    key: { at: 0, header: '', field: NO_FIELD },
  })
  const read = (text: string) => reader.read([parseLocalText(field, text, forms)])
  return {
    /** The names in some texts that must be looked up first, each once. */
    namesIn: (texts: readonly string[]): readonly string[] => {
      if (reader.pointers.length === 0) return []
      const names = texts.flatMap((text) => {
        const row = read(text)
        return row.ok ? row.titles.flat() : []
      })
      return [...new Set(names)]
    },
    read: (text: string, found: ReadonlyMap<string, NameMatch>): ParsedText => {
      const row = read(text)
      if (!row.ok) return fail(row.faults[0]?.message ?? t('Couldn’t read the value.'))
      const [pointer] = reader.pointers
      const [value = null] = row.values
      if (!pointer) return ok(outsideValue(field, value, { choices: 'name', richText: 'text' }))
      return matchReferences(pointer, row.titles[0] ?? [], found)
    },
  }
}

/** No field is called so: a key that is never read. */
const NO_FIELD = ''

function matchReferences(
  field: PointerField,
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

const noMatchError = ({ kind }: PointerField, name: string): string =>
  kind === 'user' ? t('No person is named “{name}”.', { name }) : t('No record is named “{name}”.', { name })

const ambiguousError = ({ kind }: PointerField, name: string): string =>
  kind === 'user'
    ? t('Several people are named “{name}”.', { name })
    : t('Several records are named “{name}”.', { name })

/** Texts of one column, read: those that are values, and those that are not. */
export async function parseTexts(
  collection: TypedCollection,
  field: Field,
  texts: readonly string[],
  { find, forms }: { readonly find: ResolveNames; readonly forms: LocalFormats },
): Promise<readonly ParsedText[]> {
  const reader = textParser(collection, field, forms)
  const names = reader.namesIn(texts)
  const found = names.length > 0 && isPointer(field) ? await find(field, names) : new Map<string, NameMatch>()
  // The same words come again and again.
  const known = new Map<string, ParsedText>()
  return texts.map((text) => {
    const value = known.get(text) ?? reader.read(text, found)
    known.set(text, value)
    return value
  })
}

const isPointer = (field: Field): field is PointerField => field.kind === 'relation' || field.kind === 'user'
