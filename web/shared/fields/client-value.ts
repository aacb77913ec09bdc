import type { FileBody, PersonBody, RelatedBody } from '#api/records.ts'
import type { Field, FieldKind } from '#domain/fields/field.ts'
import type { RichDocument } from '#domain/rich-text/document-schema.ts'

/** As held by the browser: options by name; relations, people and files as objects. */
export type ClientValueOf = {
  readonly text: string | null
  readonly 'long-text': string | null
  /** A document on the record page; plain text in lists. */
  readonly 'rich-text': RichDocument | string | null
  readonly number: number | null
  readonly checkbox: boolean
  readonly date: string | null
  readonly 'date-time': string | null
  readonly select: string | null
  readonly 'multi-select': readonly string[]
  readonly state: string | null
  readonly email: string | null
  readonly url: string | null
  readonly phone: string | null
  readonly relation: readonly RelatedBody[]
  readonly user: readonly PersonBody[]
  readonly files: readonly FileBody[]
  readonly 'auto-number': number | null
  readonly json: unknown
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Requested expanded; a plain id is a record without a title. */
const isRelated = (value: unknown): value is RelatedBody => isObject(value) && 'id' in value && 'title' in value
const isFile = (value: unknown): value is FileBody => isObject(value) && 'id' in value && 'bytes' in value
const relatedOf = (value: unknown): readonly RelatedBody[] => {
  if (typeof value === 'string') return [{ id: value, title: '' }]
  return isRelated(value) ? [value] : []
}

const isPerson = (value: unknown): value is PersonBody => isObject(value) && 'id' in value && 'name' in value
const personOf = (value: unknown): readonly PersonBody[] => {
  if (typeof value === 'string') return [{ id: value, name: '' }]
  return isPerson(value) ? [value] : []
}

const READERS: { readonly [Kind in FieldKind]: (value: unknown) => ClientValueOf[Kind] } = {
  text,
  'long-text': text,
  // The server stores valid documents only.
  'rich-text': (value) => (isObject(value) ? (value as RichDocument) : text(value)),
  number: (value) => (typeof value === 'number' ? value : null),
  checkbox: (value) => value === true,
  date: text,
  'date-time': text,
  select: text,
  'multi-select': (value) => (Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []),
  state: text,
  email: text,
  url: text,
  phone: text,
  relation: (value) => (Array.isArray(value) ? value.flatMap(relatedOf) : relatedOf(value)),
  user: (value) => (Array.isArray(value) ? value.flatMap(personOf) : personOf(value)),
  files: (value) => (Array.isArray(value) ? value.filter(isFile) : []),
  'auto-number': (value) => (typeof value === 'number' ? value : null),
  json: (value) => value ?? null,
}

export const toClientValue = <Kind extends FieldKind>(kind: Kind, value: unknown): ClientValueOf[Kind] =>
  READERS[kind](value)

/** Relations, people and files by id. */
export function toWireValue(field: Field, value: unknown): unknown {
  if (field.kind === 'files') return toClientValue('files', value).map((file) => file.id)
  if (field.kind !== 'relation' && field.kind !== 'user') return value
  const ids = toClientValue(field.kind, value).map((pointed) => pointed.id)
  return field.options.many ? ids : (ids[0] ?? null)
}

/** A checkbox is never empty. */
export function isEmptyClientValue(kind: FieldKind, value: unknown): boolean {
  const shown = toClientValue(kind, value)
  return shown === null || (kind !== 'json' && Array.isArray(shown) && shown.length === 0)
}
