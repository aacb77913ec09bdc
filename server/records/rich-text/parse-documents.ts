import { fieldByName } from '#domain/collections/collection.ts'
import type { NamedValues } from '#domain/records/check-values.ts'
import { MAX_NODES } from '#domain/rich-text/check-document.ts'
import type { RichNode } from '#domain/rich-text/document-schema.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { type FormattedText, type ParsedText, parseTexts } from './parse-in-worker.ts'

type TextPlace = { readonly at: number; readonly field: string; readonly given: FormattedText }

/**
 * Placeholders for texts that can't be parsed. Validation rejects them like other invalid texts, so the error reveals
 * nothing about hidden fields.
 */
const UNREADABLE: { readonly [Reason in Extract<ParsedText, string>]: RichNode } = {
  'too-deep': Array.from({ length: 60 }).reduce<RichNode>((content) => ({ type: 'blockquote', content: [content] }), {
    type: 'paragraph',
  }),
  'too-large': { type: 'blockquote', content: Array.from({ length: MAX_NODES }, () => ({ type: 'paragraph' })) },
}

/** Parses rich text in `{ html }` or `{ markdown }` form, given one set of values per record. */
export async function parseDocuments(
  { definitions }: Pick<RecordDeps, 'definitions'>,
  nameOrId: string,
  records: readonly NamedValues[],
): Promise<readonly NamedValues[]> {
  const textual = records.flatMap((values, at) =>
    Object.entries(values).flatMap(([field, value]): readonly TextPlace[] => {
      const given = formattedText(value)
      return given ? [{ at, field, given }] : []
    }),
  )
  if (textual.length === 0) return records
  const { byName, byId } = await definitions.current()
  const collection = byName.get(nameOrId) ?? byId.get(nameOrId)
  const places = textual.filter(({ field }) => collection && fieldByName(collection, field)?.kind === 'rich-text')
  if (places.length === 0) return records
  const drafts = await parseTexts(places.map(({ given }) => given))
  const read = records.map((values) => ({ ...values }))
  for (const [nth, { at, field }] of places.entries()) {
    const values: { [name: string]: unknown } = read[at] ?? {}
    const draft = drafts[nth] ?? 'too-large'
    values[field] = typeof draft === 'string' ? { type: 'doc', content: [UNREADABLE[draft]] } : draft
  }
  return read
}

function formattedText(value: unknown): FormattedText | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const [[form, text] = [], ...others] = Object.entries(value)
  const isText = (form === 'html' || form === 'markdown') && typeof text === 'string' && others.length === 0
  return isText ? { form, text } : undefined
}
