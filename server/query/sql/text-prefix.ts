import { type RawBuilder, sql } from 'kysely'
import { holdsText } from '#domain/fields/folded-text.ts'
import type { Leaf } from '#domain/query/check/checked-filter.ts'

/**
 * PostgreSQL rejects index entries above 2,704 bytes, and a text can be longer; 200 characters always fit. Its
 * indexes contain prefixes, which are nearly as selective as whole texts.
 */
const PREFIX_LENGTH = 200

export const isLongText = (leaf: Leaf): boolean =>
  leaf.type === 'field' && (holdsText(leaf.field.kind) || leaf.field.kind === 'rich-text')

export const prefixExpression = (text: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`left(${text}, ${sql.lit(PREFIX_LENGTH)})`

/** The same for a text in memory; both count code points. */
export const prefixOfText = (text: string): string =>
  text.length <= PREFIX_LENGTH ? text : [...text].slice(0, PREFIX_LENGTH).join('')

export const fitsInPrefix = (text: string): boolean => prefixOfText(text) === text
